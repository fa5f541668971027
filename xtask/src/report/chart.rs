//! The drawings of a page: one line a row, ratios on a logarithmic axis.

use std::fmt::Write;

use super::rows::Row;

/// A row's height.
const STEP: f64 = 22.0;
/// Where the axis begins and ends.
const LEFT: f64 = 424.0;
const RIGHT: f64 = 816.0;
/// The least and the largest ratio that have a place on the axis, as powers of two.
const LEAST: f64 = -2.0;
const MOST: f64 = 4.0;
/// Where the part of the ceiling is drawn.
const CEILING: f64 = 960.0;
const CEILING_WIDTH: f64 = 90.0;
const WIDTH: f64 = 1100.0;
/// Closer than this, nobody is ahead.
const LEVEL: f64 = 0.05;

/// Peers in the order of their colours.
pub(super) const PEERS: &[&str] = &["torch", "torch.compile", "cupy", "jax", "numpy"];

/// How a ratio is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Ahead,
    Level,
    Behind,
}

impl Standing {
    pub(super) fn of(ratio: f64) -> Standing {
        match ratio {
            r if r >= 1.0 + LEVEL => Standing::Ahead,
            r if r > 1.0 - LEVEL => Standing::Level,
            _ => Standing::Behind,
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Standing::Ahead => "ahead",
            Standing::Level => "level",
            Standing::Behind => "behind",
        }
    }
}

/// The class of a peer's dots.
pub(super) fn peer_class(name: &str) -> String {
    match PEERS.iter().position(|peer| *peer == name) {
        Some(place) => format!("p{place}"),
        None => "px".to_owned(),
    }
}

/// Text that is no markup.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A time in the unit in which it is easily read.
pub(super) fn time(micros: f64) -> String {
    match micros {
        t if t < 0.9995 => format!("{:.0} ns", t * 1e3),
        t if t < 9.995 => format!("{t:.2} µs"),
        t if t < 999.5 => format!("{t:.0} µs"),
        t if t < 9_995.0 => format!("{:.2} ms", t / 1e3),
        t if t < 999_500.0 => format!("{:.0} ms", t / 1e3),
        t => format!("{:.1} s", t / 1e6),
    }
}

/// The place of a ratio on the axis; what is beyond its ends is drawn there.
fn place(ratio: f64) -> f64 {
    let power = ratio.log2().clamp(LEAST, MOST);
    LEFT + (power - LEAST) / (MOST - LEAST) * (RIGHT - LEFT)
}

fn is_beyond(ratio: f64) -> bool {
    !(LEAST..=MOST).contains(&ratio.log2())
}

/// The rows of one suite.
pub(super) fn rows(rows: &[&Row]) -> String {
    let bottom = 26.0 + STEP * rows.len() as f64;
    let mut out = format!(
        "<svg class=\"rows\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"ratio to each peer, row by row\">\n",
        bottom + 8.0
    );
    axis(
        &mut out,
        bottom,
        rows.iter().any(|row| row.fraction.is_some()),
    );
    for (index, row) in rows.iter().enumerate() {
        let repeated = index > 0 && rows[index - 1].case == row.case;
        one(&mut out, row, 26.0 + STEP * index as f64, repeated);
    }
    out.push_str("</svg>\n");
    out
}

fn axis(out: &mut String, bottom: f64, ceiling: bool) {
    for power in LEAST as i32..=MOST as i32 {
        let (x, class) = (
            place(f64::from(power).exp2()),
            if power == 0 { "one" } else { "grid" },
        );
        let label = match power {
            p if p < 0 => format!("1/{}", 1 << -p),
            p => (1 << p).to_string(),
        };
        let _ = writeln!(
            out,
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"20\" y2=\"{bottom:.1}\"/><text class=\"tick\" x=\"{x:.1}\" y=\"13\">{label}×</text>"
        );
    }
    if ceiling {
        let middle = CEILING + CEILING_WIDTH / 2.0;
        let _ = writeln!(
            out,
            "<text class=\"tick\" x=\"{middle}\" y=\"13\">of a copy</text>"
        );
    }
}

fn one(out: &mut String, row: &Row, top: f64, repeated: bool) {
    let (middle, base) = (top + STEP / 2.0, top + STEP / 2.0 + 4.0);
    let _ = write!(
        out,
        "<g class=\"row\"><title>{}</title>",
        escaped(&told(row))
    );
    let _ = write!(
        out,
        "<rect class=\"lane\" x=\"0\" y=\"{top:.1}\" width=\"{WIDTH}\" height=\"{STEP}\"/>"
    );
    if !repeated {
        let _ = write!(
            out,
            "<text class=\"case\" x=\"4\" y=\"{base:.1}\">{}</text>",
            escaped(&row.case)
        );
    }
    let _ = write!(
        out,
        "<text class=\"type\" x=\"176\" y=\"{base:.1}\">{}</text><text class=\"type\" x=\"256\" y=\"{base:.1}\">{}</text>",
        escaped(&row.dtype),
        escaped(&row.size)
    );
    if let Some(trouble) = &row.trouble {
        let short: String = trouble.chars().take(90).collect();
        let _ = writeln!(
            out,
            "<text class=\"trouble\" x=\"{LEFT}\" y=\"{base:.1}\">{}</text></g>",
            escaped(&short)
        );
        return;
    }
    if let Some(micros) = row.micros {
        let _ = write!(
            out,
            "<text class=\"number\" x=\"398\" y=\"{base:.1}\">{}</text>",
            time(micros)
        );
    }
    ratios(out, row, middle, base);
    reached(out, row, middle, base);
    out.push_str("</g>\n");
}

fn ratios(out: &mut String, row: &Row, middle: f64, base: f64) {
    let Some((best, ratio)) = row.best() else {
        return;
    };
    let class = Standing::of(ratio).class();
    let (from, to) = (place(1.0).min(place(ratio)), place(1.0).max(place(ratio)));
    let _ = write!(
        out,
        "<rect class=\"bar {class}\" x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"8\" rx=\"2\"/>",
        middle - 4.0,
        (to - from).max(1.5)
    );
    for (name, &other) in &row.ratios {
        let shape = if is_beyond(other) {
            "dot beyond"
        } else {
            "dot"
        };
        let _ = write!(
            out,
            "<circle class=\"{shape} {}\" cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"{}\"/>",
            peer_class(name),
            place(other),
            if name == best { 4.5 } else { 3.5 }
        );
    }
    let _ = write!(
        out,
        "<text class=\"number {class}\" x=\"866\" y=\"{base:.1}\">{ratio:.2}×</text><text class=\"peer\" x=\"872\" y=\"{base:.1}\">{}</text>",
        escaped(best)
    );
}

fn reached(out: &mut String, row: &Row, middle: f64, base: f64) {
    match (row.fraction, &row.rate) {
        (Some(part), _) => {
            let _ = write!(
                out,
                "<rect class=\"room\" x=\"{CEILING}\" y=\"{:.1}\" width=\"{CEILING_WIDTH}\" height=\"8\" rx=\"2\"/><rect class=\"filled\" x=\"{CEILING}\" y=\"{:.1}\" width=\"{:.1}\" height=\"8\" rx=\"2\"/><text class=\"number\" x=\"1092\" y=\"{base:.1}\">{part:.2}</text>",
                middle - 4.0,
                middle - 4.0,
                CEILING_WIDTH * part.clamp(0.0, 1.0)
            );
        }
        (None, Some(rate)) => {
            let _ = write!(
                out,
                "<text class=\"number quiet\" x=\"1092\" y=\"{base:.1}\">{}</text>",
                escaped(rate)
            );
        }
        (None, None) => {}
    }
}

/// What the pointer shows.
fn told(row: &Row) -> String {
    let mut told = format!("{} {}", row.case, row.dtype);
    if !row.size.is_empty() {
        let _ = write!(told, ", {}", row.size);
    }
    if let Some(micros) = row.micros {
        let _ = write!(told, "\nsyntonic {}", time(micros));
        for (name, ratio) in &row.ratios {
            let _ = write!(told, "\n{name} {} ({ratio:.2}×)", time(micros * ratio));
        }
    }
    if let Some(rate) = &row.rate {
        let _ = write!(told, "\n{rate}");
    }
    if let Some(trouble) = &row.trouble {
        let _ = write!(told, "\n{trouble}");
    }
    told
}

/// All ratios to the best peer, from the least to the largest, as one outline.
pub(super) fn skyline(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    let (width, height) = (WIDTH, 96.0);
    let step = width / ratios.len().max(1) as f64;
    let powers = || ratios.iter().map(|ratio| ratio.log2().clamp(LEAST, MOST));
    let (deepest, highest) = (powers().fold(0.0, f64::min), powers().fold(0.0, f64::max));
    let unit = (height - 8.0) / (highest - deepest).max(1.0);
    let ground = 4.0 + highest * unit;
    let mut out = format!(
        "<svg class=\"skyline\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"all ratios to the best peer, sorted\">\n"
    );
    for (index, &ratio) in ratios.iter().enumerate() {
        let rise = ratio.log2().clamp(LEAST, MOST) * unit;
        let _ = writeln!(
            out,
            "<rect class=\"bar {}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{ratio:.2}×</title></rect>",
            Standing::of(ratio).class(),
            step * index as f64,
            ground - rise.max(0.0),
            (step - 1.0).max(0.5),
            rise.abs().max(1.0)
        );
    }
    let _ = writeln!(
        out,
        "<line class=\"one\" x1=\"0\" x2=\"{width}\" y1=\"{ground:.1}\" y2=\"{ground:.1}\"/>"
    );
    out.push_str("</svg>\n");
    out
}
