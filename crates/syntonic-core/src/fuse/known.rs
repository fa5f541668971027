//! Programs that were lowered not long ago. For a few elements, lowering takes longer than the run.

use super::{Indices, Node, Program, Typed, lower_with};
use crate::dtype::DType;
use crate::error::Result;
use crate::scalar::Scalar;
use std::cell::RefCell;
use std::rc::Rc;

/// How many programs a thread remembers; each is a few hundred bytes.
const MOST: usize = 64;

/// What a program was asked for by: the place where it, or the function that builds it, lies.
type Place = usize;

struct Known {
    place: Place,
    /// The program itself, where another one may come to lie in its place.
    program: Option<Program>,
    indices: Indices,
    typed: Rc<Typed>,
}

thread_local! {
    static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

/// [`lower`], remembered for programs that stay where they are.
pub(crate) fn lowered(program: &Program, dtypes: &[DType], indices: Indices) -> Result<Rc<Typed>> {
    let place = std::ptr::from_ref(program).addr();
    let same = |k: &Known| k.program.as_ref().is_some_and(|p| alike(p, program));
    recall(place, (dtypes, indices), same, || {
        Ok((Some(program.clone()), lower_with(program, dtypes, indices)?))
    })
}

/// [`lower`], remembered for programs that are written anew at every call.
pub(crate) fn relowered(
    program: &Program,
    dtypes: &[DType],
    indices: Indices,
) -> Result<Rc<Typed>> {
    const ANYWHERE: Place = 0;
    let same = |k: &Known| k.program.as_ref().is_some_and(|p| alike(p, program));
    recall(ANYWHERE, (dtypes, indices), same, || {
        Ok((Some(program.clone()), lower_with(program, dtypes, indices)?))
    })
}

/// Whether two programs are the same, and compute the same: equal numbers of other bits, such as 0 and -0, do not.
pub(crate) fn alike(one: &Program, other: &Program) -> bool {
    let bits = |node: &Node| match node {
        Node::Const(Scalar::Float(x)) => [x.to_bits(), 0],
        Node::Const(Scalar::Complex(z)) => [z.re.to_bits(), z.im.to_bits()],
        _ => [0; 2],
    };
    let mut pairs = one.nodes.iter().zip(&other.nodes);
    one == other && pairs.all(|(a, b)| bits(a) == bits(b))
}

/// What `make` lowers, remembered by the address of the function that builds it.
pub(crate) fn built(
    function: Place,
    dtypes: &[DType],
    make: impl FnOnce() -> Result<Typed>,
) -> Result<Rc<Typed>> {
    recall(
        function,
        (dtypes, Indices::default()),
        |k| k.program.is_none(),
        || Ok((None, make()?)),
    )
}

fn recall(
    place: Place,
    (dtypes, indices): (&[DType], Indices),
    same: impl Fn(&Known) -> bool,
    make: impl FnOnce() -> Result<(Option<Program>, Typed)>,
) -> Result<Rc<Typed>> {
    let fits = |k: &&Known| {
        let types = k.typed.inputs == dtypes && k.indices == indices;
        k.place == place && types && same(k)
    };
    let found = KNOWN.with_borrow(|known| known.iter().find(fits).map(|k| k.typed.clone()));
    if let Some(typed) = found {
        return Ok(typed);
    }
    let (program, typed) = make()?;
    let typed = Rc::new(typed);
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= MOST {
            known.remove(0);
        }
        known.push(Known {
            place,
            program,
            indices,
            typed: typed.clone(),
        });
    });
    Ok(typed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::{Builder, Precision, Prim, Role, Yield};

    fn program(prim: Prim) -> Program {
        let mut b = Builder::new();
        let x = b.input("x", Role::Element);
        let y = b.apply(prim, &[x]);
        b.output(y, Yield::Element);
        b.finish("known", Precision::Wide)
    }

    #[test]
    fn a_program_is_known_by_what_it_says_and_not_by_its_place_alone() {
        let mut here = program(Prim::Exp);
        for prim in [Prim::Exp, Prim::Log, Prim::Exp, Prim::Neg] {
            here.nodes = program(prim).nodes;
            for dtype in [DType::F64, DType::F32, DType::F64] {
                let typed = lowered(&here, &[dtype], Indices::default()).unwrap();
                assert_eq!(*typed, crate::fuse::lower(&here, &[dtype]).unwrap());
            }
        }
    }

    #[test]
    fn zeros_of_both_signs_are_two_programs() {
        let added = |zero: f64| {
            let mut b = Builder::new();
            let x = b.input("x", Role::Element);
            let zero = b.constant(Scalar::Float(zero));
            let y = b.apply(Prim::Add, &[x, zero]);
            b.output(y, Yield::Element);
            b.finish("added", Precision::Wide)
        };
        for zero in [0.0, -0.0, 0.0] {
            let typed = relowered(&added(zero), &[DType::F64], Indices::default()).unwrap();
            let kept = typed.nodes.iter().any(|n| match n.op {
                crate::fuse::Op::Const(Scalar::Float(x)) => x.to_bits() == zero.to_bits(),
                _ => false,
            });
            assert!(kept, "{zero}");
        }
    }

    #[test]
    fn many_programs_push_the_oldest_out() {
        let all: Vec<Program> = (0..3 * MOST).map(|_| program(Prim::Neg)).collect();
        for p in &all {
            assert_eq!(
                lowered(p, &[DType::I8], Indices::default())
                    .unwrap()
                    .outputs[0]
                    .dtype,
                DType::I8
            );
        }
        KNOWN.with_borrow(|known| assert_eq!(known.len(), MOST));
    }
}
