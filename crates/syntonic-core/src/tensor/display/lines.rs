//! Values with their brackets, in aligned columns and lines of a bounded width.

use super::number::{Form, number};
use super::shown::Shown;

/// Lines are wrapped at this width.
const WIDTH: usize = 88;

/// Text of the values with brackets; `indent` is the column of the opening one.
pub(super) struct Writer {
    form: Form,
    width: usize,
}

impl Writer {
    /// One whose columns are as wide as the widest of these numbers.
    pub(super) fn new(form: Form, shown: &Shown) -> Writer {
        let mut writer = Writer { form, width: 0 };
        writer.width = writer.widest(shown);
        writer
    }

    fn text(&self, item: &Shown) -> String {
        match item {
            Shown::Number(x) => number(*x, &self.form),
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

    pub(super) fn write(&self, item: &Shown, indent: usize) -> String {
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
