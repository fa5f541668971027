//! Short powers beside the slow definition, `f64::powf` rounded once: at all edges, and over numbers of every size.

use crate::fuse::{Builder, Op, Precision, Prim, Program, Role, Yield, lower};
use crate::grad;
use crate::ops::elementwise::apply;
use crate::prelude::*;
use half::{bf16, f16};

/// Every power with a short formula.
const SHORT: [f64; 14] = [
    1.0, 2.0, 3.0, 4.0, 0.5, 1.5, 2.5, -0.5, -1.0, -1.5, -2.0, -2.5, -3.0, -4.0,
];

/// A float by its bits.
trait Float: Element {
    const BITS: u32;
    /// Bits of the largest number.
    const LARGEST: u64;
    fn of(bits: u64) -> Self;
    /// The nearest to a number.
    fn near(x: f64) -> Self;
    fn bits(self) -> u64;

    fn wide(self) -> f64 {
        self.to_scalar().to_f64()
    }

    /// Numbers in order, both zeros apart by one.
    fn place(self) -> i128 {
        let size = i128::from(self.bits() & (u64::MAX >> (65 - Self::BITS)));
        match self.bits() >> (Self::BITS - 1) {
            0 => size,
            _ => -1 - size,
        }
    }
}

macro_rules! float {
    ($($t:ident $bits:literal $largest:literal $unsigned:ident $near:expr;)*) => {$(
        impl Float for $t {
            const BITS: u32 = $bits;
            const LARGEST: u64 = $largest;
            fn of(bits: u64) -> $t {
                $t::from_bits(bits as $unsigned)
            }
            fn near(x: f64) -> $t {
                $near(x)
            }
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
        }
    )*};
}
float! {
    f64 64 0x7fef_ffff_ffff_ffff u64 |x| x;
    f32 32 0x7f7f_ffff u32 |x: f64| x as f32;
    f16 16 0x7bff u16 f16::from_f64;
    bf16 16 0x7f7f u16 bf16::from_f64;
}

/// Edges, what lies beside them, where powers begin to overflow or to be subnormal, and numbers over all bits.
fn numbers<T: Float>() -> Vec<T> {
    let beside = |bits: u64| (0..5).map(move |k| (bits + k).saturating_sub(2));
    let normal = T::near(f64::MIN_POSITIVE.max(match T::BITS {
        64 => 0.0,
        32 => f64::from(f32::MIN_POSITIVE),
        _ => T::of(T::LARGEST).wide().recip() * 4.0,
    }));
    let limits = [T::of(1), normal, T::of(T::LARGEST)];
    let roots = limits.iter().flat_map(|limit| {
        SHORT
            .map(|power| limit.wide().powf(1.0 / power))
            .into_iter()
    });
    let ends = [0, 1, normal.bits(), T::near(1.0).bits(), T::LARGEST];
    let ends = ends.into_iter().chain(roots.map(|x| T::near(x).bits()));
    let edges = ends.flat_map(beside);
    let step = 1u64.checked_shl(T::BITS).unwrap_or(0).wrapping_sub(1) / 65_535;
    let all = (0..=65_535).map(|k| k * step);
    let positive = u64::MAX >> (65 - T::BITS);
    let both = edges.flat_map(|bits| [bits & positive, bits | (positive + 1)]);
    both.chain(all).map(T::of).collect()
}

fn power_of(x: &Tensor, by: f64) -> Tensor {
    apply(Prim::Pow, &[x.into(), by.into()]).unwrap()
}

fn same<T: Float>(got: T, want: f64, ulps: i128) -> bool {
    let (near, nan) = (T::near(want), got.wide().is_nan() && want.is_nan());
    let apart = (got.place() - near.place()).abs();
    let one_sign = got.wide().is_sign_negative() == want.is_sign_negative();
    let is_zero = got.wide() == 0.0 && want == 0.0;
    nan || one_sign && apart <= if is_zero { 0 } else { ulps }
}

/// A half is computed in `float32` and rounded once.
fn check<T: Float>(ulps: i128) {
    let values = numbers::<T>();
    let x = Tensor::from_slice(&values, &[values.len()]).unwrap();
    for by in SHORT {
        let got = power_of(&x, by);
        assert_eq!(got.dtype(), T::DTYPE);
        for (a, got) in values.iter().zip(got.to_vec::<T>().unwrap()) {
            let want = a.wide().powf(by);
            assert!(
                same(got, want, ulps),
                "{:?} {a:?}^{by}: {got:?} for {want:e}",
                T::DTYPE
            );
        }
    }
    // Few numbers are computed at the call.
    let few = &values[..40];
    let x = Tensor::from_slice(few, &[few.len()]).unwrap();
    for by in SHORT {
        for (a, got) in few.iter().zip(power_of(&x, by).to_vec::<T>().unwrap()) {
            assert!(same(got, a.wide().powf(by), ulps), "{a:?}^{by}: {got:?}");
        }
    }
}

#[test]
fn short_powers_keep_the_bound_of_a_power_at_every_edge() {
    let ulps = i128::from(Prim::Pow.row().ulp);
    check::<f64>(ulps);
    check::<f32>(ulps);
    check::<f16>(1);
    check::<bf16>(1);
}

/// `x` to the power `by` as a program, and its gradient.
fn programs(by: f64) -> [Program; 2] {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    let by = b.constant(by);
    let y = b.apply(Prim::Pow, &[x, by]);
    b.output(y, Yield::Element);
    let power = b.finish("power", Precision::Wide);
    let gradient = power.grad(&[0]).unwrap();
    [power, gradient]
}

fn is_long(program: &Program, dtype: DType) -> bool {
    let dtypes = vec![dtype; program.inputs.len()];
    let typed = lower(program, &dtypes).unwrap();
    let long = |op: &Op| matches!(op, Op::Apply(Prim::Pow | Prim::Log | Prim::Exp, _));
    typed.nodes.iter().any(|node| long(&node.op))
}

#[test]
fn formulas_and_gradients_have_short_powers() {
    for by in SHORT {
        let [power, gradient] = programs(by);
        for dtype in [DType::F64, DType::F32, DType::F16, DType::BF16] {
            assert!(!is_long(&power, dtype), "{by}");
            // The slopes of the last ones would miss the bound.
            let ends = by == -2.5 || by == -4.0;
            assert_eq!(is_long(&gradient, dtype), ends, "{by}");
        }
    }
    for by in [0.3, 5.0, -6.0, 3.5, f64::NAN, f64::INFINITY] {
        assert!(is_long(&programs(by)[0], DType::F32), "{by}");
    }
    assert!(is_long(&programs(-1.0)[0], DType::C64));
    assert!(!is_long(&programs(3.0)[0], DType::C64));
}

#[test]
fn slopes_are_powers_at_every_edge() {
    let values = numbers::<f64>();
    let x = Tensor::from_slice(&values, &[values.len()]).unwrap();
    for by in SHORT {
        let all = |v: &[Tensor]| power_of(&v[0], by).sum(..);
        let slopes = grad::grad(all, &[&x]).unwrap().remove(0);
        for (a, got) in values.iter().zip(slopes.to_vec::<f64>().unwrap()) {
            let power = a.powf(by - 1.0);
            let want = match by == 1.0 {
                true => 1.0,
                false => by * power,
            };
            // A product of what is subnormal has the digits of that.
            let lost = power.abs() < f64::MIN_POSITIVE;
            assert!(
                lost || same(got, want, 8),
                "{a:e} {by}: {got:e} for {want:e}"
            );
        }
    }
}

#[test]
fn whole_numbers_stay_whole_and_wrap() {
    let x = Tensor::from([3, -7, i32::MAX, 0]);
    for power in [1, 2, 3, 4] {
        let by = Tensor::from([power]);
        let plain = apply(Prim::Pow, &[(&x).into(), (&by).into()]).unwrap();
        let short = apply(Prim::Pow, &[(&x).into(), power.into()]).unwrap();
        let both = [plain, short].map(|t| t.to_vec::<i32>().unwrap());
        assert_eq!(both[0], both[1]);
    }
    // A float makes floats of them, as any power by one.
    let quotient = apply(Prim::Pow, &[(&x).into(), (-1.0).into()]).unwrap();
    let want = [
        1.0 / 3.0,
        -1.0 / 7.0,
        1.0 / f64::from(i32::MAX),
        f64::INFINITY,
    ];
    assert_eq!(quotient.to_vec::<f64>().unwrap(), want);
    assert_eq!(
        apply(Prim::Pow, &[(&x).into(), (-1).into()])
            .unwrap()
            .to_vec::<i32>()
            .unwrap(),
        [0; 4]
    );
}

#[test]
fn a_power_by_a_tensor_of_one_number_is_one_by_the_number() {
    let values: Vec<f32> = (1..20_000).map(|k| k as f32 * 0.01).collect();
    let x = Tensor::from_slice(&values, &[values.len()]).unwrap();
    let by = |power: f64, dtype| Tensor::scalar(power, dtype).unwrap();
    for (power, dtype) in [(-0.5, DType::F32), (2.0, DType::F64), (3.0, DType::I32)] {
        let one = apply(Prim::Pow, &[(&x).into(), (&by(power, dtype)).into()]).unwrap();
        let wide = x.cast(DType::F32.promote(dtype)).unwrap();
        assert_eq!((one.dtype(), one.shape()), (wide.dtype(), x.shape()));
        let bits = [one, power_of(&wide, power)].map(|t| {
            let t = t.cast(DType::F64).unwrap().to_vec::<f64>().unwrap();
            t.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        });
        assert!(bits[0] == bits[1], "{power} {dtype}");
    }
    // It may be what the gradient is asked for.
    let cube = |v: &[Tensor]| apply(Prim::Pow, &[(&x).into(), (&v[0]).into()])?.sum(..);
    let slope = grad::grad(cube, &[&by(2.0, DType::F32)]).unwrap().remove(0);
    assert!(slope.to_scalar::<f32>().unwrap() > 0.0);
}

#[test]
fn a_power_in_place_is_the_power() {
    let x = Tensor::from([4.0, 0.25, -0.0, f64::NEG_INFINITY]);
    for by in SHORT {
        let want = power_of(&x, by).to_vec::<f64>().unwrap();
        let mut y = x.copy().unwrap();
        let made = power_of(&y, by);
        y.assign(&made).unwrap();
        let bits = |v: Vec<f64>| v.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(y.to_vec().unwrap()), bits(want));
    }
}
