//! Formulas that Python writes: each operator of a symbol adds a line to the trace that all symbols of a formula share.

use crate::elementwise::Formula as Function;
use crate::errors::{Class, error};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyTuple};
use std::sync::{Arc, Mutex};
use syntonic_core::Scalar;
use syntonic_core::fork::lock;
use syntonic_core::fuse::{Builder, NodeId, Precision, Prim, Program, Role, Yield};

/// Lines of a formula at most: more are no formula of one stage.
const MOST: usize = 4096;

/// A line of a trace.
#[derive(Clone, Copy)]
enum Line {
    Operand(usize),
    Number(Scalar),
    Of(Function, [u32; 3]),
}

/// What is written down of a formula.
#[derive(Default)]
pub(super) struct Trace(Mutex<Vec<Line>>);

impl Trace {
    fn add(self: &Arc<Trace>, line: Line) -> PyResult<Symbol> {
        let mut lines = lock(&self.0);
        if lines.len() >= MOST {
            let what =
                format!("a formula has at most {MOST} operations; hint: make several stages of it");
            return Err(error(Class::Argument, what));
        }
        lines.push(line);
        Ok(Symbol {
            trace: self.clone(),
            at: lines.len() as u32 - 1,
        })
    }

    /// The symbols of so many operands.
    pub(super) fn operands(self: &Arc<Trace>, count: usize) -> PyResult<Vec<Symbol>> {
        (0..count).map(|k| self.add(Line::Operand(k))).collect()
    }

    /// The formula whose value is `result`, over operands of these names.
    pub(super) fn program(
        self: &Arc<Trace>,
        name: &str,
        reads: &[String],
        result: &Bound<'_, PyAny>,
    ) -> PyResult<Program> {
        let result = self.symbol(result, "a formula returns")?;
        let mut builder = Builder::new();
        let inputs: Vec<NodeId> = reads
            .iter()
            .map(|name| builder.input(name.clone(), Role::Element))
            .collect();
        let mut nodes: Vec<NodeId> = Vec::new();
        for line in lock(&self.0).iter() {
            let node = match *line {
                Line::Operand(k) => inputs[k],
                Line::Number(number) => builder.constant(number),
                Line::Of(function, of) => {
                    let own: Vec<NodeId> = of[..function.arity()]
                        .iter()
                        .map(|&k| nodes[k as usize])
                        .collect();
                    match function {
                        Function::Prim(prim) => builder.apply(prim, &own),
                        Function::Composite(composite) => (composite.build)(&mut builder, &own),
                    }
                }
            };
            nodes.push(node);
        }
        builder.output(nodes[result.at as usize], Yield::Element);
        Ok(builder.finish(name.to_owned(), Precision::Wide))
    }

    /// What stands for a value of this formula: a symbol of it, or a number.
    fn symbol(self: &Arc<Trace>, x: &Bound<'_, PyAny>, what: &str) -> PyResult<Symbol> {
        if let Ok(symbol) = x.cast::<Symbol>() {
            let symbol = symbol.get();
            if Arc::ptr_eq(&symbol.trace, self) {
                return Ok(symbol.clone());
            }
            let what = format!(
                "{what} a symbol of another formula; hint: name the stage that makes it as an operand"
            );
            return Err(error(Class::Argument, what));
        }
        // bool is an int of Python's.
        let number = if let Ok(x) = x.cast::<PyBool>() {
            Scalar::Bool(x.is_true())
        } else if let Ok(x) = x.cast::<PyInt>() {
            Scalar::Int(i128::from(x.extract::<i64>()?))
        } else if let Ok(x) = x.cast::<PyFloat>() {
            Scalar::Float(x.value())
        } else {
            let what = format!(
                "{what} {}, where a symbol or a number is wanted; hint: give arrays as operands of the stage",
                x.get_type()
            );
            return Err(error(Class::ArgumentType, what));
        };
        self.add(Line::Number(number))
    }
}

/// A value of a formula that is being written.
#[pyclass(frozen, name = "Symbol", module = "syntonic.pipeline")]
#[derive(Clone)]
pub(crate) struct Symbol {
    trace: Arc<Trace>,
    at: u32,
}

/// A function over operands of which one is a symbol at least; nothing where none is.
pub(crate) fn applied<'py>(
    py: Python<'py>,
    function: Function,
    operands: &[&Bound<'py, PyAny>],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let symbol = operands.iter().find_map(|x| x.cast::<Symbol>().ok());
    let Some(symbol) = symbol else {
        return Ok(None);
    };
    let made = symbol.get().of(function, operands)?;
    Ok(Some(Bound::new(py, made)?.into_any()))
}

impl Symbol {
    fn of(&self, function: Function, operands: &[&Bound<'_, PyAny>]) -> PyResult<Symbol> {
        let what = format!("{} takes", function.name());
        let mut own = [0; 3];
        for (to, x) in own.iter_mut().zip(operands) {
            *to = self.trace.symbol(x, &what)?.at;
        }
        self.trace.add(Line::Of(function, own))
    }

    fn both(
        slf: &Bound<'_, Symbol>,
        prim: Prim,
        other: &Bound<'_, PyAny>,
        turned: bool,
    ) -> PyResult<Symbol> {
        let own = slf.as_any();
        let operands = if turned { [other, own] } else { [own, other] };
        slf.get().of(Function::Prim(prim), &operands)
    }

    fn alone(slf: &Bound<'_, Symbol>, prim: Prim) -> PyResult<Symbol> {
        slf.get().of(Function::Prim(prim), &[slf.as_any()])
    }
}

#[pymethods]
impl Symbol {
    fn __add__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Add, other, false)
    }

    fn __radd__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Add, other, true)
    }

    fn __sub__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Sub, other, false)
    }

    fn __rsub__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Sub, other, true)
    }

    fn __mul__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Mul, other, false)
    }

    fn __rmul__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Mul, other, true)
    }

    fn __truediv__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Div, other, false)
    }

    fn __rtruediv__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Div, other, true)
    }

    fn __floordiv__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::FloorDiv, other, false)
    }

    fn __rfloordiv__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::FloorDiv, other, true)
    }

    fn __mod__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Rem, other, false)
    }

    fn __rmod__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Rem, other, true)
    }

    fn __and__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::And, other, false)
    }

    fn __rand__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::And, other, true)
    }

    fn __or__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Or, other, false)
    }

    fn __ror__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Or, other, true)
    }

    fn __xor__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Xor, other, false)
    }

    fn __rxor__(slf: &Bound<'_, Symbol>, other: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        Symbol::both(slf, Prim::Xor, other, true)
    }

    fn __pow__(
        slf: &Bound<'_, Symbol>,
        exponent: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Symbol> {
        without_modulo(modulo)?;
        Symbol::both(slf, Prim::Pow, exponent, false)
    }

    fn __rpow__(
        slf: &Bound<'_, Symbol>,
        base: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Symbol> {
        without_modulo(modulo)?;
        Symbol::both(slf, Prim::Pow, base, true)
    }

    fn __neg__(slf: &Bound<'_, Symbol>) -> PyResult<Symbol> {
        Symbol::alone(slf, Prim::Neg)
    }

    fn __abs__(slf: &Bound<'_, Symbol>) -> PyResult<Symbol> {
        Symbol::alone(slf, Prim::Abs)
    }

    fn __invert__(slf: &Bound<'_, Symbol>) -> PyResult<Symbol> {
        Symbol::alone(slf, Prim::Not)
    }

    fn __richcmp__(
        slf: &Bound<'_, Symbol>,
        other: &Bound<'_, PyAny>,
        how: CompareOp,
    ) -> PyResult<Symbol> {
        let prim = match how {
            CompareOp::Lt => Prim::Lt,
            CompareOp::Le => Prim::Le,
            CompareOp::Eq => Prim::Eq,
            CompareOp::Ne => Prim::Ne,
            CompareOp::Gt => Prim::Gt,
            CompareOp::Ge => Prim::Ge,
        };
        Symbol::both(slf, prim, other, false)
    }

    fn __bool__(&self) -> PyResult<bool> {
        let what = "a symbol of a formula has no truth value; hint: choose by syntonic.where";
        Err(error(Class::ArgumentType, what))
    }

    /// `self` where the condition holds, else `other`.
    #[pyo3(name = "_where")]
    fn choose(
        slf: &Bound<'_, Symbol>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<Symbol> {
        slf.get()
            .of(Function::Prim(Prim::Select), &[slf.as_any(), a, b])
    }

    fn __repr__(&self) -> String {
        format!("Symbol({})", self.at)
    }
}

fn without_modulo(modulo: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    match modulo {
        None => Ok(()),
        Some(_) => Err(error(
            Class::ArgumentType,
            "pow of a symbol takes no modulus",
        )),
    }
}

/// Calls a function of Python's with the symbols of a formula of its own.
pub(super) fn traced(
    name: &str,
    reads: &[String],
    formula: &Bound<'_, PyAny>,
) -> PyResult<Program> {
    let trace: Arc<Trace> = Arc::default();
    let symbols = trace.operands(reads.len())?;
    let result = formula.call1(PyTuple::new(formula.py(), symbols)?)?;
    trace.program(name, reads, &result)
}
