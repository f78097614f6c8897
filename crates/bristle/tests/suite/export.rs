//! Laws and mechanisms printed as C compile without a warning, run clean under sanitisers, and give the bits of bristle.

use bristle::{LawKind, Scenario, export};
use bristle_law::At;
use bristle_solve::{Dynamics, Output, Point};
use std::path::Path;
use std::process::Command;

/// Compiles with every warning an error, runs, and gives what was printed.
fn compiled(files: &export::CFiles, main: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at(&format!("{}.h", files.name)), &files.header).unwrap();
    std::fs::write(at(&format!("{}.c", files.name)), &files.source).unwrap();
    let main = format!(
        "#include \"{}.h\"\n#include <inttypes.h>\n#include <stdio.h>\n#include <string.h>\n\
         static void put(double v)\n{{\n    uint64_t b;\n    memcpy(&b, &v, 8);\n    printf(\"%016\" PRIx64 \"\\n\", b);\n}}\n{main}",
        files.name
    );
    std::fs::write(at("main.c"), main).unwrap();
    let mut printed = None;
    for compiler in ["gcc", "clang"] {
        if Command::new(compiler).arg("--version").output().is_err() {
            assert_eq!(compiler, "clang", "the tests need a C compiler");
            continue;
        }
        let built = Command::new(compiler)
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-O1"])
            .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"])
            .args([at("program"), at("main.c"), at(&format!("{}.c", files.name))])
            .arg("-lm")
            .output()
            .unwrap();
        assert!(built.status.success(), "{compiler}: {}", String::from_utf8_lossy(&built.stderr));
        let run = Command::new(at("program")).output().unwrap();
        assert!(run.status.success(), "{compiler}: {}", String::from_utf8_lossy(&run.stderr));
        printed = Some(String::from_utf8(run.stdout).unwrap());
    }
    printed.unwrap()
}

fn numbers(text: &str) -> Vec<u64> {
    text.lines().map(|line| u64::from_str_radix(line, 16).unwrap()).collect()
}

#[test]
fn laws_printed_as_c_have_the_same_bits() {
    for kind in
        [LawKind::LuGre, LawKind::FrDyn2, LawKind::Coulomb, LawKind::SmoothCoulomb, LawKind::LuGreDwell]
    {
        let files = export::law(kind).unwrap();
        let (name, states) = (&files.name, kind.states());
        let numbers_of_law = kind.card().defaults();
        let law = kind.build(&numbers_of_law, &kind.card().default_choices());
        let mut main = "int main(void)\n{\n    double z[9] = {0}, dz[9] = {0};\n    (void)z;\n".to_string();
        let mut expected = Vec::new();
        for i in 0..40 {
            let v = 0.05 * (f64::from(i) * 0.7).sin();
            let z: Vec<f64> = (0..states).map(|k| 2e-5 * (f64::from(i) + k as f64).cos()).collect();
            for (k, z) in z.iter().enumerate() {
                main += &format!("    z[{k}] = {z:?};\n");
            }
            main += &format!("    put({name}_force({v:?}, 7.0, 0.0, z, {name}_default, dz));\n");
            (0..states).for_each(|k| main += &format!("    put(dz[{k}]);\n"));
            let mut dz = vec![0.0; states];
            expected.push(law.eval(&At::sliding(v, 7.0), &z, &mut dz).to_bits());
            expected.extend(dz.iter().map(|x| x.to_bits()));
        }
        // A bristle pulled steadily ends at the law's sliding force.
        main += &format!(
            "    for (int i = 0; i < 9; i++)\n        z[i] = 0.0;\n    for (int i = 0; i < {states}; i++)\n        z[i] = {name}_start[i];\n    double f = 0.0;\n    \
             for (int i = 0; i < 20000; i++)\n        f = {name}_step(1e-4, 0.1, 7.0, 0.0, z, {name}_default);\n    put(f);\n    return 0;\n}}\n"
        );
        let mut found = numbers(&compiled(&files, &main));
        let steady = f64::from_bits(found.pop().unwrap());
        assert_eq!(found, expected, "{}", kind.card().name);
        let kinetic = law.eval(&At::sliding(0.1, 7.0), &steady_states(kind), &mut vec![0.0; states]);
        assert!(
            (steady - kinetic).abs() < 2e-2 * kinetic.abs(),
            "{}: {steady} against {kinetic}",
            kind.card().name
        );
    }
}

/// The states after sliding for long, by the same rule in Rust.
fn steady_states(kind: LawKind) -> Vec<f64> {
    let law = kind.build(&kind.card().defaults(), &kind.card().default_choices());
    let mut z = vec![0.0; kind.states()];
    law.initial(&mut z);
    let mut dz = z.clone();
    for _ in 0..4_000_000 {
        law.eval(&At::sliding(0.1, 7.0), &z, &mut dz);
        z.iter_mut().zip(&dz).for_each(|(z, d)| *z += 1e-6 * d);
        if dz.iter().all(|d| d.abs() < 1e-12) || z.is_empty() {
            break;
        }
    }
    z
}

#[test]
fn mechanisms_printed_as_c_have_the_same_bits() {
    for name in ["belt", "stack", "bench", "own_law", "festoon"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{name}.toml"));
        let scenario = Scenario::from_file(&path).unwrap();
        let files = export::scenario(&scenario, name).unwrap();
        let (system, word) = (&scenario.system, &files.name);
        let p = system.params().to_vec();
        let duration = scenario.studies[0].spec.numbers[0];
        let output = Output::Grid { step: duration / 60.0 };
        let run = scenario.solver.run(system, &p, system.initial(&p), duration, &output, &mut ()).unwrap();
        let sets = sets(&files.header);
        let dim = system.dim();
        let mut main = format!(
            "int main(void)\n{{\n    double x[{dim}], dx[{dim}], g[{}];\n",
            system.guard_count().max(1)
        );
        let mut expected = Vec::new();
        let mut tried = 0;
        for i in 0..run.samples.len() {
            let (t, x, mode) = (run.samples.seen[i], run.samples.row(i), run.samples.modes(i));
            let signs: Vec<f64> = mode.iter().map(|m| m.sign()).collect();
            let Some(set) = sets.iter().position(|(s, from, to)| *s == signs && *from < t && t < *to) else {
                continue;
            };
            tried += 1;
            x.iter().enumerate().for_each(|(k, x)| main += &format!("    x[{k}] = {x:?};\n"));
            main += &format!("    {word}_rates({set}, {t:?}, x, {word}_parameters, dx);\n");
            main += &format!("    for (int i = 0; i < {dim}; i++)\n        put(dx[i]);\n");
            main += &format!("    {word}_guards({set}, {t:?}, x, {word}_parameters, g);\n");
            main += &format!("    for (int i = 0; i < {}; i++)\n        put(g[i]);\n", system.guard_count());
            let at = Point { t, x, p: &p, mode };
            let mut dx = vec![0.0; dim];
            let mut g = vec![0.0; system.guard_count()];
            system.rates(at, &mut dx);
            system.guards(at, &mut g);
            expected.extend(dx.iter().chain(&g).map(|v| v.to_bits()));
        }
        assert!(tried > 30, "{name}: {tried}");
        main += &format!(
            "    double j[{0} * {0}], jt[{0}];\n    {word}_jacobian(0, 0.5, {word}_start, {word}_parameters, dx, j, jt);\n",
            dim
        );
        main += &format!(
            "    (void)g;\n    {word}_step(0, 0.0, 1e-6, x, {word}_parameters);\n    return {word}_switch(0, 99) == -1 ? 0 : 1;\n}}\n"
        );
        assert_eq!(numbers(&compiled(&files, &main)), expected, "{name}");
    }
}

/// Signs of the modes and the piece of time of each set, read off the header.
fn sets(header: &str) -> Vec<(Vec<f64>, f64, f64)> {
    let lines = header.lines().filter_map(|line| line.strip_prefix(" *   set "));
    lines
        .map(|line| {
            let (_, rest) = line.split_once(": ").unwrap_or(line.split_once(':').unwrap());
            let (signs, piece) = rest.split_once(", from ").unwrap_or((rest, ""));
            let signs = signs.split_whitespace().map(|s| s.parse().unwrap()).collect();
            let (from, to) = piece.split_once(" s to ").unwrap_or(("-1", "inf s"));
            (signs, from.parse().unwrap(), to.trim_end_matches(" s").parse().unwrap())
        })
        .collect()
}

#[test]
fn a_cable_is_refused_with_a_way_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hoist.toml");
    let scenario = Scenario::from_file(&path).unwrap();
    let error = export::scenario(&scenario, "hoist").unwrap_err().to_string();
    assert!(error.contains("cable") && error.contains("without cables"), "{error}");
}
