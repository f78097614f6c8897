/* CVODE at native speed on the problems of the race.
 *
 * Reads one problem from the standard input (name, dimension, break points, start, scales, output times), runs CVODE over a
 * scan of tolerances and writes one line per run: variant, tolerance, seconds, evaluations, steps and all states at the
 * output times. The race compares these with its reference by the same measure as for its own methods.
 *
 * Everywhere: absolute tolerances per state, in proportion to its scale; a stop and a restart at each break point of the
 * load; setting up the solver belongs to the time taken, as it does for ours and diffsol; the least time of several repeats.
 * Parameters are constants, so that the compiler can fold them.
 *
 * The plain variant is CVODE as its manual introduces it for stiff problems: backward differences, Newton's method, the
 * Jacobian by CVODE's own differences. The user writes the rates once, as with us. The tuned variants are for those who take
 * the trouble: Jacobians derived by hand; for the two belts also Adams' method with Newton's, and with fixed-point
 * iterations; for the belt with |v| each of them once through the kink, and once with the kink as a root to stop and restart
 * at.
 */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <time.h>

#if SUNDIALS_VERSION_MAJOR >= 7
#define NO_COMM SUN_COMM_NULL
#else
#define NO_COMM NULL
#endif

typedef sunrealtype real;

/* What a right-hand side needs to know beside time and state. */
typedef struct {
  double rise, share; /* test bench: duration of the rise, share of the static force */
  double sign;        /* dwell belt: sign of the sliding speed; 0 takes |v| */
  int count;          /* chain: number of masses */
} Data;

static double *data_of(N_Vector x) { return N_VGetArrayPointer(x); }
static double sign_of(double x) { return copysign(1.0, x); }

/* ---- test bench with FrDyn2: u, v, z, dz ------------------------------------------------------------------------------ */

static const double F_N = 9.81, S0 = 5e6, S1 = 3192.75, MU_S = 0.6, V_S = 0.001, MU_D = 0.3, V_D = 0.01;

static double cubic(double q) {
  q = q < 0.0 ? 0.0 : q > 1.0 ? 1.0 : q;
  return q * q * (3.0 - 2.0 * q);
}

/* Force, and its slopes to f0 (through the shift) and to w. */
static double bench_force(const double *x, double *shift_slope, double *slope) {
  const double fs = MU_S * F_N, f0 = S0 * x[2] + S1 * x[1];
  double shift;
  if (fabs(f0) < fs) {
    double root = sqrt(fmax(1.0 - fabs(f0) * (1.0 / fs), 1e-24));
    shift = f0 * (V_S / fs) / (1.0 + root);
    *shift_slope = V_S / (2.0 * fs * root);
  } else {
    shift = copysign(V_S, f0);
    *shift_slope = 0.0;
  }
  const double w = x[1] - x[3] + shift, a = fabs(w);
  if (a < V_S) {
    *slope = 2.0 * F_N * MU_S / V_S * (1.0 - a * (1.0 / V_S));
    return w * (F_N * MU_S / V_S) * (2.0 - a * (1.0 / V_S));
  }
  const double q = (a - V_S) * (1.0 / (V_D - V_S));
  *slope = q < 1.0 ? -F_N * (MU_S - MU_D) * 6.0 * q * (1.0 - q) / (V_D - V_S) : 0.0;
  return F_N * sign_of(w) * (MU_D + (MU_S - MU_D) * (1.0 - cubic(q)));
}

static int bench(real t, N_Vector xv, N_Vector dv, void *user) {
  const Data *c = user;
  const double *x = data_of(xv);
  double *dx = data_of(dv), shift_slope, slope;
  const double friction = bench_force(x, &shift_slope, &slope);
  dx[0] = x[1];
  dx[1] = c->share * MU_S * F_N * cubic(t / c->rise) - friction;
  dx[2] = x[3];
  dx[3] = (friction - S0 * x[2] - S1 * x[3]) * (4.0 * S0 / (S1 * S1));
  return 0;
}

static int bench_jacobian(real t, N_Vector xv, N_Vector f, SUNMatrix j, void *user, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)f, (void)user, (void)a, (void)b, (void)c;
  double shift_slope, slope;
  bench_force(data_of(xv), &shift_slope, &slope);
  const double by_v = slope * (1.0 + shift_slope * S1), by_z = slope * shift_slope * S0, by_dz = -slope;
  const double gain = 4.0 * S0 / (S1 * S1);
  double **m = SUNDenseMatrix_Cols(j); /* m[column][row] */
  m[1][0] = 1.0;
  m[1][1] = -by_v, m[2][1] = -by_z, m[3][1] = -by_dz;
  m[3][2] = 1.0;
  m[1][3] = gain * by_v, m[2][3] = gain * (by_z - S0), m[3][3] = gain * (by_dz - S1);
  return 0;
}

/* ---- block on a belt with dwell time: x, u, z, phi -------------------------------------------------------------------- */

static const double V_B = 0.1, SPRING = 100.0, B0 = 6e4, B1 = 2.0, C1 = 0.5, C0 = 15.0, CS = 10.0, ALPHA = 1.0;
static const double D0 = 0.002, GAIN = 0.1, PHI0 = 10.0; /* mass 1 kg */

static int dwell(real t, N_Vector xv, N_Vector dv, void *user) {
  (void)t;
  const Data *c = user;
  const double *x = data_of(xv);
  double *dx = data_of(dv);
  const double v = V_B - x[1], speed = c->sign == 0.0 ? fabs(v) : c->sign * v;
  const double g = C0 + CS * exp(-ALPHA * speed);
  dx[0] = x[1];
  dx[2] = v - B0 * speed * x[2] / g;
  dx[3] = 1.0 - speed * x[3] / D0;
  dx[1] = B0 * x[2] * (1.0 + GAIN * (1.0 - exp(-x[3] / PHI0))) + B1 * dx[2] + C1 * v - SPRING * x[0];
  return 0;
}

static int dwell_jacobian(real t, N_Vector xv, N_Vector f, SUNMatrix j, void *user, N_Vector a, N_Vector b, N_Vector d) {
  (void)t, (void)f, (void)a, (void)b, (void)d;
  const Data *c = user;
  const double *x = data_of(xv);
  const double v = V_B - x[1], s = c->sign == 0.0 ? sign_of(v) : c->sign, speed = s * v;
  const double decay = CS * exp(-ALPHA * speed), g = C0 + decay, fade = exp(-x[3] / PHI0);
  /* d(speed/g)/du; the speed falls with u by s */
  const double ratio_slope = -s * (g + speed * ALPHA * decay) / (g * g);
  const double z_u = -1.0 - B0 * x[2] * ratio_slope, z_z = -B0 * speed / g;
  double **m = SUNDenseMatrix_Cols(j);
  m[1][0] = 1.0;
  m[0][1] = -SPRING, m[1][1] = B1 * z_u - C1;
  m[2][1] = B0 * (1.0 + GAIN * (1.0 - fade)) + B1 * z_z, m[3][1] = B0 * x[2] * GAIN * fade / PHI0;
  m[1][2] = z_u, m[2][2] = z_z;
  m[1][3] = s * x[3] / D0, m[3][3] = -speed / D0;
  return 0;
}

static int dwell_root(real t, N_Vector xv, real *g, void *user) {
  (void)t, (void)user;
  g[0] = V_B - data_of(xv)[1];
  return 0;
}

/* ---- Rabinowicz' block on a belt with a velocity-based law: x, v ------------------------------------------------------ */

static const double MASS = 20.0, STIFF = 10.0, BELT = 0.5, F_D = 98.1, F_S = 117.72, W_S = 0.01, W_D = 0.05;

static int belt(real t, N_Vector xv, N_Vector dv, void *user) {
  (void)t, (void)user;
  const double *x = data_of(xv);
  double *dx = data_of(dv);
  const double w = x[1] - BELT, a = fabs(w);
  double force = copysign(F_D, w);
  if (a < W_S)
    force = F_S * sin(w * (0.5 * M_PI / W_S));
  else if (a < W_D)
    force = copysign(F_D + 0.5 * (F_S - F_D) * (1.0 + cos((a - W_S) * (M_PI / (W_D - W_S)))), w);
  dx[0] = x[1];
  dx[1] = -(STIFF * x[0] + force) * (1.0 / MASS);
  return 0;
}

static int belt_jacobian(real t, N_Vector xv, N_Vector f, SUNMatrix j, void *user, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)f, (void)user, (void)a, (void)b, (void)c;
  const double w = data_of(xv)[1] - BELT, speed = fabs(w);
  double slope = 0.0;
  if (speed < W_S)
    slope = F_S * (0.5 * M_PI / W_S) * cos(w * (0.5 * M_PI / W_S));
  else if (speed < W_D)
    slope = -0.5 * (F_S - F_D) * M_PI / (W_D - W_S) * sin((speed - W_S) * (M_PI / (W_D - W_S)));
  double **m = SUNDenseMatrix_Cols(j);
  m[1][0] = 1.0;
  m[0][1] = -STIFF / MASS, m[1][1] = -slope / MASS;
  return 0;
}

/* ---- chain of masses with LuGre bristles: x, v, z of each ------------------------------------------------------------- */

static const double M = 0.05, K = 2e3, C = 0.5, L0 = 1e4, L1 = 20.0, L2 = 0.4, F_C = 0.05, F_ST = 0.07, V_ST = 0.01;
static const double PULL = 0.1;

static int chain(real t, N_Vector xv, N_Vector dv, void *user) {
  const int n = ((const Data *)user)->count;
  const double *x = data_of(xv);
  double *dx = data_of(dv);
  for (int i = 0; i < n; i++, x += 3, dx += 3) {
    const double q = x[0], v = x[1], z = x[2];
    const double left_q = i > 0 ? x[-3] : q, left_v = i > 0 ? x[-2] : v;
    const double right_q = i + 1 < n ? x[3] : PULL * t, right_v = i + 1 < n ? x[4] : PULL;
    const double r = v * (1.0 / V_ST), g = F_C + (F_ST - F_C) * exp(-r * r);
    const double dz = v - L0 * sqrt(v * v + 1e-12) * z / g;
    const double spring = K * (right_q - 2.0 * q + left_q) + C * (right_v - 2.0 * v + left_v);
    dx[0] = v;
    dx[1] = (spring - L0 * z - L1 * dz - L2 * v) * (1.0 / M);
    dx[2] = dz;
  }
  return 0;
}

static int chain_jacobian(real t, N_Vector xv, N_Vector f, SUNMatrix j, void *user, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)f, (void)a, (void)b, (void)c;
  const int n = ((const Data *)user)->count;
  const double *x = data_of(xv);
  for (int i = 0; i < n; i++) {
    const int q = 3 * i, v = q + 1, z = q + 2;
    const double r = x[v] / V_ST, fade = (F_ST - F_C) * exp(-r * r), g = F_C + fade;
    const double speed = sqrt(x[v] * x[v] + 1e-12), g_slope = -2.0 * r / V_ST * fade;
    const double z_v = 1.0 - L0 * x[z] * (x[v] / speed * g - speed * g_slope) / (g * g), z_z = -L0 * speed / g;
    /* the first mass has no spring to its left */
    const double springs = i > 0 ? 2.0 : 1.0;
    SM_ELEMENT_B(j, q, v) = 1.0;
    SM_ELEMENT_B(j, v, q) = -springs * K / M;
    SM_ELEMENT_B(j, v, v) = -(springs * C + L1 * z_v + L2) / M;
    SM_ELEMENT_B(j, v, z) = -(L0 + L1 * z_z) / M;
    SM_ELEMENT_B(j, z, v) = z_v;
    SM_ELEMENT_B(j, z, z) = z_z;
    if (i > 0) SM_ELEMENT_B(j, v, q - 3) = K / M, SM_ELEMENT_B(j, v, v - 3) = C / M;
    if (i + 1 < n) SM_ELEMENT_B(j, v, q + 3) = K / M, SM_ELEMENT_B(j, v, v + 3) = C / M;
  }
  return 0;
}

/* ---- one problem ------------------------------------------------------------------------------------------------------ */

#define MOST 16 /* output times and break points */

typedef struct {
  char name[80];
  int dim, break_count, time_count, banded, may_adams, has_kink;
  double breaks[MOST], times[MOST], *start, *scales;
  CVRhsFn rates;
  CVLsJacFn jacobian;
  Data data;
} Problem;

typedef struct {
  const char *name;
  int lmm, fixed_point, roots, plain;
} Variant;

static const Variant VARIANTS[] = {
    {"plain", CV_BDF, 0, 0, 1},
    {"BDF", CV_BDF, 0, 0, 0},
    {"BDF+roots", CV_BDF, 0, 1, 0},
    {"Adams", CV_ADAMS, 0, 0, 0},
    {"Adams+roots", CV_ADAMS, 0, 1, 0},
    {"Adams-fixed", CV_ADAMS, 1, 0, 0},
    {"Adams-fixed+roots", CV_ADAMS, 1, 1, 0},
};

static void fail(const char *what) {
  fprintf(stderr, "cvode: %s\n", what);
  exit(1);
}

static void numbers(double *to, int count) {
  for (int i = 0; i < count; i++)
    if (scanf("%lf", to + i) != 1) fail("the problem ends early");
}

static void read_problem(Problem *p) {
  memset(p, 0, sizeof *p);
  if (!fgets(p->name, sizeof p->name, stdin)) fail("no problem on the standard input");
  p->name[strcspn(p->name, "\n")] = 0;
  if (scanf("%d %d %d", &p->dim, &p->break_count, &p->time_count) != 3) fail("no counts");
  if (p->break_count > MOST || p->time_count > MOST || p->dim < 1) fail("counts out of range");
  p->start = calloc(p->dim, sizeof(double)), p->scales = calloc(p->dim, sizeof(double));
  if (!p->start || !p->scales) fail("no memory");
  numbers(p->breaks, p->break_count);
  numbers(p->times, p->time_count);
  numbers(p->start, p->dim);
  numbers(p->scales, p->dim);
  if (strstr(p->name, "FrDyn2")) {
    const int hold = strstr(p->name, "hold") != NULL;
    p->rates = bench, p->jacobian = bench_jacobian;
    p->data.rise = hold ? 30.0 : 0.001, p->data.share = hold ? 0.99 : 0.95;
  } else if (strstr(p->name, "dwell")) {
    p->rates = dwell, p->jacobian = dwell_jacobian, p->may_adams = p->has_kink = 1;
  } else if (strstr(p->name, "velocity")) {
    p->rates = belt, p->jacobian = belt_jacobian, p->may_adams = 1;
  } else if (strstr(p->name, "chain")) {
    p->rates = chain, p->jacobian = chain_jacobian, p->banded = 1, p->data.count = p->dim / 3;
  } else {
    fail("a problem without a right-hand side here");
  }
}

/* ---- one run ---------------------------------------------------------------------------------------------------------- */

typedef struct {
  void *mem;
  N_Vector x, atol;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  SUNNonlinearSolver nonlinear;
  long evaluations, steps;
} Solver;

static void count(Solver *s) {
  long n = 0, more = 0;
  CVodeGetNumSteps(s->mem, &n), s->steps += n;
  CVodeGetNumRhsEvals(s->mem, &n), CVodeGetNumLinRhsEvals(s->mem, &more), s->evaluations += n + more;
}

/* Begins anew at the present state, after a break point or a kink. */
static int restart(Solver *s, double t, double stop) {
  count(s);
  return CVodeReInit(s->mem, t, s->x) || CVodeSetStopTime(s->mem, stop);
}

/* Runs through all output times and writes the states there; 0 if it got through. */
static int run(const Problem *p, const Variant *v, Solver *s, Data *data, double tolerance, double *rows) {
  const double end = p->times[p->time_count - 1];
  double t = 0.0;
  int next_break = 0;
  data->sign = v->roots ? 1.0 : 0.0;
  s->evaluations = s->steps = 0;
  memcpy(data_of(s->x), p->start, p->dim * sizeof(double));
  for (int i = 0; i < p->dim; i++) data_of(s->atol)[i] = tolerance * p->scales[i];
  if (CVodeReInit(s->mem, 0.0, s->x) || CVodeSVtolerances(s->mem, tolerance, s->atol)) return 1;
  if (CVodeSetStopTime(s->mem, p->break_count ? p->breaks[0] : end)) return 1;
  for (int i = 0; i < p->time_count; i++) {
    while (t < p->times[i] * (1.0 - 1e-12)) {
      const int flag = CVode(s->mem, p->times[i], s->x, &t, CV_NORMAL);
      if (flag < 0) return 1;
      const int broken = flag == CV_TSTOP_RETURN && next_break < p->break_count;
      if (flag == CV_ROOT_RETURN) data->sign = -data->sign;
      if (broken) next_break++;
      if (flag == CV_ROOT_RETURN || broken)
        if (restart(s, t, next_break < p->break_count ? p->breaks[next_break] : end)) return 1;
    }
    memcpy(rows + (size_t)i * p->dim, data_of(s->x), p->dim * sizeof(double));
  }
  count(s);
  return 0;
}

/* Messages of failed runs are of no interest: the failure itself is seen. */
#if SUNDIALS_VERSION_MAJOR >= 7
static void quiet(int a, const char *b, const char *c, const char *d, SUNErrCode e, void *f, SUNContext g) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g;
}
#else
static void quiet(int a, const char *b, const char *c, char *d, void *e) { (void)a, (void)b, (void)c, (void)d, (void)e; }
#endif

static void prepare(const Problem *p, const Variant *v, Data *data, SUNContext context, Solver *s) {
  s->x = N_VNew_Serial(p->dim, context), s->atol = N_VNew_Serial(p->dim, context);
  memcpy(data_of(s->x), p->start, p->dim * sizeof(double));
  s->mem = CVodeCreate(v->lmm, context);
  int bad = CVodeInit(s->mem, p->rates, 0.0, s->x) || CVodeSStolerances(s->mem, 1e-6, 1e-6);
  if (v->fixed_point) {
    s->nonlinear = SUNNonlinSol_FixedPoint(s->x, 0, context);
    bad = bad || CVodeSetNonlinearSolver(s->mem, s->nonlinear);
  } else {
    s->matrix = p->banded ? SUNBandMatrix(p->dim, 3, 4, context) : SUNDenseMatrix(p->dim, p->dim, context);
    s->linear = p->banded ? SUNLinSol_Band(s->x, s->matrix, context) : SUNLinSol_Dense(s->x, s->matrix, context);
    bad = bad || CVodeSetLinearSolver(s->mem, s->linear, s->matrix);
    bad = bad || (!v->plain && CVodeSetJacFn(s->mem, p->jacobian));
  }
  if (v->roots) bad = bad || CVodeRootInit(s->mem, 1, dwell_root) || CVodeSetNoInactiveRootWarn(s->mem);
  bad = bad || CVodeSetUserData(s->mem, data) || CVodeSetMaxNumSteps(s->mem, 200000);
#if SUNDIALS_VERSION_MAJOR < 7
  bad = bad || CVodeSetErrHandlerFn(s->mem, quiet, NULL);
#endif
  if (bad) fail("the solver cannot be set up");
}

static void release(Solver *s) {
  CVodeFree(&s->mem);
  if (s->linear) SUNLinSolFree(s->linear);
  if (s->matrix) SUNMatDestroy(s->matrix);
  if (s->nonlinear) SUNNonlinSolFree(s->nonlinear);
  N_VDestroy(s->x), N_VDestroy(s->atol);
}

static double reading(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Sets up, runs and takes the time, as the race does: the lesser of the clock's and the processor's, so that other work on the
 * machine matters little. Below zero if the run failed. */
static double timed(const Problem *p, const Variant *v, SUNContext context, Solver *s, double tolerance, double *rows) {
  const double busy = reading(CLOCK_THREAD_CPUTIME_ID), clock = reading(CLOCK_MONOTONIC);
  Data data = p->data;
  *s = (Solver){0};
  prepare(p, v, &data, context, s);
  const int failed = run(p, v, s, &data, tolerance, rows);
  release(s);
  const double time = reading(CLOCK_MONOTONIC) - clock;
  return failed ? -1.0 : fmin(time, reading(CLOCK_THREAD_CPUTIME_ID) - busy);
}

/* Scans tolerances; each run is repeated within the given seconds, the least time counts. */
static void scan(const Problem *p, const Variant *v, SUNContext context, double seconds) {
  Solver s;
  double *rows = calloc((size_t)p->time_count * p->dim, sizeof(double));
  if (!rows) fail("no memory");
  for (int k = 6; k <= 24; k++) {
    const double tolerance = pow(10.0, -0.5 * k);
    double least = timed(p, v, context, &s, tolerance, rows);
    if (least < 0.0) continue;
    const int repeats = (int)fmin(seconds / least, 30.0);
    for (int i = 0; i < repeats; i++) least = fmin(least, timed(p, v, context, &s, tolerance, rows));
    printf("run %s %.17g %.9g %ld %ld", v->name, tolerance, least, s.evaluations, s.steps);
    for (int i = 0; i < p->time_count * p->dim; i++) printf(" %.17g", rows[i]);
    printf("\n");
  }
  free(rows);
}

/* Largest deviation of the analytic Jacobian from central differences, relative to the largest entry of its column, at a
 * state off the start. */
static double jacobian_deviation(const Problem *p, SUNContext context) {
  Data data = p->data;
  data.sign = 1.0;
  N_Vector x = N_VNew_Serial(p->dim, context), up = N_VNew_Serial(p->dim, context), down = N_VNew_Serial(p->dim, context);
  SUNMatrix m = p->banded ? SUNBandMatrix(p->dim, 3, 4, context) : SUNDenseMatrix(p->dim, p->dim, context);
  SUNMatZero(m);
  for (int i = 0; i < p->dim; i++) data_of(x)[i] = p->start[i] + 0.3 * sin(1.0 + i) * p->scales[i];
  p->jacobian(0.0, x, up, m, &data, NULL, NULL, NULL);
  double worst = 0.0;
  for (int j = 0; j < p->dim; j++) {
    const double x0 = data_of(x)[j], h = 1e-6 * p->scales[j];
    data_of(x)[j] = x0 + h, p->rates(0.0, x, up, &data);
    data_of(x)[j] = x0 - h, p->rates(0.0, x, down, &data);
    data_of(x)[j] = x0;
    double largest = 0.0, deviation = 0.0;
    for (int i = 0; i < p->dim; i++) {
      const int inside = !p->banded || (i - j <= 4 && j - i <= 3);
      const double slope = (data_of(up)[i] - data_of(down)[i]) / (2.0 * h);
      const double entry = !inside ? 0.0 : p->banded ? SM_ELEMENT_B(m, i, j) : SM_ELEMENT_D(m, i, j);
      largest = fmax(largest, fabs(slope)), deviation = fmax(deviation, fabs(slope - entry));
    }
    if (largest > 0.0) worst = fmax(worst, deviation / largest);
  }
  return worst;
}

int main(int count, char **words) {
  const double seconds = count > 1 ? atof(words[1]) : 0.02;
  static Problem problem;
  read_problem(&problem);
  SUNContext context;
  if (SUNContext_Create(NO_COMM, &context)) fail("no context");
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_ClearErrHandlers(context);
  SUNContext_PushErrHandler(context, quiet, NULL);
#endif
  printf("version %s\njacobian %.3g\n", SUNDIALS_VERSION, jacobian_deviation(&problem, context));
  for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
    const Variant *v = VARIANTS + i;
    if ((v->lmm == CV_ADAMS && !problem.may_adams) || (v->roots && !problem.has_kink)) continue;
    scan(&problem, v, context, seconds);
  }
  return 0;
}
