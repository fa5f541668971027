//! `cargo xtask kernels --kernel NAME`: what the kernels of a name become on each card, as a table.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use clap::builder::styling::{AnsiColor, Style};

use super::architecture::Architecture;
use super::assembler::{Assembler, Resources};
use super::manifest::{Manifest, Record};
use super::search::{Found, Index, Kernel};
use super::slice::slice;
use super::stock::Stocked;
use super::store::{self, Texts};

/// Kernels that are made at run time for cards of one architecture.
pub(super) type Stocks = Vec<(Architecture, Vec<Stocked>)>;

/// What the table is read from.
pub(super) struct Listing<'a> {
    pub(super) root: &'a Path,
    pub(super) manifest: &'a Manifest,
    pub(super) stocks: &'a Stocks,
    /// The cards that it has rows for.
    pub(super) cards: &'a [Architecture],
    /// Tells registers, where somebody asks for them.
    pub(super) assembler: Option<&'a Assembler>,
    /// A folder for texts on their way to the assembler.
    pub(super) workshop: &'a Path,
}

/// A kernel on cards that get the same of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    kernel: String,
    cards: Vec<Architecture>,
    /// What its text was compiled for; nothing where it is made for the card.
    image: Option<Architecture>,
    /// Of its text, with what it refers to.
    bytes: usize,
    /// The most threads of a block.
    threads: Option<u32>,
    /// Bytes of shared memory that the text declares.
    shared: usize,
    resources: Option<Resources>,
    source: String,
}

impl Listing<'_> {
    /// The names that can be asked for.
    pub(super) fn index(&self) -> Index {
        let stocked = self.stocks.iter().flat_map(|(_, stock)| stock);
        Index::new(self.manifest, stocked)
    }

    /// The text to print for what was found, with colours.
    pub(super) fn text(&self, found: &[&Found]) -> Result<String> {
        let mut text = String::new();
        for (place, found) in found.iter().enumerate() {
            if place > 0 {
                text.push('\n');
            }
            text += &page(found, &self.rows(found)?);
        }
        Ok(text)
    }

    fn rows(&self, found: &Found) -> Result<Vec<Row>> {
        let mut rows: Vec<Row> = Vec::new();
        let mut last: Option<(&str, Texts)> = None;
        for kernel in &found.kernels {
            let new = match kernel {
                Kernel::Embedded { family, entry } => {
                    let record = &self.manifest.0[family];
                    if last.as_ref().is_none_or(|(name, _)| name != family) {
                        last = Some((family, store::read(self.root, family, record)?));
                    }
                    let (_, texts) = last.as_ref().context("the texts were just read")?;
                    self.embedded(family, entry, record, texts)?
                }
                Kernel::Made { kind, key } => self.made(kind, key)?,
            };
            for row in new {
                match rows.iter_mut().find(|known| known.is_as(&row)) {
                    Some(known) => known.cards.extend(row.cards),
                    None => rows.push(row),
                }
            }
        }
        let place = |row: &Row| (row.source.clone(), row.kernel.clone(), row.cards.clone());
        rows.sort_by_cached_key(place);
        Ok(rows)
    }

    fn embedded(
        &self,
        family: &str,
        entry: &str,
        record: &Record,
        texts: &Texts,
    ) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for &card in self.cards {
            let Some(image) = best(record, card) else {
                continue;
            };
            let whole = texts.get(&image).context("the manifest knows the text")?;
            let text =
                slice(whole, &[entry]).with_context(|| format!("{family} has no {entry}"))?;
            rows.push(Row {
                image: Some(image),
                source: format!("kernels/{family}.cu"),
                ..self.row(entry, card, &text)?
            });
        }
        Ok(rows)
    }

    fn made(&self, kind: &str, key: &str) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for (card, stock) in self.stocks {
            for made in stock.iter().filter(|m| m.key == key && m.kind == kind) {
                let name = key.split_once('.').map_or(key, |(name, _)| name);
                rows.push(Row {
                    source: made_by(name).to_owned(),
                    ..self.row(&format!("{kind} {name}"), *card, &made.text)?
                });
            }
        }
        Ok(rows)
    }

    fn row(&self, kernel: &str, card: Architecture, text: &str) -> Result<Row> {
        let resources = self.assembler.map(|assembler| {
            let path = self.workshop.join("listed.ptx");
            std::fs::write(&path, text)?;
            assembler.resources(card, &path, &self.workshop.join("listed.cubin"))
        });
        Ok(Row {
            kernel: kernel.to_owned(),
            cards: vec![card],
            image: None,
            bytes: text.len(),
            threads: threads(text),
            shared: shared(text),
            resources: resources.transpose().with_context(|| kernel.to_owned())?,
            source: String::new(),
        })
    }
}

impl Row {
    /// Whether the two differ in their cards alone.
    fn is_as(&self, other: &Row) -> bool {
        let alone = |row: &Row| Row {
            cards: Vec::new(),
            ..row.clone()
        };
        alone(self) == alone(other)
    }

    fn cells(&self) -> [String; 7] {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let cards: Vec<String> = self.cards.iter().map(|card| capability(*card)).collect();
        [
            self.kernel.clone(),
            cards.join(", "),
            self.bytes.to_string(),
            or_none(self.threads.map(|threads| threads.to_string())),
            match &self.resources {
                Some(resources) => resources.shared.to_string(),
                None => self.shared.to_string(),
            },
            or_none(self.resources.as_ref().map(Resources::to_string)),
            match self.image {
                Some(image) => format!("{} for {image}", self.source),
                None => self.source.clone(),
            },
        ]
    }
}

/// The image that a card takes: the newest that runs there, and one made for exactly this card before others.
fn best(record: &Record, card: Architecture) -> Option<Architecture> {
    let runs = |image: &&Architecture| match image.exact {
        true => image.number == card.number,
        false => image.number <= card.number,
    };
    let newest = *record.images.keys().filter(runs).max()?;
    Some(record.images[&newest].same.unwrap_or(newest))
}

/// As users know it: 9.0.
fn capability(card: Architecture) -> String {
    let exact = if card.exact { "a" } else { "" };
    format!("{}.{}{exact}", card.number / 10, card.number % 10)
}

/// What writes a kernel that is made at run time.
fn made_by(name: &str) -> &'static str {
    match name.starts_with("map_") {
        true => "at run time, crates/syntonic-cuda/src/map",
        false => "at run time, crates/syntonic-cuda/src/rows/jit",
    }
}

/// The most threads of a block, which `.maxntid` says.
fn threads(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once(".maxntid ")?;
    let line = rest.lines().next()?;
    line.split(',')
        .map(|n| n.trim().parse::<u32>().ok())
        .product()
}

/// Bytes of all variables in shared memory whose size is known.
fn shared(text: &str) -> usize {
    let declared = text.lines().map(str::trim_start);
    let declared = declared.filter(|line| line.starts_with(".shared "));
    let sizes = declared.filter_map(|line| {
        let (_, rest) = line.split_once('[')?;
        rest.split_once(']')?.0.parse::<usize>().ok()
    });
    sizes.sum()
}

const HEADS: [&str; 7] = [
    "KERNEL",
    "CARDS",
    "PTX BYTES",
    "THREADS",
    "SHARED BYTES",
    "REGISTERS",
    "SOURCE",
];
/// Columns of numbers, which end at one place.
const NUMBERS: [bool; 7] = [false, false, true, true, true, true, false];

fn page(found: &Found, rows: &[Row]) -> String {
    let bold = Style::new().bold();
    let mut text = format!("{bold}{}{bold:#}", found.name);
    let _ = match found.kernels.len() {
        1 => write!(text, ": 1 kernel"),
        count => write!(text, ": {count} kernels"),
    };
    if let Some(library) = found.library {
        let _ = write!(text, ", and {library}");
    }
    text.push('\n');
    let rows: Vec<[String; 7]> = rows.iter().map(Row::cells).collect();
    let width = |k: usize| {
        let cells = rows.iter().map(|row| row[k].chars().count());
        cells.chain([HEADS[k].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    let mut line = |cells: [&str; 7], styles: [Style; 7]| {
        for k in 0..cells.len() {
            let (style, width) = (styles[k], widths[k]);
            let gap = width - cells[k].chars().count();
            let (before, after) = if NUMBERS[k] { (gap, 0) } else { (0, gap) };
            // Nothing stands behind the last cell.
            let after = if k + 1 < cells.len() { after + 2 } else { 0 };
            let _ = write!(
                text,
                "{:before$}{style}{}{style:#}{:after$}",
                "", cells[k], ""
            );
        }
        text.push('\n');
    };
    let plain = Style::new();
    line(HEADS, [Style::new().underline(); 7]);
    let mut styles = [plain; 7];
    (styles[0], styles[1], styles[6]) = (
        AnsiColor::Green.on_default(),
        AnsiColor::Cyan.on_default(),
        plain.dimmed(),
    );
    for row in &rows {
        line(row.each_ref().map(String::as_str), styles);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(names: &[&str]) -> Vec<Architecture> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    /// What is printed for `name` where colours are not wanted.
    fn printed(name: &str, cards: &[Architecture], stocks: &Stocks) -> String {
        let root = crate::tree::root().unwrap();
        let manifest = Manifest::load(&root).unwrap();
        let listing = Listing {
            root: &root,
            manifest: &manifest,
            stocks,
            cards,
            assembler: None,
            workshop: Path::new("."),
        };
        let index = listing.index();
        let coloured = listing.text(&index.find(name).unwrap()).unwrap();
        assert!(coloured.contains("\u{1b}["), "{coloured}");
        anstream::adapter::strip_str(&coloured).to_string()
    }

    #[test]
    fn cards_that_take_the_same_image_are_one_row() {
        let text = printed("fill_b8", &cards(&["75", "80", "90"]), &Vec::new());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert_eq!(lines[0], "fill_b8: 1 kernel");
        for word in ["fill_b8", "7.5, 8.0, 9.0", "kernels/fill.cu for 75"] {
            assert!(lines[2].contains(word), "{text}");
        }
        let ends = |line: &str, head: &str| line.find(head).unwrap() + head.len();
        let bytes = ends(lines[1], "PTX BYTES");
        let digits = lines[2][..bytes].rsplit(' ').next().unwrap();
        assert!(digits.parse::<usize>().unwrap() > 500, "{text}");
    }

    #[test]
    fn a_card_without_an_image_has_no_row() {
        let text = printed("split_product", &cards(&["80", "90", "100"]), &Vec::new());
        assert!(
            text.contains(" 9.0  ") && text.contains("for 90a"),
            "{text}"
        );
        assert!(!text.contains("8.0") && !text.contains("10.0"), "{text}");
    }

    #[test]
    fn kernels_made_at_run_time_have_rows() {
        let stocked = |text: &str| Stocked {
            kind: "SOFTMAX_f32".to_owned(),
            key: "jit_rows_01.02".to_owned(),
            text: text.to_owned(),
        };
        let text =
            ".entry jit_rows_01()\n.maxntid 128, 1, 1\n{\n.shared .align 4 .b8 room[64];\n}\n";
        let stocks = vec![
            (cards(&["80"])[0], vec![stocked(text)]),
            (cards(&["90"])[0], vec![stocked(text)]),
        ];
        let page = printed("softmax", &cards(&["80", "90"]), &stocks);
        let row = page.lines().nth(2).unwrap();
        let cells: Vec<&str> = row
            .split("  ")
            .map(str::trim)
            .filter(|c| !c.is_empty())
            .collect();
        let bytes = text.len().to_string();
        assert_eq!(
            cells[..6],
            [
                "SOFTMAX_f32 jit_rows_01",
                "8.0, 9.0",
                &bytes,
                "128",
                "64",
                "-"
            ]
        );
        assert!(cells[6].contains("rows/jit"), "{page}");
    }
}
