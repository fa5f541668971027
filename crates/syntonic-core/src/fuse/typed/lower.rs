//! From a program and the types of its operands to a typed program.

use super::{
    DType, Error, HashMap, Indices, Lowering, Program, Result, Role, Typed, indices, refuse_stored,
};

/// Lowers `program` for tensor inputs of these types.
///
/// Errors as [`Program::check`], where a primitive or fold is not defined for the types that reach it, where an integer meets a type that cannot
/// hold it, where the number of types is not that of the tensor inputs, and where an output varies over more than it declares.
///
/// ```
/// use syntonic_core::fuse::lower;
/// use syntonic_core::prelude::*;
///
/// syntonic_core::fuse! { HALF(x: element) -> (element) { x / 2.0 } }
/// assert_eq!(lower(&HALF, &[DType::I32])?.outputs[0].dtype, DType::F64);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn lower(program: &Program, dtypes: &[DType]) -> Result<Typed> {
    lowered(program, dtypes, None, Indices::default())
}

/// [`lower`] for operands of which some are [indices](Indices).
///
/// Errors: as of [`lower`], and [`Error::Value`] where an index is no `int64`.
///
/// ```
/// use syntonic_core::fuse::{Indices, Op, lower_with};
/// use syntonic_core::prelude::*;
///
/// syntonic_core::fuse! { MASKED(x: element, i: element) -> (element) { select(lt(i, 3), x, 0.0) } }
/// let typed = lower_with(&MASKED, &[DType::F32, DType::I64], Indices::of([1]))?;
/// assert!(typed.is_index(1) && !typed.is_index(0));
/// assert!(lower_with(&MASKED, &[DType::F32, DType::I32], Indices::of([1])).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn lower_with(program: &Program, dtypes: &[DType], indices: Indices) -> Result<Typed> {
    lowered(program, dtypes, None, indices)
}

/// [`lower`], with outputs of these types: each is converted once, from the type that it is computed in.
pub(crate) fn lower_to(
    program: &Program,
    dtypes: &[DType],
    outputs: &[DType],
    indices: Indices,
) -> Result<Typed> {
    if outputs.len() != program.outputs.len() {
        let what = format!(
            "{} has {} outputs, and {} types are asked for",
            program.name,
            program.outputs.len(),
            outputs.len()
        );
        return Err(Error::value("run", what));
    }
    lowered(program, dtypes, Some(outputs), indices)
}

fn lowered(
    program: &Program,
    dtypes: &[DType],
    asked: Option<&[DType]>,
    without_memory: Indices,
) -> Result<Typed> {
    program.check()?;
    indices::check(program, dtypes, without_memory)?;
    check_call(program, dtypes.len())?;
    let mut lowering = Lowering {
        program,
        without_memory,
        nodes: Vec::new(),
        seen: HashMap::new(),
        inputs: Vec::new(),
        values: Vec::new(),
    };
    for given in [dtypes, asked.unwrap_or_default()] {
        if given.iter().any(|d| d.is_stored()) {
            return Err(refuse_stored(program, given));
        }
    }
    lowering.inputs(dtypes);
    for node in &program.nodes {
        let value = lowering.node(node)?;
        lowering.values.push(value);
    }
    let outputs = lowering.outputs(dtypes, asked)?;
    let mut typed = Typed {
        name: program.name.to_string(),
        nodes: lowering.nodes,
        outputs,
        inputs: dtypes.to_vec(),
    };
    typed.drop_dead_nodes();
    Ok(typed)
}

/// A call gives one tensor for each input that is not a number, and asks for at least one result.
fn check_call(program: &Program, given: usize) -> Result<()> {
    let wanted = program
        .inputs
        .iter()
        .filter(|i| i.role != Role::Number)
        .count();
    if given != wanted {
        let what = format!("{} takes {wanted} tensors, got {given}", program.name);
        return Err(Error::value("run", what));
    }
    if program.outputs.is_empty() {
        return Err(Error::value(
            "run",
            format!("{} has no output", program.name),
        ));
    }
    Ok(())
}
