/* A scenario by a clock of one's own: a controller slows a belt down as soon as the block on it slips.
 *
 *     cc belt.c -I../../crates/bristle-c/include -L../../target/release -lbristle_c -lpthread -ldl -lm -o belt
 */
#include "bristle.h"

#include <stdio.h>
#include <stdlib.h>

static const char SCENARIO[] =
    "[parts.block]\n"
    "kind = \"mass\"\n"
    "mass = \"1 kg\"\n"
    "[parts.belt]\n"
    "kind = \"drive\"\n"
    "velocity = { kind = \"input\", value = \"0.1 m/s\" }\n"
    "[parts.tie]\n"
    "kind = \"spring\"\n"
    "between = [\"block\", \"ground\"]\n"
    "k = \"10 N/m\"\n"
    "[parts.pad]\n"
    "kind = \"contact\"\n"
    "between = [\"block\", \"belt\"]\n"
    "load = \"10 N\"\n"
    "law = { kind = \"coulomb\", mu_s = 0.5, mu_d = 0.4 }\n"
    "[studies.run]\n"
    "kind = \"simulate\"\n"
    "duration = \"10 s\"\n";

static void must(bristle_status status) {
    if (status == BRISTLE_STATUS_OK) return;
    fprintf(stderr, "%s\n", bristle_error());
    exit(1);
}

int main(void) {
    bristle_run *run = NULL;
    must(bristle_run_read(SCENARIO, &run));

    size_t speed, mode, q;
    must(bristle_run_find_input(run, "belt.velocity", &speed));
    must(bristle_run_find_output(run, "pad.mode", &mode));
    must(bristle_run_find_output(run, "block.q", &q));
    bristle_input input;
    must(bristle_run_input(run, speed, &input));
    fprintf(stderr, "%s = %g %s: %s\n", input.name, input.value, input.unit, input.doc);

    /* Halfway a copy is made and a state saved: all three go on alike. */
    bristle_run *copy = NULL;
    unsigned char *saved = NULL;
    size_t size = 0;
    double slides = 0.0, place = 0.0;
    for (int k = 1; k <= 2000; ++k) {
        must(bristle_run_get(run, mode, &slides));
        must(bristle_run_set(run, speed, slides != 0.0 ? 0.05 : 0.1));
        must(bristle_run_advance(run, 5e-3 * k));
        if (k % 100 == 0) {
            must(bristle_run_get(run, q, &place));
            printf("%d %a\n", k, place);
        }
        if (k == 1000) {
            must(bristle_run_save(run, NULL, 0, &size));
            saved = malloc(size);
            must(bristle_run_save(run, saved, size, &size));
            must(bristle_run_copy(run, &copy));
        }
    }
    for (int again = 0; again < 2; ++again) {
        double other = 0.0;
        for (int k = 1001; k <= 2000; ++k) {
            must(bristle_run_get(copy, mode, &slides));
            must(bristle_run_set(copy, speed, slides != 0.0 ? 0.05 : 0.1));
            must(bristle_run_advance(copy, 5e-3 * k));
        }
        must(bristle_run_get(copy, q, &other));
        if (other != place) return 2;
        must(bristle_run_restore(copy, saved, size));
    }

    /* Refusals change nothing and say what was wrong. */
    bristle_run *none = run;
    if (bristle_run_set(run, 7, 0.0) != BRISTLE_STATUS_BAD_VALUE) return 3;
    if (bristle_run_step(run, -1.0) != BRISTLE_STATUS_BAD_VALUE) return 3;
    if (bristle_run_find_input(run, "belt.velocty", &speed) != BRISTLE_STATUS_UNKNOWN_NAME) return 3;
    fprintf(stderr, "refused: %s\n", bristle_error());
    if (bristle_run_read("[parts.block]\nkind = \"mas\"\n", &none) != BRISTLE_STATUS_BAD_SCENARIO || none) return 3;
    fprintf(stderr, "refused: %s\n", bristle_error());

    free(saved);
    bristle_run_free(copy);
    bristle_run_free(run);
    return 0;
}
