/* Every law at points nobody would choose, printed to the last bit: what the tests compare with Rust. With `time` as an argument it
 * measures, in nanoseconds a call, how long a law takes.
 */
#define _POSIX_C_SOURCE 199309L
#include "bristle.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROOM = 16, POINTS = 200, CALLS = 200000 };

/* A number between -1 and 1, the same on every machine. */
static double draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static int fail(const char *law) {
    fprintf(stderr, "%s: %s\n", law, bristle_error());
    return 1;
}

static int print_law(const char *name) {
    bristle_law law;
    if (bristle_law_init(&law, name)) return fail(name);
    const size_t states = bristle_law_states(&law), elements = bristle_law_elements(&law);
    double z[ROOM], dz[ROOM], guards[ROOM], jacobian[ROOM * ROOM], force, again, limit;
    int8_t mode[ROOM];
    bristle_at at = {0.0, 10.0, 0.0};
    if (bristle_law_start(&law, &at, z, mode)) return fail(name);
    uint64_t seed = 1;
    for (int i = 0; i < POINTS; ++i) {
        at.v = 0.1 * draw(&seed);
        at.n = 10.0 + 9.0 * draw(&seed);
        at.hold = 5.0 * draw(&seed);
        if (bristle_law_eval(&law, &at, z, mode, &force, dz)) return fail(name);
        printf("%s %d %a", name, i, force);
        for (size_t k = 0; k < states; ++k) printf(" %a", dz[k]);
        if (bristle_law_guards(&law, &at, z, mode, guards)) return fail(name);
        for (size_t k = 0; k < elements; ++k) printf(" %a", guards[k]);
        if (bristle_law_limit(&law, &at, z, mode, &limit) == BRISTLE_STATUS_OK) printf(" %a", limit);
        if (bristle_law_jacobian(&law, &at, z, mode, &again, dz, jacobian)) return fail(name);
        for (size_t k = 0; k < (1 + states) * (3 + states); ++k) printf(" %a", jacobian[k]);
        if (bristle_law_step(&law, &at, 1e-3, z, mode, &force) == BRISTLE_STATUS_OK) printf(" %a", force);
        printf("\n");
    }
    return 0;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int time_law(const char *name) {
    bristle_law law;
    if (bristle_law_init(&law, name)) return fail(name);
    double z[ROOM], dz[ROOM], jacobian[ROOM * ROOM], force;
    int8_t mode[ROOM];
    bristle_at at = {0.0, 10.0, 0.0};
    if (bristle_law_start(&law, &at, z, mode)) return fail(name);
    double best[3] = {1e9, 1e9, 1e9};
    int steps = 1;
    for (int repeat = 0; repeat < 5; ++repeat) {
        double begun = seconds();
        for (int i = 0; i < CALLS; ++i) {
            at.v = 1e-3 * (double)(i % 64 - 32);
            bristle_law_eval(&law, &at, z, mode, &force, dz);
        }
        double eval = seconds();
        for (int i = 0; i < CALLS; ++i) {
            at.v = 1e-3 * (double)(i % 64 - 32);
            bristle_law_jacobian(&law, &at, z, mode, &force, dz, jacobian);
        }
        double slopes = seconds();
        for (int i = 0; i < CALLS; ++i) {
            at.v = 1e-3 * (double)(i % 64 - 32);
            steps = steps && bristle_law_step(&law, &at, 1e-3, z, mode, &force) == BRISTLE_STATUS_OK;
        }
        double step = seconds();
        const double took[3] = {eval - begun, slopes - eval, step - slopes};
        for (int k = 0; k < 3; ++k)
            if (took[k] < best[k]) best[k] = took[k];
    }
    printf("%-16s %8.1f %8.1f", name, best[0] / CALLS * 1e9, best[1] / CALLS * 1e9);
    if (steps) printf(" %8.1f\n", best[2] / CALLS * 1e9);
    else printf("        -\n");
    return 0;
}

int main(int count, char **words) {
    const int is_timed = count > 1 && strcmp(words[1], "time") == 0;
    if (is_timed) printf("%-16s %8s %8s %8s   ns a call\n", "law", "eval", "jacobian", "step");
    for (size_t i = 0; i < bristle_law_count(); ++i) {
        const char *name = bristle_law_name(i);
        if (is_timed ? time_law(name) : print_law(name)) return 1;
    }
    return 0;
}
