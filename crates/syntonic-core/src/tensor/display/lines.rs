//! Values with their brackets, in aligned columns and lines of a bounded width.

use super::shown::Shown;

/// Lines are wrapped at this width.
const WIDTH: usize = 88;

/// Text of the values with brackets; `indent` is the column of the opening one.
pub(super) struct Writer {
    width: usize,
}

impl Writer {
    /// One whose columns are as wide as the widest of these numbers.
    pub(super) fn new(shown: &Shown<String>) -> Writer {
        Writer {
            width: Self::widest(shown),
        }
    }

    fn text(item: &Shown<String>) -> &str {
        match item {
            Shown::Number(text) => text,
            Shown::Gap => "...",
            Shown::List(_) => "",
        }
    }

    fn widest(item: &Shown<String>) -> usize {
        match item {
            Shown::List(items) => items.iter().map(Self::widest).max().unwrap_or(0),
            Shown::Gap => 0,
            Shown::Number(text) => text.chars().count(),
        }
    }

    pub(super) fn write(&self, item: &Shown<String>, indent: usize) -> String {
        let Shown::List(items) = item else {
            return Self::text(item).into();
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

    fn depth(item: &Shown<String>) -> usize {
        match item {
            Shown::List(items) => 1 + items.first().map_or(0, Self::depth),
            _ => 0,
        }
    }

    fn row(&self, items: &[Shown<String>], indent: usize) -> String {
        let (mut out, mut column) = (String::from("["), indent + 1);
        for (k, item) in items.iter().enumerate() {
            let text = Self::text(item);
            let text = if matches!(item, Shown::Gap) {
                text.into()
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
