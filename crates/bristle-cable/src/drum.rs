//! Drums, pulleys and capstans: circles that turn, or do not.

use crate::error::CableError;
use crate::friction::{Friction, positive};
use crate::signal::CableSignal;

/// A circular drum with a fixed centre.
#[derive(Clone, Debug)]
pub struct CableDrum {
    /// Centre.
    pub centre: [f64; 2],
    /// Radius `R`, to the cable's centreline.
    pub radius: f64,
    /// Contact stiffness `k`, N/mⁿ.
    pub stiffness: f64,
    /// Exponent `n` of the penetration.
    pub exponent: f64,
    /// Contact damping `D`, s/m.
    pub damping: f64,
    /// Friction with the cable.
    pub friction: Friction,
    /// Which way the surface goes: `Along` if positive rotation carries it in the cable's direction.
    pub sense: Sense,
    /// What turns the drum.
    pub drive: DrumDrive,
}

/// How the cable's direction and a drum's positive rotation relate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sense {
    /// Positive rotation carries the surface along the cable (`s = 1`).
    #[default]
    Along,
    /// Positive rotation carries it against the cable (`s = −1`), as on a pulley passed from below.
    Against,
}

impl Sense {
    /// 1 or −1.
    #[inline]
    pub fn sign(self) -> f64 {
        match self {
            Sense::Along => 1.0,
            Sense::Against => -1.0,
        }
    }
}

/// What turns a drum.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum DrumDrive {
    /// Nothing: it stands still.
    #[default]
    Fixed,
    /// A given angle.
    Prescribed(CableSignal),
    /// A servo that does not feel the cable (Westin & Irani 2020, eq. 31).
    ///
    /// ```text
    /// ω̇ = k_p (θ_d − θ) + k_d (ω_d − ω)
    /// ```
    Servo {
        /// Gain `k_p`, 1/s².
        kp: f64,
        /// Gain `k_d`, 1/s.
        kd: f64,
        /// Wanted angle `θ_d`.
        target: CableSignal,
    },
    /// A motor with inertia that feels the cable; with zero gains and torque a free pulley.
    ///
    /// ```text
    /// J ω̇ = τ(t) + K_p (θ_d − θ) + K_d (ω_d − ω) − d ω − Σ s R F
    /// ```
    Motor {
        /// Inertia `J` of drum, gear and rotor, kg m².
        inertia: f64,
        /// Gain `K_p`, N m/rad.
        kp: f64,
        /// Gain `K_d`, N m s/rad.
        kd: f64,
        /// Wanted angle `θ_d`.
        target: CableSignal,
        /// Torque `τ(t)` besides the control, N m.
        torque: CableSignal,
        /// Bearing damping `d`, N m s/rad.
        bearing: f64,
    },
}

impl DrumDrive {
    /// A pulley that turns freely.
    pub fn free(inertia: f64) -> DrumDrive {
        let (target, torque) = (CableSignal::default(), CableSignal::default());
        DrumDrive::Motor { inertia, kp: 0.0, kd: 0.0, target, torque, bearing: 0.0 }
    }

    /// The inertia of a drum that feels the cable.
    #[inline]
    pub fn inertia(&self) -> Option<f64> {
        match self {
            DrumDrive::Motor { inertia, .. } => Some(*inertia),
            _ => None,
        }
    }

    /// Torque on a motor's drum without the cable's, and its derivatives with angle and speed.
    pub(crate) fn torque(&self, t: f64, theta: f64, omega: f64) -> [f64; 3] {
        match self {
            DrumDrive::Motor { kp, kd, target, torque, bearing, .. } => {
                let [angle, speed, _] = target.at(t);
                let sum = torque.value(t) + kp * (angle - theta) + kd * (speed - omega) - bearing * omega;
                [sum, -kp, -kd - bearing]
            }
            _ => [0.0; 3],
        }
    }

    /// Moves a drum that does not feel the cable from `t` over `dt`: new angle, speed and acceleration.
    ///
    /// The servo's equation is integrated with the classical fourth-order rule in substeps so short that its
    /// error stays below that of the cable by orders of magnitude.
    pub(crate) fn advance(&self, t: f64, dt: f64, spin: [f64; 3]) -> [f64; 3] {
        match self {
            DrumDrive::Fixed | DrumDrive::Motor { .. } => spin,
            DrumDrive::Prescribed(signal) => signal.at(t + dt),
            DrumDrive::Servo { kp, kd, target } => {
                let rate = |t: f64, x: [f64; 2]| {
                    let [angle, speed, _] = target.at(t);
                    [x[1], kp * (angle - x[0]) + kd * (speed - x[1])]
                };
                let pace = kp.sqrt().max(*kd);
                let count = (dt * pace * 16.0).ceil().clamp(1.0, 1e4);
                let h = dt / count;
                let mut x = [spin[0], spin[1]];
                for i in 0..count as usize {
                    let t = t + h * i as f64;
                    let shift = |k: [f64; 2], s: f64| [x[0] + s * k[0], x[1] + s * k[1]];
                    let k1 = rate(t, x);
                    let k2 = rate(t + 0.5 * h, shift(k1, 0.5 * h));
                    let k3 = rate(t + 0.5 * h, shift(k2, 0.5 * h));
                    let k4 = rate(t + h, shift(k3, h));
                    x = std::array::from_fn(|c| x[c] + h / 6.0 * (k1[c] + 2.0 * (k2[c] + k3[c]) + k4[c]));
                }
                [x[0], x[1], rate(t + dt, x)[1]]
            }
        }
    }

    /// Angle, speed and acceleration at the start.
    pub(crate) fn start(&self, t: f64) -> [f64; 3] {
        match self {
            DrumDrive::Fixed | DrumDrive::Motor { .. } => [0.0; 3],
            DrumDrive::Prescribed(signal) => signal.at(t),
            DrumDrive::Servo { kp, kd, target } => {
                let [angle, speed, _] = target.at(t);
                [0.0, 0.0, kp * angle + kd * speed]
            }
        }
    }
}

impl CableDrum {
    /// A fixed drum without friction, with the contact constants of the published examples.
    pub fn new(centre: [f64; 2], radius: f64) -> CableDrum {
        CableDrum {
            centre,
            radius,
            stiffness: 5e6,
            exponent: 1.5,
            damping: 1.0,
            friction: Friction::None,
            sense: Sense::Along,
            drive: DrumDrive::Fixed,
        }
    }

    /// Whether the drum's parameters make sense.
    pub fn check(&self) -> Result<(), CableError> {
        positive("drum radius", self.radius)?;
        positive("contact stiffness", self.stiffness)?;
        if self.exponent < 1.0 {
            let expected = "the contact exponent is at least 1";
            return Err(CableError::Parameter { name: "contact exponent", value: self.exponent, expected });
        }
        if let DrumDrive::Motor { inertia, .. } = self.drive {
            positive("drum inertia", inertia)?;
        }
        self.friction.check()
    }

    /// Angle of a place on the drum, clockwise from the crown.
    pub fn angle(&self, r: [f64; 2]) -> f64 {
        (r[0] - self.centre[0]).atan2(r[1] - self.centre[1])
    }
}
