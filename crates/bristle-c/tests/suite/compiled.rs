//! Programs in C and C++, compiled with every warning and the sanitisers, against Rust.

use bristle_core::{Choice, Dual, Mode, seed};
use bristle_law::{At, LawKind, fixed_step};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The static library that was built with this test.
fn library() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let deps = here.parent().unwrap();
    let is_ours = |p: &PathBuf| {
        let name = p.file_name().unwrap().to_string_lossy();
        name.starts_with("libbristle_c") && name.ends_with(".a")
    };
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(deps).unwrap().map(|e| e.unwrap().path()).filter(is_ours).collect();
    found.sort_by_key(|p| std::fs::metadata(p).unwrap().modified().unwrap());
    found.pop().unwrap_or_else(|| panic!("no libbristle_c.a beside the tests in {}", deps.display()))
}

/// Compiles and runs an example; what it prints. Nothing where the compiler is missing.
fn output(compiler: &str, source: &str, words: &[&str]) -> Option<String> {
    if Command::new(compiler).arg("--version").output().is_err() {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let standard = if source.ends_with("pp") { "-std=c++17" } else { "-std=c11" };
    let flags = [
        standard,
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pedantic",
        "-fsanitize=address,undefined",
        "-ffp-contract=off",
    ];
    let built = Command::new(compiler)
        .args(flags)
        .arg("-I")
        .arg(root().join("crates/bristle-c/include"))
        .arg(root().join("examples/c").join(source))
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output()
        .unwrap();
    assert!(built.status.success(), "{compiler} {source}:\n{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&program).args(words).output().unwrap();
    assert!(ran.status.success(), "{compiler} {source}:\n{}", String::from_utf8_lossy(&ran.stderr));
    Some(String::from_utf8(ran.stdout).unwrap())
}

#[test]
fn the_examples_run_in_c_and_cpp() {
    for (compiler, source) in
        [("gcc", "joint.c"), ("clang", "joint.c"), ("g++", "joint.cpp"), ("clang++", "joint.cpp")]
    {
        let Some(text) = output(compiler, source, &[]) else { continue };
        let expected = if source.ends_with("pp") { "refused: the load n is -1" } else { "it travels" };
        assert!(text.contains(expected), "{text}");
    }
}

/// A scenario stepped in C moves as in Rust, to the last bit; C++ frees what it made, copies values and refuses what was moved away.
#[test]
fn scenarios_run_in_c_and_cpp() {
    let belt = root().join("examples/belt.toml");
    for compiler in ["g++", "clang++"] {
        let Some(text) = output(compiler, "belt.cpp", &[&belt.to_string_lossy()]) else { continue };
        assert_eq!(text.matches("refused: ").count(), 6, "{text}");
    }
    let Some(text) = output("gcc", "belt.c", &[]) else { return };
    let scenario = crate::runs::BELT.replace("LAW", "coulomb");
    let mut run =
        bristle_study::Scenario::from_text(&scenario, "belt", Path::new(".")).unwrap().live().unwrap();
    let mut lines = text.lines();
    for k in 1..=2000 {
        let slides = run.output("pad.mode").unwrap() != 0.0;
        run.set_input("belt.velocity", if slides { 0.05 } else { 0.1 }).unwrap();
        run.settle().unwrap();
        run.advance(5e-3 * f64::from(k)).unwrap();
        if k % 100 == 0 {
            let (told, q) = lines.next().unwrap().split_once(' ').unwrap();
            assert_eq!(told, k.to_string());
            assert_eq!(number(q).to_bits(), run.output("block.q").unwrap().to_bits(), "step {k}");
        }
        if k == 1000 {
            // Whoever saves goes on from what was saved.
            run.save().unwrap();
        }
    }
}

/// What `all_laws.c` draws.
fn draw(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 11) as i64 as f64 / 4503599627370496.0 - 1.0
}

/// Force, rates, guards, limit, Jacobian and step of every law at 200 points, each number to the last bit.
#[test]
fn c_gives_the_numbers_of_rust() {
    let Some(text) = output("gcc", "all_laws.c", &[]) else { return };
    let mut lines = text.lines();
    for kind in LawKind::ALL {
        let card = kind.card();
        let choices = vec![Choice(0); card.choices().count()];
        let law = kind.build(&card.defaults(), &choices);
        let slopes =
            kind.build(&card.defaults().into_iter().map(Dual::<15>::constant).collect::<Vec<_>>(), &choices);
        let (states, elements) = (card.states.len(), law.elements());
        let (mut z, mut mode) = (vec![0.0; states], vec![Mode::Stick; elements]);
        law.initial(&mut z);
        law.start(&At::sliding(0.0, 10.0), &z, &mut mode);
        let mut state = 1;
        for i in 0..200 {
            let (v, n, hold) =
                (0.1 * draw(&mut state), 10.0 + 9.0 * draw(&mut state), 5.0 * draw(&mut state));
            let at = At { v, n, hold, mode: &mode };
            let (mut dz, mut g) = (vec![0.0; states], vec![0.0; elements]);
            let mut expected = vec![law.eval(&at, &z, &mut dz)];
            expected.extend(&dz);
            law.guards(&at, &z, &mut g);
            expected.extend(&g);
            expected.extend(law.limit(&at, &z));
            let lifted = At { v: seed::<15>(v, 0), n: seed(n, 1), hold: seed(hold, 2), mode: &mode };
            let zs: Vec<_> = z.iter().enumerate().map(|(i, z)| seed::<15>(*z, 3 + i)).collect();
            let mut dzs = vec![Dual::<15>::constant(0.0); states];
            let force = slopes.eval(&lifted, &zs, &mut dzs);
            for row in std::iter::once(&force).chain(&dzs) {
                expected.extend(&row.eps[..3 + states]);
            }
            let still = At { v, n, hold, mode: &[] };
            if let Some(kernel) = fixed_step::kernel(&law) {
                expected.push(kernel.step(&still, &mut z, &mut mode, 1e-3));
            } else if states == 0 {
                law.start(&still, &z, &mut mode);
                expected.push(law.eval(&At { mode: &mode, ..still }, &z, &mut []));
            }
            let line = lines.next().unwrap();
            let mut told = line.split(' ');
            assert_eq!((told.next(), told.next()), (Some(card.name), Some(i.to_string().as_str())));
            let told: Vec<f64> = told.map(number).collect();
            assert_eq!(told.len(), expected.len(), "{line}");
            for (k, (a, b)) in told.iter().zip(&expected).enumerate() {
                assert!(
                    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
                    "{} point {i} number {k}: {a:e} {b:e}",
                    card.name
                );
            }
        }
    }
    assert_eq!(lines.next(), None);
}

/// A number as `%a` prints it.
fn number(text: &str) -> f64 {
    let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    match rest.strip_prefix("0x") {
        None if rest.starts_with("inf") => sign * f64::INFINITY,
        None => f64::NAN,
        Some(digits) => {
            let (mantissa, exponent) = digits.split_once('p').unwrap();
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            let value = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap() as f64;
            let exponent: i32 = exponent.parse::<i32>().unwrap() - 4 * fraction.len() as i32;
            // In two halves: the least numbers have powers of two that are themselves none.
            sign * value * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
        }
    }
}
