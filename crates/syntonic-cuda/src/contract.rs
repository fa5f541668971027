//! The parameter of a compiled kernel, declared once: Rust's struct, from which `cargo xtask kernels` writes CUDA's, and its launch.
//!
//! ```text
//! contract! {
//!     "scatter_add":
//!     /// Keys of what is added.
//!     struct AddKeys as "AddKeys" {
//!         space: Wide<2>,
//!         /// Of positions.
//!         count: u64,
//!         keys: u64,
//!     }
//! }
//! ```
//!
//! declares `AddKeys` here and in the header `contract_scatter_add.cuh`, which the sources of the family include. Comments go there too.
//! A field says `as "const void*"` where CUDA's type is another one of the same layout, and `as "base"` where CUDA's struct derives from it.

use crate::context::{Blocks, Context, Geometry};
use crate::plan::{Carrier, Launch};
use crate::walk::{Narrow, Wide};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use syntonic_core::Result;

/// The parameter of the kernels of a family; [`contract!`] declares it.
pub(crate) trait Contract: Spelled + Copy {
    /// The family, or with a star at its end those that begin so.
    const FAMILY: &'static str;

    /// CUDA's struct.
    fn declaration() -> Declaration;

    /// Whether kernels of a family take it.
    fn serves(family: &str) -> bool {
        serves(Self::FAMILY, family)
    }

    /// Launches a kernel of its one family, with this as its parameter.
    ///
    /// # Safety
    /// The kernel takes this struct, and what it points to is live and fits.
    unsafe fn launch<C: Carrier>(&self, on: &C, entry: &str, geometry: Geometry) -> Result<()> {
        const { assert!(is_one(Self::FAMILY), "say which family by Launch::new") };
        // SAFETY: the caller's promise.
        unsafe { on.start(&Launch::new(Self::FAMILY, entry, geometry), self) }
    }

    /// As [`Contract::launch`], where blocks depend on each other.
    ///
    /// # Safety
    /// As [`Contract::launch`].
    unsafe fn launch_blocks(
        &self,
        on: &Context,
        entry: &str,
        geometry: Geometry,
        blocks: Blocks,
    ) -> Result<()> {
        const { assert!(is_one(Self::FAMILY)) };
        let function = on.function(Self::FAMILY, entry)?;
        // SAFETY: the caller's promise.
        unsafe { on.launch_blocks(&function, geometry, blocks, self) }
    }
}

/// Whether it is the name of one family.
const fn is_one(declared: &str) -> bool {
    !matches!(declared.as_bytes(), [.., b'*'])
}

fn serves(declared: &str, family: &str) -> bool {
    match declared.strip_suffix('*') {
        Some(start) => family.starts_with(start),
        None => family == declared,
    }
}

/// A type with the same layout in CUDA C++.
pub(crate) trait Spelled {
    /// What stands before a name.
    fn spelling() -> String;

    /// What stands behind it: the lengths of arrays.
    fn lengths() -> String {
        String::new()
    }

    /// The header that declares it.
    fn header() -> Option<String> {
        None
    }
}

/// What the header of a family declares: a struct, or a number that both sides need.
pub(crate) struct Declaration {
    /// As [`Contract::FAMILY`].
    family: &'static str,
    /// The headers of its fields.
    includes: Vec<String>,
    /// CUDA C++.
    text: String,
    /// A struct's name and its bytes.
    #[cfg(all(test, feature = "images"))]
    sized: Option<(String, usize)>,
}

/// A field of a struct.
pub(crate) struct Field {
    pub(crate) about: &'static [&'static str],
    pub(crate) name: &'static str,
    /// What is said after `as`.
    pub(crate) given: Option<&'static str>,
    pub(crate) spelling: String,
    pub(crate) lengths: String,
    pub(crate) header: Option<String>,
}

impl Declaration {
    /// The struct of a contract. One of a template is a specialisation of it.
    pub(crate) fn of<T: Contract>(about: &[&str], fields: &[Field]) -> Self {
        let comments = |about: &[&str], indent: &str| -> String {
            let lines = about.iter().map(|line| format!("{indent}//{line}\n"));
            lines.collect()
        };
        let (name, size) = (T::spelling(), size_of::<T>());
        let mut text = String::new();
        let mut head = format!("struct {name}");
        if let Some((template, _)) = name.split_once('<') {
            text += &format!("template <class> struct {template};\n");
            head = format!("template <> {head}");
        }
        text += &comments(about, "");
        let is_base = |field: &&Field| field.given == Some("base");
        for base in fields.iter().filter(is_base) {
            head += &format!(" : {}", base.spelling);
        }
        text += &format!("{head} {{\n");
        for field in fields.iter().filter(|field| !is_base(field)) {
            text += &comments(field.about, "    ");
            let spelling = field.given.unwrap_or(&field.spelling);
            text += &format!("    {spelling} {}{};\n", field.name, field.lengths);
        }
        text += &format!("}};\nstatic_assert(sizeof({name}) == {size}, \"as in Rust\");\n");
        Declaration {
            family: T::FAMILY,
            includes: fields
                .iter()
                .filter_map(|field| field.header.clone())
                .collect(),
            text,
            #[cfg(all(test, feature = "images"))]
            sized: Some((name, size)),
        }
    }

    /// A number of a family, by its name in CUDA.
    pub(crate) fn constant<T: Spelled + Display>(
        family: &'static str,
        name: &str,
        value: T,
    ) -> Self {
        Declaration {
            family,
            includes: Vec::new(), // few: none.
            text: format!("constexpr {} {name} = {value};\n", T::spelling()),
            #[cfg(all(test, feature = "images"))]
            sized: None,
        }
    }
}

/// The headers by the names of their files, each of which has what a family declares.
pub(crate) fn headers(all: Vec<Declaration>) -> BTreeMap<String, String> {
    let mut headers = BTreeMap::new();
    for declaration in all {
        let file = header_of(declaration.family);
        let (includes, text): &mut (BTreeSet<String>, String) =
            headers.entry(file.clone()).or_default();
        let others = declaration.includes.into_iter();
        includes.extend(others.filter(|header| *header != file));
        *text += "\n";
        *text += &declaration.text;
    }
    let whole = |(includes, text): (BTreeSet<String>, String)| {
        let includes = includes.iter().map(|file| format!("#include \"{file}\"\n"));
        let includes: String = includes.collect();
        format!(
            "// Parameters, as `contract!` declares them in Rust.\n#pragma once\n#include <cstdint>\n{includes}{text}"
        )
    };
    headers
        .into_iter()
        .map(|(file, parts)| (file, whole(parts)))
        .collect()
}

/// The header of a family's parameters.
pub(crate) fn header_of(family: &str) -> String {
    format!("contract_{}.cuh", family.trim_end_matches(['*', '_']))
}

macro_rules! spelled {
    ($($T:ty: $spelling:literal,)*) => {
        $(impl Spelled for $T {
            fn spelling() -> String {
                $spelling.to_owned()
            }
        })*
    };
}
spelled! {
    u32: "uint32_t",
    i32: "int32_t",
    u64: "uint64_t",
    i64: "int64_t",
    f32: "float",
    f64: "double",
}

impl<T: Spelled, const N: usize> Spelled for [T; N] {
    fn spelling() -> String {
        T::spelling()
    }

    fn lengths() -> String {
        format!("[{N}]{}", T::lengths())
    }

    fn header() -> Option<String> {
        T::header()
    }
}

macro_rules! walks {
    ($($Space:ident),*) => {
        $(impl<const K: usize> Spelled for $Space<K> {
            fn spelling() -> String {
                format!("walk::{}<{K}>", stringify!($Space))
            }

            fn header() -> Option<String> {
                Some("walk.cuh".to_owned())
            }
        })*
    };
}
walks!(Narrow, Wide);

/// Declares the parameter of a family's kernels, as the module says.
macro_rules! contract {
    (
        $family:literal:
        $(#[doc = $about:literal])*
        $(#[derive($($derived:path),*)])?
        $vis:vis struct $Name:ident $(<$Of:ident>)? as $cuda:literal {
            $($(#[doc = $doc:literal])* $shown:vis $field:ident: $T:ty $(as $spelled:literal)?,)*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy $($(, $derived)*)?)]
        #[repr(C)]
        $vis struct $Name $(<$Of>)? {
            $($(#[doc = $doc])* $shown $field: $T,)*
        }

        impl $(<$Of: $crate::contract::Spelled + Copy>)? $crate::contract::Spelled for $Name $(<$Of>)? {
            fn spelling() -> String {
                let name = $cuda.to_owned();
                $(let name = format!("{name}<{}>", <$Of as $crate::contract::Spelled>::spelling());)?
                name
            }

            fn header() -> Option<String> {
                Some($crate::contract::header_of($family))
            }
        }

        impl $(<$Of: $crate::contract::Spelled + Copy>)? $crate::contract::Contract for $Name $(<$Of>)? {
            const FAMILY: &'static str = $family;

            fn declaration() -> $crate::contract::Declaration {
                use $crate::contract::{Declaration, Field, Spelled};
                let fields = [$(Field {
                    about: &[$($doc),*],
                    name: stringify!($field),
                    given: [$($spelled)?].first().copied(),
                    spelling: <$T as Spelled>::spelling(),
                    lengths: <$T as Spelled>::lengths(),
                    header: <$T as Spelled>::header(),
                }),*];
                Declaration::of::<Self>(&[$($about),*], &fields)
            }
        }
    };
}
pub(crate) use contract;

#[cfg(test)]
mod tests {
    use super::*;

    contract! {
        "ours":
        /// Of a test.
        struct Plain as "Plain" {
            /// Where it lies.
            from: u64 as "const void*",
            space: Wide<2>,
            pairs: [[f64; 2]; 3],
        }
    }
    contract! {
        "ours":
        struct Longer<P> as "Longer" {
            plain: P as "base",
            count: u32,
            unused: u32,
        }
    }

    #[test]
    fn a_struct_is_spelled_as_it_lies() {
        let all = vec![Plain::declaration(), Longer::<Plain>::declaration()];
        let made = headers(all);
        assert_eq!(made.len(), 1);
        let size = size_of::<Plain>();
        let wanted = format!(
            "// Parameters, as `contract!` declares them in Rust.\n#pragma once\n#include <cstdint>\n#include \"walk.cuh\"\n\n\
             // Of a test.\nstruct Plain {{\n    // Where it lies.\n    const void* from;\n    walk::Wide<2> space;\n    \
             double pairs[3][2];\n}};\nstatic_assert(sizeof(Plain) == {size}, \"as in Rust\");\n\n\
             template <class> struct Longer;\ntemplate <> struct Longer<Plain> : Plain {{\n    uint32_t count;\n    \
             uint32_t unused;\n}};\nstatic_assert(sizeof(Longer<Plain>) == {}, \"as in Rust\");\n",
            size + 8
        );
        assert_eq!(made["contract_ours.cuh"], wanted);
        assert_eq!(size, 8 + size_of::<Wide<2>>() + 48);
    }

    /// Each compiled kernel takes a struct that its family declares, and each struct is of a kernel or a part of another one's.
    #[test]
    #[cfg(feature = "images")]
    fn compiled_kernels_take_what_is_declared() {
        let all = crate::codegen::declarations();
        let mut taken = vec![false; all.len()];
        for capability in [(7, 5), (8, 0), (9, 0)] {
            for (family, entries) in crate::images::entries() {
                let Ok(image) = crate::images::image(family, capability) else {
                    continue;
                };
                let text = image.whole().unwrap();
                for entry in entries {
                    let bytes = crate::ptx::parameter::bytes(&text, entry).unwrap() as usize;
                    let known = all.iter().enumerate();
                    let fits = |(_, one): &(usize, &Declaration)| {
                        let sized = one.sized.as_ref().is_some_and(|(_, size)| *size == bytes);
                        sized && serves(one.family, family)
                    };
                    let known: Vec<usize> = known.filter(fits).map(|(k, _)| k).collect();
                    assert_ne!(known, [0; 0], "{entry} of {family} takes {bytes} bytes");
                    known.into_iter().for_each(|k| taken[k] = true);
                }
            }
        }
        let idle = all.iter().zip(taken).filter(|(_, taken)| !taken);
        let idle: Vec<&str> = idle
            .filter_map(|(one, _)| Some(&*one.sized.as_ref()?.0))
            .collect();
        assert_eq!(idle, ["SplitSource", "ComplexPlace", "Ranking"]);
    }

    #[test]
    fn a_star_stands_for_the_rest_of_a_name() {
        contract! {
            "fold_*":
            struct Any as "Any" {
                count: u64,
            }
        }
        assert!(Any::serves("fold_sum") && !Any::serves("row_sums"));
        assert!(Plain::serves("ours") && !Plain::serves("ours_too"));
        assert_eq!(header_of(Any::FAMILY), "contract_fold.cuh");
    }
}
