/* A joint under LuGre friction in a control loop: pushed below its limit it holds, pushed above it moves.
 *
 *     cc joint.c -I../../crates/bristle-c/include -L../../target/release -lbristle_c -lpthread -ldl -lm -o joint
 */
#include "bristle.h"

#include <stdio.h>

/* Moves a mass of 1 kg under a constant push for a second; where it is then. */
static int push(double force, double *travel) {
    const char *names[] = {"mu_s", "mu_d", "v_s", "sigma0", "sigma1"};
    const double values[] = {0.45, 0.3, 1e-3, 1e5, 300.0};
    bristle_law law;
    if (bristle_law_init(&law, "lugre") || bristle_law_set(&law, names, values, 5)) return 1;

    double z[1] = {0.0}, friction = 0.0, v = 0.0, x = 0.0;
    int8_t mode[1] = {0};
    const double h = 1e-4;
    for (int i = 0; i < 10000; ++i) {
        const bristle_at at = {v, 10.0, 0.0};
        if (bristle_law_step(&law, &at, h, z, mode, &friction)) return 1;
        v += h * (force - friction);
        x += h * v;
    }
    *travel = x;
    return 0;
}

int main(void) {
    double held, moved;
    if (push(2.5, &held) || push(5.0, &moved)) {
        fprintf(stderr, "%s\n", bristle_error());
        return 1;
    }
    printf("bristle %s: pushed with 2.5 N it yields %.3g m, with 5.0 N it travels %.3g m\n", bristle_version(), held, moved);
    return held < 1e-4 && moved > 0.5 ? 0 : 2;
}
