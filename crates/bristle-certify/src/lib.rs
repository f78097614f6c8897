//! Certificates: what every law of the catalogue does, measured by small experiments and not claimed.
//!
//! Each law is tried with its default numbers under a load of 10 N, through nothing but the interface every law has. One
//! probe is one file in [`probes`]; a probe that cannot be made says why.

pub mod bench;
mod certificate;
mod error;
mod fingerprint;
mod page;
pub mod pennestri2016;
pub mod probes;
mod properties;
mod report;
pub mod slide;

pub use certificate::{Certificate, Damping, Measured};
pub use error::CertifyError;
pub use fingerprint::{fingerprint_of, fingerprints};
pub use page::page;
pub use properties::{Property, properties};
pub use report::{record, timing};

use bench::LawBench;
use bristle_core::Role;
use bristle_law::LawKind;
use bristle_mech::Spec;
use bristle_solve::Cancel;
use bristle_solve::Progress;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Normal load of the bench, N.
pub const LOAD: f64 = 10.0;

/// How often the work is looked at, so that it shows how far it is and can be stopped.
const GLANCE: Duration = Duration::from_millis(20);

/// The law as it is tried: its defaults, and an elastic range that the load of the bench does not dwarf.
///
/// Where a law has bristles that are elastic up to a deflection, that is 0.8 μ_d n/σ₀, so that the swinging loads stay below it.
pub fn specimen(kind: LawKind) -> Spec {
    let card = kind.card();
    let spec = Spec::of(&card);
    let value = |role: Role| card.place(role).map(|i| spec.numbers[i]);
    match (value(Role::KineticFriction), value(Role::BristleStiffness), card.named(Role::ElasticDeflection)) {
        (Some(mu), Some(sigma0), Some(z_ba)) => spec.clone().with(&card, z_ba, 0.8 * mu * LOAD / sigma0),
        _ => spec,
    }
}

/// Certifies these laws, several at a time.
///
/// Cancelled by the caller, it gives those that were certified until then.
///
/// # Errors
/// [`CertifyError::Stopped`] if there were none.
pub fn certify(laws: &[LawKind], progress: &mut dyn Progress) -> Result<Vec<Certificate>, CertifyError> {
    let (stop, done, total) = (AtomicBool::new(false), AtomicUsize::new(0), laws.len() * certificate::PROBES);
    let busy = Mutex::new(String::new());
    let cancel = Cancel::default();
    let certified = std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let one = |kind: &LawKind| {
                if let Ok(mut busy) = busy.lock() {
                    *busy = kind.card().name.to_owned();
                }
                let found = cancel.scope(|| certificate::certify_law(*kind, &stop, &done));
                // What was cut short says nothing about the law.
                if cancel.is_cancelled() { None } else { Some(found) }
            };
            // One law at a time to each thread, since they differ much.
            let found: Vec<_> = laws.par_iter().with_max_len(1).map(one).collect();
            found.into_iter().flatten().collect::<Result<Vec<_>, CertifyError>>()
        });
        let mut shown = String::new();
        while !work.is_finished() {
            if let Ok(busy) = busy.lock()
                && *busy != shown
            {
                shown.clone_from(&busy);
                progress.begin(&shown);
            }
            let fraction = done.load(Ordering::Relaxed) as f64 / total.max(1) as f64;
            // The caller may look only now and then.
            if !(0..256).all(|_| progress.at(fraction)) || Cancel::check().is_err() {
                stop.store(true, Ordering::Relaxed);
                cancel.cancel();
            }
            std::thread::sleep(GLANCE);
        }
        work.join()
    });
    match certified {
        Ok(Ok(whole)) if whole.is_empty() && !laws.is_empty() => Err(CertifyError::Stopped),
        other => other.unwrap_or(Err(CertifyError::Stopped)),
    }
}

/// The bench for a law.
pub fn bench_for<'a>(kind: LawKind, stop: Option<&'a AtomicBool>) -> LawBench<'a> {
    LawBench {
        law: specimen(kind),
        load: LOAD,
        mass: 1.0,
        stiffness: 0.0,
        loose: probes::levels::LOOSE,
        stop,
    }
}
