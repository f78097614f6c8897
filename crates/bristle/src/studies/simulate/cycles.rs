//! Slip after slip: when each begins, how long it lasts and what it costs.

use super::column;
use bristle_record::{Cell, Data, Fact, Table, Value};

/// How many slips the table shows.
const SHOWN: usize = 20;

/// One slip of a contact that really sticks in between, both ends located.
#[derive(Clone, Copy, Debug)]
struct Slip {
    begin: f64,
    end: f64,
    /// Slip at begin and end.
    slip: [f64; 2],
    /// Energy dissipated until begin and end.
    loss: [f64; 2],
}

/// The slips of a contact with located ends. A switch leaves two samples of one time, before and after it.
fn slips(data: &Data, contact: &str) -> Vec<Slip> {
    let quantity = |name: &str| column(data, &format!("{contact}.{name}"));
    let (t, mode, slip, loss) = (column(data, "time"), quantity("mode"), quantity("slip"), quantity("loss"));
    let mut slips = Vec::new();
    let mut begun = None;
    for i in 1..t.len() {
        if t[i] != t[i - 1] {
            continue;
        }
        match (mode[i - 1] == 0.0, mode[i] == 0.0) {
            (true, false) => begun = Some(i),
            (false, true) => slips.extend(begun.take().map(|b| Slip {
                begin: t[b],
                end: t[i],
                slip: [slip[b], slip[i]],
                loss: [loss[b], loss[i]],
            })),
            _ => {}
        }
    }
    slips
}

/// The last full cycle in numbers.
pub(super) fn facts(data: &Data, contact: &str) -> Vec<Fact> {
    let slips = slips(data, contact);
    let Some(first) = slips.first() else { return Vec::new() };
    let fact = |label: &str, value: f64, unit: &str| {
        let value = Value::Number { value, unit: unit.to_owned(), digits: 10 };
        Fact::new(format!("{label} at `{contact}`"), value)
    };
    let mut facts = vec![fact("first slip", first.begin, "s")];
    if let [.., before, last] = slips[..] {
        facts.push(fact("last slip lasts", last.end - last.begin, "s"));
        facts.push(fact("last period", last.begin - before.begin, "s"));
        facts.push(fact("loss in the last cycle", last.loss[0] - before.loss[0], "J"));
    }
    facts
}

/// The slips of a contact, one line each.
pub(super) fn table(data: &Data, contact: &str) -> Option<Table> {
    let slips = slips(data, contact);
    let caption = match slips.len() {
        0 => return None,
        n if n > SHOWN => format!("The first {SHOWN} of {n} slips at `{contact}`"),
        _ => format!("Slips at `{contact}`"),
    };
    let columns = [("begins at", "s"), ("lasts", "s"), ("slips by", "m"), ("dissipates", "J")];
    let mut table = Table::new(caption, &columns);
    for slip in slips.iter().take(SHOWN) {
        let cells =
            [slip.begin, slip.end - slip.begin, slip.slip[1] - slip.slip[0], slip.loss[1] - slip.loss[0]];
        table.row(cells.map(|value| Cell::Number { value, digits: 12 }));
    }
    Some(table)
}
