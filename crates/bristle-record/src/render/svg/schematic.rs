//! Pictures of mechanisms: still, or moving by themselves.

use std::fmt::Write;

use super::FONTS;
use super::text::{SMALL, number, width};
use crate::markup::{escape, plain};
use crate::schematic::{ContactState, Film, Ink, Schematic, Stroke, SymbolForm};

/// Length of the tip of an arrow.
const TIP: f64 = 9.0;

/// A picture that moves by itself shows so many instants at most.
const MOST_FRAMES: usize = 81;

/// How wide a name is written, with room for readers whose fonts are wider.
pub fn label_width(text: &str) -> f64 {
    1.12 * width(&format!("`{text}`"), SMALL, false)
}

/// The picture as it stands at the start, as a document.
pub fn still(schematic: &Schematic) -> String {
    format!("{}{}</svg>\n", opening(schematic, false), body(schematic, &|_, _| String::new()))
}

/// The same for a page whose script moves it.
pub fn inline(schematic: &Schematic) -> String {
    let mark = |k: usize, stroke: &Stroke| match stroke.is_moving(&schematic.film) {
        true => format!(" data-stroke=\"{k}\""),
        false => String::new(),
    };
    format!("{}{}</svg>\n", opening(schematic, true), body(schematic, &mark))
}

/// The picture as it moves, over and over, in so many seconds: a document that needs no script.
pub fn moving(schematic: &Schematic, seconds: f64) -> String {
    let mut out = opening(schematic, false);
    let words = |frame: usize| carried(&schematic.film, frame, seconds);
    out += &body_with(schematic, &|_, _| String::new(), &|s| animated(s, &schematic.film, seconds), &words);
    out + "</svg>\n"
}

fn opening(schematic: &Schematic, is_inline: bool) -> String {
    let [w, h] = schematic.size.map(|v| number(v.ceil()));
    let (title, caption) = (escape(&plain(&schematic.title)), escape(&plain(&schematic.caption)));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"schematic\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"{FONTS}\" role=\"img\""
    );
    if is_inline {
        let _ = writeln!(out, " aria-label=\"{title}. {caption}\">");
    } else {
        let _ = writeln!(out, ">\n<title>{title}</title>\n<desc>{caption}</desc>");
        let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"#ffffff\"/>");
    }
    out
}

fn body(schematic: &Schematic, mark: &dyn Fn(usize, &Stroke) -> String) -> String {
    body_with(schematic, mark, &|_| String::new(), &|_| String::new())
}

fn body_with(
    schematic: &Schematic,
    mark: &dyn Fn(usize, &Stroke) -> String,
    inner: &dyn Fn(&Stroke) -> String,
    words: &dyn Fn(usize) -> String,
) -> String {
    let film = &schematic.film;
    let mut out = String::new();
    for (k, stroke) in schematic.strokes.iter().enumerate() {
        let more = inner(stroke);
        let (tag, geometry) = match &stroke.form {
            SymbolForm::Disc { radius, .. } => {
                ("circle", centre(stroke, film, 0) + &format!(" r=\"{}\"", number(*radius)))
            }
            _ => ("path", format!(" d=\"{}\"", path(stroke, film, 0))),
        };
        let end = if more.is_empty() { "/>".to_owned() } else { format!(">{more}</{tag}>") };
        let _ = writeln!(out, "<{tag}{geometry}{}{}{end}", paint(stroke, film), mark(k, stroke));
    }
    for label in &schematic.labels {
        let [x, y] = label.at;
        if let Some([to_x, to_y]) = label.leader {
            // From the nearer edge of the word.
            let from = if to_y < y { y - 11.0 } else { y + 4.0 };
            let _ = writeln!(
                out,
                "<path class=\"s-soft\" d=\"M{},{}L{},{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\"/>",
                number(x),
                number(from),
                number(to_x),
                number(to_y),
                Ink::Soft.colour()
            );
        }
        let moving = match film.moves(label.frame) {
            true => {
                let [dx, dy] = carry(film, label.frame, 0);
                format!(
                    " data-frame=\"{}\" transform=\"translate({} {})\"",
                    label.frame,
                    tenth(dx),
                    tenth(dy)
                )
            }
            false => String::new(),
        };
        let _ = writeln!(
            out,
            "<text class=\"s-name\" x=\"{}\" y=\"{}\" font-size=\"{SMALL}\" text-anchor=\"middle\" fill=\"{}\"{moving}>{}{}</text>",
            number(x),
            number(y),
            Ink::Ink.colour(),
            escape(&label.part),
            words(label.frame)
        );
    }
    out
}

fn centre(stroke: &Stroke, film: &Film, k: usize) -> String {
    let SymbolForm::Disc { centre, .. } = &stroke.form else { return String::new() };
    let [x, y] = film.place(centre, k);
    format!(" cx=\"{}\" cy=\"{}\"", number(x), number(y))
}

/// The path of a stroke at an instant.
fn path(stroke: &Stroke, film: &Film, k: usize) -> String {
    let points = stroke.outline(film, k);
    if let (SymbolForm::Arrow { .. }, [tail, head, ..]) = (&stroke.form, &points[..]) {
        return arrow(*tail, *head);
    }
    let mut d = String::new();
    for (i, [x, y]) in points.iter().enumerate() {
        let _ = write!(d, "{}{},{}", if i == 0 { "M" } else { "L" }, tenth(*x), tenth(*y));
    }
    if matches!(stroke.form, SymbolForm::Line { is_closed: true, .. }) {
        d.push('z');
    }
    d
}

/// A shaft and two barbs, so that a short arrow keeps its direction.
fn arrow(tail: [f64; 2], head: [f64; 2]) -> String {
    let way = [head[0] - tail[0], head[1] - tail[1]];
    let length = way[0].hypot(way[1]);
    let (ux, uy) = if length > 1e-6 { (way[0] / length, way[1] / length) } else { (1.0, 0.0) };
    let tip = TIP.min(length);
    let barb = |side: f64| {
        let x = head[0] - tip * ux - side * 0.5 * tip * uy;
        let y = head[1] - tip * uy + side * 0.5 * tip * ux;
        format!("{},{}", tenth(x), tenth(y))
    };
    format!(
        "M{},{}L{},{}M{}L{},{}L{}",
        tenth(tail[0]),
        tenth(tail[1]),
        tenth(head[0]),
        tenth(head[1]),
        barb(1.0),
        tenth(head[0]),
        tenth(head[1]),
        barb(-1.0)
    )
}

fn tenth(v: f64) -> String {
    number((v * 10.0).round() / 10.0)
}

/// Classes for styles, and the same as attributes for viewers without them.
fn paint(stroke: &Stroke, film: &Film) -> String {
    let state = stroke.state.and_then(|s| film.states.get(s)?.first());
    let mut class = format!("s-{}", stroke.ink.name());
    if let Some(fill) = stroke.fill {
        let _ = write!(class, " f-{}", fill.name());
    }
    if let Some(state) = state {
        let _ = write!(class, " c-{}", state.name());
    }
    let fill = state.map_or_else(|| stroke.fill.map_or("none", Ink::colour), |s| s.colour());
    let mut out = format!(
        " class=\"{class}\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
        stroke.ink.colour(),
        number(stroke.width)
    );
    if stroke.dash > 0.0 {
        let _ = write!(out, " stroke-dasharray=\"{0} {0}\"", number(stroke.dash));
    }
    out
}

/// What moves a stroke without a script.
fn animated(stroke: &Stroke, film: &Film, seconds: f64) -> String {
    if !stroke.is_moving(film) {
        return String::new();
    }
    let frames = instants(film);
    let list =
        |value: &dyn Fn(usize) -> String| frames.iter().map(|k| value(*k)).collect::<Vec<_>>().join(";");
    let one = |attribute: &str, values: String, mode: &str| {
        format!(
            "<animate attributeName=\"{attribute}\" dur=\"{}s\" repeatCount=\"indefinite\"{mode} values=\"{values}\"/>",
            number(seconds)
        )
    };
    let mut out = String::new();
    match &stroke.form {
        SymbolForm::Disc { centre, .. } => {
            for (attribute, c) in [("cx", 0), ("cy", 1)] {
                let values = list(&|k| tenth(film.place(centre, k)[c]));
                if values.split(';').any(|v| v != tenth(film.place(centre, 0)[c])) {
                    out += &one(attribute, values, "");
                }
            }
        }
        _ => {
            let first = path(stroke, film, 0);
            if frames.iter().any(|k| path(stroke, film, *k) != first) {
                out += &one("d", list(&|k| path(stroke, film, k)), "");
            }
        }
    }
    if let Some(frame) = stroke.slide.filter(|f| film.moves(*f)) {
        let track = &film.tracks[frame];
        let way = if track.x.is_empty() { &track.y } else { &track.x };
        out += &one("stroke-dashoffset", list(&|k| tenth(-way.get(k).copied().unwrap_or(0.0))), "");
    }
    if let Some(states) = stroke.state.and_then(|s| film.states.get(s)) {
        let values = list(&|k| states.get(k).map_or(ContactState::Open, |s| *s).colour().to_owned());
        out += &one("fill", values, " calcMode=\"discrete\"");
    }
    out
}

/// How far a frame is from where it rests.
fn carry(film: &Film, frame: usize, k: usize) -> [f64; 2] {
    let value = |list: &[f64]| list.get(k).copied().unwrap_or(0.0);
    film.tracks.get(frame).map_or([0.0; 2], |t| [value(&t.x), value(&t.y)])
}

/// The instants of a picture that moves by itself; the last is among them.
fn instants(film: &Film) -> Vec<usize> {
    let last = film.times.len().saturating_sub(1);
    let count = film.times.len().min(MOST_FRAMES);
    (0..count).map(|k| k * last / (count - 1).max(1)).collect()
}

/// What moves a name with its body without a script.
fn carried(film: &Film, frame: usize, seconds: f64) -> String {
    if !film.moves(frame) {
        return String::new();
    }
    let at = |k: usize| carry(film, frame, k).map(tenth).join(",");
    let values: Vec<String> = instants(film).into_iter().map(at).collect();
    format!(
        "<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"{}s\" repeatCount=\"indefinite\" values=\"{}\"/>",
        number(seconds),
        values.join(";")
    )
}

/// What the script of a page needs to move the picture.
pub fn film_data(schematic: &Schematic) -> serde_json::Value {
    use serde_json::json;
    let film = &schematic.film;
    let near = |v: f64| (v * 100.0).round() / 100.0;
    let list = |v: &[f64]| v.iter().map(|v| near(*v)).collect::<Vec<_>>();
    let turn = |v: &[f64]| v.iter().map(|v| (v * 1e4).round() / 1e4).collect::<Vec<_>>();
    let tracks: Vec<_> = film
        .tracks
        .iter()
        .map(|t| json!({"p": t.pivot.map(near), "x": list(&t.x), "y": list(&t.y), "a": turn(&t.angle)}))
        .collect();
    let place = |p: &crate::schematic::SymbolPlace| {
        let mut all = vec![p.hold.frame as f64, near(p.hold.at[0]), near(p.hold.at[1])];
        if let Some(s) = &p.stretch {
            let more = [s.to.frame as f64, s.to.at[0], s.to.at[1], s.share, s.along, s.aside];
            all.extend(more.map(near));
        }
        all
    };
    let stroke = |(k, s): (usize, &Stroke)| {
        let mut value = match &s.form {
            SymbolForm::Line { points, is_closed } => {
                json!({"p": points.iter().map(place).collect::<Vec<_>>(), "z": is_closed})
            }
            SymbolForm::Disc { centre, .. } => json!({"o": place(centre)}),
            SymbolForm::Arrow { tail, reach, force } => {
                json!({"w": place(tail), "r": reach.map(near), "f": force})
            }
            SymbolForm::Rope { rope, .. } => json!({"n": rope}),
        };
        value["k"] = k.into();
        if let Some(slide) = s.slide {
            value["s"] = slide.into();
        }
        if let Some(state) = s.state {
            value["c"] = state.into();
        }
        value
    };
    let moving = schematic.strokes.iter().enumerate().filter(|(_, s)| s.is_moving(film));
    let code = |s: &ContactState| ContactState::ALL.iter().position(|c| c == s).unwrap_or(0);
    let states: Vec<String> =
        film.states.iter().map(|list| list.iter().map(|s| code(s).to_string()).collect()).collect();
    let ropes: Vec<Vec<Vec<f64>>> = film
        .ropes
        .iter()
        .map(|frames| {
            let flat =
                |points: &Vec<[f64; 2]>| points.iter().flatten().map(|v| (v * 10.0).round() / 10.0).collect();
            frames.iter().map(flat).collect()
        })
        .collect();
    let times: Vec<f64> = film.times.iter().filter_map(|t| format!("{t:.5e}").parse().ok()).collect();
    let forces: Vec<_> = film.forces.iter().map(|f| list(f)).collect();
    json!({"t": times, "speed": film.speed, "tracks": tracks, "strokes": moving.map(stroke).collect::<Vec<_>>(),
           "states": states, "forces": forces, "ropes": ropes})
}
