//! The end of a product: what happens to each of its elements before it is written.

use super::Arg;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::{Indices, Op, Program, Typed, TypedNode, Yield, known, lower, lower_to};
use crate::ops::linalg::KnownEnd;
use std::cell::RefCell;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// An element-wise program that a kernel runs over its results while they are at hand.
///
/// The program's first input is the result in the type that it is summed in; the others are `operands`, in order. It has one
/// output, whose type is that of the memory that is written.
#[derive(Clone, Debug)]
pub struct End {
    /// The program.
    pub program: Arc<EndProgram>,
    /// Its inputs after the first, broadcast to the shape of the output.
    pub operands: Vec<Arg>,
}

/// The program of an end, with what was found out about it.
#[derive(Debug)]
pub struct EndProgram {
    typed: Typed,
    /// Its common form, without the spread of its operands.
    pub(crate) form: OnceLock<Option<KnownEnd>>,
}

impl Deref for EndProgram {
    type Target = Typed;

    fn deref(&self) -> &Typed {
        &self.typed
    }
}

/// How many ends a thread remembers: a layer of a small network takes less time than to lower its end.
const MOST: usize = 32;

/// An end that was asked for not long ago.
struct Recent {
    program: Program,
    output: DType,
    made: Arc<EndProgram>,
}

thread_local! {
    static RECENT: RefCell<Vec<Recent>> = const { RefCell::new(Vec::new()) };
}

/// [`typed`], remembered.
fn recalled(program: &Program, dtypes: &[DType], output: DType) -> Result<Arc<EndProgram>> {
    let same = |r: &&Recent| {
        r.output == output && r.made.inputs == dtypes && known::alike(&r.program, program)
    };
    let found = RECENT.with_borrow(|recent| recent.iter().find(same).map(|r| r.made.clone()));
    if let Some(made) = found {
        return Ok(made);
    }
    let made = Arc::new(EndProgram {
        typed: typed(program, dtypes, output)?,
        form: OnceLock::new(),
    });
    RECENT.with_borrow_mut(|recent| {
        if recent.len() >= MOST {
            recent.remove(0);
        }
        recent.push(Recent {
            program: program.clone(),
            output,
            made: made.clone(),
        });
    });
    Ok(made)
}

impl End {
    /// `program` over a product of type `product` and these operands; its result is converted to `output` last.
    ///
    /// Errors where the program folds or has not exactly one output, and as [`lower`].
    #[doc(hidden)]
    pub fn new(
        program: &Program,
        product: DType,
        operands: Vec<Arg>,
        output: DType,
    ) -> Result<End> {
        // few: as many as the formula has operands.
        let mut dtypes = vec![product.compute()];
        dtypes.extend(operands.iter().map(|arg| arg.dtype));
        let program = recalled(program, &dtypes, output)?;
        Ok(End { program, operands })
    }

    /// A program of elements with any number of results, of these types, over operands of which some have no memory. `dtypes` are the
    /// types of all inputs, of which the last are `operands`.
    pub(crate) fn of_elements(
        program: &Program,
        dtypes: &[DType],
        indices: Indices,
        operands: Vec<Arg>,
        outputs: &[DType],
    ) -> Result<End> {
        let program = Arc::new(EndProgram {
            typed: lower_to(program, dtypes, outputs, indices)?,
            form: OnceLock::new(),
        });
        Ok(End { program, operands })
    }

    /// True where the result is the first input as it is: nothing has to be done where it is there already.
    pub fn is_nothing(&self) -> bool {
        is_nothing(&self.program)
    }
}

/// As [`End::is_nothing`].
pub(crate) fn is_nothing(program: &Typed) -> bool {
    let result = program.outputs.first().map(|o| o.node as usize);
    result.is_some_and(|k| program.nodes[k].op == Op::Input(0))
}

/// The program over these types, its one result converted to `output`.
pub(crate) fn typed(program: &Program, dtypes: &[DType], output: DType) -> Result<Typed> {
    let mut typed = lower(program, dtypes)?;
    let folds = typed.nodes.iter().any(|n| matches!(n.op, Op::Fold(..)));
    if folds || typed.outputs.len() != 1 || typed.outputs[0].role != Yield::Element {
        let what = format!(
            "the end of a product has one result per element, and {} has not; hint: run it on the product",
            typed.name
        );
        return Err(Error::value("matmul", what));
    }
    let last = &mut typed.outputs[0];
    if last.dtype != output {
        let level = typed.nodes[last.node as usize].level;
        typed.nodes.push(TypedNode {
            op: Op::Cast(last.node),
            dtype: output,
            level,
        });
        (last.node, last.dtype) = (typed.nodes.len() as u32 - 1, output);
    }
    Ok(typed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::{Builder, Fold, Precision, Prim, Role};

    #[test]
    fn a_result_is_converted_last() {
        let mut b = Builder::new();
        let x = b.input("x", Role::Element);
        let y = b.apply(Prim::Neg, &[x]);
        b.output(y, Yield::Element);
        let program = b.finish("negated", Precision::Wide);
        for output in [DType::F16, DType::F32, DType::F64] {
            let end = End::new(&program, DType::F16, Vec::new(), output).unwrap();
            assert_eq!(end.program.inputs, [DType::F32]);
            assert_eq!(end.program.outputs[0].dtype, output);
            let extra = usize::from(output != DType::F32);
            assert_eq!(end.program.nodes.len(), 2 + extra, "{output}");
        }
    }

    #[test]
    fn rows_are_no_end() {
        let mut b = Builder::new();
        let x = b.input("x", Role::Element);
        let y = b.fold(Fold::Sum, x);
        b.output(y, Yield::RowScalar);
        let program = b.finish("sums", Precision::Wide);
        let error = End::new(&program, DType::F32, Vec::new(), DType::F32).unwrap_err();
        assert!(error.to_string().contains("sums"), "{error}");
    }
}
