//! The laws as Pennestrì et al. (2016) state them, and the other ways in which the paper can be read.

use bristle_law::LawKind;
use bristle_mech::Spec;

/// The printed numbers of one contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactNumbers {
    /// Kinetic friction, N.
    pub f_d: f64,
    /// Static friction, N.
    pub f_s: f64,
    /// Bristle stiffness, N/m.
    pub sigma0: f64,
    /// Bristle damping, N s/m.
    pub sigma1: f64,
    /// Dynamic velocity, which is also the Stribeck velocity.
    pub v_d: f64,
    /// Stribeck velocity of the other laws, m/s.
    pub v_s: f64,
    /// Elastic deflection, m.
    pub z_ba: f64,
    /// Largest deflection of the stick–slip law, m.
    pub d_max: f64,
    /// Threshold of the stick–slip law, m/s.
    pub v_t: f64,
    /// That of the direction of Gonthier's law, m/s.
    pub v_t_gonthier: f64,
    /// Dwell time, s.
    pub tau_dw: f64,
}

/// The block on the belt.
pub const BELT: ContactNumbers = ContactNumbers {
    f_d: 98.1,
    f_s: 117.72,
    sigma0: 98_100.0,
    sigma1: 780.0,
    v_d: 0.05,
    v_s: 0.01,
    z_ba: 1e-4,
    d_max: 1e-4,
    v_t: 0.05,
    v_t_gonthier: 5e-4,
    tau_dw: 0.1,
};

const CONTACT: ContactNumbers = ContactNumbers {
    f_d: 9.81,
    f_s: 14.71,
    sigma0: 98_100.0,
    sigma1: 49.0,
    v_d: 0.1,
    v_s: 0.01,
    z_ba: 1e-4,
    d_max: 1e-4,
    v_t: 0.1,
    v_t_gonthier: 0.1,
    tau_dw: 0.1,
};

/// The three contacts of the stack.
pub const STACK: [ContactNumbers; 3] = [
    CONTACT,
    ContactNumbers { f_d: 3.92, f_s: 5.88, sigma0: 39_200.0, sigma1: 20.0, ..CONTACT },
    ContactNumbers { f_d: 11.77, f_s: 17.66, sigma0: 117_700.0, sigma1: 59.0, ..CONTACT },
];

/// The pre-sliding test.
pub const PRESLIDING: ContactNumbers = ContactNumbers {
    f_d: 1.0,
    f_s: 1.1,
    sigma0: 100.0,
    sigma1: 2.0,
    v_d: 0.01,
    v_s: 1e-4,
    z_ba: 0.01,
    d_max: 0.01,
    v_t: 0.01,
    v_t_gonthier: 1e-4,
    tau_dw: 0.01,
};

/// One way to read one law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the variants are the names of laws
pub enum Reading {
    Coulomb,
    Benson,
    SmoothCoulomb,
    SmoothCoulombNormalised,
    VelocityBased,
    VelocityBasedCubic,
    MagicFormula,
    KarnoppCoast,
    KarnoppReset,
    KarnoppLiteral,
    Dahl,
    LuGre,
    LuGreSquare,
    ElastoPlastic,
    ElastoPlasticSquare,
    StickSlip,
    Gonthier,
}

use Reading::*;

impl Reading {
    /// Every reading.
    pub const ALL: [Reading; 17] = [
        Coulomb,
        Benson,
        SmoothCoulomb,
        SmoothCoulombNormalised,
        VelocityBased,
        VelocityBasedCubic,
        MagicFormula,
        KarnoppCoast,
        KarnoppReset,
        KarnoppLiteral,
        Dahl,
        LuGre,
        LuGreSquare,
        ElastoPlastic,
        ElastoPlasticSquare,
        StickSlip,
        Gonthier,
    ];

    /// One reading per law, the paper's eight first.
    pub const LAWS: [Reading; 11] = [
        SmoothCoulomb,
        VelocityBased,
        Dahl,
        LuGre,
        StickSlip,
        KarnoppReset,
        ElastoPlastic,
        Gonthier,
        Benson,
        MagicFormula,
        Coulomb,
    ];

    /// The panels of a figure: one reading per law, and the one of the elasto-plastic law that fits the paper.
    pub const PANELS: [Reading; 12] = [
        SmoothCoulomb,
        VelocityBased,
        Dahl,
        LuGre,
        StickSlip,
        KarnoppReset,
        ElastoPlastic,
        ElastoPlasticSquare,
        Gonthier,
        Benson,
        MagicFormula,
        Coulomb,
    ];

    /// The paper's eight laws in the order of its tables.
    pub const EIGHT: [Reading; 8] =
        [SmoothCoulomb, VelocityBased, Dahl, LuGre, StickSlip, KarnoppCoast, ElastoPlastic, Gonthier];

    /// Unique among the readings; part of the ids of the published numbers.
    pub fn id(self) -> &'static str {
        match self {
            SmoothCoulombNormalised => "smooth_coulomb_normalised",
            VelocityBasedCubic => "velocity_based_cubic",
            KarnoppCoast => "karnopp_coast",
            KarnoppReset => "karnopp_reset",
            KarnoppLiteral => "karnopp_literal",
            LuGreSquare => "lugre_gamma2",
            ElastoPlasticSquare => "elasto_plastic_gamma2",
            _ => self.law().card().name,
        }
    }

    /// The law it reads.
    pub fn law(self) -> LawKind {
        match self {
            Coulomb => LawKind::Coulomb,
            Benson => LawKind::Benson,
            SmoothCoulomb | SmoothCoulombNormalised => LawKind::SmoothCoulomb,
            VelocityBased | VelocityBasedCubic => LawKind::VelocityBased,
            MagicFormula => LawKind::MagicFormula,
            KarnoppCoast | KarnoppReset | KarnoppLiteral => LawKind::Karnopp,
            Dahl => LawKind::Dahl,
            LuGre | LuGreSquare => LawKind::LuGre,
            ElastoPlastic | ElastoPlasticSquare => LawKind::ElastoPlastic,
            StickSlip => LawKind::StickSlip,
            Gonthier => LawKind::Gonthier,
        }
    }

    /// What a reader calls it.
    pub fn label(self) -> &'static str {
        match self {
            Coulomb => "Coulomb, set-valued",
            Benson => "Benson",
            SmoothCoulomb => "smooth Coulomb",
            SmoothCoulombNormalised => "smooth Coulomb, normalised",
            VelocityBased => "velocity based",
            VelocityBasedCubic => "velocity based, cubic",
            MagicFormula => "Magic formula",
            KarnoppCoast => "Karnopp, coasting",
            KarnoppReset => "Karnopp, reset",
            KarnoppLiteral => "Karnopp, literal",
            Dahl => "Dahl",
            LuGre => "LuGre",
            LuGreSquare => "LuGre, γ = 2",
            ElastoPlastic => "elasto-plastic",
            ElastoPlasticSquare => "elasto-plastic, γ = 2",
            StickSlip => "stick-slip",
            Gonthier => "Gonthier",
        }
    }

    /// The law with the numbers of one contact, friction as forces.
    pub fn spec(self, n: &ContactNumbers) -> Spec {
        let levels = [("mu_d", n.f_d), ("mu_s", n.f_s)];
        let bristle = [("sigma0", n.sigma0), ("sigma1", n.sigma1), ("sigma2", 0.0), ("v_s", n.v_d)];
        let (b, c) = bristle_law::laws::MagicFormula::<f64>::shape(n.f_d / n.f_s, n.v_s);
        let own: Vec<(&str, f64)> = match self {
            Coulomb => Vec::new(),
            Benson => vec![("c", 1.0 / n.v_d)],
            SmoothCoulomb | SmoothCoulombNormalised => vec![("v_d", n.v_d)],
            VelocityBased | VelocityBasedCubic => vec![("v_s", n.v_s), ("v_d", n.v_d)],
            MagicFormula => vec![("b", b), ("c", c), ("e", 0.0)],
            KarnoppCoast => vec![("band", n.v_s)],
            KarnoppReset | KarnoppLiteral => vec![("band", n.v_d)],
            Dahl => vec![("sigma0", n.sigma0), ("alpha", 1.0)],
            LuGre => [&bristle[..], &[("gamma", 1.0)]].concat(),
            LuGreSquare => [&bristle[..], &[("gamma", 2.0)]].concat(),
            ElastoPlastic => [&bristle[..], &[("gamma", 1.0), ("z_ba", n.z_ba)]].concat(),
            ElastoPlasticSquare => [&bristle[..], &[("gamma", 2.0), ("z_ba", n.z_ba)]].concat(),
            StickSlip => vec![("v_t", n.v_t), ("d_max", n.d_max)],
            Gonthier => [&bristle[..], &[("v_t", n.v_t_gonthier), ("tau_dw", n.tau_dw)]].concat(),
        };
        let card = self.law().card();
        let all = levels.iter().chain(&own);
        let mut spec = all.fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value));
        for (field, word) in self.words() {
            spec = spec.choosing(&card, field, word);
        }
        spec.as_forces = true;
        spec
    }

    fn words(self) -> &'static [(&'static str, &'static str)] {
        match self {
            SmoothCoulombNormalised => &[("shape", "normalised")],
            VelocityBasedCubic => &[("shape", "cubic")],
            KarnoppCoast => &[("lock_in", "coast")],
            KarnoppLiteral => &[("lock_in", "coast"), ("break_away", "literal")],
            _ => &[],
        }
    }
}

/// The law with the soft, slow numbers of the paper's pre-sliding test, where it has them.
pub fn soft_specimen(kind: LawKind) -> Option<Spec> {
    let reading = Reading::LAWS.iter().find(|r| r.law() == kind)?;
    Some(reading.spec(&PRESLIDING))
}
