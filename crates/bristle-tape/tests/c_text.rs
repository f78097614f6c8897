//! Programs printed as C, compiled and compared.

use crate::catalogue::{Case, Rng};
use crate::values::is_same;
use bristle_law::LawKind;
use std::fmt::Write;
use std::process::Command;

/// How many points each case is tried at.
const POINTS: usize = 40;

/// Every law in every mode becomes C text that compiles without a warning and gives the same bits, values and slopes.
#[test]
fn every_law_compiled_from_c_gives_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let (mut source, mut main) = (String::new(), String::new());
    let mut expected: Vec<f64> = Vec::new();
    let mut input = String::new();
    let mut count = 0;
    for &kind in LawKind::ALL {
        let cases = Case::all_of(kind);
        let mut rng = Rng::new(19);
        // Modes of many elements repeat the same few terms.
        for case in cases.iter().step_by(cases.len().div_ceil(10)) {
            let p = rng.usual_numbers(kind);
            let mut recording = case.record(&rng.variables(case, &p, 1e-6), &p).unwrap();
            let (outputs, inputs) = (recording.outputs().to_vec(), recording.variables().to_vec());
            let slopes = recording.derivatives(&outputs, &inputs);
            let program = recording.program(&[outputs, slopes.terms].concat()).unwrap();
            let text = program.c_text(&format!("law{count}"));
            // The helpers once for all.
            let start = text.find("/* y[0").unwrap();
            writeln!(source, "{}", &text[start..]).unwrap();
            let [x_len, p_len, y_len] = [program.variables(), program.parameters(), program.outputs()];
            writeln!(main, "    run(law{count}, {x_len}, {p_len}, {y_len});").unwrap();
            let mut room = program.room(&p);
            let mut y = vec![0.0; y_len];
            let hex = |x: &f64| format!("{:016x}\n", x.to_bits());
            p.iter().for_each(|p| input += &hex(p));
            for _ in 0..POINTS {
                let x = rng.variables(case, &p, 1e-6);
                program.run(&mut room, &x, &mut y);
                x.iter().for_each(|x| input += &hex(x));
                expected.extend(&y);
            }
            count += 1;
        }
    }
    let helpers = helpers();
    let frame = format!(
        "{helpers}#include <inttypes.h>\n#include <stdio.h>\n#include <string.h>\n\n{source}\n\
         typedef void law(const double *, const double *, double *);\n\
         static double next(void)\n{{\n    uint64_t bits = 0;\n    double value;\n    \
         if (scanf(\"%\" SCNx64, &bits) != 1) return 0.0;\n    memcpy(&value, &bits, 8);\n    return value;\n}}\n\
         static void run(law *f, int nx, int np, int ny)\n{{\n    double x[64], p[64], y[4096];\n    \
         for (int i = 0; i < np; i++) p[i] = next();\n    for (int k = 0; k < {POINTS}; k++) {{\n        \
         for (int i = 0; i < nx; i++) x[i] = next();\n        f(x, p, y);\n        \
         for (int i = 0; i < ny; i++) {{\n            uint64_t bits;\n            memcpy(&bits, &y[i], 8);\n            \
         printf(\"%016\" PRIx64 \"\\n\", bits);\n        }}\n    }}\n}}\n\
         int main(void)\n{{\n{main}    return 0;\n}}\n"
    );
    let frame = frame.replace("void law", "static void law").replace("typedef static void", "typedef void");
    let (path, binary) = (folder.path().join("laws.c"), folder.path().join("laws"));
    std::fs::write(&path, frame).unwrap();
    let built = Command::new("gcc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-O1", "-o"])
        .args([&binary, &path])
        .arg("-lm")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let numbers = folder.path().join("numbers");
    std::fs::write(&numbers, input).unwrap();
    let run = Command::new(&binary).stdin(std::fs::File::open(&numbers).unwrap()).output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let found: Vec<f64> =
        text.lines().map(|line| f64::from_bits(u64::from_str_radix(line, 16).unwrap())).collect();
    assert_eq!(found.len(), expected.len());
    let differing = found.iter().zip(&expected).filter(|(a, b)| !is_same(**a, **b)).count();
    assert_eq!(differing, 0, "of {} numbers", found.len());
}

/// The text before the function of a program that uses everything.
fn helpers() -> String {
    use bristle_core::Scalar;
    let recording = bristle_tape::record(&[0.3], &[], |x, _| vec![x[0].sign(), x[0].tanh(), x[0].asinh()]);
    let mut recording = recording.unwrap();
    let (outputs, inputs) = (recording.outputs().to_vec(), recording.variables().to_vec());
    let slopes = recording.derivatives(&outputs, &inputs).terms;
    let text = recording.program(&[outputs, slopes].concat()).unwrap().c_text("everything");
    let start = text.find("/* y[0").unwrap();
    // Not every helper need be used by the laws.
    text[..start].replace("static double", "double").to_owned()
}

/// What a reader sees.
#[test]
fn the_text_reads_like_a_formula() {
    use bristle_core::Scalar;
    let recording =
        bristle_tape::record(&[0.3, 0.1], &[2.0], |x, p| vec![(x[0] * p[0] - 0.1).max(x[1]) / 3.0, x[1]]);
    let recording = recording.unwrap();
    let text = recording.program(recording.outputs()).unwrap().c_text("pull");
    let expected = "#include <math.h>\n\n\
        /* y[0..2] from variables x[0..2] and parameters p[0..1]; compile with -ffp-contract=off. */\n\
        void pull(const double *x, const double *p, double *y)\n{\n    \
        const double t0 = x[0] * p[0];\n    \
        const double t1 = t0 - 0.1;\n    \
        const double t2 = t1 < x[1] ? x[1] : t1;\n    \
        const double t3 = t2 / 3.0;\n    \
        y[0] = t3;\n    y[1] = x[1];\n}\n";
    assert_eq!(text, expected);
}
