//! What names an element type: our objects, NumPy's and PyTorch's, ml_dtypes' and Python's own, and the names and letters of
//! all of them. None of these libraries is imported for it.

use crate::dtype::PyDType;
use crate::errors::{Class, error, raise};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};
use std::ffi::c_long;
use syntonic_core::{DType, Error};

/// What a name says.
#[derive(Clone, Copy)]
enum Named {
    Type(DType),
    /// The type with its bytes in the order of other machines.
    Swapped(DType),
    Nothing,
}

/// Words of NumPy and of C for types that have another name.
const WORDS: [(&str, DType); 21] = [
    ("half", DType::F16),
    ("single", DType::F32),
    ("double", DType::F64),
    ("float", DType::F64),
    ("csingle", DType::C64),
    ("cdouble", DType::C128),
    ("complex", DType::C128),
    ("byte", DType::I8),
    ("ubyte", DType::U8),
    ("short", DType::I16),
    ("ushort", DType::U16),
    ("intc", DType::I32),
    ("uintc", DType::U32),
    ("int", DType::I64),
    ("uint", DType::U64),
    ("intp", DType::I64),
    ("uintp", DType::U64),
    ("longlong", DType::I64),
    ("ulonglong", DType::U64),
    ("long", LONG),
    ("ulong", UNSIGNED_LONG),
];

/// `long` of C, which is not as wide on every system.
const LONG: DType = if size_of::<c_long>() == 8 {
    DType::I64
} else {
    DType::I32
};
const UNSIGNED_LONG: DType = if size_of::<c_long>() == 8 {
    DType::U64
} else {
    DType::U32
};

/// A letter of the `struct` module with NumPy's additions.
fn letter(letter: &str) -> Option<DType> {
    Some(match letter {
        "?" => DType::Bool,
        "b" => DType::I8,
        "h" => DType::I16,
        "i" => DType::I32,
        "l" => LONG,
        "q" | "n" | "p" => DType::I64,
        "B" => DType::U8,
        "H" => DType::U16,
        "I" => DType::U32,
        "L" => UNSIGNED_LONG,
        "Q" | "N" | "P" => DType::U64,
        "e" => DType::F16,
        "f" => DType::F32,
        "d" => DType::F64,
        "F" => DType::C64,
        "D" => DType::C128,
        _ => return None,
    })
}

/// The type as NumPy's protocols write it: the order of its bytes, the kind of number, how many bytes. bfloat16 and 8-bit
/// floats have no letter.
pub(crate) fn typestr(dtype: DType) -> Option<&'static str> {
    Some(match dtype {
        DType::Bool => "|b1",
        DType::I8 => "|i1",
        DType::I16 => "<i2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::U8 => "|u1",
        DType::U16 => "<u2",
        DType::U32 => "<u4",
        DType::U64 => "<u8",
        DType::F16 => "<f2",
        DType::F32 => "<f4",
        DType::F64 => "<f8",
        DType::C64 => "<c8",
        DType::C128 => "<c16",
        DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => return None,
    })
}

/// The type of what [`typestr`] writes behind the order of bytes.
pub(crate) fn code(text: &str) -> Option<DType> {
    let same = |d: &DType| typestr(*d).is_some_and(|t| &t[1..] == text);
    DType::ALL.into_iter().find(same)
}

fn look_up(name: &str) -> Named {
    let name = name.strip_prefix("torch.").unwrap_or(name);
    let plain = name.strip_suffix('_').unwrap_or(name);
    let word = || WORDS.iter().find(|(w, _)| *w == plain).map(|&(_, d)| d);
    if let Some(dtype) = DType::from_name(plain).or_else(word) {
        return Named::Type(dtype);
    }
    let orders = ['<', '>', '=', '|', '@', '!'];
    let (order, text) = match name.chars().next().filter(|c| orders.contains(c)) {
        Some(order) => (order, &name[1..]),
        None => ('=', name),
    };
    let foreign: &[char] = match cfg!(target_endian = "little") {
        true => &['>', '!'],
        false => &['<'],
    };
    match code(text).or_else(|| letter(text)) {
        Some(dtype) if dtype.align() > 1 && foreign.contains(&order) => Named::Swapped(dtype),
        Some(dtype) => Named::Type(dtype),
        None => Named::Nothing,
    }
}

/// What an object names that is itself a type: one of ours, a class, `numpy.dtype("float32")`, `torch.float32`; or a string.
fn named(obj: &Bound<'_, PyAny>) -> PyResult<Option<Named>> {
    if let Ok(dtype) = obj.cast::<PyDType>() {
        return Ok(Some(Named::Type(dtype.get().0)));
    }
    if let Ok(name) = obj.cast::<PyString>() {
        return Ok(Some(look_up(&name.to_string_lossy())));
    }
    if let Ok(class) = obj.cast::<PyType>() {
        return Ok(Some(match of_python(class) {
            Some(dtype) => Named::Type(dtype),
            None => look_up(&class.name()?.to_string_lossy()),
        }));
    }
    // The classes of NumPy's types are called `Float64DType` and the like, PyTorch's one `dtype`.
    let class = obj.get_type().name()?;
    if !class.to_string_lossy().to_lowercase().ends_with("dtype") {
        return Ok(None);
    }
    let name = obj
        .getattr("name")
        .or_else(|_| obj.str().map(Bound::into_any))?;
    let found = look_up(&name.str()?.to_string_lossy());
    let native = obj.getattr("isnative");
    let swapped = native.is_ok_and(|native| native.is_truthy().is_ok_and(|native| !native));
    Ok(Some(match found {
        Named::Type(dtype) if swapped => Named::Swapped(dtype),
        other => other,
    }))
}

/// The type of Python's own numbers of a class.
fn of_python(class: &Bound<'_, PyType>) -> Option<DType> {
    let py = class.py();
    let classes = [
        (py.get_type::<PyFloat>(), DType::F64),
        (py.get_type::<PyInt>(), DType::I64),
        (py.get_type::<PyBool>(), DType::Bool),
        (py.get_type::<PyComplex>(), DType::C128),
    ];
    let found = classes.iter().find(|(known, _)| class.is(known));
    found.map(|&(_, dtype)| dtype)
}

/// The element type an object is or names, or `None` where it is or names none of ours.
pub(crate) fn same_as(obj: &Bound<'_, PyAny>) -> PyResult<Option<DType>> {
    Ok(match named(obj)? {
        Some(Named::Type(dtype)) => Some(dtype),
        _ => None,
    })
}

/// The element type an object names: one of ours, its name, a type of NumPy or PyTorch, one of Python's `bool`, `int`,
/// `float`, `complex`, or an array of that type.
pub(crate) fn parse(obj: &Bound<'_, PyAny>) -> PyResult<DType> {
    let found = match named(obj)? {
        Some(found) => found,
        None => match obj.getattr("dtype").ok().map(|d| named(&d)).transpose()? {
            Some(found) => found.unwrap_or(Named::Nothing),
            None => match obj.getattr("name") {
                Ok(name) => look_up(&name.str()?.to_string_lossy()),
                Err(_) => look_up(&obj.str()?.to_string_lossy()),
            },
        },
    };
    match found {
        Named::Type(dtype) => Ok(dtype),
        Named::Swapped(dtype) => Err(error(
            Class::DType,
            format!(
                "dtype: {} is {dtype} with its bytes in the order of other machines; hint: ask for {:?}, and convert an array \
                 of NumPy with .astype({:?})",
                shown(obj),
                dtype.name(),
                dtype.name(),
            ),
        )),
        Named::Nothing => Err(raise(Error::UnknownDType { name: shown(obj) })),
    }
}

/// [`parse`], where `None` is no choice.
pub(crate) fn parse_optional(obj: Option<&Bound<'_, PyAny>>) -> PyResult<Option<DType>> {
    obj.filter(|o| !o.is_none()).map(parse).transpose()
}

/// A name, or an object as a message shows it.
fn shown(obj: &Bound<'_, PyAny>) -> String {
    let class = || obj.cast::<PyType>().ok().and_then(|c| c.name().ok());
    let text = class().or_else(|| obj.str().ok());
    text.map_or_else(|| "it".into(), |text| text.to_string_lossy().into_owned())
}
