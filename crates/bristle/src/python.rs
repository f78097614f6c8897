//! The modules of the Python package that are made from the cards: laws, signals, parts and studies as functions with real
//! signatures, so that editors complete them and type checkers read them.

use crate::catalogue::{CatalogueKind, cards};
use bristle_core::{Card, Field, Kind};
use std::fmt::Write;

/// Paths below the package's folder, and texts.
pub fn modules() -> Vec<(&'static str, String)> {
    vec![
        ("laws.py", laws()),
        ("signals.py", signals()),
        ("parts.py", parts()),
        ("_builder.py", builder()),
        ("studies.py", studies()),
    ]
}

/// Words that Python keeps for itself.
const KEPT: [&str; 8] = ["from", "in", "is", "as", "with", "lambda", "not", "for"];

/// What a field is called in Python.
fn name(field: &str) -> String {
    if KEPT.contains(&field) { format!("{field}_") } else { field.to_owned() }
}

/// An argument: what it is called, its type, its default.
struct Argument {
    key: &'static str,
    kind: String,
    default: Option<String>,
    words: String,
}

impl Argument {
    fn text(&self) -> String {
        let default = self.default.as_ref().map_or_else(String::new, |default| format!(" = {default}"));
        format!("{}: {}{default}", name(self.key), self.kind)
    }

    fn optional(key: &'static str, kind: &str, words: &str) -> Argument {
        Argument {
            key,
            kind: format!("{kind} | None"),
            default: Some("None".to_owned()),
            words: words.to_owned(),
        }
    }
}

/// A number as Python writes it.
fn number(value: f64) -> String {
    if value.is_nan() {
        "None".to_owned()
    } else if value.is_infinite() {
        format!("float(\"{value}\")")
    } else {
        format!("{value:?}")
    }
}

/// The arguments a field stands for; a coefficient may be given as a force instead.
fn arguments(card: &Card, field: &Field, is_law: bool) -> Vec<Argument> {
    let (key, words) = (field.name, field.doc.trim().to_owned());
    let plain = |kind: &str, is_required: bool| {
        if is_required {
            Argument { key, kind: kind.to_owned(), default: None, words: words.clone() }
        } else {
            Argument::optional(key, kind, &words)
        }
    };
    match field.kind {
        Kind::Number { unit, default, force, signal, .. } => {
            let kind = if signal || is_law { "Number | Signal" } else { "Number" };
            let is_left_out = default.is_some_and(f64::is_nan);
            let kind = if is_left_out { format!("{kind} | None") } else { kind.to_owned() };
            let unit = if unit == "1" { String::new() } else { format!(" [{unit}]") };
            let words = format!("{words}{unit}");
            let own = Argument { key, kind, default: default.map(number), words };
            let as_force = force.filter(|force| *force != key && is_law).map(|force| {
                Argument::optional(
                    force,
                    "Number | Signal",
                    &format!("The same as a force, in place of `{key}` [N]."),
                )
            });
            [own].into_iter().chain(as_force).collect()
        }
        Kind::Choice { options } => {
            let words_of: Vec<String> = options.iter().map(|o| format!("\"{o}\"")).collect();
            let default = options.first().map(|o| format!("\"{o}\""));
            vec![Argument { key, kind: format!("Literal[{}]", words_of.join(", ")), default, words }]
        }
        Kind::Flag => {
            vec![Argument { key, kind: "bool".to_owned(), default: Some("False".to_owned()), words }]
        }
        // Bounds of a range are numbers in the unit of the parameter.
        Kind::Text { required } if key.ends_with("from") || key.ends_with("to") => {
            vec![plain("Number", required)]
        }
        Kind::Text { required } => vec![plain("str", required)],
        Kind::Name { required } => vec![plain("Part | str", required)],
        Kind::Names { count: 0 } if card.tags.contains(&"text") => vec![plain("Sequence[str]", false)],
        Kind::Names { count } => vec![plain("Sequence[Part | str]", count > 0)],
        Kind::Table { catalogue: "law", required, .. } => vec![plain("Law", required)],
        Kind::Table { required, .. } => vec![plain("Signal", required)],
        Kind::Tables { .. } => vec![plain("Sequence[Signal]", false)],
        Kind::Numbers { required, .. } => vec![plain("Sequence[Number]", required)],
    }
}

fn all_arguments(card: &Card, is_law: bool) -> Vec<Argument> {
    card.fields.iter().flat_map(|field| arguments(card, field, is_law)).collect()
}

/// The words of a card and of its arguments.
fn docstring(card: &Card, arguments: &[Argument], indent: &str) -> String {
    let mut text = format!("{indent}r\"\"\"{}\n", card.title());
    let mut add = |line: &str| {
        let _ = if line.is_empty() { writeln!(text) } else { writeln!(text, "{indent}{line}") };
    };
    if !card.equation().is_empty() {
        add("");
        card.equation().lines().for_each(|line| add(&format!("    {line}")));
    }
    if !card.remarks().is_empty() {
        add("");
        card.remarks().lines().for_each(&mut add);
    }
    if !arguments.is_empty() {
        add("");
        add("Parameters");
        add("----------");
        for argument in arguments {
            add(&name(argument.key));
            add(&format!("    {}", argument.words));
        }
    }
    text + indent + "\"\"\"\n"
}

/// Values by their keys, as a dictionary of Python.
fn values(arguments: &[Argument]) -> String {
    let pairs: Vec<String> = arguments.iter().map(|a| format!("\"{}\": {}", a.key, name(a.key))).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// Defaults by their keys: what is left as it is need not be said.
fn defaults(arguments: &[Argument]) -> String {
    let given = arguments.iter().filter_map(|a| Some(format!("\"{}\": {}", a.key, a.default.as_ref()?)));
    format!("{{{}}}", given.collect::<Vec<_>>().join(", "))
}

/// `*, a: …, b: … = …`, or nothing.
fn keywords(arguments: &[Argument]) -> String {
    let texts: Vec<String> = arguments.iter().map(|a| format!("    {},\n", a.text())).collect();
    if texts.is_empty() { String::new() } else { format!("    *,\n{}", texts.concat()) }
}

fn head(title: &str, imports: &str) -> String {
    format!(
        "\"\"\"{title}\n\nGenerated from the cards by `cargo xtask gen`; edits are lost.\n\"\"\"\n\n# ruff: noqa\nfrom __future__ import annotations\n\n{imports}\n"
    )
}

fn listing(cards: &[Card]) -> String {
    let names: Vec<String> = cards.iter().map(|c| format!("    \"{}\",\n", name(c.name))).collect();
    format!("__all__ = [\n{}]\n", names.concat())
}

/// Cards of one catalogue as functions that give a value of this class.
fn functions(kind: CatalogueKind, class: &str, title: &str, imports: &str) -> String {
    let cards = cards(kind);
    let mut out = head(title, imports) + &listing(&cards);
    for card in &cards {
        let arguments = all_arguments(card, kind == CatalogueKind::Laws);
        let _ = write!(
            out,
            "\n\ndef {}(\n{}) -> {class}:\n{}    return {class}(\"{}\", {}, {})\n",
            name(card.name),
            keywords(&arguments),
            docstring(card, &arguments, "    "),
            card.name,
            values(&arguments),
            defaults(&arguments)
        );
    }
    out
}

fn laws() -> String {
    let imports = "from typing import Literal\n\nfrom bristle._spec import Law, Number, Signal\n";
    functions(CatalogueKind::Laws, "Law", "Friction laws, one function each.", imports)
}

fn signals() -> String {
    let imports = "from collections.abc import Sequence\nfrom typing import Literal\n\nfrom bristle._spec import Number, Signal\n";
    functions(CatalogueKind::Signals, "Signal", "Functions of time, for forces, loads and drives.", imports)
}

const PART_IMPORTS: &str = "from collections.abc import Sequence\nfrom typing import Literal\n\nfrom bristle._spec import Law, Number, Part, Signal\n";

fn parts() -> String {
    functions(CatalogueKind::Parts, "Part", "Bodies, elements and contacts, one function each.", PART_IMPORTS)
}

/// The parts as methods of a mechanism: the bodies they join or push come right after the name.
fn builder() -> String {
    let cards = cards(CatalogueKind::Parts);
    let imports = format!("from abc import ABC, abstractmethod\n{PART_IMPORTS}");
    let mut out = head("What a mechanism is built with.", &imports);
    out += "\n\nclass Builder(ABC):\n    \"\"\"Parts of the catalogue as methods.\"\"\"\n\n    @abstractmethod\n    def add(self, name: str, part: Part) -> Part:\n        \"\"\"Adds a part under a name.\"\"\"\n";
    for card in &cards {
        let arguments = all_arguments(card, false);
        let is_pair = |a: &&Argument| a.key == "between";
        let is_on = |a: &&Argument| a.key == "on" && a.default.is_none();
        let others: Vec<&Argument> = arguments.iter().filter(|a| !is_pair(a) && !is_on(a)).collect();
        let mut texts = vec!["        self,\n".to_owned(), "        name: str,\n".to_owned()];
        if arguments.iter().any(|a| is_pair(&a)) {
            texts.extend(["        a: Part | str,\n".to_owned(), "        b: Part | str,\n".to_owned()]);
        }
        if arguments.iter().any(|a| is_on(&a)) {
            texts.push("        on: Part | str,\n".to_owned());
        }
        if !others.is_empty() {
            texts.push("        *,\n".to_owned());
            texts.extend(others.iter().map(|a| format!("        {},\n", a.text())));
        }
        let pairs: Vec<String> = arguments
            .iter()
            .map(|a| {
                let value = if is_pair(&a) { "(a, b)".to_owned() } else { name(a.key) };
                format!("\"{}\": {value}", a.key)
            })
            .collect();
        let _ = write!(
            out,
            "\n    def {}(\n{}    ) -> Part:\n{}        return self.add(name, Part(\"{}\", {{{}}}, {}))\n",
            name(card.name),
            texts.concat(),
            docstring(card, &arguments, "        "),
            card.name,
            pairs.join(", "),
            defaults(&arguments)
        );
    }
    out
}

fn studies() -> String {
    let cards = cards(CatalogueKind::Studies);
    let imports = "from collections.abc import Callable, Mapping, Sequence\nfrom typing import Literal\n\nfrom bristle._run import ScenarioLike, Study, ask\nfrom bristle._spec import Number, Part, Signal\n";
    let mut out = head("Questions put to a scenario, one function each.", imports) + &listing(&cards);
    for card in &cards {
        let arguments = all_arguments(card, false);
        let _ = write!(
            out,
            "\n\ndef {}(\n    scenario: ScenarioLike,\n{}    set: Mapping[str, Number] | None = None,\n    progress: Callable[[str, float], object] | bool | None = None,\n) -> Study:\n{}    return ask(scenario, \"{}\", {}, {}, set, progress)\n",
            name(card.name),
            if arguments.is_empty() { "    *,\n".to_owned() } else { keywords(&arguments) },
            docstring(card, &arguments, "    "),
            card.name,
            values(&arguments),
            defaults(&arguments)
        );
    }
    out
}
