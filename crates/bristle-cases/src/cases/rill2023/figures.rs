//! Our own versions of the paper's figures.

use super::ComparedLaw;
use super::bench::{BREAK_AWAY, HOLD, PaperBench, Push, STEPS};
use crate::cases::reading::sample;
use bristle_record::{Axis, Block, Dash, Data, Legend, Line, Marker, Plot, PlotGrid, Rule, Scatter, Span};
use bristle_solve::Progress;
use bristle_study::RunError;
use bristle_study::studies::simulate::column;

/// Micrometres and milliseconds per metre and second.
const MICRO: f64 = 1e6;
const MILLI: f64 = 1e3;

/// A line in the law's colour, broken so that the three are told apart in grey print.
fn line(law: ComparedLaw, x: Vec<f64>, y: Vec<f64>) -> Line {
    // The law drawn first is the widest, so that one that coincides with it is still seen.
    let (dash, width) = match law {
        ComparedLaw::FrDyn2 | ComparedLaw::Regularised => (Dash::Solid, 2.6),
        ComparedLaw::Adams => (Dash::Dashed, 1.9),
        ComparedLaw::Simpack => (Dash::Dotted, 1.9),
    };
    Line { dash, width, ..Line::of_law(law.name(), law.label(), x, y) }
}

/// The load, in grey behind everything.
fn load_line(x: Vec<f64>, y: Vec<f64>) -> Line {
    Line { colour: "grey".to_owned(), width: 3.0, opacity: 0.5, ..Line::new("load $F$", x, y) }
}

fn scaled(data: &Data, name: &str, factor: f64) -> Vec<f64> {
    column(data, name).iter().map(|v| factor * v).collect()
}

fn panel(title: &str, x: (&str, &str), y: (&str, &str)) -> Plot {
    let mut plot = Plot::new("", title, Axis::new(x.0, x.1), Axis::new(y.0, y.1));
    plot.size = [330.0, 215.0];
    plot
}

fn grid(id: &str, columns: usize, caption: &str, plots: Vec<Plot>) -> Block {
    let plots = plots.into_iter().enumerate();
    let plots =
        plots.map(|(i, plot)| Plot { id: format!("{id}-{i}"), legend: Legend::Auto, ..plot }).collect();
    PlotGrid {
        id: id.to_owned(),
        caption: caption.to_owned(),
        columns,
        plots,
        is_legend_shared: true,
        ..PlotGrid::default()
    }
    .into()
}

/// Evenly spaced times over several stretches.
fn times(stretches: &[(f64, f64, usize)]) -> Vec<f64> {
    let mut list: Vec<f64> = Vec::new();
    for &(from, to, count) in stretches {
        list.extend((0..count).map(|i| from + (to - from) * i as f64 / count as f64));
    }
    list.extend(stretches.last().map(|s| s.1));
    list
}

const TIME: (&str, &str) = ("time $t$", "s");
const TIME_MS: (&str, &str) = ("time $t$", "ms");
const FORCE: (&str, &str) = ("friction force $F_R$", "N");
const SHIFT: (&str, &str) = ("displacement $u$", "µm");

/// Figures 3 to 9.
pub(super) fn bench(bench: &PaperBench, progress: &mut dyn Progress) -> Result<Vec<Block>, RunError> {
    progress.begin("figures");
    let mut blocks = vec![hold(bench, progress)?, creep(bench, progress)?, break_away(bench, progress)?];
    let mut runs = Vec::new();
    for push in STEPS {
        let end = 2.0 * push.rise + 0.008;
        let of = |law| Ok((law, sample(&bench.under(law, push)?, times(&[(0.0, end, 800)]), &mut ())?));
        runs.push(ComparedLaw::HOLDING.into_iter().map(of).collect::<Result<Vec<_>, RunError>>()?);
    }
    blocks.push(steps(bench, &runs));
    blocks.push(characteristics(
        "figure-7",
        bench,
        STEPS[0],
        &runs[0],
        "Quasi-static loading, $t_E$ = 0.1 s",
    ));
    blocks.push(characteristics("figure-8", bench, STEPS[2], &runs[2], "Fast loading, $t_E$ = 1 ms"));
    blocks.push(slow_return(bench)?);
    Ok(blocks)
}

fn hold(bench: &PaperBench, progress: &mut dyn Progress) -> Result<Block, RunError> {
    let data = sample(
        &bench.under(ComparedLaw::FrDyn2, HOLD)?,
        times(&[(0.0, 32.0, 320), (32.0, 300.0, 268)]),
        progress,
    )?;
    let t = column(&data, "time").to_vec();
    let force = column(&data, "pad.force").to_vec();
    let mut over_time = panel("", TIME, ("force", "N"));
    over_time.push(load_line(t.clone(), t.iter().map(|t| bench.load(HOLD, *t)).collect()));
    over_time.push(line(ComparedLaw::FrDyn2, t.clone(), force.clone()));
    let mut over_velocity = panel("", ("velocity $v$", "µm/s"), FORCE);
    over_velocity.x.range = Some([-1.0, 1.0]);
    over_velocity.push(line(ComparedLaw::FrDyn2, scaled(&data, "block.v", MICRO), force.clone()));
    let mut shift = panel("", TIME, SHIFT);
    shift.push(line(ComparedLaw::FrDyn2, t, scaled(&data, "block.q", MICRO)));
    let mut over_shift = panel("", ("bristle deflection $z$", "µm"), FORCE);
    over_shift.x.range = Some([0.0, 1.25]);
    over_shift.push(line(ComparedLaw::FrDyn2, scaled(&data, "pad.z", MICRO), force));
    let caption = "Figure 3: a load of 99 % of the static force is held for good; (b) the force at vanishing velocity \
        takes every value, (d) it is the bristle that bears it";
    Ok(grid("figure-3", 2, caption, vec![over_time, over_velocity, shift, over_shift]))
}

fn creep(bench: &PaperBench, progress: &mut dyn Progress) -> Result<Block, RunError> {
    let data = sample(&bench.under(ComparedLaw::Regularised, HOLD)?, times(&[(0.0, 300.0, 600)]), progress)?;
    let t = column(&data, "time").to_vec();
    let mut force = panel("", TIME, ("force", "N"));
    force.push(load_line(t.clone(), t.iter().map(|t| bench.load(HOLD, *t)).collect()));
    force.push(line(ComparedLaw::Regularised, t.clone(), column(&data, "pad.force").to_vec()));
    let mut velocity = panel("", TIME, ("velocity $v$", "mm/s"));
    velocity.push(line(ComparedLaw::Regularised, t.clone(), scaled(&data, "block.v", MILLI)));
    let mut shift = panel("", TIME, ("displacement $u$", "m"));
    shift.push(line(ComparedLaw::Regularised, t, column(&data, "block.q").to_vec()));
    let caption = "Figure 4: under the same load the static law creeps at 0.9 mm/s and never stops";
    Ok(grid("figure-4", 3, caption, vec![force, velocity, shift]))
}

fn break_away(bench: &PaperBench, progress: &mut dyn Progress) -> Result<Block, RunError> {
    let t_b = bench.break_away(BREAK_AWAY);
    let mut panels = [
        panel("force", TIME, ("force", "N")),
        panel("acceleration", TIME, ("acceleration $a$", "m/s^2")),
        panel("displacement", TIME, ("displacement $u$", "m")),
        panel("force at break-away", TIME, ("force", "N")),
        panel("characteristic", ("velocity $v$", "mm/s"), FORCE),
        panel("before sliding", SHIFT, FORCE),
    ];
    let near = [8.66, 8.82];
    for (index, law) in ComparedLaw::HOLDING.into_iter().enumerate() {
        let list = times(&[(0.0, near[0], 433), (near[0], near[1], 1600), (near[1], 11.0, 218)]);
        let data = sample(&bench.under(law, BREAK_AWAY)?, list, progress)?;
        let t = column(&data, "time").to_vec();
        let force = column(&data, "pad.force").to_vec();
        let load: Vec<f64> = t.iter().map(|t| bench.load(BREAK_AWAY, *t)).collect();
        if index == 0 {
            panels[0].push(load_line(t.clone(), load.clone()));
            panels[3].push(load_line(t.clone(), load.clone()));
        }
        panels[0].push(line(law, t.clone(), force.clone()));
        let acceleration = load.iter().zip(&force).map(|(load, force)| load - force).collect();
        panels[1].push(line(law, t.clone(), acceleration));
        panels[2].push(line(law, t.clone(), column(&data, "block.q").to_vec()));
        panels[3].push(line(law, t, force.clone()));
        panels[4].push(line(law, scaled(&data, "block.v", MILLI), force.clone()));
        panels[5].push(line(law, scaled(&data, "block.q", MICRO), force));
    }
    for i in [0, 3] {
        panels[i].push(Rule::vertical(t_b, "$t_B$"));
    }
    let v: Vec<f64> = (0..=16).map(|i| bench.v_d * f64::from(i) / 16.0).collect();
    let shifted = v.iter().map(|v| bench.shifted(*v)).collect();
    let mut marks = Scatter::new("static curve, shifted", v.iter().map(|v| MILLI * v).collect(), shifted);
    (marks.colour, marks.marker, marks.is_hollow) = ("regularised".to_owned(), Marker::Circle, true);
    panels[4].push(marks);
    panels[2].x.range = Some([8.0, 11.0]);
    panels[3].x.range = Some(near);
    panels[3].y.range = Some([2.5, 6.3]);
    panels[4].x.range = Some([-0.3, 12.0]);
    panels[4].y.range = Some([2.0, 6.3]);
    panels[5].x.range = Some([0.0, 2.5]);
    let caption = "Figure 5: a slow load that exceeds the static force. The hybrid model drops at once, the two others \
        with the velocity; FrDyn2 follows the shifted static curve";
    Ok(grid("figure-5", 3, caption, panels.into()))
}

/// The runs of one step under all laws.
type Runs = Vec<(ComparedLaw, Data)>;

fn steps(bench: &PaperBench, runs: &[Runs]) -> Block {
    let titles = ["$t_E$ = 0.1 s", "$t_E$ = 0.01 s", "$t_E$ = 1 ms", "$t_E$ = 0.1 ms"];
    let mut panels = Vec::new();
    for ((push, runs), title) in STEPS.into_iter().zip(runs).zip(titles) {
        let mut plot = panel(title, TIME_MS, ("force", "N"));
        for (index, (law, data)) in runs.iter().enumerate() {
            let t = scaled(data, "time", MILLI);
            if index == 0 {
                let load = column(data, "time").iter().map(|t| bench.load(push, *t)).collect();
                plot.push(load_line(t.clone(), load));
            }
            plot.push(line(*law, t, column(data, "pad.force").to_vec()));
        }
        plot.push(Rule::horizontal(bench.f_s, "$F_s$"));
        plot.y.range = Some([0.0, 7.2]);
        panels.push(plot);
    }
    let caption = "Figure 6: a load of 95 % of the static force, applied ever faster. The hybrid model passes the static \
        force, the two others are bounded by it";
    grid("figure-6", 2, caption, panels)
}

fn characteristics(id: &str, bench: &PaperBench, push: Push, runs: &Runs, title: &str) -> Block {
    let mut panels =
        [panel("", ("velocity $v$", "mm/s"), FORCE), panel("", SHIFT, FORCE), panel("", TIME_MS, SHIFT)];
    for (law, data) in runs {
        let (force, u) = (column(data, "pad.force").to_vec(), scaled(data, "block.q", MICRO));
        panels[0].push(line(*law, scaled(data, "block.v", MILLI), force.clone()));
        panels[1].push(line(*law, u.clone(), force));
        panels[2].push(line(*law, scaled(data, "time", MILLI), u));
    }
    let is_slow = push.rise > 0.05;
    panels[0].x.range = Some(if is_slow { [-0.5, 0.5] } else { [-0.1, 1.1] });
    panels[1].x.range = Some(if is_slow { [0.0, 1.25] } else { [0.0, 2.5] });
    panels[2].y.range = panels[1].x.range;
    for plot in &mut panels[..2] {
        plot.y.range = Some([0.0, 7.0]);
    }
    for plot in &mut panels[..2] {
        plot.push(Rule::horizontal(push.share * bench.f_s, "$F_E$"));
    }
    let number = id.trim_start_matches("figure-");
    let caption =
        format!("Figure {number}: {title}: force over velocity and displacement, displacement over time");
    grid(id, 3, &caption, panels.into())
}

fn slow_return(bench: &PaperBench) -> Result<Block, RunError> {
    let data = sample(
        &bench.under(ComparedLaw::Adams, STEPS[2])?,
        times(&[(0.0, 0.01, 400), (0.01, 0.1, 300)]),
        &mut (),
    )?;
    let mut plot = Plot::new("figure-9", "", Axis::new(TIME_MS.0, TIME_MS.1), Axis::new(SHIFT.0, SHIFT.1));
    plot.push(Span { from: 0.0, to: 10.0, label: "section of figure 8".to_owned(), ..Span::default() });
    plot.push(line(ComparedLaw::Adams, scaled(&data, "time", MILLI), scaled(&data, "block.q", MICRO)));
    plot.push(Rule::horizontal(0.7067, "quasi-static displacement"));
    plot.caption =
        "Figure 9: the Adams-like model rises within 3.6 ms and returns within 50 ms, but not to the \
        quasi-static displacement"
            .to_owned();
    Ok(plot.into())
}

/// Figures 11 and 12.
pub(super) fn festoon(runs: &Runs) -> Vec<Block> {
    let mut velocity = panel("velocities", TIME, ("velocity $v$", "m/s"));
    let mut normal = panel("normal forces", TIME, ("normal force $F_N$", "N"));
    let mut friction = panel("friction forces", TIME, ("friction force $F_R$", "N"));
    let mut turn = panel("trolley 1 reverses", TIME, ("friction force $F_{R1}$", "N"));
    let mut rest = panel("trolley 2 rests", TIME, ("friction force $F_{R2}$", "N"));
    for (index, (law, data)) in runs.iter().enumerate() {
        let t = column(data, "time").to_vec();
        let of = |name: &str| column(data, name).to_vec();
        if index == 0 {
            let tow = Line {
                colour: "grey".to_owned(),
                width: 3.0,
                opacity: 0.5,
                ..Line::new("towing trolley", t.clone(), of("tow.v"))
            };
            velocity.push(tow);
        }
        for trolley in ["1", "2"] {
            let thin = |line: Line| Line {
                width: if trolley == "1" { 1.8 } else { 1.0 },
                label: format!("{}, trolley {trolley}", law.label()),
                ..line
            };
            velocity.push(thin(line(*law, t.clone(), of(&format!("t{trolley}.v")))));
            normal.push(thin(line(*law, t.clone(), of(&format!("rail_t{trolley}.load")))));
            friction.push(thin(line(*law, t.clone(), of(&format!("rail_t{trolley}.force")))));
        }
        turn.push(line(*law, t.clone(), of("rail_t1.force")));
        rest.push(line(*law, t, of("rail_t2.force")));
    }
    for plot in [&mut velocity, &mut normal, &mut friction] {
        plot.size = [620.0, 200.0];
    }
    turn.x.range = Some([6.45, 6.48]);
    rest.x.range = Some([7.15, 7.85]);
    rest.y.range = Some([-0.6, 2.1]);
    turn.y.range = Some([-2.9, 2.1]);
    let mut histories = grid(
        "figure-11",
        1,
        "Figure 11: the towing trolley pulls the cable out within 5 s; the trolleys swing, reverse and rest",
        vec![velocity, normal, friction],
    );
    if let Block::PlotGrid(grid) = &mut histories {
        grid.is_x_shared = true;
    }
    let zooms = grid(
        "figure-12",
        2,
        "Figure 12: (a) trolley 1 reverses: FrDyn2 and the Adams-like model stay within the static force, the hybrid model \
         passes it; (b) trolley 2 rests",
        vec![turn, rest],
    );
    vec![histories, zooms]
}
