//! Expressions that are computed where they go: what the memory holds then is what it holds where they are computed first and copied.

use std::ops::Range;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, Tensor};

const PRIMS: [Prim; 5] = [Prim::Add, Prim::Sub, Prim::Mul, Prim::Max, Prim::Min];

/// Numbers of a seed: SplitMix64 (Steele, Lea and Flood, 2014).
struct Draws(u64);

impl Draws {
    fn random_range(&mut self, range: Range<usize>) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        range.start + ((z ^ (z >> 31)) % range.len() as u64) as usize
    }
}

/// Two tensors of two axes, and how much of each axis a view leaves out.
struct Stage {
    tensors: [Tensor; 2],
    inner: [usize; 2],
}

/// A view of one of the tensors.
#[derive(Clone, Copy, Debug)]
struct View {
    tensor: usize,
    first: [usize; 2],
    flipped: bool,
}

impl Stage {
    fn new(seed: u64, lengths: [usize; 2]) -> Stage {
        let mut rng = Draws(seed);
        let mut make = || {
            let values = (0..lengths[0] * lengths[1]).map(|_| rng.random_range(0..9) as f64 - 4.0);
            Tensor::from_vec(values.collect::<Vec<f64>>(), &lengths).unwrap()
        };
        Stage {
            tensors: [make(), make()],
            inner: lengths.map(|n| n - 2),
        }
    }

    fn view(&self, view: View) -> Tensor {
        let mut t = self.tensors[view.tensor].clone();
        for axis in 0..2 {
            let first = view.first[axis];
            let last = first + self.inner[axis];
            t = t
                .slice(axis as isize, Some(first as isize), Some(last as isize), 1)
                .unwrap();
        }
        match view.flipped {
            true => t.flip(&[1]).unwrap(),
            false => t,
        }
    }

    fn numbers(&self) -> Vec<f64> {
        self.tensors
            .iter()
            .flat_map(|t| t.to_vec::<f64>().unwrap())
            .collect()
    }
}

fn draw(rng: &mut Draws) -> View {
    View {
        tensor: rng.random_range(0..2),
        first: [rng.random_range(0..3), rng.random_range(0..3)],
        flipped: rng.random_range(0..6) == 0,
    }
}

/// `((a ∘ b) ∘ c) / 2` of views, pending.
fn expression(stage: &Stage, views: &[View], prims: &[Prim]) -> Tensor {
    let mut made = stage.view(views[0]);
    for (view, prim) in views[1..].iter().zip(prims) {
        made = apply(
            *prim,
            &[Arg::Tensor(&made), Arg::Tensor(&stage.view(*view))],
        )
        .unwrap();
    }
    apply(Prim::Mul, &[Arg::Tensor(&made), Arg::from(0.5)]).unwrap()
}

/// How an expression is written.
#[derive(Clone, Copy, Debug)]
enum How {
    /// By who alone has it.
    Alone,
    /// By who has it twice, and reads it afterwards.
    Held,
    /// While another expression waits that reads the same.
    Awaited,
}

#[test]
fn what_is_computed_in_place_is_what_is_copied() {
    for seed in 0..300 {
        let mut rng = Draws(seed);
        let lengths = [rng.random_range(90..130), rng.random_range(100..160)];
        // The second one is computed first, always.
        let (placed, copied) = (Stage::new(seed, lengths), Stage::new(seed, lengths));
        for step in 0..6 {
            let count = rng.random_range(1..5);
            let views: Vec<View> = (0..count).map(|_| draw(&mut rng)).collect();
            let prims: Vec<Prim> = (1..count)
                .map(|_| PRIMS[rng.random_range(0..PRIMS.len())])
                .collect();
            // Often one of the operands.
            let to = match rng.random_range(0..2) {
                0 => views[0],
                _ => draw(&mut rng),
            };
            let how = [How::Alone, How::Held, How::Awaited][rng.random_range(0..3)];
            let first = expression(&copied, &views, &prims).copy().unwrap();
            let (target, values) = (placed.view(to), expression(&placed, &views, &prims));
            let waiting = match how {
                How::Awaited => Some(apply(Prim::Neg, &[(&values).into()]).unwrap()),
                _ => None,
            };
            let other = placed.view(views[0]);
            let reader = apply(Prim::Add, &[Arg::Tensor(&other), Arg::from(1.0)]).unwrap();
            let before = apply(
                Prim::Add,
                &[Arg::Tensor(&copied.view(views[0])), Arg::from(1.0)],
            );
            let before = before.unwrap().to_vec::<f64>().unwrap();
            // SAFETY: no other thread has the memory.
            unsafe {
                match how {
                    How::Alone => target.assign_last(&values, 1).unwrap(),
                    How::Held | How::Awaited => target.assign_last(&values, 2).unwrap(),
                }
                copied.view(to).assign_aliased(&first).unwrap();
            }
            let what = format!("seed {seed}, step {step}: {how:?} {views:?} {prims:?} to {to:?}");
            assert_eq!(placed.numbers(), copied.numbers(), "{what}");
            // Whoever read the memory before has what was there.
            assert_eq!(reader.to_vec::<f64>().unwrap(), before, "{what}");
            if let Some(waiting) = waiting {
                let negated = waiting.to_vec::<f64>().unwrap();
                let want: Vec<f64> = first.to_vec::<f64>().unwrap().iter().map(|x| -x).collect();
                assert_eq!(negated, want, "{what}");
            }
            if matches!(how, How::Held) {
                assert_eq!(
                    values.to_vec::<f64>().unwrap(),
                    first.to_vec::<f64>().unwrap(),
                    "{what}"
                );
            }
        }
    }
}

/// A refused assignment leaves its operands, and the expression waits as before.
#[test]
fn what_is_refused_changes_nothing() {
    let x = Tensor::ones(&[100, 100], DType::F64).unwrap();
    let twice = &x * 2.0;
    let row = x.slice(0, Some(0), Some(1), 1).unwrap();
    // SAFETY: no other thread has the memory.
    assert!(unsafe { row.assign_last(&twice, 1) }.is_err());
    let spread = row.broadcast_to(&[100, 100]).unwrap();
    // SAFETY: as above.
    assert!(unsafe { spread.assign_last(&twice, 1) }.is_err());
    assert_eq!(twice.sum(..).unwrap().to_scalar::<f64>().unwrap(), 20_000.0);
    assert_eq!(x.sum(..).unwrap().to_scalar::<f64>().unwrap(), 10_000.0);
}

/// A power of one is its operand: nothing is copied from a place to itself.
#[test]
fn an_operand_that_is_the_result_stays() {
    let x = Tensor::from_vec(
        (0..20_000).map(f64::from).collect::<Vec<f64>>(),
        &[100, 200],
    )
    .unwrap();
    let inside = x.slice(1, Some(1), None, 1).unwrap();
    let same = apply(Prim::Pow, &[Arg::Tensor(&inside), Arg::from(1.0)]).unwrap();
    // SAFETY: no other thread has the memory.
    unsafe { inside.assign_last(&same, 1).unwrap() };
    let sum = x.sum(..).unwrap().to_scalar::<f64>().unwrap();
    assert_eq!(sum, 199_990_000.0);
}
