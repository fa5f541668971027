//! A figure of a table stands in the committed record that the table names.
//!
//! A Markdown table whose last column is headed by a link to a record, `[record](PATH.json)`, has in that column where the record
//! says it, as keys with slashes between them, and in the column `figure` the number, rounded as one likes. A key that names an
//! element of a list is its case, dtype and size: `rows/softmax float32 [4096, 256]/median_us`.

use serde_json::Value;

use super::Source;
use super::links::place;

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let pages = sources
        .iter()
        .filter(|source| source.has_extension(&["md"]));
    pages.flat_map(|page| of_page(page, sources)).collect()
}

fn of_page(page: &Source, sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut table: Option<(usize, Result<Value, String>)> = None;
    for (number, line) in page.lines() {
        let Some(cells) = cells(line) else {
            table = None;
            continue;
        };
        let last = cells.last().copied().unwrap_or_default();
        if let Some(path) = last
            .strip_prefix("[record](")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            let figure = cells.iter().position(|cell| *cell == "figure");
            table = figure.map(|column| (column, record(page, path, sources)));
            continue;
        }
        let Some((column, record)) = &table else {
            continue;
        };
        if cells
            .iter()
            .all(|cell| cell.bytes().all(|b| b"-: ".contains(&b)))
        {
            continue;
        }
        let found = match record {
            Ok(record) => value(record, last.trim_matches('`')),
            Err(why) => Err(why.clone()),
        };
        let figure = cells.get(*column).copied().unwrap_or_default();
        if let Err(why) = found.and_then(|found| same(figure, found)) {
            complaints.push(format!("{}:{number}: {why}", page.path));
        }
    }
    complaints
}

/// The cells of a line of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

fn record(page: &Source, path: &str, sources: &[Source]) -> Result<Value, String> {
    let whole = place(&page.path, path);
    let source = sources.iter().find(|source| source.path == whole);
    let source = source.ok_or_else(|| format!("there is no record {whole}"))?;
    serde_json::from_str(&source.text).map_err(|e| format!("{whole}: {e}"))
}

fn value(record: &Value, path: &str) -> Result<f64, String> {
    let mut here = record;
    let mut left = path;
    while !left.is_empty() {
        // A key may have a slash of its own.
        let whole = here.get(left).map(|next| (next, ""));
        let (key, rest) = left.split_once('/').unwrap_or((left, ""));
        let next = match here {
            Value::Array(rows) => rows.iter().find(|row| name(row) == key),
            other => other.get(key),
        };
        let step = whole.or(next.map(|next| (next, rest)));
        (here, left) = step.ok_or_else(|| format!("the record has no {key:?} of {path:?}"))?;
    }
    here.as_f64()
        .ok_or_else(|| format!("{path:?} of the record is no number"))
}

/// Case or block, dtype, and size or shape of a row.
fn name(row: &Value) -> String {
    let any = |keys: [&str; 2]| keys.into_iter().find_map(|key| row.get(key));
    let text = |keys| any(keys).and_then(Value::as_str).unwrap_or_default();
    let size: Vec<String> = any(["size", "shape"])
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect();
    let (case, dtype) = (text(["case", "block"]), text(["dtype", "type"]));
    format!("{case} {dtype} [{}]", size.join(", "))
}

/// Whether a figure is the number, rounded to the figure's digits.
fn same(figure: &str, found: f64) -> Result<(), String> {
    let digits: String = figure
        .chars()
        .take_while(|c| c.is_ascii_digit() || ".,".contains(*c))
        .filter(|c| *c != ',')
        .collect();
    let decimals = digits.split_once('.').map_or(0, |(_, after)| after.len());
    let rounded = format!("{found:.decimals$}");
    if rounded == digits {
        Ok(())
    } else {
        Err(format!("the figure is {figure:?}, the record has {found}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(table: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let record = r#"{"tests": {"passed": 25574}, "rows": [
            {"case": "sum", "dtype": "float32", "size": [4, 8], "median_us": 3.149}]}"#;
        complaints(&[
            source("docs/speed.md", table),
            source("docs/records/one.json", record),
        ])
    }

    const HEAD: &str = "| what | figure | [record](records/one.json) |\n| --- | --- | --- |\n";

    #[test]
    fn figures_are_those_of_the_record() {
        let rows = "| tests | 25,574 | `tests/passed` |\n| sum | 3.1 us | `rows/sum float32 [4, 8]/median_us` |\n";
        assert_eq!(of(&format!("{HEAD}{rows}")), [""; 0]);
    }

    #[test]
    fn others_are_complaints() {
        for (row, said) in [
            (
                "| sum | 3.2 | `rows/sum float32 [4, 8]/median_us` |",
                "3.149",
            ),
            (
                "| sum | 3.1 | `rows/sum float64 [4, 8]/median_us` |",
                "no \"sum",
            ),
            ("| tests | many | `tests/passed` |", "25574"),
            ("| tests | 1 | `tests` |", "no number"),
        ] {
            let complaints = of(&format!("{HEAD}{row}\n"));
            assert!(
                complaints.len() == 1 && complaints[0].contains(said),
                "{complaints:?}"
            );
        }
        let elsewhere = HEAD.replace("one.json", "two.json");
        assert_eq!(of(&format!("{elsewhere}| a | 1 | `b` |\n")).len(), 1);
    }

    #[test]
    fn other_tables_are_left_alone() {
        assert_eq!(
            of("| what | figure | record |\n| --- | --- | --- |\n| a | 1 | b |\n"),
            [""; 0]
        );
    }
}
