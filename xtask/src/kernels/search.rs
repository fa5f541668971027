//! Finding kernels by what a user calls them: the name of an operator, of a formula, of a family or of a kernel.

use anyhow::{Result, bail};

use super::manifest::Manifest;
use super::operators::{OPERATORS, Operator};
use super::stock::Stocked;

/// How many names an error suggests.
const SUGGESTED: usize = 5;

/// What carries the name that was looked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kernel {
    /// Of an image: its family, and its name in the PTX.
    Embedded { family: String, entry: String },
    /// Made at run time: its formula and type, and what its machine code is filed under.
    Made { kind: String, key: String },
}

/// All kernels of one name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) library: Option<&'static str>,
    pub(super) kernels: Vec<Kernel>,
}

/// Kernels by all the names that they have.
pub(super) struct Index(Vec<Found>);

impl Index {
    /// The kernels of the images, and those in `stock`, which are made at run time.
    pub(super) fn new<'a>(
        manifest: &Manifest,
        stock: impl IntoIterator<Item = &'a Stocked>,
    ) -> Self {
        let mut index = Self(Vec::new());
        for operator in OPERATORS {
            let kernels = of_operator(manifest, operator);
            index.add(operator.name, operator.library, kernels);
        }
        for (family, record) in &manifest.0 {
            for entry in &record.entries {
                let kernel = embedded(family, entry);
                index.add(entry, None, vec![kernel.clone()]);
                if entry != family {
                    index.add(family, None, vec![kernel]);
                }
            }
        }
        for stocked in stock {
            let kernel = Kernel::Made {
                kind: stocked.kind.clone(),
                key: stocked.key.clone(),
            };
            index.add(&formula(&stocked.kind), None, vec![kernel.clone()]);
            index.add(&stocked.kind.to_lowercase(), None, vec![kernel]);
        }
        index
    }

    fn add(&mut self, name: &str, library: Option<&'static str>, kernels: Vec<Kernel>) {
        match self.0.iter_mut().find(|found| found.name == name) {
            Some(found) => {
                found.library = found.library.or(library);
                found.kernels.extend(kernels);
                found.kernels.sort();
                found.kernels.dedup();
            }
            None => self.0.push(Found {
                name: name.to_owned(),
                library,
                kernels,
            }),
        }
    }

    /// What is called `name`, else everything whose name begins like that.
    ///
    /// # Errors
    /// Nothing is called so. The error names what comes near.
    pub(super) fn find(&self, name: &str) -> Result<Vec<&Found>> {
        let name = name.to_lowercase();
        if let Some(found) = self.0.iter().find(|found| found.name == name) {
            return Ok(vec![found]);
        }
        let begins = |found: &&Found| !name.is_empty() && found.name.starts_with(&name);
        let mut begun: Vec<&Found> = self.0.iter().filter(begins).collect();
        if begun.is_empty() {
            bail!(
                "no operator, formula, family or kernel is called `{name}`; {}",
                self.suggestion(&name)
            );
        }
        // `phi_residual_f32` says nothing beside `phi_residual`, which has it.
        let whole = begun.clone();
        begun.retain(|found| {
            let has_all = |other: &&Found| {
                other.name != found.name
                    && found.name.starts_with(&other.name)
                    && found.kernels.iter().all(|k| other.kernels.contains(k))
            };
            !whole.iter().any(has_all)
        });
        begun.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(begun)
    }

    fn suggestion(&self, name: &str) -> String {
        let mut near: Vec<(usize, &str)> = (self.0.iter())
            .filter_map(|found| Some((distance(name, &found.name)?, found.name.as_str())))
            .collect();
        near.sort();
        let names: Vec<String> = near
            .iter()
            .take(SUGGESTED)
            .map(|(_, name)| format!("`{name}`"))
            .collect();
        match &names[..] {
            [] => "`cargo xtask kernels --list` names the families".to_owned(),
            names => format!("did you mean {}?", names.join(", ")),
        }
    }
}

fn embedded(family: &str, entry: &str) -> Kernel {
    Kernel::Embedded {
        family: family.to_owned(),
        entry: entry.to_owned(),
    }
}

fn of_operator(manifest: &Manifest, operator: &Operator) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for (family, prefix) in operator.parts {
        let entries = manifest.0.get(*family).map(|record| &record.entries);
        let entries = entries.into_iter().flatten();
        let own = entries.filter(|entry| entry.starts_with(prefix));
        kernels.extend(own.map(|entry| embedded(family, entry)));
    }
    kernels
}

/// A formula's name as users write it: that of a kind without its type.
fn formula(kind: &str) -> String {
    let name = kind.rsplit_once('_').map_or(kind, |(name, _)| name);
    name.to_lowercase()
}

/// How far two names are apart, where they are near: how many characters have to change, or how many one has beside the other.
fn distance(wanted: &str, name: &str) -> Option<usize> {
    let most = wanted.len() / 3 + 1;
    let edits = edits(wanted, name);
    let within = !wanted.is_empty() && (name.contains(wanted) || wanted.contains(name));
    match within && wanted.len().min(name.len()) > 2 {
        true => Some(edits.min(most)),
        false => (edits <= most).then_some(edits),
    }
}

/// The distance of Levenshtein: characters that are put in, left out or replaced.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stocked(kind: &str, key: &str) -> Stocked {
        Stocked {
            kind: kind.to_owned(),
            key: key.to_owned(),
            text: String::new(),
        }
    }

    fn index() -> Index {
        let manifest = Manifest::load(&crate::tree::root().unwrap()).unwrap();
        let stock = [
            stocked("SOFTMAX_f32", "jit_rows_01.02"),
            stocked("SOFTMAX_bf16", "jit_rows_03.04"),
            stocked("LOG_SOFTMAX_f32", "jit_rows_05.06"),
            stocked("phi_residual_f32", "map_07.08"),
            stocked("phi_residual_layer_norm_f32", "jit_rows_09.10"),
        ];
        Index::new(&manifest, &stock)
    }

    fn names(index: &Index, wanted: &str) -> Vec<String> {
        let found = index.find(wanted).unwrap();
        found.iter().map(|found| found.name.clone()).collect()
    }

    #[test]
    fn operators_formulas_families_and_kernels_are_found_by_name() {
        let index = index();
        for (name, count) in [
            ("softmax", 2),
            ("SOFTMAX", 2),
            ("softmax_f32", 1),
            ("phi_residual", 1),
            ("transfer_entropy", 12),
            ("fill_b8", 1),
            ("mask_count", 1),
        ] {
            let found = index.find(name).unwrap();
            assert_eq!(found.len(), 1, "{name}");
            assert_eq!(found[0].kernels.len(), count, "{name}");
        }
        let [matmul] = &index.find("matmul").unwrap()[..] else {
            panic!("one operator");
        };
        assert_eq!(matmul.library, Some("cuBLASLt"));
        let sort = &index.find("sort").unwrap()[0];
        for family in ["sort_few", "sort_rows", "radix", "lines"] {
            let has = |k: &Kernel| matches!(k, Kernel::Embedded { family: f, .. } if f == family);
            assert!(sort.kernels.iter().any(has), "{family}");
        }
    }

    #[test]
    fn the_beginning_of_a_name_finds_all_that_begin_so() {
        let index = index();
        assert_eq!(names(&index, "softm"), ["softmax"]);
        assert_eq!(
            names(&index, "phi_res"),
            ["phi_residual", "phi_residual_layer_norm"]
        );
        assert_eq!(names(&index, "golden_f"), ["golden_floats", "golden_floor"]);
    }

    #[test]
    fn an_unknown_name_gets_suggestions() {
        let index = index();
        let said = |name: &str| index.find(name).unwrap_err().to_string();
        assert!(
            said("sofmax").contains("did you mean `softmax`"),
            "{}",
            said("sofmax")
        );
        assert!(said("matmull").contains("`matmul`"), "{}", said("matmull"));
        assert!(
            said("residual").contains("`phi_residual`"),
            "{}",
            said("residual")
        );
        assert!(said("qqqqqqqq").contains("--list"), "{}", said("qqqqqqqq"));
        assert!(said("").contains("--list"), "{}", said(""));
    }

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in [
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("sort", "short", 1),
            ("ab", "ba", 2),
        ] {
            assert_eq!((edits(a, b), edits(b, a)), (count, count), "{a} {b}");
        }
    }
}
