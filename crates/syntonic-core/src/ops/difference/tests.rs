use super::*;
use crate::{DType, Error};
use proptest::prelude::*;

fn ints(values: &[i64], shape: &[usize]) -> Tensor {
    Tensor::from_slice(values, shape).unwrap()
}

#[test]
fn every_axis_and_order_has_its_values() {
    let x = ints(&[1, 2, 4, 7, 11, 16], &[2, 3]);
    let values = |n, axis| {
        diff(&x, n, axis, None, None)
            .unwrap()
            .to_vec::<i64>()
            .unwrap()
    };
    assert_eq!(values(1, -1), [1, 2, 4, 5]);
    assert_eq!(values(1, 0), [6, 9, 12]);
    assert_eq!(values(2, 1), [1, 1]);
    assert_eq!(values(0, 1), [1, 2, 4, 7, 11, 16]);
    for n in [3, 4, usize::MAX] {
        assert_eq!(diff(&x, n, 1, None, None).unwrap().shape(), [2, 0]);
    }
}

#[test]
fn numbers_and_arrays_go_before_and_behind() {
    let x = ints(&[1, 2, 4, 8], &[2, 2]);
    let column = Tensor::from_slice(&[0.5f64, 1.5], &[2, 1]).unwrap();
    let zero = Tensor::scalar(0, DType::I64).unwrap();
    let out = diff(&x, 1, 1, Some(&zero), Some(&column)).unwrap();
    assert_eq!((out.dtype(), out.shape()), (DType::F64, &[2, 3][..]));
    assert_eq!(
        out.to_vec::<f64>().unwrap(),
        [1.0, 1.0, -1.5, 4.0, 4.0, -6.5]
    );
}

#[test]
fn integers_wrap_and_bools_differ() {
    let bytes = Tensor::from_slice(&[1u8, 0, 255], &[3]).unwrap();
    assert_eq!(
        diff(&bytes, 1, 0, None, None)
            .unwrap()
            .to_vec::<u8>()
            .unwrap(),
        [255, 255]
    );
    let flags = Tensor::from_slice(&[true, true, false], &[3]).unwrap();
    let out = diff(&flags, 1, 0, None, None).unwrap();
    assert_eq!(out.to_vec::<bool>().unwrap(), [false, true]);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let x = ints(&[1, 2, 3], &[3]);
    let number = Tensor::scalar(1, DType::I64).unwrap();
    assert!(matches!(
        diff(&number, 1, 0, None, None),
        Err(Error::Axis { op: "diff", .. })
    ));
    assert!(matches!(
        diff(&x, 1, 1, None, None),
        Err(Error::Axis { .. })
    ));
    let matrix = ints(&[1, 2], &[1, 2]);
    assert!(matches!(
        diff(&x, 1, 0, Some(&matrix), None),
        Err(Error::Shape { .. })
    ));
}

proptest! {
    /// The differences of running sums are the numbers themselves, in any direction and through any layout.
    #[test]
    fn differences_undo_running_sums(values in proptest::collection::vec(any::<i64>(), 1..40), every in 1isize..4) {
        let x = ints(&values, &[values.len()]).slice(0, None, None, every).unwrap();
        let sums = crate::ops::scan::cumulative_sum(&x, None, None, crate::ops::scan::Initial::Include).unwrap();
        let back = diff(&sums, 1, -1, None, None).unwrap();
        prop_assert_eq!(back.to_vec::<i64>().unwrap(), x.to_vec::<i64>().unwrap());
    }
}
