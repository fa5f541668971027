//! The bodies of parts, cut out of the images: the building blocks of JIT kernels.

use crate::codegen::parts::{Part, family};
use crate::images;
use crate::ptx::slice::cut;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use syntonic_core::DType;

/// A line of a part's body.
#[derive(Clone, Debug, PartialEq)]
enum Line {
    /// As it is.
    Plain(String),
    /// An operand moves into a register: `mov` of this type.
    Take(String, String, usize),
    /// The result moves out of a register, or is a number.
    Give(String, String),
    /// A jump to the end from the middle.
    Leave,
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

    /// Writes the body in a scope of its own, where its registers, labels and arrays hide others of their names.
    pub(crate) fn splice(&self, out: &mut String, operands: &[&str], result: &str) {
        out.push_str("{\n");
        for line in &self.0 {
            let _ = match line {
                Line::Plain(text) => writeln!(out, "{text}"),
                Line::Take(kind, register, at) => {
                    writeln!(out, "mov.{kind} {register}, {};", operands[*at])
                }
                Line::Give(kind, from) => writeln!(out, "mov.{kind} {result}, {from};"),
                Line::Leave => writeln!(out, "bra.uni $over;"),
            };
        }
        if self.0.contains(&Line::Leave) {
            out.push_str("$over:\n");
        }
        out.push_str("}\n");
    }

    /// The number of operands.
    fn arity(&self) -> usize {
        let taken = self.0.iter().filter_map(|line| match line {
            Line::Take(_, _, at) => Some(at + 1),
            _ => None,
        });
        taken.max().unwrap_or(0)
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
            let at = from
                .strip_prefix(operand)?
                .strip_suffix(']')?
                .parse()
                .ok()?;
            let kind = untyped(operation.strip_prefix("ld.param.")?)?;
            return Some(Line::Take(kind, register.to_owned(), at));
        }
        if rest.contains("[func_retval0") {
            let (to, from) = sides()?;
            let kind = untyped(operation.strip_prefix("st.param.")?)?;
            return matches!(to, "[func_retval0+0]" | "[func_retval0]")
                .then(|| Line::Give(kind, from.to_owned()));
        }
        let text: Vec<&str> = line.split_whitespace().collect();
        Some(Line::Plain(text.join(" ")))
    }
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
        let mut families: BTreeMap<&str, Vec<&Part>> = BTreeMap::new();
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
            let text = image.whole()?;
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
            header: header.text(),
        })
    }

    /// The piece of a part, if it takes as many operands.
    pub(crate) fn get(&self, part: &Part, operands: usize) -> Option<&Piece> {
        // The compiler drops operands that nothing depends on.
        let piece = self.by_part.get(part)?;
        (piece.arity() <= operands).then_some(piece)
    }
}

/// The header of a kernel whose parts come from several images.
#[derive(Default)]
struct Header {
    /// The newest architecture of the images, and its directives.
    newest: ((u32, u32), String),
    /// Names, with the texts that declare each.
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
        let mut own: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, text) in others {
            own.entry(name).or_default().push(text);
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
            let texts = texts.into_iter().map(str::to_owned).collect();
            self.known.entry(name.to_owned()).or_insert(texts);
        }
        Some(())
    }

    fn text(self) -> String {
        self.newest.1 + &self.others
    }
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
        assert_eq!(piece.arity(), 2);
        let mut text = String::new();
        piece.splice(&mut text, &["a", "b"], "c");
        let want = "{\n.reg .pred %p<2>;\n.reg .f32 %f<4>;\nmov.b32 %f1, a;\nmov.b32 %f2, b;\n\
            setp.lt.f32 %p1, %f1, %f2;\n@%p1 bra $L__BB0_2;\nmov.b32 c, %f1;\nbra.uni $over;\n\
            $L__BB0_2:\nmov.b32 c, 0f3F800000;\n$over:\n}\n";
        assert_eq!(text, want);
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
        let other = ("table", ".global .b8 table[1] = {2};");
        assert!(header.add((8, 0), &[".target sm_80"], &[other]).is_none());
        assert_eq!(
            header.text(),
            ".target sm_80\n.global .b8 table[1] = {1};\n"
        );
    }
}
