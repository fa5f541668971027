//! Operators against what they mean, element by element.

use std::panic::{AssertUnwindSafe, catch_unwind};
use syntonic_core::Error;
use syntonic_core::num_complex::Complex;
use syntonic_core::prelude::*;

fn floats(x: Tensor) -> Vec<f64> {
    x.to_vec().unwrap()
}

#[test]
fn every_operator_takes_tensors_and_numbers_on_both_sides() {
    let a = || Tensor::from([6.0, -4.0]);
    let b = || Tensor::from([2.0, 8.0]);
    macro_rules! check {
        ($($op:tt)*) => {$(
            let want: Vec<f64> = [(6.0, 2.0), (-4.0, 8.0)].map(|(x, y): (f64, f64)| x $op y).to_vec();
            assert_eq!(floats(&a() $op &b()), want, stringify!($op));
            assert_eq!(floats(&a() $op b()), want, stringify!($op));
            assert_eq!(floats(a() $op &b()), want, stringify!($op));
            assert_eq!(floats(a() $op b()), want, stringify!($op));
            let right: Vec<f64> = [6.0, -4.0].map(|x: f64| x $op 2.0).to_vec();
            assert_eq!(floats(a() $op 2.0), right, stringify!($op));
            assert_eq!(floats(&a() $op 2), right, stringify!($op));
            assert_eq!(floats(&a() $op 2usize), right, stringify!($op));
            let left: Vec<f64> = [6.0, -4.0].map(|x: f64| 2.0 $op x).to_vec();
            assert_eq!(floats(2.0 $op a()), left, stringify!($op));
            assert_eq!(floats(2.0 $op &a()), left, stringify!($op));
            assert_eq!(floats(2 $op &a()), left, stringify!($op));
        )*};
    }
    check!(+ - * /);
    assert_eq!(floats(-&a()), [-6.0, 4.0]);
    assert_eq!(floats(-a()), [-6.0, 4.0]);
}

#[test]
fn bits_and_truth() {
    let a = Tensor::from([0b1100u8, 0b1010]);
    assert_eq!((&a & 0b0110).to_vec::<u8>().unwrap(), [0b0100, 0b0010]);
    assert_eq!(
        (&a | &Tensor::from([1u8, 1])).to_vec::<u8>().unwrap(),
        [0b1101, 0b1011]
    );
    assert_eq!((0b1111 ^ &a).to_vec::<u8>().unwrap(), [0b0011, 0b0101]);
    assert_eq!((&a << 1).to_vec::<u8>().unwrap(), [0b11000, 0b10100]);
    assert_eq!((&a >> 2).to_vec::<u8>().unwrap(), [0b11, 0b10]);
    assert_eq!((!&a).to_vec::<u8>().unwrap(), [!0b1100, !0b1010]);
    let (yes, no) = (Tensor::from([true]), Tensor::from([false]));
    assert_eq!((!(&yes & &no)).to_vec::<bool>().unwrap(), [true]);
}

#[test]
fn numbers_take_the_type_of_the_tensor_and_raise_only_its_kind() {
    let x = Tensor::from([1.0f32]);
    assert_eq!((&x * 2.0).dtype(), DType::F32);
    assert_eq!((&x * 2).dtype(), DType::F32);
    assert_eq!((&x * Complex::new(0.0, 1.0)).dtype(), DType::C64);
    let n = Tensor::from([7i8]);
    assert_eq!((&n + 1).dtype(), DType::I8);
    assert_eq!((&n / 2).to_vec::<f64>().unwrap(), [3.5]);
}

#[test]
fn assignment_keeps_shape_and_type_and_reaches_no_clone() {
    let mut x = Tensor::from([[1.0f32, 2.0], [3.0, 4.0]]);
    let before = x.clone();
    x += 1;
    x -= &Tensor::from([1.0, 0.0]);
    x *= Tensor::from([[2.0], [1.0]]);
    x /= 2.0;
    assert_eq!(
        (x.dtype(), x.to_vec::<f64>().unwrap()),
        (DType::F32, vec![1.0, 3.0, 1.5, 2.5])
    );
    assert_eq!(before.to_vec::<f64>().unwrap(), [1.0, 2.0, 3.0, 4.0]);

    let mut narrow = Tensor::from([5i16, 6]);
    narrow += &Tensor::from([1i64, 1]);
    narrow <<= 1;
    assert_eq!(
        (narrow.dtype(), narrow.to_vec::<i16>().unwrap()),
        (DType::I16, vec![12, 14])
    );
    let e = narrow.try_mul_assign(0.5).unwrap_err();
    assert!(matches!(e, Error::DType { op: "multiply", .. }), "{e}");
    let e = narrow
        .try_add_assign(&Tensor::from([[1], [2]]))
        .unwrap_err();
    assert!(matches!(e, Error::Shape { op: "add", .. }), "{e}");
    assert_eq!(narrow.to_vec::<i16>().unwrap(), [12, 14]);
}

#[test]
fn where_operators_panic_their_twins_say_why() {
    let (a, b) = (Tensor::from([1.0, 2.0]), Tensor::from([1.0, 2.0, 3.0]));
    let e = a.try_add(&b).unwrap_err();
    assert!(matches!(e, Error::Shape { op: "add", .. }), "{e}");
    let thrown = catch_unwind(AssertUnwindSafe(|| &a + &b)).unwrap_err();
    assert_eq!(*thrown.downcast::<String>().unwrap(), e.to_string());
    let mask = Tensor::from([true]);
    assert!(matches!(
        mask.try_neg(),
        Err(Error::DType { op: "negative", .. })
    ));
    assert!(matches!(a.try_shl(1), Err(Error::DType { .. })));
    assert!(matches!(
        Tensor::from([1u8]).try_sub(256),
        Err(Error::Range { .. })
    ));
    assert_eq!(a.try_div(2).unwrap().to_vec::<f64>().unwrap(), [0.5, 1.0]);
}

#[test]
fn large_results_wait_and_are_one_pass() {
    let x = Tensor::ones(&[100, 1000], DType::F64).unwrap();
    let y = (2.0 * &x - 1.0) / &x;
    assert!(y.is_pending());
    let plan = syntonic_core::lazy::explain(&y).unwrap();
    assert!(!plan.contains("computed first"), "{plan}");
    assert_eq!(y.max(..).unwrap().to_scalar::<f64>().unwrap(), 1.0);
}

#[test]
fn hints_name_rusts_methods() {
    let c = Tensor::from([Complex::new(1.0, 0.0)]);
    let e = c.less(&c).unwrap_err().to_string();
    assert!(e.contains(".cast(dtype)") && !e.contains("astype"), "{e}");
    let mut real = Tensor::from([1.0]);
    let e = real.set(0, &c).unwrap_err().to_string();
    assert!(e.contains(".real()"), "{e}");
    let e = Tensor::from([1u8]).try_add(1000).unwrap_err().to_string();
    assert!(e.contains("DType"), "{e}");
}
