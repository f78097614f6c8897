//! A mechanism as C: rates, Jacobian and guards for every set of modes its run visits, and what switches into what.

use super::{CFiles, header, identifier, list, own, refused, remark};
use crate::error::RunError;
use crate::scenario::Scenario;
use crate::studies::StudyKind;
use bristle_core::Mode;
use bristle_solve::{Dynamics, Output, Point, Recorded, RecordedJacobian};
use bristle_tape::Program;
use std::fmt::Write;

/// More sets of modes than this make no readable file.
const MOST: usize = 64;

/// A set of modes within one piece of the signals.
struct ExportStretch {
    mode: Vec<Mode>,
    from: f64,
    to: f64,
    recorded: Recorded,
}

/// The mechanism of a scenario as C.
///
/// # Errors
/// [`RunError`] where the mechanism cannot be recorded (cables), does not run, or visits too many sets of modes.
pub fn scenario(scenario: &Scenario, name: &str) -> Result<CFiles, RunError> {
    let (name, title) = (identifier(name), scenario.title.as_str());
    let system = &scenario.system;
    if scenario.has_cables() {
        return Err(refused(
            title,
            "a cable is not recorded: its equations iterate; a mechanism without cables can be printed",
        ));
    }
    let simulate = scenario.studies.iter().find(|s| s.kind == StudyKind::Simulate);
    let duration = simulate.map_or(1.0, |s| s.spec.numbers[0]);
    let p = system.params().to_vec();
    let run = scenario
        .solver
        .run(system, &p, system.initial(&p), duration, &Output::Grid { step: duration / 200.0 }, &mut ())
        .map_err(|e| refused(title, e))?;
    let breaks = breaks(system, &p, duration);
    let mut stretches: Vec<ExportStretch> = Vec::new();
    let samples = &run.samples;
    for i in 0..samples.len() {
        visit(system, &p, &breaks, samples.seen[i], samples.row(i), samples.modes(i), &mut stretches)
            .map_err(|reason| refused(title, reason))?;
    }
    let mut switches: Vec<(usize, usize, usize)> = Vec::new();
    for event in &run.events {
        for state in [&event.before, &event.after] {
            let inner = state.t.max(f64::MIN_POSITIVE);
            visit(system, &p, &breaks, inner, &state.x, &state.mode, &mut stretches)
                .map_err(|reason| refused(title, reason))?;
        }
        let place = |mode: &[Mode]| {
            stretches.iter().position(|s| s.mode == mode && (s.from..=s.to).contains(&event.t))
        };
        if let (Some(from), Some(to)) = (place(&event.before.mode), place(&event.after.mode))
            && !switches.contains(&(from, event.guard, to))
        {
            switches.push((from, event.guard, to));
        }
    }
    let dim = system.dim();
    let text = words(scenario, &name, &p, &stretches);
    let source = source(scenario, &name, &p, &stretches, &switches, dim);
    Ok(CFiles { header: header(&name, &text), source, name })
}

/// The times at which signals are not smooth.
fn breaks(system: &impl Dynamics, p: &[f64], duration: f64) -> Vec<f64> {
    let mut all = vec![0.0];
    let next = |t: f64| system.next_break(p, t).filter(|b| *b > t && *b < duration);
    all.extend(std::iter::successors(next(0.0), |t| next(*t)).take(MOST));
    all.push(f64::INFINITY);
    all
}

/// Records the modes of an instant unless they are known.
fn visit(
    system: &impl Dynamics,
    p: &[f64],
    breaks: &[f64],
    t: f64,
    x: &[f64],
    mode: &[Mode],
    stretches: &mut Vec<ExportStretch>,
) -> Result<(), String> {
    let variables: Vec<f64> = std::iter::once(t).chain(x.iter().copied()).collect();
    let fits = |s: &ExportStretch| s.mode == mode && s.recorded.assumptions.hold(&variables, p);
    if stretches.iter().any(fits) {
        return Ok(());
    }
    if stretches.len() >= MOST {
        return Err(format!(
            "its run visits more than {MOST} sets of modes and pieces of signals; print a shorter run"
        ));
    }
    let recorded = Recorded::new(system, Point { t, x, p, mode }).map_err(|e| e.to_string())?;
    recorded.jacobian().and(recorded.guards()).map_err(|e| e.to_string())?;
    let depends_on_time = recorded.assumptions.depend_on_variables();
    let end = breaks.iter().position(|b| *b > t).unwrap_or(breaks.len() - 1).max(1);
    let (from, to) = if depends_on_time { (breaks[end - 1], breaks[end]) } else { (0.0, f64::INFINITY) };
    stretches.push(ExportStretch { mode: mode.to_vec(), from, to, recorded });
    Ok(())
}

/// The header's text.
fn words(scenario: &Scenario, name: &str, p: &[f64], stretches: &[ExportStretch]) -> String {
    let (system, upper) = (&scenario.system, name.to_uppercase());
    let mut text = format!("/* {}\n *\n * States x, SI units:\n", remark(&scenario.title));
    for i in 0..system.dim() {
        let _ = writeln!(text, " *   x[{i}]  {}", remark(&system.state_name(i)));
    }
    text += " * Parameters p, SI units:\n";
    for (i, param) in system.param_cards().iter().enumerate() {
        let _ = writeln!(text, " *   p[{i}]  {}", remark(&param.path));
    }
    text += " * Sets of modes, in the order of the contacts' elements (0 sticks, 1 and -1 slide):\n";
    for (k, stretch) in stretches.iter().enumerate() {
        let signs: Vec<String> = stretch.mode.iter().map(|m| format!("{}", m.sign())).collect();
        let when = if stretch.to.is_finite() || stretch.from > 0.0 {
            format!(", from {} s to {} s", stretch.from, stretch.to)
        } else {
            String::new()
        };
        let _ = writeln!(text, " *   set {k}: {}{when}", signs.join(" "));
    }
    text += " * Compile with -ffp-contract=off for the bits of bristle. */\n";
    let _ = write!(
        text,
        "
enum {{
    {upper}_STATES = {states},
    {upper}_COUPLED = {coupled}, /* the states that others depend on; the rest are works and losses */
    {upper}_PARAMETERS = {parameters},
    {upper}_GUARDS = {guards},
    {upper}_SETS = {sets}
}};

extern const double {name}_parameters[];
extern const double {name}_start[];

/* The rates of all states in a set of modes. */
void {name}_rates(int set, double t, const double *x, const double *p, double *dx);

/* The same with their slopes: j[{upper}_STATES * {upper}_COUPLED] by the coupled states, row by row, and jt by time. */
void {name}_jacobian(int set, double t, const double *x, const double *p, double *dx, double *j, double *jt);

/* Positive while the modes hold; on the way below zero a guard fires. */
void {name}_guards(int set, double t, const double *x, const double *p, double *g);

/* The set that followed when this guard fired in the run of the scenario; -1 where it did not. Where several followed, the first. */
int {name}_switch(int set, int guard);

/* One step of length h within a set of modes, by the classical rule of fourth order. */
void {name}_step(int set, double t, double h, double *x, const double *p);
",
        states = system.dim(),
        coupled = system.dim() - system.quadratures(),
        parameters = p.len(),
        guards = system.guard_count(),
        sets = stretches.len(),
    );
    text
}

/// The source's text.
fn source(
    scenario: &Scenario,
    name: &str,
    p: &[f64],
    stretches: &[ExportStretch],
    switches: &[(usize, usize, usize)],
    dim: usize,
) -> String {
    let (system, upper) = (&scenario.system, name.to_uppercase());
    let coupled = dim - system.quadratures();
    let guards = system.guard_count();
    let mut text = format!("#include \"{name}.h\"\n#include <math.h>\n\n");
    // Those that cannot be made were refused before.
    let all: Vec<(&Program, &RecordedJacobian, &Program)> = stretches
        .iter()
        .filter_map(|s| Some((s.recorded.rates(), s.recorded.jacobian().ok()?, s.recorded.guards().ok()?)))
        .collect();
    let programs: Vec<&Program> =
        all.iter().flat_map(|(rates, jacobian, guards)| [*rates, &jacobian.program, *guards]).collect();
    text += &Program::c_helpers(&programs);
    let _ = write!(
        text,
        "const double {name}_parameters[] = {{ {} }};\nconst double {name}_start[] = {{ {} }};\n\n",
        list(p),
        list(&system.initial(p).x)
    );
    for (k, (rates, parts, guard)) in all.iter().enumerate() {
        text += &own(rates, &format!("rates_{k}"));
        text += &own(&parts.program, &format!("jacobian_{k}"));
        if guards > 0 {
            text += &own(guard, &format!("guards_{k}"));
        }
        let places: String =
            parts.pattern.entries.iter().map(|(i, j)| format!("{}, ", i * coupled + j)).collect();
        let times: String = parts.moved_by_time.iter().map(|i| format!("{i}, ")).collect();
        let _ = writeln!(
            text,
            "static const int places_{k}[] = {{ {places}-1 }};\nstatic const int times_{k}[] = {{ {times}-1 }};\n"
        );
    }
    let most = all.iter().map(|(_, jacobian, _)| jacobian.program.outputs()).max().unwrap_or(dim);
    let names =
        |word: &str| (0..stretches.len()).map(|k| format!("{word}_{k}")).collect::<Vec<_>>().join(", ");
    let _ = write!(
        text,
        "typedef void program(const double *x, const double *p, double *y);\n
enum {{ STATES = {dim}, COUPLED = {coupled}, MOST = {most} }};\n
static program *const all_rates[] = {{ {rates} }};
static program *const all_jacobians[] = {{ {jacobians} }};
static const int *const all_places[] = {{ {places} }};
static const int *const all_times[] = {{ {times} }};

static void gather(double t, const double *x, double *at)
{{
    at[0] = t;
    for (int i = 0; i < STATES; i++)
        at[1 + i] = x[i];
}}

void {name}_rates(int set, double t, const double *x, const double *p, double *dx)
{{
    double at[STATES + 1];
    gather(t, x, at);
    all_rates[set](at, p, dx);
}}

void {name}_jacobian(int set, double t, const double *x, const double *p, double *dx, double *j, double *jt)
{{
    double at[STATES + 1], y[MOST];
    const double *next = y;
    gather(t, x, at);
    all_jacobians[set](at, p, y);
    for (int i = 0; i < STATES; i++)
        dx[i] = *next++;
    for (int i = 0; i < STATES * COUPLED; i++)
        j[i] = 0.0;
    for (int i = 0; i < STATES; i++)
        jt[i] = 0.0;
    for (const int *place = all_places[set]; *place >= 0; place++)
        j[*place] = *next++;
    for (const int *place = all_times[set]; *place >= 0; place++)
        jt[*place] = *next++;
}}
",
        rates = names("rates"),
        jacobians = names("jacobian"),
        places = names("places"),
        times = names("times"),
    );
    text += &if guards > 0 {
        format!(
            "
static program *const all_guards[] = {{ {} }};

void {name}_guards(int set, double t, const double *x, const double *p, double *g)
{{
    double at[STATES + 1];
    gather(t, x, at);
    all_guards[set](at, p, g);
}}
",
            names("guards")
        )
    } else {
        format!(
            "\nvoid {name}_guards(int set, double t, const double *x, const double *p, double *g)\n{{\n    (void)set;\n    (void)t;\n    (void)x;\n    (void)p;\n    (void)g;\n}}\n"
        )
    };
    let rows: String = switches.iter().map(|(a, g, b)| format!("{{ {a}, {g}, {b} }}, ")).collect();
    let _ = write!(
        text,
        "
int {name}_switch(int set, int guard)
{{
    static const int known[][3] = {{ {rows}{{ -1, -1, -1 }} }};
    for (int i = 0; known[i][0] >= 0; i++)
        if (known[i][0] == set && known[i][1] == guard)
            return known[i][2];
    return -1;
}}

void {name}_step(int set, double t, double h, double *x, const double *p)
{{
    double k[4][{upper}_STATES], y[{upper}_STATES];
    const double half = 0.5 * h;
    {name}_rates(set, t, x, p, k[0]);
    for (int i = 0; i < STATES; i++)
        y[i] = x[i] + half * k[0][i];
    {name}_rates(set, t + half, y, p, k[1]);
    for (int i = 0; i < STATES; i++)
        y[i] = x[i] + half * k[1][i];
    {name}_rates(set, t + half, y, p, k[2]);
    for (int i = 0; i < STATES; i++)
        y[i] = x[i] + h * k[2][i];
    {name}_rates(set, t + h, y, p, k[3]);
    for (int i = 0; i < STATES; i++)
        x[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
}}
",
    );
    text
}
