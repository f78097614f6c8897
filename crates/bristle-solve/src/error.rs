//! What can go wrong in a run.

/// What is wrong with a contact at an accepted state.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// At rest it carries more than it can.
    #[error("contact `{contact}` carries {force:.6e} N at rest, more than its limit of {limit:.6e} N")]
    Overloaded {
        /// Which contact.
        contact: String,
        /// What it carries.
        force: f64,
        /// What it can carry.
        limit: f64,
    },
    /// It slides although it is said to stick.
    #[error("contact `{contact}` is said to stick but slides at {slip:.3e} m/s")]
    Slides {
        /// Which contact.
        contact: String,
        /// How fast.
        slip: f64,
    },
    /// It is said to slide although others hold its bodies together.
    #[error("contact `{contact}` is said to slide although its bodies are held together by others that rest")]
    RubsAtRest {
        /// Which contact.
        contact: String,
    },
    /// It slides against the direction its friction is computed for.
    #[error("contact `{contact}` slides at {slip:.3e} m/s against the direction of its mode")]
    WrongWay {
        /// Which contact.
        contact: String,
        /// How fast.
        slip: f64,
    },
}

/// Why a run ended before its end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The error cannot be kept within the tolerance.
    #[error(
        "step size fell to {h:.1e} s at t = {t:.6} s (smallest allowed {h_min:.1e} s); {state} varies fastest"
    )]
    StepTooSmall {
        /// Time reached.
        t: f64,
        /// Step tried.
        h: f64,
        /// Smallest step.
        h_min: f64,
        /// The state with the largest error.
        state: String,
    },
    /// Modes switch without time passing.
    #[error("{count} switches within {span:.1e} s at t = {t:.6} s: {contact} chatters")]
    Chatter {
        /// Time reached.
        t: f64,
        /// How long the switches took.
        span: f64,
        /// How many there were.
        count: usize,
        /// The guard that fired last.
        contact: String,
    },
    /// The modes contradict the state: what follows would be wrong.
    #[error(
        "at t = {t:.9} s {what}: the run is not trustworthy beyond; a smaller `rtol` or another `method` may help"
    )]
    Violated {
        /// Time reached.
        t: f64,
        /// What is wrong.
        what: Violation,
    },
    /// A rate is infinite or not a number.
    #[error("the rate of {state} is not finite at t = {t:.6} s")]
    NotFinite {
        /// Time reached.
        t: f64,
        /// Whose rate.
        state: String,
    },
    /// The run takes longer than it was allowed to.
    #[error("{steps} steps were not enough: reached t = {t:.6} s of {t_end:.6} s")]
    TooManySteps {
        /// Time reached.
        t: f64,
        /// Time asked for.
        t_end: f64,
        /// Steps taken.
        steps: usize,
    },
    /// A tolerance no method can work with.
    #[error("tolerance `{name}` is {value:e}, expected a number from {min:e} to {max:e}")]
    BadTolerance {
        /// Which one.
        name: &'static str,
        /// What was given.
        value: f64,
        /// Smallest sensible value.
        min: f64,
        /// Largest sensible value.
        max: f64,
    },
    /// A run must end after it starts.
    #[error("a run from t = {start} s cannot end at t = {end} s")]
    BadSpan {
        /// Start.
        start: f64,
        /// End.
        end: f64,
    },
    /// A slice does not fit the dynamics.
    #[error("{found} {what} given, the dynamics have {expected}")]
    WrongLength {
        /// Of what.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Whoever asked for the run wants it no longer ([`Cancel`](crate::Cancel)).
    #[error("cancelled at t = {t:.6} s")]
    Cancelled {
        /// Time reached.
        t: f64,
    },
    /// The method needs a library this build leaves out.
    #[error("method `{method}` is not part of this build")]
    NotBuilt {
        /// Its name.
        method: &'static str,
    },
    /// The library behind a method gave up.
    #[error("method `{method}` failed at t = {t:.6} s: {reason}")]
    Backend {
        /// The method's name.
        method: &'static str,
        /// Time reached.
        t: f64,
        /// What the library said.
        reason: String,
    },
}
