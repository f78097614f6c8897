//! What can be drawn between the axes of a plot.

use serde::{Deserialize, Serialize};

use crate::number::{nullable, nullable_list};

/// One thing drawn between the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Layer {
    /// A line through points.
    Line(Line),
    /// A marker at each point.
    Scatter(Scatter),
    /// The area between two curves.
    Band(Band),
    /// A vertical or horizontal stripe over the whole plot.
    Span(Span),
    /// Coloured cells.
    HeatMap(HeatMap),
    /// A straight reference line over the whole plot.
    Rule(Rule),
    /// Words at a point.
    Note(Note),
    /// An arrow from point to point.
    Arrow(Arrow),
    /// The outline of a circle.
    Circle(Circle),
}

/// How a line is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dash {
    /// Not at all.
    #[default]
    Solid,
    /// Into dashes.
    Dashed,
    /// Into dots.
    Dotted,
    /// Into dashes and dots.
    DashDot,
}

/// A line through points; a value that is not finite breaks it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Abscissae.
    #[serde(with = "nullable_list")]
    pub x: Vec<f64>,
    /// Ordinates.
    #[serde(with = "nullable_list")]
    pub y: Vec<f64>,
    /// Legend entry; none if empty.
    pub label: String,
    /// Colour key, see [`crate::palette::resolve`]; empty for the next colour of the cycle.
    pub colour: String,
    /// How the line is broken.
    pub dash: Dash,
    /// Width in pixels.
    pub width: f64,
    /// Opacity from 0 to 1.
    pub opacity: f64,
}

impl Default for Line {
    fn default() -> Line {
        Line {
            x: Vec::new(),
            y: Vec::new(),
            label: String::new(),
            colour: String::new(),
            dash: Dash::Solid,
            width: 1.5,
            opacity: 1.0,
        }
    }
}

impl Line {
    /// A solid line in the next colour of the cycle.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Line {
        Line { label: label.into(), x, y, ..Line::default() }
    }

    /// A line in the colour and dash of a friction law, labelled with `label`.
    pub fn of_law(law: &str, label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Line {
        let style = crate::palette::style_for(law);
        Line { colour: law.into(), dash: style.dash, ..Line::new(label, x, y) }
    }
}

/// The shape of a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Marker {
    /// ○
    #[default]
    Circle,
    /// □
    Square,
    /// △
    Triangle,
    /// ◇
    Diamond,
    /// ×
    Cross,
    /// +
    Plus,
    /// A dot as small as `size` says, for clouds of many points.
    Dot,
}

/// A marker at each point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scatter {
    /// Abscissae.
    #[serde(with = "nullable_list")]
    pub x: Vec<f64>,
    /// Ordinates.
    #[serde(with = "nullable_list")]
    pub y: Vec<f64>,
    /// Legend entry; none if empty.
    pub label: String,
    /// Colour key, see [`crate::palette::resolve`]; empty for the next colour of the cycle.
    pub colour: String,
    /// Shape.
    pub marker: Marker,
    /// Whether only the outline is drawn.
    pub is_hollow: bool,
    /// Diameter in pixels.
    pub size: f64,
}

impl Default for Scatter {
    fn default() -> Scatter {
        Scatter {
            x: Vec::new(),
            y: Vec::new(),
            label: String::new(),
            colour: String::new(),
            marker: Marker::Circle,
            is_hollow: false,
            size: 6.5,
        }
    }
}

impl Scatter {
    /// Filled circles in the next colour of the cycle.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Scatter {
        Scatter { label: label.into(), x, y, ..Scatter::default() }
    }
}

/// The area between two curves over the same abscissae.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Abscissae.
    #[serde(with = "nullable_list")]
    pub x: Vec<f64>,
    /// Lower curve.
    #[serde(with = "nullable_list")]
    pub lower: Vec<f64>,
    /// Upper curve.
    #[serde(with = "nullable_list")]
    pub upper: Vec<f64>,
    /// Legend entry; none if empty.
    pub label: String,
    /// Colour key, see [`crate::palette::resolve`]; empty for the next colour of the cycle.
    pub colour: String,
    /// Opacity from 0 to 1.
    pub opacity: f64,
}

impl Default for Band {
    fn default() -> Band {
        Band {
            x: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            label: String::new(),
            colour: String::new(),
            opacity: 0.22,
        }
    }
}

/// The axis a rule or span is measured along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Positions on the horizontal axis: a vertical rule or stripe.
    #[default]
    X,
    /// Positions on the vertical axis: a horizontal rule or stripe.
    Y,
}

/// A stripe over the whole plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// The axis `from` and `to` are read on.
    pub along: Direction,
    /// One end; open if not finite.
    #[serde(with = "nullable")]
    pub from: f64,
    /// The other end; open if not finite.
    #[serde(with = "nullable")]
    pub to: f64,
    /// Words written inside the stripe; none if empty.
    pub label: String,
    /// Colour key; grey if empty.
    pub colour: String,
    /// Opacity from 0 to 1.
    pub opacity: f64,
}

impl Default for Span {
    fn default() -> Span {
        Span {
            along: Direction::X,
            from: f64::NAN,
            to: f64::NAN,
            label: String::new(),
            colour: String::new(),
            opacity: 0.16,
        }
    }
}

/// Coloured cells on a rectangular grid; a value that is not finite leaves its cell blank.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// Cell centres along the horizontal axis, increasing.
    pub x: Vec<f64>,
    /// Cell centres along the vertical axis, increasing.
    pub y: Vec<f64>,
    /// Values, the horizontal index running fastest: `values[j * x.len() + i]`.
    #[serde(with = "nullable_list")]
    pub values: Vec<f64>,
    /// What the colour means.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// How values become colours.
    pub scale: ColourScale,
}

/// How values become colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ColourScale {
    /// A colour bar.
    Continuous {
        /// The colours.
        map: ColourMap,
        /// Ends of the bar; chosen from the data if absent.
        range: Option<[f64; 2]>,
        /// Whether the bar is logarithmic.
        is_log: bool,
    },
    /// One colour per class; the value `k` (rounded) picks category `k`.
    Categorical {
        /// The classes.
        categories: Vec<Category>,
    },
}

impl Default for ColourScale {
    fn default() -> ColourScale {
        ColourScale::Continuous { map: ColourMap::Viridis, range: None, is_log: false }
    }
}

/// One class of a categorical heat map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Category {
    /// The name in the legend.
    pub name: String,
    /// Colour key; empty for the next colour of the cycle.
    pub colour: String,
}

/// A sequence of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColourMap {
    /// Dark blue to yellow, even in lightness.
    #[default]
    Viridis,
    /// White to dark blue.
    Blues,
    /// Blue through white to red, for values about zero.
    Diverging,
}

/// A straight reference line over the whole plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// The axis `at` is read on: `X` gives a vertical line.
    pub along: Direction,
    /// The position.
    #[serde(with = "nullable")]
    pub at: f64,
    /// Words written at the line; none if empty.
    pub label: String,
    /// Colour key; dark grey if empty.
    pub colour: String,
    /// How the line is broken.
    pub dash: Dash,
}

impl Default for Rule {
    fn default() -> Rule {
        Rule {
            along: Direction::X,
            at: f64::NAN,
            label: String::new(),
            colour: String::new(),
            dash: Dash::Dashed,
        }
    }
}

impl Rule {
    /// A vertical line.
    pub fn vertical(at: f64, label: impl Into<String>) -> Rule {
        Rule { at, label: label.into(), ..Rule::default() }
    }

    /// A horizontal line.
    pub fn horizontal(at: f64, label: impl Into<String>) -> Rule {
        Rule { along: Direction::Y, ..Rule::vertical(at, label) }
    }
}

/// Which part of the words stands at the point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextAnchor {
    /// The beginning: the words run to the right.
    #[default]
    Start,
    /// The middle.
    Middle,
    /// The end: the words run to the left.
    End,
}

/// Words at a point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The point.
    pub at: [f64; 2],
    /// Shift in pixels, right and up.
    pub shift: [f64; 2],
    /// The words. Inline markup is allowed.
    pub text: String,
    /// Which part of the words stands at the point.
    pub anchor: TextAnchor,
    /// Colour key; dark if empty.
    pub colour: String,
}

/// An arrow from point to point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arrow {
    /// Its tail.
    pub from: [f64; 2],
    /// Its head.
    pub to: [f64; 2],
    /// Words at the tail; none if empty.
    pub label: String,
    /// Colour key; dark if empty.
    pub colour: String,
}

/// The outline of a circle in data units; an ellipse unless the plot has equal aspect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Circle {
    /// Its centre.
    pub centre: [f64; 2],
    /// Its radius.
    pub radius: f64,
    /// Legend entry; none if empty.
    pub label: String,
    /// Colour key; dark grey if empty.
    pub colour: String,
    /// How the line is broken.
    pub dash: Dash,
    /// Opacity from 0 to 1.
    pub opacity: f64,
}

impl Default for Circle {
    fn default() -> Circle {
        Circle {
            centre: [0.0; 2],
            radius: 1.0,
            label: String::new(),
            colour: String::new(),
            dash: Dash::Solid,
            opacity: 1.0,
        }
    }
}

macro_rules! into_layer {
    ($($kind:ident),*) => {$(
        impl From<$kind> for Layer {
            fn from(layer: $kind) -> Layer {
                Layer::$kind(layer)
            }
        }
    )*};
}

into_layer!(Line, Scatter, Band, Span, HeatMap, Rule, Note, Arrow, Circle);

impl Layer {
    /// The legend entry; empty if there is none.
    pub fn label(&self) -> &str {
        match self {
            Layer::Line(l) => &l.label,
            Layer::Scatter(l) => &l.label,
            Layer::Band(l) => &l.label,
            Layer::Circle(l) => &l.label,
            _ => "",
        }
    }

    /// The colour key as given.
    pub fn colour(&self) -> &str {
        match self {
            Layer::Line(l) => &l.colour,
            Layer::Scatter(l) => &l.colour,
            Layer::Band(l) => &l.colour,
            Layer::Span(l) => &l.colour,
            Layer::Rule(l) => &l.colour,
            Layer::Note(l) => &l.colour,
            Layer::Arrow(l) => &l.colour,
            Layer::Circle(l) => &l.colour,
            Layer::HeatMap(_) => "",
        }
    }
}
