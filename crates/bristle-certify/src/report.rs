//! All laws in one table.

use super::certificate::Certificate;
use super::probes::hold::{Hold, HoldVerdict, SHARES};
use super::properties::properties;
use bristle_record::{
    Axis, Block, Cell, Dash, Fact, Line, Marker, Plot, Record, Scatter, Section, Table, Tone,
};

/// The report of several certificates.
pub fn record(certificates: &[Certificate]) -> Record {
    let mut record = Record::new("Certificates of friction laws");
    record.summary = format!(
        "{} laws with their default numbers under 10 N, each tried by the same small experiments. Everything here is \
         measured through the interface that every law has; nothing is taken from its description.",
        certificates.len()
    );
    record.facts = facts(certificates);
    let section = record.section("The table");
    section.push(table(certificates));
    section.push(Block::paragraph(
        "**Static level**: largest friction force before a light block moves at 5 cm/s while its load grows by a tenth of \
         the kinetic level per second. **Creep**: mean speed over the last 10⁵ of 10⁶ s under a share of the static level; \
         none if that is less than a nanometre in 10⁶ s. **Predicted**: the slip rate at which the law's own steady \
         curve bears the load. **Left**: displacement after the load is gone. **Pulses**: forty, of a second each. **Drift \
         per cycle**: under half the kinetic level and a quarter more and less, after a jerk; on the soft bench with the \
         numbers of the pre-sliding test of Pennestrì et al. (2016), amplitudes of 0.1, 0.25 and 0.4 N.",
    ));
    section.push(Block::paragraph(
        "**Loops within loops**: whether a smaller loop of displacement closes and is forgotten. **Break-away**: fall of the \
         largest force from 0.1 to 100 static levels per second. **Lag**: force while speeding up minus force while slowing \
         down at 5 mm/s, over the kinetic level. **Rest**: peak of friction after holds of 0.1 to 1000 s. **Random motions**: \
         whether twelve of them took out more energy than they had put in. **Largest explicit step**: at which Euler's method \
         keeps a block of 1 kg under half the static level below 1 mm/s.",
    ));
    section.push(Block::paragraph(
        "In the place of a figure that does not apply: **breaks away**: the block moved at 5 cm/s before the probe was \
         over, although its load is below the static level. **No spring**: the law does not spring back, so it has no loop. \
         **No such numbers**: the law has none of the parameters of that test. **No vector form**: the law is not written \
         for the plane. **Needs none**: a law without states has nothing to advance.",
    ));
    record.sections.extend(holds(certificates));
    record
}

/// Rows are laws, columns are properties.
pub(super) fn table(certificates: &[Certificate]) -> Table {
    let mut columns = vec![("law", "")];
    let first = certificates.first().map(properties).unwrap_or_default();
    columns.extend(first.iter().map(|p| (p.name, p.unit)));
    let mut table = Table::new("Laws and what they were seen to do", &columns);
    for certificate in certificates {
        let mut row: Vec<Cell> = vec![format!("[{0}](laws/{0}.html)", certificate.law).into()];
        row.extend(properties(certificate).into_iter().map(|p| p.cell));
        table.row(row);
    }
    table
}

fn facts(certificates: &[Certificate]) -> Vec<Fact> {
    let names = |wanted: &dyn Fn(&Certificate) -> bool| -> Vec<&'static str> {
        certificates.iter().filter(|c| wanted(c)).map(|c| c.law).collect()
    };
    let mut facts = Vec::new();
    let mut add = |label: &str, tone: Tone, found: Vec<&'static str>| {
        let tone = if found.is_empty() { Tone::Neutral } else { tone };
        let mut fact = Fact::verdict(label, format!("{} of {}", found.len(), certificates.len()), tone);
        fact.note = found.join(", ");
        facts.push(fact);
    };
    let is = |verdict: HoldVerdict| names(&move |c: &Certificate| c.verdict() == Some(verdict));
    add("hold below their static level", Tone::Good, is(HoldVerdict::Holds));
    add("creep", Tone::Bad, is(HoldVerdict::Creeps));
    add("break away early", Tone::Warn, is(HoldVerdict::BreaksAway));
    let drifts = |c: &Certificate| c.shake.found().is_some_and(|s| s.share.abs() > 1e-3);
    add("drift under a swinging load", Tone::Warn, names(&drifts));
    let grows = |c: &Certificate| c.dwell.found().is_some_and(|d| d.strengthens);
    add("strengthen at rest", Tone::Neutral, names(&grows));
    let active = |c: &Certificate| c.passivity.found().is_some_and(|p| !p.is_passive);
    add("gave more energy than they got", Tone::Warn, names(&active));
    facts
}

/// Creep against load, with the predictions.
fn holds(certificates: &[Certificate]) -> Vec<Section> {
    let mut section = Section { heading: "Long holds".to_owned(), blocks: Vec::new() };
    let mut plot = Plot::new(
        "creep",
        "",
        Axis::log("what the load leaves of the static level", "%"),
        Axis::log("creep", "m/s"),
    );
    plot.caption = "Creep under a constant load. Markers: measured over the last 10⁵ of 10⁶ s. Lines: predicted from each \
                    law's steady curve. Laws that hold are not in the figure."
        .to_owned();
    plot.size = [560.0, 380.0];
    let shares: Vec<f64> = SHARES.iter().map(|s| 100.0 * (1.0 - s)).collect();
    for certificate in certificates.iter().filter(|c| c.verdict() == Some(HoldVerdict::Creeps)) {
        let Some(holds) = certificate.hold.found() else { continue };
        let seen = |h: &Hold| if h.verdict() == HoldVerdict::Creeps { h.speed().abs() } else { f64::NAN };
        let predicted: Vec<f64> =
            holds.iter().map(|h| if h.predicted > 0.0 { h.predicted } else { f64::NAN }).collect();
        let line = Line::of_law(certificate.law, certificate.law, shares.clone(), predicted);
        plot.push(Line { dash: Dash::Solid, width: 1.0, ..line });
        plot.push(Scatter {
            x: shares.clone(),
            y: holds.iter().map(seen).collect(),
            colour: certificate.law.to_owned(),
            marker: Marker::Circle,
            ..Scatter::default()
        });
    }
    if plot.layers.is_empty() {
        return Vec::new();
    }
    section.push(plot);
    vec![section]
}

/// Wall times, which differ from run to run and therefore stand in no file.
pub fn timing(certificates: &[Certificate]) -> Table {
    let columns = [("law", ""), ("one evaluation", "ns"), ("per second of belt", "ms")];
    let mut table = Table::new("Wall time on this machine", &columns);
    for certificate in certificates {
        if let Some(cost) = certificate.cost.found() {
            let digits = |value: f64| Cell::Number { value, digits: 3 };
            table.row([certificate.law.into(), digits(cost.nanoseconds), digits(1e3 * cost.seconds)]);
        }
    }
    table
}
