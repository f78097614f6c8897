//! A friction law as C: force, rates, slopes, and a step of fixed length.

use super::{CFiles, header, identifier, list, own, refused, remark};
use crate::error::RunError;
use bristle_core::Kind;
use bristle_law::{At, LawKind};
use bristle_tape::{Program, Symbol, record};
use std::fmt::Write;

/// A law with its default numbers' choices as C.
///
/// # Errors
/// [`RunError`] for a law that cannot be recorded.
pub fn law(kind: LawKind) -> Result<CFiles, RunError> {
    let card = kind.card();
    let (name, states) = (identifier(card.name), card.states.len());
    let numbers = card.defaults();
    let choices = card.default_choices();
    let built = kind.build(&numbers, &choices);
    let mut start = vec![0.0; states];
    built.initial(&mut start);
    // Variables: slip rate, load, holding force, states.
    let mut variables = vec![0.01, 10.0, 0.0];
    variables.extend(&start);
    let mut recording = record(&variables, &numbers, |x, p| {
        let law = kind.build(p, &choices);
        let mut dz = vec![Symbol::from(0.0); states];
        let at = At { v: x[0], n: x[1], hold: x[2], mode: &[] };
        let force = law.eval(&at, &x[3..], &mut dz);
        let limit = law.limit(&at, &x[3..]);
        std::iter::once(force).chain(dz).chain(limit).collect()
    })
    .map_err(|e| refused(card.name, e))?;
    let outputs = recording.outputs().to_vec();
    let (motion, limit) = outputs.split_at(states + 1);
    let inputs = recording.variables().to_vec();
    let slopes = recording.derivatives(motion, &inputs);
    let failed = |e| refused(card.name, e);
    let value = recording.program(motion).map_err(failed)?;
    let jacobian = recording.program(&[motion, slopes.terms.as_slice()].concat()).map_err(failed)?;
    let borne = recording.program(limit).map_err(failed)?;
    let assumed = recording.assumptions().map_err(failed)?;

    let upper = name.to_uppercase();
    let mut about = format!("/* {}\n *\n", remark(card.title()));
    for line in card.equation().lines() {
        let _ = writeln!(about, " *     {}", remark(line));
    }
    about += " *\n * Parameters p, SI units:\n";
    for (i, field) in card.numbers().enumerate() {
        if let Kind::Number { unit, .. } = field.kind {
            let _ = writeln!(about, " *   p[{i}]  {} [{unit}] {}", field.name, remark(field.doc.trim()));
        }
    }
    for (i, state) in card.states.iter().enumerate() {
        let _ = writeln!(about, " * State z[{i}]: {} [{}]", state.name, state.unit);
    }
    for formula in assumed.formulas() {
        let _ = writeln!(about, " * Holds where {} (variables x = v, n, hold, z).", remark(formula));
    }
    about += " * Compile with -ffp-contract=off for the bits of bristle. */\n";
    let limit_words = if limit.is_empty() {
        String::new()
    } else {
        format!(
            "/* The largest force borne at rest, N. */\ndouble {name}_limit(double n, const double *z, const double *p);\n\n"
        )
    };
    let text = format!(
        "{about}
enum {{ {upper}_PARAMETERS = {parameters}, {upper}_STATES = {states} }};

/* The numbers of the catalogue. */
extern const double {name}_default[];
/* The states before anything has happened. */
extern const double {name}_start[];

/* Friction force, N, positive against positive sliding, at slip rate v (m/s), normal load n (N) and the force that would
 * keep the slip rate, hold (N; zero if unknown); writes the rates of the states. */
double {name}_force(double v, double n, double hold, const double *z, const double *p, double *dz);

/* Force and rates, f[0..{count}], and their slopes j[{count} * {columns}], row by row, by v, n, hold and the states. */
void {name}_slopes(double v, double n, double hold, const double *z, const double *p, double *f, double *j);

{limit_words}/* One step of length h (s) at constant slip rate and load: moves the states by the linearly implicit rule of first order, which no
 * stiffness of bristles upsets, and gives the force at its end. */
double {name}_step(double h, double v, double n, double hold, double *z, const double *p);
",
        parameters = numbers.len(),
        count = states + 1,
        columns = states + 3,
    );
    let mut source = format!("#include \"{name}.h\"\n#include <math.h>\n\n");
    let mut programs: Vec<&Program> = vec![&value, &jacobian];
    programs.extend((!limit.is_empty()).then_some(&borne));
    source += &Program::c_helpers(&programs);
    let _ = write!(
        source,
        "const double {name}_default[] = {{ {} }};\nconst double {name}_start[] = {{ {} }};\n\n",
        list(&numbers),
        list(&start)
    );
    source += &own(&value, "value");
    source += &own(&jacobian, "slopes");
    if !limit.is_empty() {
        source += &own(&borne, "borne");
    }
    source += &functions(&name, states, &slopes.pattern.entries, !limit.is_empty());
    Ok(CFiles { header: header(&name, &text), source, name })
}

/// The functions that users call.
fn functions(name: &str, states: usize, entries: &[(usize, usize)], has_limit: bool) -> String {
    let (count, columns) = (states + 1, states + 3);
    let fill = "    double x[INPUTS];\n    x[0] = v;\n    x[1] = n;\n    x[2] = hold;\n    for (int i = 0; i < STATES; i++)\n        x[3 + i] = z[i];\n";
    let fill = if states == 0 {
        fill.replace("    for (int i = 0; i < STATES; i++)\n        x[3 + i] = z[i];\n", "    (void)z;\n")
    } else {
        fill.to_owned()
    };
    let places: String = entries.iter().map(|(i, k)| format!("{}, ", i * columns + k)).collect();
    let out = if states == 0 {
        "    (void)dz;\n".to_owned()
    } else {
        "    for (int i = 0; i < STATES; i++)\n        dz[i] = y[1 + i];\n".to_owned()
    };
    let mut text = format!(
        "\nenum {{ STATES = {states}, INPUTS = {columns}, OUTPUTS = {count}, ENTRIES = {entries} }};

double {name}_force(double v, double n, double hold, const double *z, const double *p, double *dz)
{{
{fill}    double y[OUTPUTS];
    value(x, p, y);
{out}    return y[0];
}}

void {name}_slopes(double v, double n, double hold, const double *z, const double *p, double *f, double *j)
{{
    static const int place[] = {{ {places}0 }};
{fill}    double y[OUTPUTS + ENTRIES];
    slopes(x, p, y);
    for (int i = 0; i < OUTPUTS; i++)
        f[i] = y[i];
    for (int i = 0; i < OUTPUTS * INPUTS; i++)
        j[i] = 0.0;
    for (int i = 0; i < ENTRIES; i++)
        j[place[i]] = y[OUTPUTS + i];
}}
",
        entries = entries.len(),
    );
    if has_limit {
        let own_fill = fill.replace("x[0] = v", "x[0] = 0.0").replace("x[2] = hold", "x[2] = 0.0");
        let _ = write!(
            text,
            "\ndouble {name}_limit(double n, const double *z, const double *p)\n{{\n{own_fill}    double y[1];\n    borne(x, p, y);\n    return y[0];\n}}\n"
        );
    }
    text += &if states == 0 {
        format!(
            "\ndouble {name}_step(double h, double v, double n, double hold, double *z, const double *p)\n{{\n    double none[1];\n    (void)h;\n    return {name}_force(v, n, hold, z, p, none);\n}}\n"
        )
    } else {
        format!(
            "
double {name}_step(double h, double v, double n, double hold, double *z, const double *p)
{{
    double f[OUTPUTS], j[OUTPUTS * INPUTS], a[STATES][STATES], d[STATES];
    {name}_slopes(v, n, hold, z, p, f, j);
    /* (1 - h J) d = h f */
    for (int i = 0; i < STATES; i++) {{
        d[i] = h * f[1 + i];
        for (int k = 0; k < STATES; k++)
            a[i][k] = (i == k ? 1.0 : 0.0) - h * j[(1 + i) * INPUTS + 3 + k];
    }}
    for (int k = 0; k < STATES; k++) {{
        int pivot = k;
        for (int i = k + 1; i < STATES; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        for (int i = 0; i < STATES; i++) {{
            const double swap = a[k][i];
            a[k][i] = a[pivot][i];
            a[pivot][i] = swap;
        }}
        const double swap = d[k];
        d[k] = d[pivot];
        d[pivot] = swap;
        for (int i = 0; i < STATES; i++) {{
            if (i == k)
                continue;
            const double factor = a[i][k] / a[k][k];
            for (int m = k; m < STATES; m++)
                a[i][m] -= factor * a[k][m];
            d[i] -= factor * d[k];
        }}
    }}
    for (int i = 0; i < STATES; i++)
        z[i] += d[i] / a[i][i];
    double dz[STATES];
    return {name}_force(v, n, hold, z, p, dz);
}}
"
        )
    };
    text
}
