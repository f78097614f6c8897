//! Figures as data: axes and layers, without a word about drawing.

use serde::{Deserialize, Serialize};

pub use crate::layer::{
    Arrow, Band, Category, Circle, ColourMap, ColourScale, Dash, Direction, HeatMap, Layer, Line, Marker,
    Note, Rule, Scatter, Span, TextAnchor,
};

/// Axes and the layers drawn between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Identifier, unique within the record; the file name in `figures/` is made from it.
    pub id: String,
    /// Title. Inline markup is allowed.
    pub title: String,
    /// What is seen, for the caption and for readers who cannot see; may be empty.
    pub caption: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, from back to front.
    pub layers: Vec<Layer>,
    /// Whether a unit is as long upwards as sideways: phase portraits, circles, paths.
    pub is_equal_aspect: bool,
    /// Width and height of the axes box in pixels; labels are added around it.
    pub size: [f64; 2],
    /// Where the legend goes.
    pub legend: Legend,
}

impl Default for Plot {
    fn default() -> Plot {
        Plot {
            id: String::new(),
            title: String::new(),
            caption: String::new(),
            x: Axis::default(),
            y: Axis::default(),
            layers: Vec::new(),
            is_equal_aspect: false,
            size: [520.0, 310.0],
            legend: Legend::Auto,
        }
    }
}

impl Plot {
    /// An empty plot.
    pub fn new(id: impl Into<String>, title: impl Into<String>, x: Axis, y: Axis) -> Plot {
        Plot { id: id.into(), title: title.into(), x, y, ..Plot::default() }
    }

    /// Appends a layer in front of the others.
    pub fn push(&mut self, layer: impl Into<Layer>) {
        self.layers.push(layer.into());
    }
}

/// Where the legend goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Legend {
    /// Into the emptiest corner, or to the right of the axes where none is empty.
    #[default]
    Auto,
    /// To the right of the axes.
    Outside,
    /// Nowhere.
    None,
}

/// One axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What is plotted, such as `displacement $x_1$`.
    pub label: String,
    /// Its unit; empty or `1` for a pure number.
    pub unit: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Lower and upper end; chosen from the data if absent.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// A linear axis.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { label: label.into(), unit: unit.into(), ..Axis::default() }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { scale: Scale::Log, ..Axis::new(label, unit) }
    }
}

/// How values map to lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// In proportion.
    #[default]
    Linear,
    /// By decades; values that are not positive are left out.
    Log,
}

/// Several plots in one figure, filled row by row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlotGrid {
    /// Identifier, unique within the record; the file name in `figures/` is made from it.
    pub id: String,
    /// Title. Inline markup is allowed.
    pub title: String,
    /// What is seen; may be empty.
    pub caption: String,
    /// Number of columns; one if zero.
    pub columns: usize,
    /// The plots.
    pub plots: Vec<Plot>,
    /// Whether the plots of a column share one horizontal range, labelled once at the bottom.
    pub is_x_shared: bool,
    /// Whether one legend below the figure serves all plots.
    pub is_legend_shared: bool,
}
