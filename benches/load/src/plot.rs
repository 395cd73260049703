//! Curves, as SVG.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use plotters::prelude::*;

use crate::options::Target;
use crate::report::{Figures, Line, conversations};
use crate::statistics::{exact, length};

/// The size of one panel.
const WIDTH: u32 = 460;
const HEIGHT: u32 = 320;
/// Panels beside each other.
const COLUMNS: usize = 3;
/// One colour for each curve of a panel, by its place: they differ for the colour-blind too.
const COLOURS: [RGBColor; 10] = [
    RGBColor(0, 0, 0),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(128, 128, 128),
    RGBColor(120, 70, 30),
    RGBColor(90, 60, 160),
];

/// Curves over a common axis whose steps are powers, from nothing upwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The title.
    pub title: String,
    /// The unit of the lower axis.
    pub across: String,
    /// The curves. One without points is not shown, and keeps its colour.
    pub curves: Vec<Curve>,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Draws the panels into a file.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, panels: &[Panel]) -> Result<()> {
    let text = draw(panels).map_err(|error| anyhow!("cannot draw: {error}"))?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The curves of a run.
#[must_use]
pub fn panels(figures: &Figures) -> Vec<Panel> {
    let mut panels = Vec::new();
    let mut counts: Vec<u64> = figures
        .lines
        .iter()
        .map(|line| line.conversations)
        .collect();
    counts.dedup();
    for count in counts {
        let lines: Vec<&Line> = figures
            .lines
            .iter()
            .filter(|line| line.conversations == count)
            .collect();
        let panel = |title: &str, value: fn(&Line) -> Option<f64>| Panel {
            title: format!("{title}, {}", conversations(count)),
            across: "connections".to_owned(),
            curves: curves(&lines, value),
        };
        panels.push(panel("requests per second", |line| {
            Some(line.requests_per_second)
        }));
        panels.push(panel("p99 in ms", |line| Some(line.p99_us / 1e3)));
        panels.push(panel("server CPU in µs a request", |line| {
            line.server_cpu_us_per_request
        }));
    }
    panels
}

fn curves(lines: &[&Line], value: fn(&Line) -> Option<f64>) -> Vec<Curve> {
    let mut targets: Vec<Target> = lines.iter().map(|line| line.target).collect();
    targets.sort_unstable();
    targets.dedup();
    let curve = |target: Target| Curve {
        name: target.to_string(),
        points: lines
            .iter()
            .filter(|line| line.target == target)
            .filter_map(|line| Some((length(line.connections), value(line)?)))
            .collect(),
    };
    targets.into_iter().map(curve).collect()
}

type Drawn = std::result::Result<String, Box<dyn std::error::Error>>;

fn draw(panels: &[Panel]) -> Drawn {
    let rows = panels.len().div_ceil(COLUMNS).max(1);
    let columns = panels.len().clamp(1, COLUMNS);
    let size = (
        WIDTH * u32::try_from(columns)?,
        HEIGHT * u32::try_from(rows)?,
    );
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE)?;
        for (panel, area) in panels.iter().zip(area.split_evenly((rows, columns))) {
            draw_panel(panel, &area)?;
        }
        area.present()?;
    }
    Ok(text + "\n")
}

fn draw_panel(
    panel: &Panel,
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let smallest = points()
        .map(|point| point.0)
        .reduce(f64::min)
        .unwrap_or(1.0);
    let right = points()
        .map(|point| point.0)
        .reduce(f64::max)
        .unwrap_or(1.0);
    let top = points()
        .map(|point| point.1)
        .reduce(f64::max)
        .unwrap_or(1.0);
    let across = (smallest.max(1.0) * 0.8..right.max(1.0) * 1.25).log_scale();
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 15))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(58)
        .build_cartesian_2d(across, 0.0..(top * 1.1).max(f64::MIN_POSITIVE))?;
    chart
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_desc(&panel.across)
        .label_style(("sans-serif", 11))
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    let coloured = panel.curves.iter().zip(COLOURS.into_iter().cycle());
    for (curve, colour) in coloured.filter(|(curve, _)| !curve.points.is_empty()) {
        let line = LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2));
        chart
            .draw_series(line.point_size(3))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(("sans-serif", 11))
        .draw()?;
    Ok(())
}

/// A number with a unit of thousands, as the axis has place for.
fn short(value: f64) -> String {
    const UNITS: [(f64, &str); 2] = [(1e6, "M"), (1e3, "k")];
    let unit = UNITS.iter().find(|(size, _)| value >= *size);
    let (value, unit) = unit.map_or((value, ""), |(size, unit)| (value / size, *unit));
    let digits = format!("{value:.2}");
    let text = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{unit}")
}

/// The points of a curve over a count.
#[must_use]
pub fn curve(name: &str, points: impl IntoIterator<Item = (u64, f64)>) -> Curve {
    let points = points.into_iter();
    Curve {
        name: name.to_owned(),
        points: points.map(|(count, value)| (exact(count), value)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_at_an_axis() {
        let cases = [
            (0.0, "0"),
            (0.25, "0.25"),
            (64.0, "64"),
            (1_024.0, "1.02k"),
            (100_000.0, "100k"),
            (2_500_000.0, "2.5M"),
        ];
        for (value, expected) in cases {
            assert_eq!(short(value), expected);
        }
    }

    #[test]
    fn every_panel_and_every_curve_is_in_the_picture() {
        let panel = |title: &str| Panel {
            title: title.to_owned(),
            across: "connections".to_owned(),
            curves: vec![
                curve("noop", [(1, 10.0), (64, 500.0)]),
                curve("send", [(1, 3.0)]),
                curve("bare", []),
            ],
        };
        let panels = [panel("one"), panel("two"), Panel::default(), panel("four")];
        let text = draw(&panels).unwrap();
        assert!(text.starts_with("<svg"), "{text}");
        let words = [
            ("one", 1),
            ("four", 1),
            ("noop", 3),
            ("bare", 0),
            ("connections", 3),
        ];
        for (word, times) in words {
            assert_eq!(text.matches(&format!("{word}\n")).count(), times, "{word}");
        }
    }
}
