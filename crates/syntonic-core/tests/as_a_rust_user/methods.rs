//! Methods against the standard library, and against the functions they stand for.

use syntonic_core::ops::composites;
use syntonic_core::ops::elementwise::{Arg, composite};
use syntonic_core::ops::order::Direction;
use syntonic_core::ops::reduce;
use syntonic_core::prelude::*;

/// Errors of up to 8 units in the last place, which is what the table of primitives allows at most, and one of std's.
fn close(got: Tensor, want: &[f64]) {
    let got = got.to_vec::<f64>().unwrap();
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!(
            (g - w).abs() <= 9.0 * f64::EPSILON * w.abs(),
            "{g} is not {w}"
        );
    }
}

#[test]
fn functions_of_one_number_are_those_of_std() {
    let values = [0.3f64, 0.9, 0.5];
    let x = Tensor::from(values);
    macro_rules! check {
        ($($method:ident $std:ident;)*) => {$(
            close(x.$method().unwrap(), &values.map(f64::$std));
        )*};
    }
    check! {
        abs abs; sqrt sqrt; recip recip; exp exp; expm1 exp_m1; exp2 exp2; log ln; log1p ln_1p; log2 log2; log10 log10;
        sin sin; cos cos; tan tan; asin asin; acos acos; atan atan; sinh sinh; cosh cosh; tanh tanh; asinh asinh;
        atanh atanh; floor floor; ceil ceil; trunc trunc; round round_ties_even; sign signum;
    }
    close(
        (&x + 1).acosh().unwrap(),
        &values.map(|v| (v + 1.0).acosh()),
    );
    close(x.square().unwrap(), &values.map(|v| v * v));
    close(x.rsqrt().unwrap(), &values.map(|v| 1.0 / v.sqrt()));
    close(x.erf().unwrap() + x.erfc().unwrap(), &[1.0; 3]);
    let odd = Tensor::from([f64::NAN, f64::NEG_INFINITY, 0.0]);
    assert_eq!(
        odd.is_nan().unwrap().to_vec::<bool>().unwrap(),
        [true, false, false]
    );
    assert_eq!(
        odd.is_inf().unwrap().to_vec::<bool>().unwrap(),
        [false, true, false]
    );
    assert_eq!(
        odd.is_finite().unwrap().to_vec::<bool>().unwrap(),
        [false, false, true]
    );
    assert_eq!(
        odd.sign_bit().unwrap().to_vec::<bool>().unwrap()[1..],
        [true, false]
    );
    assert_eq!(
        odd.logical_not().unwrap().to_vec::<bool>().unwrap(),
        [false, false, true]
    );
}

#[test]
fn functions_of_two_and_three() {
    let (a, b) = (Tensor::from([3.0, -7.0]), Tensor::from([4.0, 2.0]));
    close(a.hypot(&b).unwrap(), &[5.0, 53f64.sqrt()]);
    close(a.atan2(&b).unwrap(), &[3f64.atan2(4.0), (-7f64).atan2(2.0)]);
    close(b.pow(0.5).unwrap(), &[2.0, 2f64.sqrt()]);
    close(a.minimum(&b).unwrap(), &[3.0, -7.0]);
    close(a.maximum(0).unwrap(), &[3.0, 0.0]);
    close(a.floor_divide(&b).unwrap(), &[0.0, -4.0]);
    close(a.remainder(&b).unwrap(), &[3.0, 1.0]);
    close(a.mul_add(&b, 1).unwrap(), &[13.0, -13.0]);
    close(a.copysign(-1.0).unwrap(), &[-3.0, -7.0]);
    close(
        a.logaddexp(&a).unwrap(),
        &[3.0 + 2f64.ln(), -7.0 + 2f64.ln()],
    );
    close(a.clip(&b, 10).unwrap(), &[4.0, 2.0]);
    close(a.lerp(&b, 0.5).unwrap(), &[3.5, -2.5]);
    let truth = |t: syntonic_core::Result<Tensor>| t.unwrap().to_vec::<bool>().unwrap();
    assert_eq!(truth(a.equal(3)), [true, false]);
    assert_eq!(truth(a.not_equal(3)), [false, true]);
    assert_eq!(truth(a.less(&b)), [true, true]);
    assert_eq!(truth(a.less_equal(-7)), [false, true]);
    assert_eq!(truth(a.greater(&b)), [false, false]);
    assert_eq!(truth(a.greater_equal(3)), [true, false]);
    assert_eq!(truth(a.logical_and(0)), [false, false]);
    assert_eq!(truth(a.logical_or(0)), [true, true]);
    assert_eq!(truth(a.logical_xor(1)), [false, false]);
    let z = a.complex(&b).unwrap();
    close(z.abs().unwrap(), &[5.0, 53f64.sqrt()]);
    close(z.conj().unwrap().imag().unwrap(), &[-4.0, -2.0]);
    close(a.less(0).unwrap().where_cond(&b, 1.0).unwrap(), &[1.0, 2.0]);
}

#[test]
fn activations_are_the_composites() {
    let x = Tensor::linspace(-3.0, 3.0, 7).unwrap();
    let rows = [
        (x.relu(), composites::RELU),
        (x.sigmoid(), composites::SIGMOID),
        (x.silu(), composites::SILU),
        (x.softplus(), composites::SOFTPLUS),
        (x.log_sigmoid(), composites::LOG_SIGMOID),
        (x.gelu(), composites::GELU),
        (x.gelu_erf(), composites::GELU_ERF),
        (x.mish(), composites::MISH),
    ];
    for (got, formula) in rows {
        let want = composite(formula.name, formula.build, &[Arg::Tensor(&x)]).unwrap();
        assert_eq!(
            got.unwrap().to_vec::<f64>().unwrap(),
            want.to_vec::<f64>().unwrap(),
            "{}",
            formula.name
        );
    }
    close(x.relu().unwrap(), &[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    close(
        x.leaky_relu(0.5).unwrap(),
        &[-1.5, -1.0, -0.5, 0.0, 1.0, 2.0, 3.0],
    );
    close(
        x.elu(2.0).unwrap().index(..1).unwrap(),
        &[2.0 * (-3f64).exp_m1()],
    );
}

#[test]
fn reductions_take_all_one_and_some_axes() {
    let x = Tensor::arange(0, 24, 1)
        .unwrap()
        .reshape(&[2, 3, 4])
        .unwrap();
    let x = x.cast(DType::F64).unwrap();
    let some: &[isize] = &[0, -1];
    assert_eq!(x.sum(..).unwrap().shape(), [0usize; 0]);
    assert_eq!(x.sum(-1).unwrap().shape(), [2, 3]);
    assert_eq!(x.sum([0, 2]).unwrap().shape(), [3]);
    assert_eq!(
        x.sum(some).unwrap().to_vec::<f64>().unwrap(),
        [60.0, 92.0, 124.0]
    );
    assert_eq!(x.sum(Over::from(1).keep()).unwrap().shape(), [2, 1, 4]);
    let over = Over::axes(&[1]);
    let same = |a: syntonic_core::Result<Tensor>, b: syntonic_core::Result<Tensor>| {
        assert_eq!(
            a.unwrap().to_vec::<f64>().unwrap(),
            b.unwrap().to_vec::<f64>().unwrap()
        );
    };
    same(x.prod(1), reduce::prod(&x, &over, None));
    same(x.min(1), reduce::min(&x, &over));
    same(x.max(&over), reduce::max(&x, &over));
    same(x.mean(1), reduce::mean(&x, &over));
    same(x.var(1, 1.0), reduce::var(&x, &over, 1.0));
    same(x.std(1, 0.0), reduce::std(&x, &over, 0.0));
    same(x.norm(1, 3.0), reduce::norm(&x, 3.0, &over));
    same(x.logsumexp(1), reduce::logsumexp(&x, &over));
    assert_eq!(x.argmax(..).unwrap().to_scalar::<i64>().unwrap(), 23);
    assert_eq!(x.argmin(0).unwrap().to_vec::<i64>().unwrap(), [0; 12]);
    assert_eq!(x.median(..).unwrap().to_scalar::<f64>().unwrap(), 11.5);
    assert!(x.any(..).unwrap().to_scalar::<bool>().unwrap());
    assert!(!x.all(..).unwrap().to_scalar::<bool>().unwrap());
    assert!(matches!(
        x.sum(3),
        Err(syntonic_core::Error::Axis { axis: 3, .. })
    ));
}

#[test]
fn along_an_axis() {
    let x = Tensor::from([[3, 1, 2], [6, 4, 8]]);
    assert_eq!(
        x.cumulative_prod(1).unwrap().to_vec::<i64>().unwrap(),
        [3, 3, 6, 6, 24, 192]
    );
    let order = x.argsort(1, Direction::Ascending).unwrap();
    assert_eq!(order.to_vec::<i64>().unwrap(), [1, 2, 0, 1, 0, 2]);
    let p = x.softmax(1).unwrap();
    let l = x.log_softmax(1).unwrap().exp().unwrap();
    assert!(
        (&p - l)
            .abs()
            .unwrap()
            .max(..)
            .unwrap()
            .to_scalar::<f64>()
            .unwrap()
            < 1e-15
    );
}
