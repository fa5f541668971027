//! The stock: kernels of named formulas over usual shapes, which a wheel brings along as machine code so that their first call waits
//! for no JIT. They are the kernels that such a call asks for, with the same texts.

mod list;

use super::super::{plain, variance};
use super::kernel::Kernel;
use super::phased::PLANNED;
use super::prepared;
use crate::driver::reason::CudaVersion;
use crate::jit::{Kernel as _, Stocked};
use crate::plan::Limits;
use crate::ptx::name::short;
use list::{Entry, LIST, Space};
use std::collections::HashSet;
use syntonic_core::fuse::{Program, Role, Slot, Task, Typed, Yield, lower};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{DType, Scalar};

/// Rows of a task: more than any card has multiprocessors, as a schedule for many rows wants. How many more changes no kernel.
const MANY: usize = 8192;

/// The stock for cards of `capability`.
///
/// # Errors
/// What is listed and is none of `programs`, or has no kernel.
pub(crate) fn stock(programs: &[&Program], capability: (u32, u32)) -> Result<Vec<Stocked>, String> {
    let mut known = HashSet::new();
    let mut stock = Vec::new();
    for Entry {
        formulas,
        dtypes,
        spaces,
    } in LIST
    {
        for &formula in *formulas {
            let mut named = programs.iter().filter(|p| p.name == formula).peekable();
            if named.peek().is_none() {
                return Err(format!("no formula is called {formula}"));
            }
            for (&program, &dtype, &space) in product(named, dtypes, spaces) {
                let missing = || format!("{formula} in {dtype} over {space:?} has no kernel");
                let kernels = kernels(program, dtype, space, &limits(capability));
                for kernel in kernels.ok_or_else(missing)? {
                    if known.insert(kernel.name()) {
                        let (key, text) = kernel.filed(capability).ok_or_else(missing)?;
                        let kind = format!("{formula}_{}", short(dtype));
                        stock.push(Stocked { kind, key, text });
                    }
                }
            }
        }
    }
    Ok(stock)
}

/// All triples.
fn product<'a, P: Copy>(
    programs: impl Iterator<Item = P>,
    dtypes: &'a [DType],
    spaces: &'a [Space],
) -> impl Iterator<Item = (P, &'a DType, &'a Space)> {
    programs.flat_map(move |program| {
        let each = move |dtype| spaces.iter().map(move |space| (program, dtype, space));
        dtypes.iter().flat_map(each)
    })
}

/// The kernels that a call asks for on a card with these limits; nothing where it asks for one that cannot be made, or for none.
fn kernels(program: &Program, dtype: DType, space: Space, limits: &Limits) -> Option<Vec<Kernel>> {
    let roles = program.inputs.iter().map(|input| input.role);
    let inputs: Vec<Role> = roles.filter(|role| *role != Role::Number).collect();
    let numbers = vec![Scalar::Float(1.0); program.inputs.len() - inputs.len()];
    let typed = lower(program, &vec![dtype; inputs.len()]).ok()?;
    let task = task(&typed, &inputs, &numbers, space);
    if plain::plain_fold(&typed).is_some() || variance::of(&task).is_some() {
        return None;
    }
    prepared::kernels(&task, limits)
}

/// A call over a space, whose operands lie where no memory is.
fn task<'a>(program: &'a Typed, inputs: &[Role], numbers: &'a [Scalar], space: Space) -> Task<'a> {
    // The length of a row, and the steps from a row to the next and within one.
    let (length, next, step) = match space {
        Space::Rows(length) => (length, length, 1),
        Space::Columns(length) => (length, 1, MANY),
    };
    let one = |step: usize| -> Strides { [step as isize].into_iter().collect() };
    let slot = |(outer, row): (usize, usize)| Slot {
        address: std::ptr::without_provenance_mut(PLANNED as usize),
        outer: one(outer),
        row: one(row),
    };
    let inputs = inputs.iter().map(|role| match role {
        Role::Element => (next, step),
        Role::Row => (0, 1),
        Role::RowScalar | Role::Number => (1, 0),
    });
    let outputs = program.outputs.iter().map(|output| match output.role {
        Yield::Element => (next, step),
        Yield::RowSum => (0, 1),
        Yield::RowScalar => (1, 0),
    });
    let dims = |length: usize| -> Dims { [length].into_iter().collect() };
    Task {
        program,
        outer: dims(MANY),
        row: dims(length),
        inputs: inputs.map(slot).collect(),
        outputs: outputs.map(slot).collect(),
        params: numbers,
    }
}

/// A usual card of `capability`. Of many rows a kernel depends on what all such cards have alike.
fn limits(capability: (u32, u32)) -> Limits {
    Limits {
        capability,
        multiprocessors: 132,
        shared: 96 << 10,
        cache: 32 << 20,
        driver: CudaVersion::from_driver(13_000),
    }
}

#[cfg(all(test, feature = "images"))]
mod tests {
    use super::*;
    use syntonic_core::ops::softmax::{LOG_SOFTMAX, SOFTMAX};
    use syntonic_core::ops::{reduce, row_operators};

    fn programs() -> Vec<&'static Program> {
        let operators = row_operators::ALL.iter();
        let operators = operators.flat_map(|o| [Some(&*o.program), o.gradient.as_ref().ok()]);
        let others = [&*SOFTMAX, &*LOG_SOFTMAX].into_iter();
        others
            .chain(operators.flatten())
            .chain(reduce::formulas(DType::F32))
            .collect()
    }

    #[test]
    fn kernels_for_many_rows_are_the_same_on_small_and_on_large_cards() {
        let (programs, mut count) = (programs(), 0);
        for entry in LIST {
            let named = programs
                .iter()
                .filter(|p| entry.formulas.contains(&&*p.name));
            for (&program, &dtype, &space) in product(named, entry.dtypes, entry.spaces) {
                for capability in [(7, 5), (8, 0), (9, 0), (12, 0)] {
                    let [small, usual, large] = [40, 132, 188].map(|multiprocessors| {
                        let limits = Limits {
                            multiprocessors,
                            ..limits(capability)
                        };
                        let kernels = kernels(program, dtype, space, &limits);
                        let kernels = kernels.expect("it is listed");
                        kernels.iter().map(Kernel::name).collect::<Vec<_>>()
                    });
                    let about = format!("{} {dtype} {space:?} {capability:?}", program.name);
                    assert_eq!((&small, &large), (&usual, &usual), "{about}");
                    count += usual.len();
                }
            }
        }
        assert!(count > 400, "{count}");
    }

    #[test]
    fn what_is_listed_has_to_be_there() {
        let error = stock(&programs(), (9, 0)).expect_err("layers are missing");
        assert!(error.contains("LAYER_NORM"), "{error}");
    }

    #[test]
    fn a_stocked_text_is_what_the_driver_would_get() {
        let space = Space::Rows(1024);
        for (capability, waits) in [((8, 0), false), ((9, 0), true)] {
            let kernels = kernels(&SOFTMAX, DType::F32, space, &limits(capability)).unwrap();
            let [kernel] = &kernels[..] else {
                panic!("{kernels:?}");
            };
            let (key, text) = kernel.filed(capability).unwrap();
            assert!(key.starts_with(&kernel.name()), "{key}");
            assert!(text.contains(&format!(".entry {}(", kernel.name())));
            assert_eq!(text.contains("griddepcontrol.wait"), waits);
            assert_eq!(kernel.filed(capability).unwrap(), (key, text));
        }
    }
}
