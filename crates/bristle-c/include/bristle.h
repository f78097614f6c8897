/* bristle: friction laws and scenarios for C. Written from the doc comments of the crate bristle-c; `cargo xtask gen` renews it.
 *
 * Every call answers a bristle_status; zero is success, and after anything else bristle_error() says in words what was
 * wrong and nothing has been changed. A bristle_law is plain memory of the caller: copy it freely, free nothing. States
 * and modes are arrays of the caller; a mode is 0 (stick), 1 (sliding forwards) or -1 (backwards). SI units throughout.
 * No call on a law allocates but for the texts of cards, once. A bristle_run, a scenario by the caller's clock, is made by
 * bristle_run_open or bristle_run_read and freed by bristle_run_free. For a library built without scenarios define
 * BRISTLE_LAWS_ONLY.
 */

#ifndef BRISTLE_H
#define BRISTLE_H

#include <stddef.h>
#include <stdint.h>

#ifndef BRISTLE_LAWS_ONLY
#define BRISTLE_SCENARIOS
#endif

// What a call answers.
typedef enum {
  // Done.
  BRISTLE_STATUS_OK = 0,
  // Done, and there is none: no limit at rest, no step of fixed length.
  BRISTLE_STATUS_NONE = 1,
  // A pointer that must not be null is null.
  BRISTLE_STATUS_NULL = 2,
  // The handle was never made by `bristle_law_init`.
  BRISTLE_STATUS_NOT_INITIALISED = 3,
  // No law, parameter, option, input or output of that name; the words name the nearest.
  BRISTLE_STATUS_UNKNOWN_NAME = 4,
  // A number that cannot be: not finite, outside its range, a negative load, numbers that do not go together.
  BRISTLE_STATUS_BAD_VALUE = 5,
  // A fault of the library itself; please report it.
  BRISTLE_STATUS_FAULT = 6,
  // A scenario that cannot be read or does not fit together; the words name file and line, what is wrong and a way out.
  BRISTLE_STATUS_BAD_SCENARIO = 7,
  // A run that cannot go on from where it is.
  BRISTLE_STATUS_FAILED = 8,
} bristle_status;

#if defined(BRISTLE_SCENARIOS)
// A scenario that moves by the caller's clock. `bristle_run_open` and `bristle_run_read` make one, `bristle_run_free` frees it.
typedef struct bristle_run bristle_run;
#endif

// A friction law with its parameters. Plain memory of the caller: it may be copied and needs not be freed. Make it with
// `bristle_law_init`.
typedef struct {
  // Not for the caller.
  uint64_t opaque[128];
} bristle_law;

// What can be set on a law. The texts live as long as the program.
typedef struct {
  // What `bristle_law_set` takes.
  const char *name;
  // SI unit, `1` for a pure number.
  const char *unit;
  // What it is.
  const char *doc;
  // Value of a law nobody has set anything on.
  double preset;
  // Smallest admissible value.
  double min;
  // Largest admissible value.
  double max;
} bristle_parameter;

// An internal state of a law. The texts live as long as the program.
typedef struct {
  // Its name.
  const char *name;
  // SI unit.
  const char *unit;
} bristle_state;

// Where a contact is.
typedef struct {
  // Slip rate, m/s: velocity of the body minus velocity of its counter-surface.
  double v;
  // Normal load, N.
  double n;
  // For laws that stick by a set of forces, N: the force that would keep the slip rate; in `bristle_law_step`, the force that would
  // bring the contact to rest within the step. Zero for all others.
  double hold;
} bristle_at;

#if defined(BRISTLE_SCENARIOS)
// What can be set while a run goes on. The texts live as long as the run.
typedef struct {
  // Its name, such as `push.signal`.
  const char *name;
  // SI unit, `1` for a pure number.
  const char *unit;
  // What it is.
  const char *doc;
  // Its present value.
  double value;
  // Smallest admissible value.
  double min;
  // Largest admissible value.
  double max;
} bristle_input;
#endif

#if defined(BRISTLE_SCENARIOS)
// What can be read. The texts live as long as the run.
typedef struct {
  // Its name, such as `block.q`.
  const char *name;
  // SI unit, `1` for a pure number.
  const char *unit;
} bristle_output;
#endif

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// How many laws there are.
size_t bristle_law_count(void);

// The name of law `index`, or null past the last.
const char *bristle_law_name(size_t index);

// Describes parameter `index` of a law, `BRISTLE_STATUS_NONE` past the last.
//
// # Safety
// `law` is null or points to a handle, `parameter` is null or may be written to.
bristle_status bristle_law_parameter(const bristle_law *law, size_t index, bristle_parameter *parameter);

// Describes state `index` of a law, `BRISTLE_STATUS_NONE` past the last.
//
// # Safety
// `law` is null or points to a handle, `state` is null or may be written to.
bristle_status bristle_law_state(const bristle_law *law, size_t index, bristle_state *state);

// Makes the law of that name, with the presets of its card.
//
// # Safety
// `law` is null or may be written to, `name` is null or a text that ends with a zero byte.
bristle_status bristle_law_init(bristle_law *law, const char *name);

// Sets parameters by name, all of them or none: levels that must keep an order are set in one call.
//
// # Safety
// `law` is null or a handle; `names` and `values` are arrays of `count`, the names texts that end with a zero byte.
bristle_status bristle_law_set(bristle_law *law, const char *const *names, const double *values, size_t count);

// Reads a parameter.
//
// # Safety
// `law` is null or a handle, `name` null or a text that ends with a zero byte, `value` null or may be written to.
bristle_status bristle_law_get(const bristle_law *law, const char *name, double *value);

// Chooses an option by name, such as the form of a curve.
//
// # Safety
// `law` is null or a handle; `field` and `option` are null or texts that end with a zero byte.
bristle_status bristle_law_choose(bristle_law *law, const char *field, const char *option);

// How many parameters the law has; zero for what is no handle.
//
// # Safety
// `law` is null or a handle.
size_t bristle_law_parameters(const bristle_law *law);

// How many internal states the law has, the length of every `z`; zero for what is no handle.
//
// # Safety
// `law` is null or a handle.
size_t bristle_law_states(const bristle_law *law);

// How many elements of the law remember a mode, the length of every `mode`; zero for what is no handle.
//
// # Safety
// `law` is null or a handle.
size_t bristle_law_elements(const bristle_law *law);

// Sets states and modes of a contact to which nothing has happened yet.
//
// # Safety
// `law` is null or a handle, `at` null or readable; `z` and `mode` have room for the states and elements, `mode` may be null.
bristle_status bristle_law_start(const bristle_law *law,
                                 const bristle_at *at,
                                 double *z,
                                 int8_t *mode);

// The friction force, N, positive against positive sliding, and the rates of the states.
//
// `mode` may be null: directions are then taken from the slip rate.
//
// # Safety
// `law` is null or a handle, `at` null or readable; `z`, `dz` and `mode` are as long as the law has states and elements.
bristle_status bristle_law_eval(const bristle_law *law,
                                const bristle_at *at,
                                const double *z,
                                const int8_t *mode,
                                double *force,
                                double *dz);

// The largest force borne at rest, N; `BRISTLE_STATUS_NONE` for a law that bears none without sliding.
//
// # Safety
// As for [`bristle_law_eval`].
bristle_status bristle_law_limit(const bristle_law *law,
                                 const bristle_at *at,
                                 const double *z,
                                 const int8_t *mode,
                                 double *limit);

// One guard for each element, positive while its mode holds; where one falls below zero, call `bristle_law_switch`.
//
// # Safety
// As for [`bristle_law_eval`]; `guards` is as long as the law has elements.
bristle_status bristle_law_guards(const bristle_law *law,
                                  const bristle_at *at,
                                  const double *z,
                                  const int8_t *mode,
                                  double *guards);

// Changes modes and, where the law says so, states after guard `fired`.
//
// # Safety
// As for [`bristle_law_eval`]; `z` and `mode` are written to.
bristle_status bristle_law_switch(const bristle_law *law, size_t fired, const bristle_at *at, double *z, int8_t *mode);

// Force, rates and their exact derivatives: `jacobian` has a row for the force and one for each rate, a column for the slip rate, the
// load, the holding force and each state; row after row.
//
// # Safety
// As for [`bristle_law_eval`]; `jacobian` has room for `(1 + states) * (3 + states)` numbers.
bristle_status bristle_law_jacobian(const bristle_law *law,
                                    const bristle_at *at,
                                    const double *z,
                                    const int8_t *mode,
                                    double *force,
                                    double *dz,
                                    double *jacobian);

// Slides for the time `h`, s, at the mean slip rate `at->v` under the load `at->n`; gives the force at the end, N. States and modes
// are advanced. `BRISTLE_STATUS_NONE` for a law with states that has no step of fixed length; a curve without states is evaluated.
//
// # Safety
// As for [`bristle_law_eval`]; `z` and `mode` are written to and must not be null where the law has states or elements.
bristle_status bristle_law_step(const bristle_law *law,
                                const bristle_at *at,
                                double h,
                                double *z,
                                int8_t *mode,
                                double *force);

// Runs a whole record through `bristle_law_step`: `count` slip rates and loads, held for `h` seconds each, give as many forces. A
// null `hold` stands for zeros. Stops at the first entry that cannot be and says which.
//
// # Safety
// As for [`bristle_law_step`]; `v`, `n`, `forces` and, if not null, `hold` are arrays of `count`.
bristle_status bristle_law_scan(const bristle_law *law,
                                size_t count,
                                const double *v,
                                const double *n,
                                const double *hold,
                                double h,
                                double *z,
                                int8_t *mode,
                                double *forces);

#if defined(BRISTLE_SCENARIOS)
// Reads a scenario file and stands at its start. After anything but success `*run` is null.
//
// # Safety
// `path` is null or a text that ends with a zero byte, `run` null or may be written to.
bristle_status bristle_run_open(const char *path, bristle_run **run);
#endif

#if defined(BRISTLE_SCENARIOS)
// The same of a scenario in memory; files it names are looked for in the present folder.
//
// # Safety
// `scenario` is null or a text that ends with a zero byte, `run` null or may be written to.
bristle_status bristle_run_read(const char *scenario, bristle_run **run);
#endif

#if defined(BRISTLE_SCENARIOS)
// Frees a run; null is left alone.
//
// # Safety
// `run` is null or a run that nobody has freed, and nobody uses it afterwards.
void bristle_run_free(bristle_run *run);
#endif

#if defined(BRISTLE_SCENARIOS)
// Makes another run that goes on exactly as this one, to the last bit.
//
// # Safety
// `run` is null or a run, `copy` null or may be written to.
bristle_status bristle_run_copy(const bristle_run *run, bristle_run **copy);
#endif

#if defined(BRISTLE_SCENARIOS)
// How many inputs there are; zero for null.
//
// # Safety
// `run` is null or a run.
size_t bristle_run_inputs(const bristle_run *run);
#endif

#if defined(BRISTLE_SCENARIOS)
// How many outputs there are; zero for null.
//
// # Safety
// `run` is null or a run.
size_t bristle_run_outputs(const bristle_run *run);
#endif

#if defined(BRISTLE_SCENARIOS)
// Describes input `index`, `BRISTLE_STATUS_NONE` past the last.
//
// # Safety
// `run` is null or a run, `input` null or may be written to.
bristle_status bristle_run_input(const bristle_run *run, size_t index, bristle_input *input);
#endif

#if defined(BRISTLE_SCENARIOS)
// Describes output `index`, `BRISTLE_STATUS_NONE` past the last.
//
// # Safety
// `run` is null or a run, `output` null or may be written to.
bristle_status bristle_run_output(const bristle_run *run, size_t index, bristle_output *output);
#endif

#if defined(BRISTLE_SCENARIOS)
// The place of an input by its name.
//
// # Safety
// `run` is null or a run, `name` null or a text that ends with a zero byte, `index` null or may be written to.
bristle_status bristle_run_find_input(const bristle_run *run, const char *name, size_t *index);
#endif

#if defined(BRISTLE_SCENARIOS)
// The place of an output by its name.
//
// # Safety
// As for [`bristle_run_find_input`].
bristle_status bristle_run_find_output(const bristle_run *run, const char *name, size_t *index);
#endif

#if defined(BRISTLE_SCENARIOS)
// Sets input `index`; it counts from where the run is.
//
// # Safety
// `run` is null or a run.
bristle_status bristle_run_set(bristle_run *run, size_t index, double value);
#endif

#if defined(BRISTLE_SCENARIOS)
// Sets a number of a part or law by its path, such as `pad.law.mu_s`; it counts from where the run is. What says where the motion
// begins changes nothing any more.
//
// # Safety
// `run` is null or a run, `path` null or a text that ends with a zero byte.
bristle_status bristle_run_tune(bristle_run *run,
                                const char *path,
                                double value);
#endif

#if defined(BRISTLE_SCENARIOS)
// Moves on by `h` seconds; inputs keep their values, stick and slip are located on the way.
//
// # Safety
// `run` is null or a run.
bristle_status bristle_run_step(bristle_run *run, double h);
#endif

#if defined(BRISTLE_SCENARIOS)
// Moves on to the time `t`, s: as `bristle_run_step`, for a caller who counts.
//
// # Safety
// `run` is null or a run.
bristle_status bristle_run_advance(bristle_run *run, double t);
#endif

#if defined(BRISTLE_SCENARIOS)
// Where the clock stands, s; not a number for null.
//
// # Safety
// `run` is null or a run.
double bristle_run_time(const bristle_run *run);
#endif

#if defined(BRISTLE_SCENARIOS)
// Reads output `index`.
//
// # Safety
// `run` is null or a run, `value` null or may be written to.
bristle_status bristle_run_get(bristle_run *run, size_t index, double *value);
#endif

#if defined(BRISTLE_SCENARIOS)
// Reads all outputs, as many as `bristle_run_outputs` says.
//
// # Safety
// `run` is null or a run, `values` null or an array of that many.
bristle_status bristle_run_get_all(bristle_run *run, double *values);
#endif

#if defined(BRISTLE_SCENARIOS)
// Saves all that the run goes on from as bytes. `size` says how many there are, also where `room` is too little for them, which
// answers `BRISTLE_STATUS_BAD_VALUE`; `bytes` may be null where `room` is zero, to ask for the size alone.
//
// # Safety
// `run` is null or a run, `bytes` null or an array of `room`, `size` null or may be written to.
bristle_status bristle_run_save(bristle_run *run,
                                uint8_t *bytes,
                                size_t room,
                                size_t *size);
#endif

#if defined(BRISTLE_SCENARIOS)
// Goes on from where a run of the same scenario was saved.
//
// # Safety
// `run` is null or a run, `bytes` null or an array of `size`.
bristle_status bristle_run_restore(bristle_run *run, const uint8_t *bytes, size_t size);
#endif

// What went wrong in the last call on this thread that did not answer `BRISTLE_STATUS_OK`; valid until the next such call.
const char *bristle_error(void);

// The version of the library.
const char *bristle_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BRISTLE_H */
