//! The bodies of parts, cut out of the images: the building blocks of JIT kernels.

use crate::codegen::parts::{Part, family};
use crate::images::{self, Image};
use crate::ptx::slice::cut;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use syntonic_core::DType;
use syntonic_core::fork::{Lazy, lock};

/// A line of a part's body.
#[derive(Clone, Debug, PartialEq)]
enum Line {
    /// As it is.
    Plain(String),
    /// A register of an operand moves into one of the body: `mov` of this type.
    Take(String, String, Place),
    /// A register of the result takes a register of the body, or a number.
    Give(String, String, usize),
    /// A jump to the end from the middle.
    Leave,
}

/// An operand, and which of its registers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    operand: usize,
    register: usize,
}

/// The body of a part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece(Vec<Line>);

impl Piece {
    /// Reads the text of a function as the compiler writes it.
    fn read(name: &str, text: &str) -> Option<Piece> {
        let (_, body) = text.split_once("\n{\n")?;
        let body = body.strip_suffix('}')?;
        let operand = format!("[{name}_param_");
        let mut lines = Vec::new();
        let said = |line: &&str| !line.is_empty() && !line.starts_with("//");
        for line in body.lines().map(str::trim).filter(said) {
            lines.push(Line::read(line, &operand)?);
        }
        while lines.last() == Some(&Line::Leave) {
            lines.pop();
        }
        Some(Piece(lines))
    }

    /// Writes the body in a scope of its own, where its registers, labels and arrays hide others of their names. An operand has as
    /// many registers as its type takes; nothing where the body wants more.
    pub(crate) fn splice(
        &self,
        out: &mut String,
        operands: &[Vec<String>],
        result: &[String],
    ) -> Option<()> {
        out.push_str("{\n");
        for line in &self.0 {
            let _ = match line {
                Line::Plain(text) => writeln!(out, "{text}"),
                Line::Take(kind, to, place) => {
                    let from = operands.get(place.operand)?.get(place.register)?;
                    writeln!(out, "mov.{kind} {to}, {from};")
                }
                Line::Give(kind, from, at) => {
                    writeln!(out, "mov.{kind} {}, {from};", result.get(*at)?)
                }
                Line::Leave => writeln!(out, "bra.uni $over;"),
            };
        }
        if self.0.contains(&Line::Leave) {
            out.push_str("$over:\n");
        }
        out.push_str("}\n");
        Some(())
    }
}

impl Line {
    fn read(line: &str, operand: &str) -> Option<Line> {
        if line == "ret;" {
            return Some(Line::Leave);
        }
        let (operation, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let sides = || rest.trim().strip_suffix(';')?.split_once(", ");
        if rest.contains(operand) {
            let (register, from) = sides()?;
            let (at, word) = word(from.strip_prefix(operand)?)?;
            let place = Place {
                operand: at.parse().ok()?,
                register: word,
            };
            let kind = untyped(operation.strip_prefix("ld.param.")?)?;
            return Some(Line::Take(kind, register.to_owned(), place));
        }
        if rest.contains("[func_retval0") {
            let (to, from) = sides()?;
            let (_, word) = word(to)?;
            let kind = untyped(operation.strip_prefix("st.param.")?)?;
            return Some(Line::Give(kind, from.to_owned(), word));
        }
        let text: Vec<&str> = line.split_whitespace().collect();
        Some(Line::Plain(text.join(" ")))
    }
}

/// The name at the end of an address in brackets, and the register there: what takes several lies in words of 64 bits.
fn word(address: &str) -> Option<(&str, usize)> {
    let inside = address.strip_suffix(']')?;
    let (name, offset) = inside.split_once('+').unwrap_or((inside, "0"));
    let offset: usize = offset.parse().ok()?;
    offset.is_multiple_of(8).then_some((name, offset / 8))
}

/// The type of a `mov` for a register of type `kind`: its size alone.
fn untyped(kind: &str) -> Option<String> {
    ["32", "64"]
        .into_iter()
        .find(|size| kind.ends_with(size) && kind.len() == size.len() + 1)
        .map(|size| format!("b{size}"))
}

/// The pieces of a program, and the header of its kernel.
#[derive(Debug)]
pub(crate) struct Pieces {
    by_part: HashMap<Part, Piece>,
    /// Version, target and the declarations that the pieces need.
    pub(crate) header: String,
}

impl Pieces {
    /// The pieces of these parts for a card; nothing if one is missing.
    pub(crate) fn of(parts: &BTreeSet<Part>, capability: (u32, u32)) -> Option<Pieces> {
        let mut families: BTreeMap<&'static str, Vec<&Part>> = BTreeMap::new();
        for part in parts {
            families.entry(part.family).or_default().push(part);
        }
        if families.is_empty() {
            // A text has to name its target, even where it needs no piece.
            families.extend(family(DType::F32).map(|family| (family, Vec::new())));
        }
        let mut header = Header::default();
        let mut by_part = HashMap::new();
        for (family, parts) in families {
            let image = images::image(family, capability).ok()?;
            let text = whole(family, &image)?;
            let names: Vec<&str> = parts.iter().map(|p| p.name.as_str()).collect();
            let cut = cut(&text, &names)?;
            for part in parts {
                let piece = Piece::read(&part.name, cut.functions.get(part.name.as_str())?)?;
                by_part.insert(part.clone(), piece);
            }
            header.add(image.capability(), &cut.directives, &cut.others)?;
        }
        Some(Pieces {
            by_part,
            header: raised(&header.text(), capability),
        })
    }

    /// The piece of a part.
    pub(crate) fn get(&self, part: &Part) -> Option<&Piece> {
        self.by_part.get(part)
    }
}

/// The whole text of a family's image. It stays unpacked, a few hundred kilobytes: a program makes several kernels of the same few families,
/// and unpacking takes longer than writing one.
fn whole(family: &'static str, image: &Image) -> Option<Arc<str>> {
    type Texts = Mutex<HashMap<(&'static str, (u32, u32)), Arc<str>>>;
    static TEXTS: Lazy<Texts> = Lazy::new(Mutex::default);
    let key = (family, image.capability());
    if let Some(text) = lock(&TEXTS).get(&key) {
        return Some(text.clone());
    }
    let text: Arc<str> = image.whole()?.into();
    lock(&TEXTS).insert(key, text.clone());
    Some(text)
}

/// The header of a kernel whose parts come from several images.
#[derive(Default)]
struct Header {
    /// The newest architecture of the images, and its directives.
    newest: ((u32, u32), String),
    /// Names, with the texts that declare each, [`unplaced`].
    known: HashMap<String, Vec<String>>,
    others: String,
}

impl Header {
    /// Adds the declarations of one image; nothing where two images define one name differently.
    fn add(
        &mut self,
        capability: (u32, u32),
        directives: &[&str],
        others: &[(&str, &str)],
    ) -> Option<()> {
        if capability > self.newest.0 {
            self.newest = (capability, directives.join("\n") + "\n");
        }
        let mut own: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (name, text) in others {
            own.entry(name).or_default().push(unplaced(text));
        }
        if own
            .iter()
            .any(|(name, texts)| self.known.get(*name).is_some_and(|known| known != texts))
        {
            return None;
        }
        for (name, text) in others
            .iter()
            .filter(|(name, _)| !self.known.contains_key(*name))
        {
            let _ = writeln!(self.others, "{text}");
            debug_assert!(own.contains_key(name));
        }
        for (name, texts) in own {
            self.known.entry(name.to_owned()).or_insert(texts);
        }
        Some(())
    }

    fn text(self) -> String {
        self.newest.1 + &self.others
    }
}

/// A header of this version of PTX, or of the later one that it has.
pub(crate) fn with_version(header: &str, version: &str) -> String {
    let number = |text: &str| -> Option<(u32, u32)> {
        let (major, minor) = text.trim().split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    let raised = header
        .lines()
        .map(|line| match line.strip_prefix(".version ") {
            Some(own) if number(own) < number(version) => format!(".version {version}\n"),
            _ => format!("{line}\n"),
        });
    raised.collect()
}

/// A header whose target has what is written around pieces for a card: from 8.0 on a minimum that is NaN where an operand is. Images of an
/// older target may be all that the pieces need.
fn raised(header: &str, capability: (u32, u32)) -> String {
    match capability >= (8, 0) {
        true => header.replacen("\n.target sm_75\n", "\n.target sm_80\n", 1),
        false => header.to_owned(),
    }
}

/// A declaration without comments and what the compiler numbers by its place in an image: labels, and arrays of a function. One function
/// in two images differs there alone.
fn unplaced(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        let mut rest = line.split("//").next().unwrap_or_default();
        let next = |rest: &str| {
            let names = ["$L__BB", "__local_depot"].into_iter();
            let ends = names.filter_map(|name| Some(rest.find(name)? + name.len()));
            ends.min()
        };
        while let Some(end) = next(rest) {
            plain.push_str(&rest[..end]);
            rest = rest[end..].trim_start_matches(|c: char| c.is_ascii_digit());
        }
        plain.push_str(rest);
        plain.push('\n');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRANCHING: &str = ".func  (.param .b32 func_retval0) part_f32_x(\n\t.param .b32 part_f32_x_param_0,\n\
        \t.param .b32 part_f32_x_param_1\n)\n{\n\t.reg .pred \t%p<2>;\n\t.reg .f32 \t%f<4>;\n\n\n\
        \tld.param.f32 \t%f1, [part_f32_x_param_0];\n\tld.param.f32 \t%f2, [part_f32_x_param_1];\n\
        \tsetp.lt.f32 \t%p1, %f1, %f2;\n\t@%p1 bra \t$L__BB0_2;\n\n\tst.param.f32 \t[func_retval0+0], %f1;\n\tret;\n\n\
        $L__BB0_2:\n\tst.param.f32 \t[func_retval0+0], 0f3F800000;\n\tret;\n\n}";

    #[test]
    fn a_body_takes_operands_and_gives_a_result() {
        let piece = Piece::read("part_f32_x", BRANCHING).expect("it is a function");
        let [a, b, c] = ["a", "b", "c"].map(|name| vec![name.to_owned()]);
        let mut text = String::new();
        let spliced = piece.splice(&mut text, &[a.clone(), b], &c);
        assert!(spliced.is_some() && piece.splice(&mut String::new(), &[a], &c).is_none());
        let want = "{\n.reg .pred %p<2>;\n.reg .f32 %f<4>;\nmov.b32 %f1, a;\nmov.b32 %f2, b;\n\
            setp.lt.f32 %p1, %f1, %f2;\n@%p1 bra $L__BB0_2;\nmov.b32 c, %f1;\nbra.uni $over;\n\
            $L__BB0_2:\nmov.b32 c, 0f3F800000;\n$over:\n}\n";
        assert_eq!(text, want);
    }

    #[test]
    fn complex128_passes_in_two_registers() {
        let text = ".func  (.param .align 8 .b8 func_retval0[16]) part_x(\n\t.param .align 8 .b8 part_x_param_0[16]\n)\n{\n\
            \t.reg .f64 \t%fd<3>;\n\n\tld.param.f64 \t%fd1, [part_x_param_0+8];\n\tneg.f64 \t%fd2, %fd1;\n\
            \tst.param.f64 \t[func_retval0+0], %fd1;\n\tst.param.f64 \t[func_retval0+8], %fd2;\n\tret;\n\n}";
        let piece = Piece::read("part_x", text).expect("it is a function");
        let [z, w] = [["a", "b"], ["c", "d"]].map(|pair| pair.map(str::to_owned).to_vec());
        let mut text = String::new();
        piece
            .splice(&mut text, &[z], &w)
            .expect("it has two registers");
        let want = "{\n.reg .f64 %fd<3>;\nmov.b64 %fd1, b;\nneg.f64 %fd2, %fd1;\nmov.b64 c, %fd1;\nmov.b64 d, %fd2;\n}\n";
        assert_eq!(text, want);
    }

    #[cfg(feature = "images")]
    #[test]
    fn a_text_names_a_target_that_has_what_is_written_around_pieces() {
        let parts = BTreeSet::new();
        let has = |capability, target: &str| {
            let header = Pieces::of(&parts, capability).unwrap().header;
            header.contains(&format!("\n.target {target}\n"))
        };
        assert!(has((7, 5), "sm_75") && has((8, 0), "sm_80") && has((9, 0), "sm_80"));
    }

    #[test]
    fn what_is_no_such_body_is_refused() {
        assert_eq!(
            Piece::read(
                "x",
                ".func x()\n{\n\tst.param.v2.f32 [func_retval0+0], {%f1, %f2};\n}"
            ),
            None
        );
        assert_eq!(Piece::read("x", "nothing"), None);
    }

    #[test]
    fn one_name_means_one_thing() {
        let mut header = Header::default();
        let table = ("table", ".global .b8 table[1] = {1};");
        assert!(header.add((7, 5), &[".target sm_75"], &[table]).is_some());
        assert!(header.add((8, 0), &[".target sm_80"], &[table]).is_some());
        let function = |image: usize| {
            format!(
                ".func deep(){{\n{{ // callseq {image}, 0\nbra $L__BB{image}_1;\n$L__BB{image}_1:\nret;\n}}"
            )
        };
        for image in [3, 71] {
            let added = header.add((8, 0), &[], &[("deep", &function(image))]);
            assert!(added.is_some(), "{image}");
        }
        let deeper = function(1).replace("_1", "_2");
        assert!(header.add((8, 0), &[], &[("deep", &deeper)]).is_none());
        let other = ("table", ".global .b8 table[1] = {2};");
        assert!(header.add((8, 0), &[".target sm_80"], &[other]).is_none());
        assert_eq!(
            header.text(),
            format!(
                ".target sm_80\n.global .b8 table[1] = {{1}};\n{}\n",
                function(3)
            )
        );
    }
}
