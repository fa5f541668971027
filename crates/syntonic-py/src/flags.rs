//! How a State lies in memory, as NumPy's `flags` say it.

use crate::arguments::parameter;
use crate::memory::held::Held;
use crate::state::State;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use syntonic_core::Tensor;

/// How a State lies in memory, by attribute or by NumPy's names in brackets. Whether it can be written may be set, of the State as well.
#[pyclass(frozen, eq, name = "Flags", module = "syntonic._core")]
pub(crate) struct Flags {
    of: Py<State>,
    rows: bool,
    columns: bool,
    owns: bool,
    writable: bool,
}

impl PartialEq for Flags {
    fn eq(&self, other: &Flags) -> bool {
        self.num() == other.num()
    }
}

impl Eq for Flags {}

/// True where the elements lie column by column without gaps.
pub(crate) fn is_fortran(t: &Tensor) -> bool {
    t.layout()
        .permute(&(0..t.ndim()).rev().collect::<Vec<_>>()) // few: axes
        .is_ok_and(|turned| turned.is_contiguous())
}

impl Flags {
    fn of(state: &Bound<'_, State>) -> Flags {
        let t: &Held = &state.get().tensor;
        Flags {
            of: state.clone().unbind(),
            rows: t.is_contiguous(),
            columns: is_fortran(t),
            owns: !t.is_shared(),
            writable: t.is_writable(),
        }
    }
}

/// The flags: an attribute, its names in brackets, its bit in NumPy's `num`, and what it says.
macro_rules! flags {
    ($($attribute:ident $names:tt $bit:literal |$flags:ident| $value:expr, $doc:literal;)*) => {
        #[pymethods]
        impl Flags {
            $(
                #[doc = $doc]
                #[getter]
                fn $attribute(&self) -> bool {
                    let $flags = self;
                    $value
                }
            )*

            /// All of them as NumPy's bits.
            #[getter]
            fn num(&self) -> u32 {
                0 $(| u32::from(self.$attribute()) * $bit)*
            }

            fn __getitem__(&self, name: &Bound<'_, PyString>) -> PyResult<bool> {
                let name = name.to_string_lossy();
                $(
                    if $names.contains(&&*name) {
                        return Ok(self.$attribute());
                    }
                )*
                Err(PyKeyError::new_err(format!("{name}: no such flag")))
            }
        }
    };
}

flags! {
    c_contiguous ["C_CONTIGUOUS", "C", "CONTIGUOUS"] 0x1 |f| f.rows, "The elements lie row by row, without gaps.";
    f_contiguous ["F_CONTIGUOUS", "F", "FORTRAN"] 0x2 |f| f.columns, "The elements lie column by column, without gaps.";
    owndata ["OWNDATA", "O"] 0x4 |f| f.owns, "Nobody else has the memory: no view, no other library.";
    writeable ["WRITEABLE", "W"] 0x400 |f| f.writable, "The elements can be written in place.";
    aligned ["ALIGNED", "A"] 0x100 |_f| true, "Elements lie at multiples of their size; always.";
    writebackifcopy ["WRITEBACKIFCOPY", "X"] 0x2000 |_f| false, "A copy that is written back; never.";
    contiguous [""; 0] 0 |f| f.rows, "As `c_contiguous`.";
    fortran [""; 0] 0 |f| f.columns, "As `f_contiguous`.";
    fnc ["FNC"] 0 |f| f.columns && !f.rows, "Column by column and not row by row.";
    forc ["FORC"] 0 |f| f.columns || f.rows, "Column by column or row by row.";
    behaved ["BEHAVED", "B"] 0 |f| f.writable, "Can be written, and is aligned.";
    carray ["CARRAY", "CA"] 0 |f| f.writable && f.rows, "Row by row, and can be written.";
    farray ["FARRAY", "FA"] 0 |f| f.writable && f.columns && !f.rows, "Column by column and not row by row, and can be written.";
}

#[pymethods]
impl Flags {
    /// Says whether the elements can be written in place, as `setflags(write=...)` does. As in NumPy, what these flags say stays as it was.
    #[setter]
    fn set_writeable(&self, writable: &Bound<'_, PyAny>) -> PyResult<()> {
        let writable = parameter("flags", "writeable").flag(writable)?;
        self.of.get().set_writable(writable)
    }

    fn __setitem__(&self, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match &*name.to_string_lossy() {
            "WRITEABLE" | "W" => self.set_writeable(value),
            other => Err(PyKeyError::new_err(format!(
                "{other}: no flag that can be set; hint: \"WRITEABLE\" can"
            ))),
        }
    }

    fn __repr__(&self) -> String {
        let say = |value: bool| if value { "True" } else { "False" };
        format!(
            "  C_CONTIGUOUS : {}\n  F_CONTIGUOUS : {}\n  OWNDATA : {}\n  WRITEABLE : {}\n  ALIGNED : True\n  WRITEBACKIFCOPY : False\n",
            say(self.rows),
            say(self.columns),
            say(self.owns),
            say(self.writable),
        )
    }
}

#[pymethods]
impl State {
    /// How the elements lie in memory, as NumPy says it.
    #[getter]
    fn flags(slf: &Bound<'_, State>) -> Flags {
        Flags::of(slf)
    }

    /// None where nobody else has the memory; else a State over the same memory, since whoever made the first is not kept.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, State>>> {
        let t = &self.tensor;
        t.is_shared().then(|| self.view(py, |_| Ok(()))).transpose()
    }
}
