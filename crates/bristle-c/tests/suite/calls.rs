//! Calls as C makes them.

use bristle_c::*;
use bristle_law::LawKind;
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

pub fn words() -> String {
    unsafe { CStr::from_ptr(bristle_error()) }.to_str().unwrap().to_owned()
}

fn made(name: &str) -> LawHandle {
    let (mut law, name) = (MaybeUninit::<LawHandle>::zeroed(), CString::new(name).unwrap());
    assert_eq!(unsafe { bristle_law_init(law.as_mut_ptr(), name.as_ptr()) }, Status::Ok, "{}", words());
    unsafe { law.assume_init() }
}

fn set(law: &mut LawHandle, settings: &[(&str, f64)]) -> Status {
    let names: Vec<CString> = settings.iter().map(|(n, _)| CString::new(*n).unwrap()).collect();
    let pointers: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
    let values: Vec<f64> = settings.iter().map(|(_, v)| *v).collect();
    unsafe { bristle_law_set(law, pointers.as_ptr(), values.as_ptr(), values.len()) }
}

/// Every law of the catalogue fits into a handle, and a call of any kind allocates nothing.
#[test]
fn no_call_allocates() {
    bristle_law_name(0);
    for kind in LawKind::ALL {
        let name = CString::new(kind.card().name).unwrap();
        let counted = allocation_counter::measure(|| {
            let mut law = MaybeUninit::<LawHandle>::zeroed();
            let law = law.as_mut_ptr();
            let at = LawPoint { v: 0.01, n: 10.0, hold: 1.0 };
            let (mut z, mut dz, mut g, mut mode) = ([0.0; 16], [0.0; 16], [0.0; 16], [0i8; 16]);
            let (mut force, mut jacobian) = (0.0, [0.0; 256]);
            unsafe {
                assert_eq!(bristle_law_init(law, name.as_ptr()), Status::Ok);
                assert_eq!(bristle_law_start(law, &at, z.as_mut_ptr(), mode.as_mut_ptr()), Status::Ok);
                let (z, dz, g, mode) = (z.as_mut_ptr(), dz.as_mut_ptr(), g.as_mut_ptr(), mode.as_mut_ptr());
                assert_eq!(bristle_law_eval(law, &at, z, mode, &mut force, dz), Status::Ok);
                assert_eq!(bristle_law_guards(law, &at, z, mode, g), Status::Ok);
                bristle_law_limit(law, &at, z, mode, &mut force);
                let j = jacobian.as_mut_ptr();
                assert_eq!(bristle_law_jacobian(law, &at, z, mode, &mut force, dz, j), Status::Ok);
                bristle_law_step(law, &at, 1e-3, z, mode, &mut force);
                if bristle_law_elements(law) > 0 {
                    assert_eq!(bristle_law_switch(law, 0, &at, z, mode), Status::Ok);
                }
                bristle_law_eval(law, null(), z, mode, &mut force, dz);
            }
        });
        assert_eq!(counted.count_total, 0, "{}", kind.card().name);
    }
}

#[test]
fn a_copy_is_a_law_of_its_own() {
    let mut law = made("lugre");
    let copy = law;
    assert_eq!(set(&mut law, &[("mu_s", 0.5)]), Status::Ok);
    let (name, mut a, mut b) = (CString::new("mu_s").unwrap(), 0.0, 0.0);
    unsafe {
        bristle_law_get(&law, name.as_ptr(), &mut a);
        bristle_law_get(&copy, name.as_ptr(), &mut b);
    }
    assert_eq!(a, 0.5);
    assert_ne!(a, b);
}

/// A record in one call is the same as step by step.
#[test]
fn a_scan_is_its_steps() {
    let law = made("lugre");
    let v: Vec<f64> = (0..500).map(|i| 0.01 * f64::from(i).sin()).collect();
    let n = vec![10.0; 500];
    let (mut z, mut mode, mut forces) = ([0.0], [0i8], vec![0.0; 500]);
    let scanned = unsafe {
        let (z, mode) = (z.as_mut_ptr(), mode.as_mut_ptr());
        bristle_law_scan(&law, 500, v.as_ptr(), n.as_ptr(), null(), 1e-3, z, mode, forces.as_mut_ptr())
    };
    assert_eq!(scanned, Status::Ok);
    let (mut z, mut mode, mut force) = ([0.0], [0i8], 0.0);
    for (i, (v, n)) in v.iter().zip(&n).enumerate() {
        let at = LawPoint { v: *v, n: *n, hold: 0.0 };
        unsafe { bristle_law_step(&law, &at, 1e-3, z.as_mut_ptr(), mode.as_mut_ptr(), &mut force) };
        assert_eq!(force.to_bits(), forces[i].to_bits(), "entry {i}");
    }
}

/// Refusals name what was wrong and how it is meant, and change nothing.
#[test]
fn refusals_say_what_was_wrong() {
    let mut law = made("lugre");
    let name = CString::new("lugree").unwrap();
    let mut other = MaybeUninit::<LawHandle>::zeroed();
    assert_eq!(unsafe { bristle_law_init(other.as_mut_ptr(), name.as_ptr()) }, Status::UnknownName);
    assert_eq!(words(), "there is no law `lugree`; did you mean `lugre`?");
    assert_eq!(set(&mut law, &[("mu_z", 0.5)]), Status::UnknownName);
    assert_eq!(words(), "lugre has no parameter `mu_z`; did you mean `mu_d`?");
    assert_eq!(set(&mut law, &[("mu_d", 0.2), ("sigma0", -1.0)]), Status::BadValue);
    assert!(words().contains("sigma0 = -1 N/m lies outside"), "{}", words());
    let (name, mut value) = (CString::new("mu_d").unwrap(), 0.0);
    unsafe { bristle_law_get(&law, name.as_ptr(), &mut value) };
    assert_ne!(value, 0.2, "half of a refused call was kept");
    assert_eq!(set(&mut law, &[("mu_s", f64::NAN)]), Status::BadValue);
    let (z, mode, mut force) = ([0.0], [0i8], 0.0);
    let mut at = |v: f64, n: f64| {
        let at = LawPoint { v, n, hold: 0.0 };
        unsafe { bristle_law_eval(&law, &at, z.as_ptr(), mode.as_ptr(), &mut force, null_mut()) }
    };
    assert_eq!(at(0.1, -1.0), Status::BadValue);
    assert_eq!(words(), "the load n is -1: it must be 0 or more");
    assert_eq!(at(f64::NAN, 1.0), Status::BadValue);
    assert_eq!(words(), "the slip rate v is NaN: it must be finite");
    assert_eq!(at(0.1, 1.0), Status::Null);
    assert_eq!(unsafe { bristle_law_states(null()) }, 0);
    let blank = unsafe { MaybeUninit::<LawHandle>::zeroed().assume_init() };
    assert_eq!(unsafe { bristle_law_states(&blank) }, 0);
    assert!(words().contains("bristle_law_init"), "{}", words());
}
