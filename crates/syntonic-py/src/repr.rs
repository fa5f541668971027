//! How a State shows itself: values at the edges, shape, dtype, device. A large State is never copied for it.

use crate::enter::{enter, force};
use crate::errors::raise;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{DType, DeviceId, Element, Scalar, Tensor, cpu, with_element};

/// More elements than this are summarised.
const THRESHOLD: usize = 1000;
/// Elements shown at each end of an axis that is summarised.
const EDGE: usize = 3;
/// Elements that are shown of a State that is summarised.
const MOST: usize = 1 << 11;
/// Lines are wrapped at this width.
const WIDTH: usize = 88;

/// Values with their brackets: a number, a gap, or a list of either.
enum Shown {
    Number(Scalar),
    Gap,
    List(Vec<Shown>),
}

/// Which positions of an axis are shown.
#[derive(Clone, Copy)]
enum Part {
    All,
    /// [`EDGE`] at each end.
    Ends,
    /// The first: of many axes, even two positions each are more than anybody reads.
    First,
}

/// What is shown of each axis: everything of a small State, else the ends of the last axes and, once that is
/// [`MOST`] elements, one position of those before them.
fn parts(shape: &[usize]) -> Vec<Part> {
    let count = shape.iter().try_fold(1usize, |n, &len| {
        n.checked_mul(len).filter(|&n| n <= THRESHOLD)
    });
    if count.is_some() {
        return vec![Part::All; shape.len()];
    }
    let mut shown = 1;
    let mut parts: Vec<Part> = shape
        .iter()
        .rev()
        .map(|&len| {
            let (part, kept) = match len {
                0..=1 => (Part::All, 1),
                _ if shown * len.min(2 * EDGE) > MOST => (Part::First, 1),
                _ if len <= 2 * EDGE => (Part::All, len),
                _ => (Part::Ends, 2 * EDGE),
            };
            shown *= kept;
            part
        })
        .collect();
    parts.reverse();
    parts
}

/// The values to show; each row is read through a view of its own.
fn pick(t: &Tensor, parts: &[Part]) -> PyResult<Shown> {
    let Some((&part, inner)) = parts.split_first() else {
        return Ok(Shown::Number(t.item().map_err(raise)?));
    };
    // Rows of nothing may be as many as there are numbers.
    if t.numel() == 0 {
        return Ok(Shown::List(Vec::new()));
    }
    let len = t.shape()[0];
    let ranges = match part {
        Part::All => [0..len, len..len],
        Part::Ends => [0..EDGE, len - EDGE..len],
        Part::First => [0..1, len..len],
    };
    let mut items = Vec::new();
    for (k, range) in ranges.into_iter().enumerate() {
        if k == 1 && !matches!(part, Part::All) {
            items.push(Shown::Gap);
        }
        let part = t
            .slice(0, Some(range.start as isize), Some(range.end as isize), 1)
            .map_err(raise)?;
        if inner.is_empty() {
            items.extend(
                crate::convert::scalars(&part)?
                    .into_iter()
                    .map(Shown::Number),
            );
        } else {
            for k in 0..range.len() {
                items.push(pick(&part.select(0, k as i64).map_err(raise)?, inner)?);
            }
        }
    }
    Ok(Shown::List(items))
}

/// How the real numbers of one State are written, so that they line up.
#[derive(Clone, Copy)]
enum Style {
    /// With as many decimals as any needs, at most eight.
    Plain,
    /// With an exponent.
    Exponent,
    /// With every digit that tells it from its neighbours: for a number on its own.
    Whole,
}

fn visit(shown: &Shown, each: &mut impl FnMut(f64)) {
    match shown {
        Shown::Number(Scalar::Float(x)) => each(*x),
        Shown::Number(Scalar::Complex(z)) => {
            each(z.re);
            each(z.im);
        }
        Shown::List(items) => items.iter().for_each(|item| visit(item, each)),
        Shown::Number(_) | Shown::Gap => {}
    }
}

fn style(shown: &Shown) -> Style {
    let (mut low, mut high) = (f64::INFINITY, 0.0f64);
    visit(shown, &mut |x| {
        if x.is_finite() && x != 0.0 {
            low = low.min(x.abs());
            high = high.max(x.abs());
        }
    });
    let spread = high >= 1e8 || low < 1e-4 || high / low > 1e6;
    if high > 0.0 && spread {
        Style::Exponent
    } else {
        Style::Plain
    }
}

/// A real number with the digits that its type distinguishes, at most eight decimals.
fn real(x: f64, dtype: DType, style: Style) -> String {
    // Numbers of storage are shown as what they are cast to: so few digits tell them apart that 288 would read 300.
    let dtype = if dtype.is_stored() { DType::F32 } else { dtype };
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    match style {
        Style::Plain => {
            let exact = with_element!(dtype.real(), T => shortest(<T as Element>::from_scalar(Scalar::Float(x)).to_scalar(), dtype));
            let rounded = format!("{x:.8}");
            let text = if exact.len() < rounded.len() {
                exact
            } else {
                rounded
            };
            point(text.trim_end_matches('0'))
        }
        Style::Whole if x != 0.0 && !(1e-4..1e16).contains(&x.abs()) => exponent(&digits(x, dtype)),
        Style::Whole => shortest(Scalar::Float(x), dtype),
        Style::Exponent => {
            let exact = digits(x, dtype);
            let rounded = format!("{x:.8e}");
            let text = if exact.len() < rounded.len() {
                exact
            } else {
                rounded
            };
            exponent(&text)
        }
    }
}

/// The fewest digits that read back as the same number of the type, with an exponent: `1.5e-7`.
fn digits(x: f64, dtype: DType) -> String {
    match dtype.real() {
        DType::F64 => format!("{x:e}"),
        DType::F32 => format!("{:e}", x as f32),
        // The half types have no shortest digits of their own; five tell all of them apart.
        half => {
            let same = |text: &String| {
                let read = text.parse().map(Scalar::Float);
                read.is_ok_and(|read| read.cast(half) == Scalar::Float(x))
            };
            let mut shorter = (0..4).map(|decimals| format!("{x:.decimals$e}"));
            shorter.find(same).unwrap_or_else(|| format!("{x:.4e}"))
        }
    }
}

/// As [`digits`], without an exponent.
fn shortest(x: Scalar, dtype: DType) -> String {
    let x = x.to_f64();
    let text = match dtype.real() {
        DType::F64 => format!("{x}"),
        DType::F32 => format!("{}", x as f32),
        half => digits(x, half).parse::<f64>().unwrap_or(x).to_string(),
    };
    if text.contains('.') { text } else { text + "." }
}

fn point(text: &str) -> String {
    if text.contains('.') {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// `1.5e-7` as `1.5e-07`, with a point.
fn exponent(text: &str) -> String {
    let Some((digits, power)) = text.split_once('e') else {
        return text.to_owned();
    };
    let digits = if digits.contains('.') {
        digits.trim_end_matches('0')
    } else {
        digits
    };
    let (sign, power) = match power.strip_prefix('-') {
        Some(rest) => ('-', rest),
        None => ('+', power),
    };
    format!("{}e{sign}{power:0>2}", point(digits))
}

fn number(x: Scalar, dtype: DType, style: Style) -> String {
    match x {
        Scalar::Bool(b) => if b { "True" } else { "False" }.into(),
        Scalar::Int(i) => i.to_string(),
        Scalar::Float(v) => real(v, dtype, style),
        Scalar::Complex(z) => {
            let sign = if z.im.is_sign_negative() && !z.im.is_nan() {
                ""
            } else {
                "+"
            };
            format!(
                "{}{sign}{}j",
                real(z.re, dtype, style),
                real(z.im, dtype, style)
            )
        }
    }
}

/// Text of the values with brackets; `indent` is the column of the opening one.
struct Writer {
    dtype: DType,
    style: Style,
    width: usize,
}

impl Writer {
    fn text(&self, item: &Shown) -> String {
        match item {
            Shown::Number(x) => number(*x, self.dtype, self.style),
            Shown::Gap => "...".into(),
            Shown::List(_) => String::new(),
        }
    }

    fn widest(&self, item: &Shown) -> usize {
        match item {
            Shown::List(items) => items.iter().map(|i| self.widest(i)).max().unwrap_or(0),
            Shown::Gap => 0,
            Shown::Number(_) => self.text(item).chars().count(),
        }
    }

    fn write(&self, item: &Shown, indent: usize) -> String {
        let Shown::List(items) = item else {
            return self.text(item);
        };
        if items.iter().any(|i| matches!(i, Shown::List(_))) {
            let parts: Vec<String> = items.iter().map(|i| self.write(i, indent + 1)).collect();
            let depth = Self::depth(&items[0]);
            return format!(
                "[{}]",
                parts.join(&format!(
                    ",{}{}",
                    "\n".repeat(depth),
                    " ".repeat(indent + 1)
                ))
            );
        }
        self.row(items, indent)
    }

    fn depth(item: &Shown) -> usize {
        match item {
            Shown::List(items) => 1 + items.first().map_or(0, Self::depth),
            _ => 0,
        }
    }

    fn row(&self, items: &[Shown], indent: usize) -> String {
        let (mut out, mut column) = (String::from("["), indent + 1);
        for (k, item) in items.iter().enumerate() {
            let text = self.text(item);
            let text = if matches!(item, Shown::Gap) {
                text
            } else {
                format!("{text:>width$}", width = self.width)
            };
            let length = text.chars().count();
            if k > 0 && column + length + 2 > WIDTH {
                out.push_str(&format!(",\n{}", " ".repeat(indent + 1)));
                column = indent + 1;
            } else if k > 0 {
                out.push_str(", ");
                column += 2;
            }
            out.push_str(&text);
            column += length;
        }
        out.push(']');
        out
    }
}

/// The values as nested brackets, the first of which stands in column `indent`.
fn values(py: Python<'_>, t: &Tensor, indent: usize) -> PyResult<String> {
    let mut here = force(py, t)?;
    if here.numel() <= THRESHOLD {
        here = enter(py, 0, || here.to(&cpu()))?;
    }
    let shown = pick(&here, &parts(here.shape()))?;
    let mut writer = Writer {
        dtype: t.dtype(),
        style: if t.ndim() == 0 {
            Style::Whole
        } else {
            style(&shown)
        },
        width: 0,
    };
    writer.width = writer.widest(&shown);
    Ok(writer.write(&shown, indent))
}

/// `(2, 3)`, `(2,)` or `()`.
fn shape(t: &Tensor) -> String {
    match t.shape() {
        [one] => format!("({one},)"),
        many => format!(
            "({})",
            many.iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

#[pymethods]
impl State {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let t = &self.tensor;
        let text = match values(py, t, "State(".len()) {
            // What cannot be read can still be named: a debugger prints States of a GPU that was lost, too.
            Err(why) if t.device_id() != DeviceId::Cpu => {
                format!("<cannot be read: {}>", why.value(py).str()?)
            }
            text => text?,
        };
        let about = format!(
            "shape={}, dtype={}, device='{}'",
            shape(t),
            t.dtype(),
            t.device_id()
        );
        let last = text
            .rsplit('\n')
            .next()
            .map_or(0, |line| line.chars().count());
        let lead = if text.contains('\n') {
            0
        } else {
            "State(".len()
        };
        let gap = if lead + last + about.len() + 3 > WIDTH || text.contains('\n') {
            "\n      "
        } else {
            " "
        };
        Ok(format!("State({text},{gap}{about})"))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        values(py, &self.tensor, 0)
    }

    fn __format__(slf: &Bound<'_, Self>, spec: &str) -> PyResult<String> {
        let state = slf.get();
        if spec.is_empty() || state.tensor.numel() != 1 {
            return state.__str__(slf.py());
        }
        let number = slf.call_method0("item")?;
        number.call_method1("__format__", (spec,))?.extract()
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let t = &self.tensor;
        let text = values(py, t, 0)?;
        Ok(format!(
            "<div><code>State {} {} on {}</code><pre>{text}</pre></div>",
            shape(t),
            t.dtype(),
            t.device_id()
        ))
    }
}
