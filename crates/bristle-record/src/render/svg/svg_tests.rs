use super::*;
use crate::plot::{Axis, Band, Circle, HeatMap, Line, Marker, Note, Rule, Scatter, Span};

fn parsed<R>(svg: &str, look: impl Fn(&roxmltree::Document) -> R) -> R {
    look(&roxmltree::Document::parse(svg).unwrap())
}

fn count(svg: &str, tag: &str, class: &str) -> usize {
    parsed(svg, |doc| {
        let has = |n: &roxmltree::Node| n.attribute("class").unwrap_or("").split(' ').any(|c| c == class);
        doc.descendants().filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", tag)) && has(n)).count()
    })
}

fn ramp(n: usize) -> Vec<f64> {
    (0..n).map(|i| i as f64 / n as f64).collect()
}

#[test]
fn every_layer_becomes_a_group() {
    let mut p = Plot::new("all", "All", Axis::new("$t$", "s"), Axis::new("$x_1$", "m"));
    p.push(Line::new("a", ramp(10), ramp(10)));
    p.push(Scatter { marker: Marker::Diamond, ..Scatter::new("b", ramp(5), ramp(5)) });
    p.push(Band { x: ramp(4), lower: ramp(4), upper: vec![1.0; 4], ..Band::default() });
    p.push(Span { from: 0.2, to: 0.4, label: "stick".into(), ..Span::default() });
    p.push(Rule::horizontal(0.5, "level"));
    p.push(Circle { radius: 0.3, ..Circle::default() });
    p.push(Note { text: "here".into(), ..Note::default() });
    let svg = plot(&p);
    assert_eq!(count(&svg, "g", "bp-layer"), 6);
    assert_eq!(count(&svg, "g", "bp-words"), 3);
    assert_eq!(count(&svg, "g", "bp-key"), 2);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn hostile_names_stay_text() {
    let bad = "</text><script>alert(1)</script>&\"'\u{0}";
    let mut p = Plot::new(bad, bad, Axis::new(bad, bad), Axis::new(bad, bad));
    p.push(Line { colour: bad.into(), ..Line::new(bad, ramp(3), ramp(3)) });
    let svg = plot(&p);
    parsed(&svg, |doc| assert!(!doc.descendants().any(|n| n.tag_name().name() == "script")));
}

#[test]
fn empty_and_broken_data_still_draw() {
    let nan = vec![f64::NAN; 3];
    for (x, y) in
        [(vec![], vec![]), (nan.clone(), nan), (vec![1.0], vec![1.0]), (vec![1e308, -1e308], vec![0.0, 1.0])]
    {
        for axis in [Axis::default(), Axis::log("", "")] {
            let mut p = Plot::new("p", "", axis.clone(), axis);
            p.push(Line::new("l", x.clone(), y.clone()));
            p.push(Scatter::new("s", x.clone(), y.clone()));
            let svg = plot(&p);
            parsed(&svg, |_| ());
            assert!(!svg.contains("NaN"), "{svg}");
        }
    }
    parsed(&grid(&PlotGrid::default()), |_| ());
}

#[test]
fn a_million_points_give_a_small_file() {
    let x = ramp(1_000_000);
    let y = x.iter().map(|t| (300.0 * t).sin() + (1e5 * t).sin()).collect();
    let mut p = Plot::new("long", "", Axis::default(), Axis::default());
    p.push(Line::new("", x, y));
    let size = plot(&p).len();
    assert!(size < 80_000, "{size} bytes");
}

#[test]
fn equal_cells_of_a_map_are_merged() {
    let n = 50;
    let values = (0..n * n).map(|k| if k % n < n / 2 { 0.0 } else { 1.0 }).collect();
    let mut p = Plot::new("map", "", Axis::default(), Axis::default());
    p.push(HeatMap { x: ramp(n), y: ramp(n), values, ..HeatMap::default() });
    let svg = plot(&p);
    let cells = parsed(&svg, |doc| {
        let map = doc.descendants().find(|n| n.attribute("shape-rendering") == Some("crispEdges")).unwrap();
        map.children().map(|p| p.attribute("d").unwrap().matches('M').count()).collect::<Vec<_>>()
    });
    assert_eq!(cells, [n, n]);
}

#[test]
fn a_crowded_plot_has_its_legend_outside() {
    let wave = |k: f64| ramp(400).iter().map(|t| (k * t).sin()).collect::<Vec<_>>();
    let mut p = Plot::new("w", "", Axis::default(), Axis::default());
    for k in 1..8 {
        p.push(Line::new(format!("wave {k}"), ramp(400), wave(20.0 * f64::from(k))));
    }
    let wide = plot(&p);
    p.legend = crate::plot::Legend::None;
    let narrow = plot(&p);
    let width =
        |svg: &str| parsed(svg, |d| d.root_element().attribute("width").unwrap().parse::<f64>().unwrap());
    assert!(width(&wide) > width(&narrow) + 60.0);
}

#[test]
fn shared_axes_are_labelled_once_and_lettered() {
    let one = |y: &str| {
        let mut p = Plot::new("p", "", Axis::new("time $t$", "s"), Axis::new(y, "m"));
        p.push(Line::new("a", ramp(9), ramp(9)));
        p
    };
    let g = PlotGrid {
        id: "g".into(),
        plots: vec![one("x"), one("y")],
        columns: 1,
        is_x_shared: true,
        is_legend_shared: true,
        ..PlotGrid::default()
    };
    let svg = grid(&g);
    assert_eq!(svg.matches("time ").count(), 1);
    assert!(svg.contains("(a)") && svg.contains("(b)"));
    assert_eq!(count(&svg, "g", "bp-key"), 1);
}
