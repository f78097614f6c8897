//! The paper's figures, drawn anew: one panel per law, the exact solution behind it.

use super::experiments::{GridRun, PublishedExperiment};
use bristle_certify::pennestri2016::Reading;
use bristle_record::{Axis, Line, Plot, PlotGrid};

/// What a figure shows.
struct PaperFigure {
    number: &'static str,
    what: &'static str,
    channel: &'static str,
    label: &'static str,
    unit: &'static str,
}

const fn figure(
    number: &'static str,
    what: &'static str,
    channel: &'static str,
    label: &'static str,
    unit: &'static str,
) -> PaperFigure {
    PaperFigure { number, what, channel, label, unit }
}

const BELT: [PaperFigure; 4] = [
    figure("10", "displacement of the block", "block.q", "$x$", "m"),
    figure("11", "relative velocity of block and belt", "pad.slip_rate", "$w$", "m/s"),
    figure("12", "friction force", "pad.force", "$F$", "N"),
    figure("13", "kinetic and potential energy", "energy", "$E$", "J"),
];

const STACK: [PaperFigure; 5] = [
    figure("15", "displacement of the top body", "top.q", "$x_1$", "m"),
    figure("16", "friction force between top and middle body", "c1.force", "$F_1$", "N"),
    figure("17", "friction force between middle and bottom body", "c2.force", "$F_2$", "N"),
    figure("18", "friction force between bottom body and ground", "c3.force", "$F_3$", "N"),
    figure("19", "kinetic and potential energy", "energy", "$E$", "J"),
];

const PRESLIDING: [PaperFigure; 4] = [
    figure("22", "displacement of the block", "block.q", "$x$", "mm"),
    figure("23", "velocity of the block", "block.v", "$v$", "mm/s"),
    figure("24", "friction force", "floor.force", "$F$", "N"),
    figure("25", "kinetic energy", "energy.kinetic", "$E$", "mJ"),
];

/// All figures of one experiment.
pub(super) fn figures(experiment: PublishedExperiment, runs: &[GridRun]) -> Vec<PlotGrid> {
    let list: &[PaperFigure] = match experiment {
        PublishedExperiment::Belt => &BELT,
        PublishedExperiment::Stack => &STACK,
        PublishedExperiment::Presliding => &PRESLIDING,
    };
    list.iter().map(|figure| draw(figure, experiment, runs)).collect()
}

fn draw(figure: &PaperFigure, experiment: PublishedExperiment, runs: &[GridRun]) -> PlotGrid {
    let is_force = figure.channel.ends_with("force");
    // Forces are drawn as they act on the upper body.
    let factor = match figure.unit {
        "mm" | "mm/s" | "mJ" => 1e3,
        _ if is_force => -1.0,
        _ => 1.0,
    };
    let exact = runs.iter().find(|r| r.reading == Reading::Coulomb);
    let mut plots = Vec::new();
    for reading in Reading::PANELS {
        let Some(run) = runs.iter().find(|r| r.reading == reading) else { continue };
        let id = format!("fig{}-{}", figure.number, reading.id());
        let mut plot =
            Plot::new(id, reading.label(), Axis::new("time $t$", "s"), Axis::new(figure.label, figure.unit));
        plot.size = [250.0, 130.0];
        plot.y.range = exact.filter(|_| is_force).map(|e| frame(e.column(figure.channel), factor));
        let scaled =
            |run: &GridRun, name: &str| -> Vec<f64> { run.column(name).iter().map(|y| y * factor).collect() };
        let time = |run: &GridRun| run.column("time").to_vec();
        let law = reading.law().card().name;
        if figure.channel == "energy" {
            let kinetic = Line::of_law(law, "kinetic", time(run), scaled(run, "energy.kinetic"));
            let potential = Line::of_law(law, "potential", time(run), scaled(run, "energy.potential"));
            plot.push(Line { dash: bristle_record::Dash::Solid, width: 1.0, opacity: 0.55, ..potential });
            plot.push(Line { dash: bristle_record::Dash::Dashed, ..kinetic });
            plot.legend = bristle_record::Legend::None;
        } else {
            if let Some(exact) = exact.filter(|e| e.reading != reading) {
                let behind = Line::new("", time(exact), scaled(exact, figure.channel));
                plot.push(Line { colour: "grey".to_owned(), width: 1.0, opacity: 0.6, ..behind });
            }
            let line = Line::of_law(law, "", time(run), scaled(run, figure.channel));
            plot.push(Line { dash: bristle_record::Dash::Solid, ..line });
        }
        plots.push(plot);
    }
    let cut = match (is_force, experiment) {
        (true, PublishedExperiment::Stack) => {
            " Bristle spikes may leave the frame, which is the same for all laws."
        }
        _ => "",
    };
    let behind = match (figure.channel, experiment) {
        ("energy", _) => "Solid: potential, dashed: kinetic.",
        (_, PublishedExperiment::Belt) => "Grey: the closed form.",
        _ => "Grey: the exact set-valued solution.",
    };
    PlotGrid {
        id: format!("fig{}", figure.number),
        title: String::new(),
        caption: format!("As Fig. {}, {}: {}. {behind}{cut}", figure.number, experiment.label(), figure.what),
        columns: 3,
        plots,
        is_x_shared: true,
        is_legend_shared: false,
    }
}

/// The range of a curve with half of it on either side.
fn frame(curve: &[f64], factor: f64) -> [f64; 2] {
    let ends = |(low, high): (f64, f64), y: &f64| (low.min(y * factor), high.max(y * factor));
    let (low, high) = curve.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    let margin = 0.5 * (high - low).max(1e-9);
    [low - margin, high + margin]
}
