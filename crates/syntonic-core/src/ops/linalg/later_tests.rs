//! Products that are computed when they are read: with the expression over them, and with the same bits.

use super::tests::{Lies, operand};
use super::*;
use crate::fuse::Prim;
use crate::lazy::{Rounding, explain, set_rounding};
use crate::ops::composites::{RELU, SILU};
use crate::ops::elementwise::{Arg, apply, composite};
use crate::ops::reduce::{Over, sum};
use crate::random::Generator;
use crate::{DType, Tensor};

/// More elements than are computed at once.
const SIDE: usize = 100;

fn square(dtype: DType, g: &mut Generator) -> Tensor {
    operand(dtype, &[SIDE, SIDE], Lies::RowMajor, g)
}

fn bits(x: &Tensor) -> Vec<u8> {
    let x = x.copy().unwrap().eval().unwrap();
    let n = x.numel() * x.dtype().size();
    let from = x.buffer().unwrap().address();
    // SAFETY: a fresh copy is contiguous, and its memory is the host's.
    unsafe { std::slice::from_raw_parts(from, n) }.to_vec()
}

fn add(a: &Tensor, b: &Tensor) -> Tensor {
    apply(Prim::Add, &[a.into(), b.into()]).unwrap()
}

fn relu(x: &Tensor) -> Tensor {
    composite("relu", RELU.build, &[x.into()]).unwrap()
}

#[test]
fn a_chain_over_a_product_is_its_end() {
    let mut g = Generator::new(1);
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32] {
        let (x, w) = (square(dtype, &mut g), square(dtype, &mut g));
        let bias = operand(dtype, &[SIDE], Lies::Strided, &mut g);
        let fused = relu(&add(&bias, &matmul(&x, &w).unwrap()));
        let text = explain(&fused).unwrap();
        assert!(
            text.contains("one product") && text.contains("over its sums"),
            "{text}"
        );
        let product = matmul(&x, &w).unwrap();
        assert!(product.is_pending());
        let text = explain(&product).unwrap();
        assert!(text.starts_with("one product"), "{text}");
        let apart = relu(&add(&bias, &product.eval().unwrap()));
        assert!(!explain(&apart).unwrap().contains("one product"));
        assert!(bits(&fused) == bits(&apart), "{dtype}");
    }
}

#[test]
fn conjugates_join_the_product() {
    let mut g = Generator::new(2);
    let (x, w) = (square(DType::C64, &mut g), square(DType::C64, &mut g));
    let adjoint = matrix_transpose(&apply(Prim::Conj, &[(&x).into()]).unwrap()).unwrap();
    let fused = add(&matmul(&adjoint, &w).unwrap(), &x);
    let text = explain(&fused).unwrap();
    assert!(text.contains("conj"), "{text}");
    let apart = add(&matmul(&adjoint, &w).unwrap().eval().unwrap(), &x);
    assert!(bits(&fused) == bits(&apart));
    assert!(adjoint.is_pending());
}

#[test]
fn what_others_may_read_is_computed_once_and_first() {
    let mut g = Generator::new(3);
    let (x, w) = (square(DType::F32, &mut g), square(DType::F32, &mut g));
    let product = matmul(&x, &w).unwrap();
    let y = relu(&product);
    y.eval().unwrap();
    assert!(!product.is_pending(), "a named product");

    let sum = add(&matmul(&x, &w).unwrap(), &x);
    let y = relu(&sum);
    let text = explain(&y).unwrap();
    assert!(
        !text.contains("one product"),
        "a named step between: {text}"
    );
    assert!(sum.is_pending());
    assert!(bits(&y) == bits(&relu(&sum.eval().unwrap())));

    let (one, two) = (matmul(&x, &w).unwrap(), matmul(&w, &x).unwrap());
    let both = add(&one, &two);
    drop((one, two));
    let text = explain(&both).unwrap();
    assert_eq!(text.matches("one product").count(), 1, "{text}");
    let want = add(
        &matmul(&x, &w).unwrap().eval().unwrap(),
        &matmul(&w, &x).unwrap(),
    );
    assert!(bits(&both) == bits(&want));

    let twice = {
        let p = matmul(&x, &w).unwrap();
        apply(Prim::Mul, &[(&p).into(), (&add(&p, &x)).into()]).unwrap()
    };
    assert!(explain(&twice).unwrap().contains("one product"));
    let p = matmul(&x, &w).unwrap().eval().unwrap();
    let want = apply(Prim::Mul, &[(&p).into(), (&add(&p, &x)).into()]).unwrap();
    assert!(bits(&twice) == bits(&want));
}

#[test]
fn other_readers_get_the_product_as_it_is() {
    let mut g = Generator::new(4);
    let (x, w) = (square(DType::F32, &mut g), square(DType::F32, &mut g));
    let want = matmul(&x, &w).unwrap().eval().unwrap();
    let view = matmul(&x, &w)
        .unwrap()
        .slice(0, Some(3), Some(9), 2)
        .unwrap();
    assert!(bits(&view) == bits(&want.slice(0, Some(3), Some(9), 2).unwrap()));
    let turned = matrix_transpose(&matmul(&x, &w).unwrap()).unwrap();
    assert!(bits(&add(&turned, &x)) == bits(&add(&matrix_transpose(&want).unwrap(), &x)));
    let total = sum(&matmul(&x, &w).unwrap(), &Over::all(), None).unwrap();
    assert_eq!(
        total.item().unwrap(),
        sum(&want, &Over::all(), None).unwrap().item().unwrap()
    );
    let row = matmul(&x, &w).unwrap().select(0, 0).unwrap();
    assert!(bits(&add(&row, &want)) == bits(&add(&want.select(0, 0).unwrap(), &want)));
}

#[test]
fn operands_are_held_as_they_were() {
    let mut g = Generator::new(5);
    let (x, w) = (square(DType::F32, &mut g), square(DType::F32, &mut g));
    let want = bits(&relu(&matmul(&x, &w).unwrap().eval().unwrap()));
    let held = relu(&matmul(&x, &w).unwrap());
    let zero = Tensor::scalar(0.0, DType::F32).unwrap();
    // SAFETY: no other thread knows this memory.
    unsafe { x.assign_aliased(&zero).unwrap() };
    assert!(bits(&held) == want);
    let mut own = operand(DType::F32, &[SIDE, SIDE], Lies::RowMajor, &mut g);
    let want = bits(&relu(&matmul(&own, &w).unwrap().eval().unwrap()));
    let held = relu(&matmul(&own, &w).unwrap());
    own.assign(&zero).unwrap();
    assert!(bits(&held) == want);
}

#[test]
fn long_chains_of_products_stay_short() {
    let small = Tensor::full(&[SIDE, SIDE], 0.01, DType::F64).unwrap();
    let mut x = Tensor::ones(&[SIDE, SIDE], DType::F64).unwrap();
    for _ in 0..2000 {
        x = matmul(&x, &small).unwrap();
        x = apply(Prim::Conj, &[(&x).into()]).unwrap();
    }
    assert!((x.to_vec::<f64>().unwrap()[0] - 1.0).abs() < 1e-9);
    let mut z = Tensor::ones(&[SIDE, SIDE], DType::C64).unwrap();
    let small = small.cast(DType::C64).unwrap().eval().unwrap();
    for _ in 0..2000 {
        z = apply(Prim::Conj, &[(&matmul(&z, &small).unwrap()).into()]).unwrap();
    }
    assert!(z.eval().is_ok());
}

#[test]
fn shapes_that_no_memory_holds_are_errors() {
    let wide = Tensor::zeros(&[1], DType::F32)
        .unwrap()
        .broadcast_to(&[1 << 40, 1])
        .unwrap();
    let tall = matrix_transpose(&wide).unwrap();
    assert!(matches!(
        matmul(&wide, &tall),
        Err(crate::Error::SizeOverflow { .. })
    ));
    let none = Tensor::zeros(&[0, 1], DType::F32).unwrap();
    assert_eq!(matmul(&none, &tall).unwrap().shape(), [0, 1 << 40]);
}

/// One step of a random expression over two tensors.
fn step(which: u32, a: &Tensor, b: &Tensor) -> Tensor {
    let small = |x: &Tensor| apply(Prim::Mul, &[x.into(), Arg::from(0.125)]).unwrap();
    match which {
        0 | 1 => matmul(&small(a).eval().unwrap(), b).unwrap(),
        2 => matmul_times(0.5, a, &matrix_transpose(b).unwrap()).unwrap(),
        3 => apply(Prim::Mul, &[a.into(), b.into()]).unwrap(),
        4 => apply(Prim::Sub, &[a.into(), b.into()]).unwrap(),
        5 if !a.dtype().is_complex() => relu(a),
        6 if !a.dtype().is_complex() => composite("silu", SILU.build, &[a.into()]).unwrap(),
        7 => apply(Prim::Conj, &[a.into()]).unwrap(),
        _ => add(a, b),
    }
}

#[test]
fn random_expressions_have_the_bits_of_their_steps() {
    // One by one each step is rounded.
    let before = set_rounding(Rounding::Each);
    let types = [DType::F16, DType::BF16, DType::F32, DType::F64, DType::C64];
    for seed in 0..60 {
        let mut g = Generator::new(100 + seed);
        let dtype = types[seed as usize % types.len()];
        let leaves = [square(dtype, &mut g), square(dtype, &mut g)];
        let mut words = [0u32; 24];
        g.bits_u32(&mut words);
        // The same steps, once as they come and once each computed before the next.
        let build = |each: fn(Tensor) -> Tensor| {
            let mut pool = leaves.to_vec();
            for w in words.chunks(3) {
                let at = |k: u32| pool.len() - 1 - (k as usize % pool.len().min(3));
                let made = each(step(w[0] % 9, &pool[at(w[1])], &pool[at(w[2])]));
                // What is forgotten can be fused.
                if pool.len() > 3 || w[0] & 64 == 0 {
                    pool.remove(pool.len() - 1 - (w[0] as usize >> 8) % pool.len());
                }
                pool.push(made);
            }
            pool.pop().unwrap()
        };
        let later = build(|t| t);
        let at_once = build(|t| t.eval().unwrap());
        assert!(
            bits(&later) == bits(&at_once),
            "{dtype} {seed}: {}",
            explain(&later).unwrap()
        );
    }
    set_rounding(before);
}
