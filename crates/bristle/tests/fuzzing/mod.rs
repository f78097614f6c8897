//! Scenarios spoilt at random, and what must hold of whatever comes of them. Shared by the test and `cargo xtask fuzz`.

use bristle::{Progress, Scenario, run};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Numbers from a seed, the same everywhere (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, zero for none.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const NUMBERS: [&str; 22] = [
    "0",
    "-1",
    "1",
    "2.7",
    "1e308",
    "1e-308",
    "1e400",
    "-1e300",
    "nan",
    "inf",
    "-0.0",
    "3 12",
    "1e12",
    "1e-12",
    "0x1f",
    "1_000",
    "1e-14",
    "1e5",
    "0.5",
    "100",
    "1e-3",
    "99999999999999999999999999999999999999999999999999999999999999999999999999999999",
];

const UNITS: [&str; 18] = [
    "kN",
    "mm",
    "furlong",
    "t",
    "km^200/km^200",
    "°",
    "%",
    "",
    "N/m",
    "m/s",
    "1/s",
    "kg",
    "s",
    "N s/m",
    "rad",
    "m^-3 s^99999999999",
    "N(m",
    "ms",
];

const WORDS: [&str; 34] = [
    "mass",
    "planar_mass",
    "trolley",
    "drive",
    "anchor",
    "spring",
    "damper",
    "segment",
    "force",
    "gravity",
    "contact",
    "planar_contact",
    "capstan",
    "coulomb",
    "lugre",
    "dahl",
    "karnopp",
    "stick_slip",
    "frdyn2",
    "dieterich",
    "gms",
    "benson",
    "simulate",
    "steady",
    "branch",
    "orbit",
    "stages",
    "map",
    "sine",
    "pulse",
    "polyline",
    "sum",
    "ground",
    "auto",
];

const SIGNS: [&str; 18] = [
    "\u{1b}[31m",
    "\0",
    "\u{202e}",
    "ß",
    "𝄞",
    "\r",
    "\t",
    "=",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "#",
    "\\u001b",
    "'''",
    "µ",
    "\u{feff}",
];

const VALUES: [&str; 10] = [
    "true",
    "[]",
    "{}",
    "1979-05-27",
    "[[1]]",
    "\"\"",
    "{ kind = \"sum\", terms = [] }",
    "\"5 m/s\"",
    "[1, \"2\"]",
    "'x'",
];

/// Scenarios to be spoilt.
pub fn seeds() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).map(|d| d.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let mut seeds: Vec<String> = files.iter().filter_map(|f| std::fs::read_to_string(f).ok()).collect();
    seeds.extend(bristle::benchmark::problems().iter().map(|p| p.scenario.to_owned()));
    seeds.push(PLANAR.to_owned());
    seeds.push(PUSHED.to_owned());
    seeds
}

/// The text of an example.
#[allow(dead_code, reason = "asked for by the tests alone")]
pub fn example(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).with_extension("toml");
    std::fs::read_to_string(file).unwrap_or_default()
}

/// Bodies in the plane.
const PLANAR: &str = r#"title = "Box on a conveyor"
[parts.box]
kind = "planar_mass"
mass = "5 kg"
vy = "0.5 m/s"
[parts.belt]
kind = "drive"
v = "0.3 m/s"
[parts.sole]
kind = "planar_contact"
between = ["box", "belt"]
load = "49 N"
law = { kind = "frdyn2", mu_d = 0.3, mu_s = 0.4 }
[studies.run]
kind = "simulate"
duration = "1 s"
"#;

/// Every kind of signal.
const PUSHED: &str = r#"title = "Block under all kinds of forces"
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.belt]
kind = "drive"
velocity = { kind = "trapezoid", height = "0.1 m/s", end = "2 s", ramp = "0.2 s" }
[parts.pad]
kind = "contact"
between = ["block", "belt"]
law = { kind = "coulomb", F_d = "3 N", F_s = "4 N" }
[parts.push]
kind = "force"
on = "block"
signal = { kind = "sum", terms = [
  { kind = "sine", amplitude = "3 N", frequency = "2 Hz" },
  { kind = "pulse", height = "2 N", start = "0.5 s", width = "10 ms", rise = "1 ms", period = "0.4 s" },
  { kind = "polyline", times = ["0 s", "1 s"], values = ["0 N", "1 N"] },
  { kind = "ramp", slope = "0.1 N/s" },
] }
[studies.run]
kind = "simulate"
duration = "2 s"
[studies.look]
kind = "stages"
duration = "2 s"
"#;

/// A seed with one to four mistakes.
pub fn mutant(dice: &mut Dice, seeds: &[String]) -> String {
    let mut text = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        text = spoilt(dice, &text, seeds);
    }
    text
}

/// Places where a number begins and ends.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let begins =
            bytes[i].is_ascii_digit() && (i == 0 || matches!(bytes[i - 1], b' ' | b'"' | b'[' | b'-'));
        let mut end = i + 1;
        if begins {
            while end < bytes.len() && (bytes[end].is_ascii_digit() || b".e-".contains(&bytes[end])) {
                end += 1;
            }
            found.push((i, end));
        }
        i = end;
    }
    found
}

/// Places of words in quotes.
fn quoted(text: &str) -> Vec<(usize, usize)> {
    let marks: Vec<usize> = text.match_indices('"').map(|(i, _)| i).collect();
    marks.chunks_exact(2).filter(|c| c[1] - c[0] < 40).map(|c| (c[0] + 1, c[1])).collect()
}

fn replaced(text: &str, (from, to): (usize, usize), by: &str) -> String {
    format!("{}{by}{}", &text[..from], &text[to..])
}

fn boundary(text: &str, mut place: usize) -> usize {
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

fn spoilt(dice: &mut Dice, text: &str, seeds: &[String]) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    let anywhere = boundary(text, dice.below(text.len() + 1));
    match dice.below(16) {
        0 | 1 => {
            let places = numbers(text);
            let Some(&place) = places.get(dice.below(places.len())) else { return text.to_owned() };
            replaced(text, place, dice.pick(&NUMBERS))
        }
        2 => {
            // A little more or less of it, so that most of these can be run.
            let places = numbers(text);
            let Some(&(from, to)) = places.get(dice.below(places.len())) else { return text.to_owned() };
            let factor = [0.1, 0.5, 0.9, 1.1, 2.0, 10.0, 1000.0][dice.below(7)];
            let number: f64 = text[from..to].parse().unwrap_or(1.0);
            replaced(text, (from, to), &format!("{}", number * factor))
        }
        3 => {
            let places: Vec<_> = quoted(text).into_iter().filter(|p| text[p.0..p.1].contains(' ')).collect();
            let Some(&(from, to)) = places.get(dice.below(places.len())) else { return text.to_owned() };
            let start = from + text[from..to].find(' ').unwrap_or(0) + 1;
            replaced(text, (start, to), dice.pick(&UNITS))
        }
        4 | 5 => {
            let places = quoted(text);
            let Some(&place) = places.get(dice.below(places.len())) else { return text.to_owned() };
            replaced(text, place, dice.pick(&WORDS))
        }
        6 => {
            let places = quoted(text);
            let (Some(&place), Some(&(from, to))) =
                (places.get(dice.below(places.len())), places.get(dice.below(places.len())))
            else {
                return text.to_owned();
            };
            replaced(text, place, &text[from..to])
        }
        7 if !lines.is_empty() => {
            lines.remove(a);
            lines.join("\n")
        }
        8 if !lines.is_empty() => {
            lines.insert(b, lines[a]);
            lines.join("\n")
        }
        9 if !lines.is_empty() => {
            lines.swap(a, b);
            lines.join("\n")
        }
        10 => replaced(text, (anywhere, anywhere), dice.pick(&SIGNS)),
        11 => {
            let end = boundary(text, (anywhere + dice.below(12)).min(text.len()));
            replaced(text, (anywhere.min(end), end), "")
        }
        12 => text[..anywhere].to_owned(),
        13 if !lines.is_empty() => {
            let Some((key, _)) = lines[a].split_once('=') else { return text.to_owned() };
            let depth = [1, 3, 60, 300][dice.below(4)];
            let value = match dice.below(3) {
                0 => dice.pick(&VALUES).to_owned(),
                1 => format!("{}{}", "[".repeat(depth), "]".repeat(depth)),
                _ => format!("{}1{}", "{ x = ".repeat(depth), " }".repeat(depth)),
            };
            let line = format!("{key}= {value}");
            lines[a] = &line;
            lines.join("\n")
        }
        14 => {
            // A section of another scenario.
            let other = &seeds[dice.below(seeds.len())];
            let sections: Vec<&str> = other.split("\n[").skip(1).collect();
            if sections.is_empty() {
                return text.to_owned();
            }
            format!("{text}\n[{}\n", sections[dice.below(sections.len())])
        }
        _ => {
            let long = dice.pick(&["x", " ", "ä", "9"]).repeat([100, 1000, 70_000][dice.below(3)]);
            replaced(text, (anywhere, anywhere), &long)
        }
    }
}

/// What came of a mutant.
#[derive(Debug, PartialEq)]
pub enum Fate {
    /// It is in order, or ran to its end.
    Fine,
    /// It was refused, or its run failed, as it should: with place and hint.
    Refused,
    /// It ran too long and stopped when told to.
    Cancelled,
    /// Not as it should be.
    Finding(String),
}

/// Reads a mutant. A message must have a text, a place within the file, a hint, and be drawn without control characters.
pub fn check(text: &str) -> Fate {
    let begun = Instant::now();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let read = catch_unwind(AssertUnwindSafe(|| {
        let error = Scenario::from_text(text, "fuzz.toml", &folder).err()?;
        error
            .all()
            .find_map(|e| fault(e, text))
            .or_else(|| {
                let mut out = String::new();
                let theme = GraphicalTheme::unicode_nocolor();
                let drawn = GraphicalReportHandler::new_themed(theme).render_report(&mut out, &error);
                let is_plain = !out.chars().any(|c| c.is_control() && c != '\n');
                (drawn.is_err() || !is_plain).then(|| format!("the message cannot be shown: {out:?}"))
            })
            .or(Some(String::new()))
    }));
    match read {
        Err(_) => Fate::Finding("it panics".to_owned()),
        Ok(_) if begun.elapsed() > Duration::from_secs(10) => {
            Fate::Finding(format!("it takes {:.1} s to read", begun.elapsed().as_secs_f64()))
        }
        Ok(None) => Fate::Fine,
        Ok(Some(fault)) if fault.is_empty() => Fate::Refused,
        Ok(Some(fault)) => Fate::Finding(fault),
    }
}

/// What a message lacks.
fn fault(error: &bristle::ScenarioError, text: &str) -> Option<String> {
    let message = error.to_string();
    let lacks = |what: &str| Some(format!("no {what}: {message}"));
    if message.trim().is_empty() {
        return Some("an empty message".to_owned());
    }
    if error.help().is_none_or(|h| h.to_string().trim().is_empty()) {
        return lacks("hint");
    }
    match error.span() {
        Some(span) if span.start <= span.end && span.end <= text.len() => {}
        Some(span) => return Some(format!("place {span:?} in a text of {}: {message}", text.len())),
        None => return lacks("place"),
    }
    if error.labels().is_none_or(|l| l.count() == 0) { lacks("label") } else { None }
}

/// Stops a run after its time, and notes when it was told so.
struct Patience {
    begun: Instant,
    limit: Duration,
    /// Processor time when it was first told to stop, ms.
    told: Arc<AtomicU64>,
}

impl Progress for Patience {
    fn begin(&mut self, _what: &str) {}

    fn at(&mut self, _fraction: f64) -> bool {
        if self.begun.elapsed() < self.limit {
            return true;
        }
        if self.told.load(Ordering::Relaxed) == 0 {
            self.told.store(spent("thread-self").max(1), Ordering::Relaxed);
        }
        false
    }
}

/// Processor time of a thread, ms; zero where that is not told.
fn spent(thread: &str) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{thread}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<u64>().ok()).unwrap_or(0);
    10 * (ticks(11) + ticks(12))
}

/// Processor time that no run may take once it is told to stop, s.
const HANGS: u64 = 6_000;

/// Processor time within which a run stops when told to, s.
const STOPS: u64 = 1_000;

/// Runs a mutant that can be read, for so long. Nothing for one that cannot, or would write files.
pub fn answer(text: &str, limit: Duration) -> Option<Fate> {
    if text.contains("store") {
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let scenario =
        catch_unwind(AssertUnwindSafe(|| Scenario::from_text(text, "fuzz.toml", &folder).ok())).ok()??;
    let (sender, receiver) = mpsc::channel();
    let (told, place) = (Arc::new(AtomicU64::new(0)), Arc::new(std::sync::OnceLock::new()));
    let (told_inside, place_inside) = (told.clone(), place.clone());
    let begun = Instant::now();
    std::thread::spawn(move || {
        let link = std::fs::read_link("/proc/thread-self").unwrap_or_default();
        let _ = place_inside.set(link.display().to_string());
        let mut patience = Patience { begun: Instant::now(), limit, told: told_inside.clone() };
        let ended = catch_unwind(AssertUnwindSafe(|| {
            run(&scenario, &mut patience).map_err(|e| (e.to_string(), e.hint()))
        }));
        let late = match told_inside.load(Ordering::Relaxed) {
            0 => None,
            since => Some(spent("thread-self").saturating_sub(since)),
        };
        let _ = sender.send((ended.map(|e| e.map(|_| ())).map_err(|_| ()), late));
    });
    loop {
        let (ended, late) = match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(both) => both,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Some(Fate::Finding("its thread died".to_owned()));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let used = place.get().map_or(0, |p| spent(p)).saturating_sub(limit.as_millis() as u64);
                // Where processor time is not told, or spent in other threads, the clock decides.
                if used > HANGS || begun.elapsed() > limit + Duration::from_secs(90) {
                    let asked = if told.load(Ordering::Relaxed) > 0 { "told to stop" } else { "never asked" };
                    return Some(Fate::Finding(format!("it hangs ({asked})")));
                }
                continue;
            }
        };
        return Some(match (ended, late) {
            (Err(()), _) => Fate::Finding("its run panics".to_owned()),
            (_, Some(late)) if late > STOPS => {
                Fate::Finding(format!("it stops {late} ms after it was told to"))
            }
            (_, Some(_)) => Fate::Cancelled,
            (Ok(Ok(())), None) => Fate::Fine,
            (Ok(Err((message, hint))), None) if message.trim().is_empty() || hint.trim().is_empty() => {
                Fate::Finding(format!("no hint: {message}"))
            }
            (Ok(Err(_)), None) => Fate::Refused,
        });
    }
}
