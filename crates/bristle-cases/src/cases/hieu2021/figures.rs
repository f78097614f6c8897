//! Figures 2–17 of the paper as ours.

use super::linear::{COLUMNS, slope_of_zeta4};
use super::model::HieuModel;
use super::motion::{SPEEDS, THRESHOLD, paper};
use super::report::Sources;
use bristle_record::{Axis, Block, Data, Line, Marker, Plot, PlotGrid, Rule, Scatter, Span};
use bristle_study::RunError;
use bristle_study::studies::boundary::draw;
use bristle_study::studies::map::heat;
use bristle_study::studies::simulate::column;
use bristle_study::studies::stages::{cut, mean};

const MODEL_COLOURS: [&str; 2] = ["cycle:0", "cycle:1"];
const SPEED_COLOURS: [&str; 3] = ["cycle:1", "cycle:2", "cycle:0"];

fn plot(id: &str, caption: &str, x: (&str, &str), y: (&str, &str)) -> Plot {
    let mut plot = Plot::new(id, "", Axis::new(x.0, x.1), Axis::new(y.0, y.1));
    plot.caption = caption.to_owned();
    plot
}

fn line(label: &str, colour: &str, x: Vec<f64>, y: Vec<f64>) -> Line {
    Line { colour: colour.to_owned(), ..Line::new(label, x, y) }
}

fn grid(id: &str, caption: &str, columns: usize, plots: Vec<Plot>) -> PlotGrid {
    let is_x_shared = columns == 1;
    PlotGrid {
        id: id.to_owned(),
        caption: caption.to_owned(),
        columns,
        plots,
        is_x_shared,
        ..PlotGrid::default()
    }
}

const SPEED: (&str, &str) = ("belt speed $v_b$", "m/s");

/// Figures of the stability analysis: 2–7 and 10.
pub(super) fn linear(sources: &Sources) -> Result<Vec<Block>, RunError> {
    let [two, _] = sources.models;
    let speeds: Vec<f64> = (1..=250).map(|i| 0.02 * f64::from(i)).collect();
    let zeta = |c1: f64, which: usize| -> Result<Vec<f64>, RunError> {
        speeds.iter().map(|v| Ok(two.zetas(*v, c1, 100.0)?[which])).collect()
    };
    let small = |mut p: Plot| {
        p.size = [300.0, 220.0];
        p
    };
    let mut z2 = plot("fig02a", "", SPEED, ("$ζ_2$", ""));
    z2.push(line("", "accent", speeds.clone(), zeta(0.5, 0)?));
    let mut z3 = plot("fig02b", "", SPEED, ("$ζ_3$", ""));
    z3.push(line("", "accent", speeds.clone(), zeta(0.5, 1)?));
    let fig2 = grid(
        "fig02",
        "Fig. 2: $ζ_2$ and $ζ_3$ over the belt speed; $ζ_3$ is negative below 0.0154 m/s",
        2,
        vec![small(z2), small(z3)],
    );
    let mut fig3 = plot(
        "fig03",
        "Fig. 3: $ζ_4$ over the belt speed; sliding is locally stable where it is positive",
        SPEED,
        ("$ζ_4$", ""),
    );
    fig3.push(Rule::horizontal(0.0, ""));
    for (i, c1) in [0.5, 1.0, 2.0].into_iter().enumerate() {
        fig3.push(line(&format!("$c_1$ = {c1} N s/m"), &format!("cycle:{i}"), speeds.clone(), zeta(c1, 2)?));
    }
    let mut fig4 = plot(
        "fig04",
        "Fig. 4: zones of local stability, the onset with its criticality, and Table 2",
        ("viscous friction $c_1$", "N s/m"),
        SPEED,
    );
    let map = &sources.linear.map;
    let flipped = {
        // The map has rows over c₁; the figure has c₁ to the right.
        let mut other = map.clone();
        std::mem::swap(&mut other.rows, &mut other.columns);
        let (n, m) = (map.rows.values.len(), map.columns.values.len());
        other.stable = (0..m).flat_map(|j| (0..n).map(move |i| map.stable[i * m + j])).collect();
        other
    };
    fig4.push(heat(&flipped));
    (fig4.x.range, fig4.y.range) = (Some([0.05, 5.0]), Some([0.02, 5.0]));
    draw(&mut fig4, &sources.linear.curves[..1]);
    fig4.caption = "Fig. 4: zones of local stability, the onset with its criticality, and Table 2".to_owned();
    let printed =
        COLUMNS.iter().map(|c1| sources.numbers.get(&format!("table2.k100.two.c1_{c1:.1}"))).collect();
    fig4.push(Scatter {
        marker: Marker::Circle,
        is_hollow: true,
        colour: "ink".to_owned(),
        ..Scatter::new("Table 2", COLUMNS.to_vec(), printed)
    });
    let mut fig5 = plot(
        "fig05",
        "Fig. 5: gap between the boundary speeds of the two models",
        ("viscous friction $c_1$", "N s/m"),
        ("gap", "m/s"),
    );
    let (x, y) = sources.linear.gap_over_c1.iter().copied().unzip();
    fig5.push(line("", "accent", x, y));
    let k: Vec<f64> = sources.linear.over_k.iter().map(|r| r.0).collect();
    let mut fig6 =
        plot("fig06", "Fig. 6: boundary speed over the stiffness", ("stiffness $k$", "N/m"), SPEED);
    fig6.push(line(
        "two-state",
        MODEL_COLOURS[0],
        k.clone(),
        sources.linear.over_k.iter().map(|r| r.1).collect(),
    ));
    fig6.push(line(
        "LuGre",
        MODEL_COLOURS[1],
        k.clone(),
        sources.linear.over_k.iter().map(|r| r.2).collect(),
    ));
    let mut fig7 = plot(
        "fig07",
        "Fig. 7: gap between the models over the stiffness",
        ("stiffness $k$", "N/m"),
        ("gap", "m/s"),
    );
    fig7.push(line("", "accent", k, sources.linear.over_k.iter().map(|r| r.1 - r.2).collect()));
    let mut fig10 =
        plot("fig10", "Fig. 10: slope of $ζ_4$ and its zero", SPEED, ("slope of $ζ_4$, eq. (37)", "s/m"));
    let near: Vec<f64> = (0..=90).map(|i| 1.7 + 0.02 * f64::from(i)).collect();
    let slope = near.iter().map(|v| slope_of_zeta4(two, *v, 100.0)).collect::<Result<_, _>>()?;
    fig10.push(Rule::horizontal(0.0, ""));
    fig10.push(line("", "accent", near, slope));
    fig10.push(Scatter {
        marker: Marker::Square,
        colour: "bad".to_owned(),
        ..Scatter::new("zero", vec![sources.numbers.get("dzeta4.k100")], vec![0.0])
    });
    Ok(vec![fig2.into(), fig3.into(), fig4.into(), fig5.into(), fig6.into(), fig7.into(), fig10.into()])
}

/// Displacement, relative velocity and friction force over time under both models.
fn three_panels(id: &str, caption: &str, runs: &[Data; 2]) -> PlotGrid {
    let panels = [
        ("displacement $x$", "m", "block.q", 1.0),
        ("relative velocity $v_{re}$", "m/s", "pad.slip_rate", -1.0),
        ("friction force $F_{fr}$", "N", "pad.force", -1.0),
    ];
    let plots = panels.iter().enumerate().map(|(i, (label, unit, name, sign))| {
        let mut p = plot(&format!("{id}{}", ["a", "b", "c"][i]), "", ("time $t$", "s"), (label, unit));
        p.size = [520.0, 150.0];
        for (k, (data, model)) in runs.iter().zip(["two-state", "LuGre"]).enumerate() {
            let y = column(data, name).iter().map(|v| sign * v).collect();
            p.push(line(model, MODEL_COLOURS[k], column(data, "time").to_vec(), y));
        }
        p
    });
    let mut all = grid(id, caption, 1, plots.collect());
    all.is_legend_shared = true;
    all
}

/// Figures of the simulations: 8, 9, 11–17.
pub(super) fn motions(sources: &Sources) -> Vec<Block> {
    let motion = sources.motion;
    let mut blocks: Vec<Block> = vec![
        three_panels("fig08", "Fig. 8: stick–slip at $v_b$ = 0.1 m/s", &motion.fig8).into(),
        three_panels("fig09", "Fig. 9: stick–slip at $v_b$ = 0.03 m/s", &motion.fig9).into(),
        portraits(sources).into(),
        figure12(&motion.runs[0]).into(),
        figure13(&motion.runs[0]).into(),
    ];
    let after = |data: &Data| column(data, "time").iter().position(|t| *t >= 6.0).unwrap_or(0);
    let panels = [
        ("relative velocity $v_{re}$", "m/s", "pad.slip_rate", -1.0),
        ("dwell time $φ$", "s", "pad.phi", 1.0),
        ("friction force $F_{fr}$", "N", "pad.force", -1.0),
    ];
    let fig14 = panels.iter().enumerate().map(|(i, (label, unit, name, sign))| {
        let mut p = plot(&format!("fig14{}", ["a", "b", "c"][i]), "", ("time $t$", "s"), (label, unit));
        p.size = [520.0, 150.0];
        for (k, data) in motion.runs.iter().enumerate() {
            let y = column(data, name)[after(data)..].iter().map(|v| sign * v).collect();
            let x = column(data, "time")[after(data)..].to_vec();
            p.push(line(&format!("$v_b$ = {} m/s", SPEEDS[k]), SPEED_COLOURS[k], x, y));
        }
        p
    });
    let mut fig14 = grid(
        "fig14",
        "Fig. 14: relative velocity, dwell time and friction force at three belt speeds",
        1,
        fig14.collect(),
    );
    fig14.is_legend_shared = true;
    blocks.push(fig14.into());
    blocks.push(figure15(sources).into());
    let mut fig16 = plot(
        "fig16",
        "Fig. 16: friction force over the dwell time",
        ("dwell time $φ$", "s"),
        ("friction force $F_{fr}$", "N"),
    );
    let mut in_time = plot("fig17a", "", ("time $t$", "s"), ("added area $s_t$", ""));
    let mut in_dwell = plot("fig17b", "", ("dwell time $φ$", "s"), ("added area $s_t$", ""));
    for (k, data) in motion.runs.iter().enumerate() {
        let from = after(data);
        let phi = column(data, "pad.phi")[from..].to_vec();
        let force = paper(data, "pad.force")[from..].to_vec();
        let area: Vec<f64> = phi.iter().map(|p| 0.1 * (1.0 - (-p / 10.0).exp())).collect();
        let label = format!("$v_b$ = {} m/s", SPEEDS[k]);
        fig16.push(line(&label, SPEED_COLOURS[k], phi.clone(), force));
        in_time.push(line(&label, SPEED_COLOURS[k], column(data, "time")[from..].to_vec(), area.clone()));
        in_dwell.push(line(&label, SPEED_COLOURS[k], phi, area));
    }
    blocks.push(fig16.into());
    (in_time.size, in_dwell.size) = ([320.0, 230.0], [320.0, 230.0]);
    let mut fig17 = grid(
        "fig17",
        "Fig. 17: added true contact area in time and over the dwell time",
        2,
        vec![in_time, in_dwell],
    );
    fig17.is_legend_shared = true;
    blocks.push(fig17.into());
    blocks
}

fn portraits(sources: &Sources) -> PlotGrid {
    let names = ["S1: $v_b$ = 3.5 m/s", "S2: $v_b$ = 2.9958 m/s", "S3: $v_b$ = 0.03 m/s"];
    let plots = sources.motion.fig11.iter().enumerate().map(|(i, (data, rest))| {
        let mut p =
            plot(&format!("fig11{}", ["a", "b", "c"][i]), "", ("$x − x_e$", "m"), ("velocity $ẋ$", "m/s"));
        p.title = names[i].to_owned();
        p.size = [250.0, 230.0];
        let x: Vec<f64> = column(data, "block.q").iter().map(|q| q - rest).collect();
        let start = Scatter::new("", vec![x[0]], vec![column(data, "block.v")[0]]);
        p.push(Line { width: 0.8, ..line("", "accent", x, column(data, "block.v").to_vec()) });
        p.push(Scatter { marker: Marker::Square, colour: "bad".to_owned(), ..start });
        p
    });
    let caption = "Fig. 11: phase portraits. S2 is not near a small limit cycle: it grows, sticks after 30 s and lands on the large cycle";
    grid("fig11", caption, 3, plots.collect())
}

fn figure12(data: &Data) -> PlotGrid {
    let (_, _, cycles) = cut(data, "pad", 6.0, THRESHOLD);
    let window = |t: f64| (8.0..=10.0).contains(&t);
    let t = column(data, "time");
    let kept: Vec<usize> = (0..t.len()).filter(|&i| window(t[i])).collect();
    let panels = [
        ("dwell time $φ$", "s", "pad.phi", 1.0),
        ("relative velocity $v_{re}$", "m/s", "pad.slip_rate", -1.0),
    ];
    let plots = panels.iter().enumerate().map(|(k, (label, unit, name, sign))| {
        let mut p = plot(&format!("fig12{}", ["a", "b"][k]), "", ("time $t$", "s"), (label, unit));
        p.size = [520.0, 170.0];
        p.x.range = Some([8.0, 10.0]);
        for c in &cycles {
            let trough = c.start + c.deceleration;
            let onset = trough + c.stick;
            for (from, to, colour) in
                [(c.start, trough, "bad"), (trough, onset, "good"), (onset, onset + c.acceleration, "warn")]
            {
                if to > 8.0 && from < 10.0 {
                    let (from, to) = (from.max(8.0), to.min(10.0));
                    p.push(Span { from, to, colour: colour.to_owned(), ..Span::default() });
                }
            }
        }
        let values = column(data, name);
        p.push(line(
            "",
            "ink",
            kept.iter().map(|&i| t[i]).collect(),
            kept.iter().map(|&i| sign * values[i]).collect(),
        ));
        p
    });
    grid(
        "fig12",
        "Fig. 12: dwell time and relative velocity at 0.03 m/s; green stick, ochre acceleration, red deceleration",
        1,
        plots.collect(),
    )
}

fn figure13(data: &Data) -> Plot {
    let caption = "Fig. 13: dwell time over relative velocity at 0.03 m/s, from 6 s on";
    let mut p = plot("fig13", caption, ("relative velocity $v_{re}$", "m/s"), ("dwell time $φ$", "s"));
    let from = column(data, "time").iter().position(|t| *t >= 6.0).unwrap_or(0);
    p.push(line(
        "",
        "accent",
        paper(data, "pad.slip_rate")[from..].to_vec(),
        column(data, "pad.phi")[from..].to_vec(),
    ));
    p
}

fn figure15(sources: &Sources) -> Plot {
    let caption = "Fig. 15: mean durations of the stages between 30 and 90 s; hollow: the printed estimates";
    let mut p = plot("fig15", caption, SPEED, ("duration", "s"));
    let stages = &sources.motion.stages;
    let of = |f: fn(&bristle_analysis::phases::CyclePhases) -> f64| {
        stages.iter().map(|s| mean(s, f)).collect::<Vec<f64>>()
    };
    let printed = [[0.9, 0.60], [0.38, 0.37], [0.15, 0.156]];
    let rows = [
        ("I stick", of(|c| c.stick)),
        ("II acceleration", of(|c| c.acceleration)),
        ("III deceleration", of(|c| c.deceleration)),
    ];
    for (i, (label, values)) in rows.into_iter().enumerate() {
        let colour = ["good", "warn", "bad"][i];
        p.push(line("", colour, SPEEDS.to_vec(), values.clone()));
        p.push(Scatter { colour: colour.to_owned(), ..Scatter::new(label, SPEEDS.to_vec(), values) });
        let base = Scatter::new("", vec![0.03, 0.1], printed[i].to_vec());
        p.push(Scatter {
            colour: colour.to_owned(),
            is_hollow: true,
            marker: Marker::Square,
            size: 9.0,
            ..base
        });
    }
    p.y.range = Some([0.0, 1.0]);
    p
}

/// Names of the models with their colours, for other figures.
pub(super) fn colour_of(model: &HieuModel) -> &'static str {
    if model.id == "two" { MODEL_COLOURS[0] } else { MODEL_COLOURS[1] }
}
