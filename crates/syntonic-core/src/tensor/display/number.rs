//! Numbers as text, so that the numbers of one tensor line up.

use super::Words;
use super::shown::Shown;
use crate::dtype::DType;
use crate::scalar::{Element, Scalar};
use crate::with_element;

/// How the numbers of one tensor are written.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) words: Words,
    pub(super) dtype: DType,
    pub(super) style: Style,
    /// As many decimals for every real number, where somebody asked for them.
    pub(super) decimals: Option<usize>,
}

/// How its real numbers are written, so that they line up.
#[derive(Clone, Copy)]
pub(super) enum Style {
    /// With as many decimals as any needs, at most eight.
    Plain,
    /// With an exponent.
    Exponent,
    /// With every digit that tells it from its neighbours: for a number on its own.
    Whole,
}

fn visit(shown: &Shown<Scalar>, each: &mut impl FnMut(f64)) {
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

/// The style that suits all of these numbers.
pub(super) fn style(shown: &Shown<Scalar>) -> Style {
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

/// A real number with the digits that its type distinguishes, at most eight decimals, or with those asked for.
fn real(x: f64, form: &Form) -> String {
    // Numbers of storage are shown as what they are cast to: so few digits tell them apart that 288 would read 300.
    let dtype = if form.dtype.is_stored() {
        DType::F32
    } else {
        form.dtype
    };
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    match (form.style, form.decimals) {
        (Style::Plain | Style::Whole, Some(decimals)) => format!("{x:.decimals$}"),
        (Style::Exponent, Some(decimals)) => power(&format!("{x:.decimals$e}"), str::to_owned),
        (Style::Plain, None) => {
            let exact = with_element!(dtype.real(), T => shortest(<T as Element>::from_scalar(Scalar::Float(x)).to_scalar(), dtype));
            let text = shorter(exact, format!("{x:.8}"));
            point(text.trim_end_matches('0'))
        }
        (Style::Whole, None) if x != 0.0 && !(1e-4..1e16).contains(&x.abs()) => {
            exponent(&digits(x, dtype))
        }
        (Style::Whole, None) => shortest(Scalar::Float(x), dtype),
        (Style::Exponent, None) => exponent(&shorter(digits(x, dtype), format!("{x:.8e}"))),
    }
}

/// The exact text, unless the rounded one is no longer.
fn shorter(exact: String, rounded: String) -> String {
    if exact.len() < rounded.len() {
        exact
    } else {
        rounded
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

/// `1.5e-7` as `1.5e-07`, with a point and without zeros behind it.
fn exponent(text: &str) -> String {
    power(text, |digits| {
        point(if digits.contains('.') {
            digits.trim_end_matches('0')
        } else {
            digits
        })
    })
}

/// `1.5e-7` as `1.5e-07`, its digits written by `write`.
fn power(text: &str, write: impl Fn(&str) -> String) -> String {
    let Some((digits, power)) = text.split_once('e') else {
        return text.to_owned();
    };
    let (sign, power) = match power.strip_prefix('-') {
        Some(rest) => ('-', rest),
        None => ('+', power),
    };
    format!("{}e{sign}{power:0>2}", write(digits))
}

pub(super) fn number(x: Scalar, form: &Form) -> String {
    match x {
        Scalar::Bool(b) => form.words.truth(b).into(),
        Scalar::Int(i) => i.to_string(),
        Scalar::Float(v) => real(v, form),
        Scalar::Complex(z) => {
            let sign = if z.im.is_sign_negative() && !z.im.is_nan() {
                ""
            } else {
                "+"
            };
            let (re, im, unit) = (real(z.re, form), real(z.im, form), form.words.unit());
            format!("{re}{sign}{im}{unit}")
        }
    }
}
