//! What can be wrong with a cable or its motion.

use thiserror::Error;

/// Why a cable could not be built, laid or moved.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CableError {
    /// No elements.
    #[error("a cable of {elements} elements cannot bend over a drum: give at least one element")]
    NoElements {
        /// How many were asked for.
        elements: usize,
    },
    /// A parameter outside its range.
    #[error("{name} = {value} is not admissible: {expected}")]
    Parameter {
        /// Which parameter.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What is admissible.
        expected: &'static str,
    },
    /// The sigmoid of a friction law overshoots.
    #[error(
        "the sigmoid with alpha = {alpha}, beta = {beta} is not monotone: it needs 0 ≤ alpha < 1 < beta ≤ 3 − 2 alpha = {beta_max} (or alpha = beta = 1)"
    )]
    Sigmoid {
        /// End of the identity.
        alpha: f64,
        /// Start of saturation.
        beta: f64,
        /// Largest admissible start of saturation.
        beta_max: f64,
    },
    /// A law of the catalogue that a cable contact cannot use.
    #[error("law `{name}` cannot act on a cable: {why}")]
    Law {
        /// The law's name.
        name: &'static str,
        /// What it would need.
        why: &'static str,
    },
    /// A method that is not a Rosenbrock method.
    #[error("method `{name}` has no Rosenbrock coefficients: take rodas4 or rodas5p")]
    Method {
        /// Its name.
        name: &'static str,
    },
    /// Two drums share space.
    #[error(
        "drums {first} and {second} overlap: their centres are {distance} m apart, their radii sum to {radii} m"
    )]
    OverlappingDrums {
        /// One drum.
        first: usize,
        /// The other.
        second: usize,
        /// Distance of the centres.
        distance: f64,
        /// Sum of the radii.
        radii: f64,
    },
    /// The cable starts inside a drum.
    #[error(
        "node {node} starts {depth} m inside drum {drum}: lay the cable around the drum or move the drum"
    )]
    InsideDrum {
        /// Which node.
        node: usize,
        /// Which drum.
        drum: usize,
        /// How deep.
        depth: f64,
    },
    /// A laid path does not fit the cable.
    #[error(
        "the path over the drums is {path} m long, the cable {length} m: give a longer cable or nearer ends"
    )]
    TooShort {
        /// Length of the path.
        path: f64,
        /// Length of the cable.
        length: f64,
    },
    /// Equilibrium does not touch a drum the cable was laid on.
    #[error(
        "the cable is so slack that it falls off drum {drum}: shorten it, load its ends or move them apart"
    )]
    FallsOff {
        /// Which drum.
        drum: usize,
    },
    /// A state with another number of nodes or drums.
    #[error("the state has {found} nodes, the cable {expected}")]
    Size {
        /// What was given.
        found: usize,
        /// What is needed.
        expected: usize,
    },
    /// The static iteration found no equilibrium.
    #[error("no equilibrium found: residual {residual:.1e} N after {iterations} iterations")]
    NoEquilibrium {
        /// Residual left.
        residual: f64,
        /// Iterations spent.
        iterations: usize,
    },
    /// The step became too small.
    #[error("step size fell to {step:.1e} s at t = {t:.6} s, Newton update {update:.1e} m/s")]
    StepTooSmall {
        /// Time.
        t: f64,
        /// Step.
        step: f64,
        /// Last Newton update.
        update: f64,
    },
    /// Whoever asked wants the answer no longer.
    #[error(transparent)]
    Cancelled(#[from] bristle_solve::Cancelled),
    /// A matrix that cannot be solved.
    #[error(
        "singular matrix at t = {t:.6} s, node {node}: is a part of the cable free of mass and stiffness?"
    )]
    Singular {
        /// Time.
        t: f64,
        /// Node at which elimination stopped.
        node: usize,
    },
}
