//! Scenarios as C steps them.

use crate::calls::words;
use bristle_c::*;
use bristle_study::Scenario;
use std::ffi::{CStr, CString};
use std::path::Path;
use std::ptr::{null, null_mut};

pub const BELT: &str = r#"
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.belt]
kind = "drive"
velocity = { kind = "input", value = "0.1 m/s" }
[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "10 N/m"
[parts.pad]
kind = "contact"
between = ["block", "belt"]
load = "10 N"
law = { kind = "LAW", mu_s = 0.5, mu_d = 0.4 }
[studies.run]
kind = "simulate"
duration = "10 s"
"#;

struct Owned(*mut ScenarioRun);

impl Drop for Owned {
    fn drop(&mut self) {
        unsafe { bristle_run_free(self.0) }
    }
}

fn read(text: &str) -> Result<Owned, Status> {
    let (text, mut run) = (CString::new(text).unwrap(), null_mut());
    match unsafe { bristle_run_read(text.as_ptr(), &mut run) } {
        Status::Ok => Ok(Owned(run)),
        status => {
            assert!(run.is_null());
            Err(status)
        }
    }
}

fn place(run: &Owned, name: &str, is_input: bool) -> usize {
    let (name, mut index) = (CString::new(name).unwrap(), usize::MAX);
    let find = if is_input { bristle_run_find_input } else { bristle_run_find_output };
    assert_eq!(unsafe { find(run.0, name.as_ptr(), &mut index) }, Status::Ok, "{}", words());
    index
}

/// Steps, inputs and outputs are those of Rust to the last bit, and steps allocate nothing once the run has seen its modes.
#[test]
fn runs_are_those_of_rust() {
    for law in ["coulomb", "lugre"] {
        let text = BELT.replace("LAW", law);
        let run = read(&text).unwrap();
        let mut live = Scenario::from_text(&text, "belt", Path::new(".")).unwrap().live().unwrap();
        live.settle().unwrap();
        let (speed, q) = (place(&run, "belt.velocity", true), place(&run, "block.q", false));
        let mut allocations = 0;
        for k in 1..=400 {
            let (t, v) = (0.05 * f64::from(k), 0.1 + 0.05 * f64::from(k / 40 % 2));
            live.set_input("belt.velocity", v).unwrap();
            live.advance(t).unwrap();
            let mut found = f64::NAN;
            let counted = allocation_counter::measure(|| unsafe {
                assert_eq!(bristle_run_set(run.0, speed, v), Status::Ok);
                assert_eq!(bristle_run_advance(run.0, t), Status::Ok, "{}", words());
                assert_eq!(bristle_run_get(run.0, q, &mut found), Status::Ok);
            });
            if k > 300 {
                allocations += counted.count_total;
            }
            assert_eq!(found.to_bits(), live.output("block.q").unwrap().to_bits(), "{law} at {t} s");
        }
        println!("{law}: {allocations} allocations in 100 steps");
        let count = unsafe { bristle_run_outputs(run.0) };
        let mut all = vec![f64::NAN; count];
        assert_eq!(unsafe { bristle_run_get_all(run.0, all.as_mut_ptr()) }, Status::Ok);
        assert_eq!(all, live.outputs());
        assert_eq!(unsafe { bristle_run_time(run.0) }, live.time());
    }
}

/// Refusals name file, line, value and a way out; nothing is changed by them.
#[test]
fn refusals_of_runs_say_what_was_wrong() {
    assert_eq!(read("[parts.block]\nkind = \"mas\"\n").err(), Some(Status::BadScenario));
    assert!(words().starts_with("scenario:2: ") && words().contains("mass"), "{}", words());
    assert_eq!(read("[parts").err(), Some(Status::BadScenario));
    assert_eq!(read("").err(), Some(Status::BadScenario));
    let run = read(&BELT.replace("LAW", "coulomb")).unwrap();
    let (mut value, name) = (0.0, CString::new("block.w").unwrap());
    unsafe {
        assert_eq!(bristle_run_set(run.0, 0, f64::NAN), Status::BadValue);
        assert!(words().contains("belt.velocity"), "{}", words());
        assert_eq!(bristle_run_set(run.0, 9, 1.0), Status::BadValue);
        assert_eq!(words(), "input 9 of a run with 1 inputs");
        assert_eq!(bristle_run_get(run.0, 999, &mut value), Status::BadValue);
        assert_eq!(bristle_run_find_output(run.0, name.as_ptr(), &mut 0), Status::UnknownName);
        assert!(words().contains("`block.w`; did you mean `block."), "{}", words());
        assert_eq!(bristle_run_step(run.0, f64::INFINITY), Status::BadValue);
        assert_eq!(bristle_run_step(run.0, 0.5), Status::Ok);
        assert_eq!(bristle_run_advance(run.0, 0.2), Status::BadValue);
        let path = CString::new("pad.law.mu_z").unwrap();
        assert_eq!(bristle_run_tune(run.0, path.as_ptr(), 0.3), Status::UnknownName);
        let path = CString::new("pad.load").unwrap();
        assert_eq!(bristle_run_tune(run.0, path.as_ptr(), -1.0), Status::BadValue);
        assert_eq!(bristle_run_restore(run.0, b"bristle1".as_ptr(), 8), Status::BadValue);
        assert_eq!(bristle_run_get(run.0, 0, null_mut()), Status::Null);
        assert_eq!(bristle_run_step(null_mut(), 0.1), Status::Null);
        assert_eq!(bristle_run_open(null(), null_mut()), Status::Null);
        let path = CString::new("nowhere.toml").unwrap();
        let mut none = null_mut();
        assert_eq!(bristle_run_open(path.as_ptr(), &mut none), Status::BadScenario);
        assert!(none.is_null() && words().contains("nowhere.toml"), "{}", words());
        bristle_run_free(null_mut());
    }
}

#[test]
fn inputs_and_outputs_have_cards() {
    let run = read(&BELT.replace("LAW", "coulomb")).unwrap();
    let text = |p| unsafe { CStr::from_ptr(p) }.to_str().unwrap();
    let mut input = InputText { name: null(), unit: null(), doc: null(), value: 0.0, min: 0.0, max: 0.0 };
    let mut output = OutputText { name: null(), unit: null() };
    unsafe {
        assert_eq!(bristle_run_inputs(run.0), 1);
        assert_eq!(bristle_run_input(run.0, 0, &mut input), Status::Ok);
        assert_eq!((text(input.name), text(input.unit), input.value), ("belt.velocity", "m/s", 0.1));
        assert_eq!(bristle_run_input(run.0, 1, &mut input), Status::None);
        assert_eq!(bristle_run_output(run.0, 0, &mut output), Status::Ok);
        assert_eq!((text(output.name), text(output.unit)), ("block.q", "m"));
    }
}
