//! Draws one figure of each kind into the folder given as argument.

use std::f64::consts::PI;
use std::path::PathBuf;

use bristle_record::animation::{Disc, Frame, FrameLine};
use bristle_record::*;

fn main() -> Result<(), RecordError> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("gallery"), PathBuf::from);
    let mut record = Record::new("Gallery of figures");
    record.summary =
        "One figure of each kind, with made-up data: $x(t)$, work–precision, maps, portraits.".into();
    record.facts = vec![
        Fact::verdict("motion on the belt", "stick–slip", Tone::Warn),
        Fact::verdict("agrees with the closed form", true, Tone::Good),
        Fact { note: "mean of the last ten cycles".into(), ..Fact::number("period $T$", 0.31416, "s") },
        Fact::number("bristle stiffness $\\sigma_0$", 1e5, "N/m"),
        Fact::number("largest error", 2.4e-7, "m/s^2"),
    ];
    let section = record.section("Motion");
    section
        .push(Block::paragraph("The block sticks while $k x < \\mu_s n$ and then slides; see `belt.toml`."));
    section.push(Block::equation("m ẍ + c ẋ + k x = F(v_b − ẋ)"));
    section.push(stick_slip());
    section.push(traces());
    section.push(table());
    let section = record.section("Analysis");
    section.push(work_precision());
    section.push(stability_map());
    section.push(amplitude_map());
    let section = record.section("Geometry");
    section.push(portrait());
    section.push(bifurcation());
    section.push(cable());
    record
        .section("Source")
        .push(Block::code("belt.toml", "[belt]\nspeed = \"5 mm/s\"\nlaw = { kind = \"lugre\" }\n"));

    let t: Vec<f64> = ramp(0.0, 1.0, 1000);
    let mut data = Data::default();
    data.push("x", "m", t.iter().map(|t| t.sin()).collect());
    data.push("t", "s", t);
    write_folder(&folder, &record, &[Sheet::new("gallery", data)], &[])?;
    Ok(())
}

fn ramp(from: f64, to: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| from + (to - from) * i as f64 / (n - 1) as f64).collect()
}

fn saw(t: f64) -> f64 {
    let s = t.rem_euclid(0.31) / 0.31;
    if s < 0.8 { 38e-6 + 14e-6 * s / 0.8 } else { 38e-6 + 7e-6 * (1.0 + (PI * (s - 0.8) / 0.2).cos()) }
}

fn stick_slip() -> Plot {
    let t = ramp(0.0, 2.0, 200_000);
    let mut p = Plot::new("stick-slip", "", Axis::new("time $t$", "s"), Axis::new("stretch $x_1$", "m"));
    p.caption = "Stick–slip of a block on a belt: slow loading, fast release.".into();
    p.push(Span { from: 0.0, to: 0.248, label: "stick".into(), ..Span::default() });
    p.push(Line::of_law("lugre", "LuGre", t.clone(), t.iter().map(|t| saw(*t)).collect()));
    p.push(Line::of_law(
        "velocity_based",
        "velocity-based",
        t.clone(),
        t.iter().map(|t| saw(*t) - 2e-6 * t).collect(),
    ));
    p.push(Rule::horizontal(52e-6, "breakaway $\\mu_s n/k$"));
    p
}

fn traces() -> PlotGrid {
    let laws = ["coulomb", "lugre", "dahl", "elasto_plastic", "benson", "quinn"];
    let t = ramp(0.0, 10.0, 800);
    let one = |y: Axis, f: &dyn Fn(f64, f64) -> f64| {
        let mut p = Plot::new("trace", "", Axis::new("time $t$", "s"), y);
        for (k, law) in laws.iter().enumerate() {
            let y = t.iter().map(|t| f(*t, k as f64)).collect();
            p.push(Line::of_law(law, law.replace('_', "-"), t.clone(), y));
        }
        p
    };
    PlotGrid {
        id: "traces".into(),
        title: "Six laws under the same load".into(),
        caption: "One colour per law, one legend for all panels.".into(),
        columns: 1,
        plots: vec![
            one(Axis::new("force $F$", "N"), &|t, k| (t + 0.2 * k).sin() * (1.0 - 0.05 * k)),
            one(Axis::new("velocity $v_{rel}$", "m/s"), &|t, k| {
                3e-3 * (t + 0.2 * k).cos() * (1.0 - 0.05 * k)
            }),
            one(Axis::new("drift", "m"), &|t, k| 1e-7 * k * t),
        ],
        is_x_shared: true,
        is_legend_shared: true,
    }
}

fn table() -> Table {
    let mut t = Table::new(
        "Published and computed periods.",
        &[("law", ""), ("$T$ published", "s"), ("$T$ here", "s"), ("difference", "1"), ("", "")],
    );
    t.row(["LuGre".into(), 0.314.into(), 0.31416.into(), 5.1e-4.into(), Verdict::Agrees.into()]);
    t.row(["Dahl".into(), f64::NAN.into(), 0.298.into(), f64::NAN.into(), Verdict::Unknown.into()]);
    t.row(["Karnopp".into(), 0.25.into(), 0.31.into(), 0.24.into(), Verdict::Differs.into()]);
    t.row(["Quinn".into(), 0.3.into(), 0.31.into(), 3.3e-2.into(), Verdict::Inferred.into()]);
    t
}

fn work_precision() -> Plot {
    let mut p = Plot::new(
        "work-precision",
        "Work against precision",
        Axis::log("error in $x(T)$", "m"),
        Axis::log("time", "s"),
    );
    p.caption = "Time needed for a given error; lower left is better.".into();
    for (k, (name, order, marker)) in [
        ("Rodas5P", 5.0, Marker::Circle),
        ("dopri5", 5.5, Marker::Square),
        ("BDF", 3.0, Marker::Triangle),
        ("Radau", 4.0, Marker::Diamond),
    ]
    .into_iter()
    .enumerate()
    {
        let error: Vec<f64> = (3..12).map(|e| 10f64.powf(-f64::from(e) + 0.1 * k as f64)).collect();
        let time: Vec<f64> =
            error.iter().map(|e| 1e-5 * f64::from(1 << (2 * k)) * e.powf(-1.0 / order)).collect();
        p.push(Line::new(name, error.clone(), time.clone()));
        p.push(Scatter { marker, is_hollow: k % 2 == 1, ..Scatter::new(name, error, time) });
    }
    p.push(Note { at: [1e-10, 4e-4], text: "faster".into(), ..Note::default() });
    p
}

fn stability_map() -> Plot {
    let (x, y) = (ramp(0.0, 2.0, 120), ramp(0.0, 0.5, 80));
    let edge = |x: f64| 0.42 * (-x * x).exp() + 0.03;
    let class = |x: f64, y: f64| {
        if y > edge(x) {
            0.0
        } else if y > 0.6 * edge(x) {
            1.0
        } else {
            2.0
        }
    };
    let values = y.iter().flat_map(|y| x.iter().map(|x| class(*x, *y)).collect::<Vec<_>>()).collect();
    let mut p = Plot::new(
        "stability-map",
        "",
        Axis::new("belt speed $v_b/v_s$", ""),
        Axis::new("damping $\\zeta$", ""),
    );
    p.caption = "Where steady sliding is stable, with the analytic boundary.".into();
    let named = |name: &str, colour: &str| Category { name: name.into(), colour: colour.into() };
    let categories =
        vec![named("steady", "#dcebf5"), named("bistable", "#f4d9a8"), named("stick–slip", "#e2a48f")];
    p.push(HeatMap {
        x: x.clone(),
        y,
        values,
        scale: ColourScale::Categorical { categories },
        ..HeatMap::default()
    });
    let boundary = x.iter().map(|x| edge(*x)).collect();
    p.push(Line { colour: "ink".into(), ..Line::new("Hopf", x, boundary) });
    p
}

fn amplitude_map() -> Plot {
    let (x, y): (Vec<f64>, Vec<f64>) =
        ((0..90).map(|k| 10f64.powf(-4.0 + 3.0 * f64::from(k) / 89.0)).collect(), ramp(1.0, 50.0, 70));
    let f = |x: &f64, y: &f64| 4e-5 * (1.0 + (3.0 * x.log10()).sin() * (0.1 * y).cos());
    let values = y.iter().flat_map(|y| x.iter().map(|x| f(x, y)).collect::<Vec<_>>()).collect();
    let mut p = Plot::new(
        "amplitude-map",
        "Amplitude of the limit cycle",
        Axis::log("speed $v_b$", "m/s"),
        Axis::new("load $n$", "N"),
    );
    p.caption = "A continuous map over a logarithmic axis.".into();
    p.push(HeatMap { x, y, values, label: "amplitude $A$".into(), unit: "m".into(), ..HeatMap::default() });
    p
}

fn portrait() -> Plot {
    let mut p = Plot::new("portrait", "", Axis::new("$x_1$", "1"), Axis::new("$\\dot x$", "1"));
    p.y.label = "$ẋ_1$".into();
    p.caption = "A spiral towards the limit cycle.".into();
    p.is_equal_aspect = true;
    let s = ramp(0.0, 60.0, 5000);
    let r = |s: f64| 1.0 - 0.9 * (-0.08 * s).exp();
    p.push(Line::new(
        "orbit",
        s.iter().map(|s| r(*s) * s.cos()).collect(),
        s.iter().map(|s| -r(*s) * s.sin()).collect(),
    ));
    p.push(Circle {
        dash: Dash::Dashed,
        colour: "bad".into(),
        label: "limit cycle".into(),
        ..Circle::default()
    });
    p.push(Scatter { colour: "ink".into(), ..Scatter::new("equilibrium", vec![0.0], vec![0.0]) });
    p.push(Arrow { from: [0.5, 0.55], to: [0.72, 0.7], label: "grows".into(), ..Arrow::default() });
    p
}

fn bifurcation() -> Plot {
    let mut p =
        Plot::new("bifurcation", "", Axis::new("belt speed $v_b$", "m/s"), Axis::new("amplitude", "m"));
    p.caption = "Branches, measured extremes and a band of uncertainty.".into();
    let v = ramp(0.01, 0.2, 300);
    let a: Vec<f64> =
        v.iter().map(|v| if *v < 0.15 { 2e-3 * (1.0 - v / 0.16).sqrt() } else { f64::NAN }).collect();
    p.push(Span { from: 0.11, to: 0.15, label: "bistable".into(), colour: "warn".into(), ..Span::default() });
    let (lower, upper) = (a.iter().map(|a| 0.92 * a).collect(), a.iter().map(|a| 1.08 * a).collect());
    p.push(Band {
        x: v.clone(),
        lower,
        upper,
        label: "±8 %".into(),
        colour: "lugre".into(),
        ..Band::default()
    });
    p.push(Line { colour: "lugre".into(), ..Line::new("stable cycle", v.clone(), a) });
    let inner = v
        .iter()
        .map(|v| if (0.11..0.15).contains(v) { 2e-3 * ((v - 0.11) / 0.16).sqrt() * 0.5 } else { f64::NAN });
    p.push(Line {
        colour: "lugre".into(),
        dash: Dash::Dashed,
        ..Line::new("unstable cycle", v.clone(), inner.collect())
    });
    let dots: (Vec<f64>, Vec<f64>) = (0..4000)
        .map(|k| {
            (
                0.01 + 3.4e-5 * f64::from(k),
                2e-3 * (1.0 - (0.01 + 3.4e-5 * f64::from(k)) / 0.16).sqrt()
                    * (1.0 + 0.06 * (f64::from(k * k) * 0.37).sin()),
            )
        })
        .unzip();
    p.push(Scatter {
        marker: Marker::Dot,
        size: 1.2,
        colour: "grey".into(),
        ..Scatter::new("sweep", dots.0, dots.1)
    });
    p.push(Rule::vertical(0.11, "Hopf $v_H$"));
    p
}

fn cable() -> Animation {
    let frames = (0..60).map(|k| {
        let t = f64::from(k) / 20.0;
        let swing = 0.8 * (PI * t / 1.5).sin();
        let points: Vec<[f64; 2]> =
            ramp(0.0, 1.0, 30).iter().map(|s| [4.0 * s * swing * s, 5.0 - 4.0 * s]).collect();
        let end = points[29];
        Frame {
            time: t,
            lines: vec![FrameLine { points, colour: String::new() }],
            circles: vec![Disc { centre: end, radius: 0.25, colour: "bad".into() }],
        }
    });
    Animation {
        id: "cable".into(),
        title: "A swinging load".into(),
        caption: "Shapes over time.".into(),
        x: Axis::new("$x$", "m"),
        y: Axis::new("$y$", "m"),
        frames: frames.collect(),
        speed: 1.0,
        is_equal_aspect: true,
    }
}
