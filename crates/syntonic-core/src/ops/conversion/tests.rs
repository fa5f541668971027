//! `ndarray` and tensors: the same elements at the same addresses.

use super::*;
use crate::DType;
use crate::ops::samples::{Dice, scattered, shape};
use ndarray::{ShapeBuilder, Slice};

#[test]
fn views_agree_element_by_element_and_share_memory() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let ndim = dice.below(5);
        let own = shape(&mut dice, ndim);
        let x = scattered(&mut dice, &own, DType::F32);
        let guard = x.view_ndarray::<f32>().unwrap();
        let view = guard.view();
        assert_eq!(view.shape(), own);
        let got: Vec<f32> = view.iter().copied().collect();
        assert_eq!(got, x.to_vec::<f32>().unwrap(), "seed {seed}");
        if x.numel() > 0 {
            let first = x.buffer().unwrap().address().cast::<f32>();
            assert_eq!(
                view.as_ptr(),
                first.wrapping_add(x.layout().offset()).cast_const()
            );
        }
        let array = x.to_ndarray::<f64>().unwrap();
        assert!(array.is_standard_layout());
        assert_eq!(array, view.mapv(f64::from));
    }
}

#[test]
fn broadcast_views_repeat_their_element() {
    let x = Tensor::from_slice(&[1i16, 2], &[2, 1])
        .unwrap()
        .broadcast_to(&[2, 3])
        .unwrap();
    let guard = x.view_ndarray::<i16>().unwrap();
    assert_eq!(
        guard.view(),
        ndarray::array![[1i16, 1, 1], [2, 2, 2]].into_dyn()
    );
}

#[test]
fn arrays_are_taken_over_with_their_strides() {
    let base = || ArrayD::from_shape_vec(IxDyn(&[4, 5]).f(), (0..20i32).collect()).unwrap();
    let mut sliced = base();
    sliced.slice_axis_inplace(Axis(0), Slice::new(1, None, 2));
    let mut turned = base();
    turned.invert_axis(Axis(1));
    let mut cut = base().reversed_axes();
    cut.slice_axis_inplace(Axis(0), Slice::new(0, None, -2));
    for array in [base(), sliced, turned, cut] {
        let (copy, address) = (array.clone(), array.as_ptr());
        let mut x = Tensor::from_ndarray(array).unwrap();
        assert_eq!(x.shape(), copy.shape());
        let want: Vec<i32> = copy.iter().copied().collect();
        assert_eq!(x.to_vec::<i32>().unwrap(), want);
        let first = x.buffer().unwrap().address().cast::<i32>();
        assert_eq!(
            first.wrapping_add(x.layout().offset()).cast_const(),
            address
        );
        // It is a tensor like any other, and may be written.
        x.assign(&Tensor::scalar(7, DType::I32).unwrap()).unwrap();
        assert_eq!(x.to_vec::<i32>().unwrap(), vec![7; want.len()]);
    }
    let empty = Tensor::from_ndarray(ArrayD::<f64>::zeros(IxDyn(&[0, 3]))).unwrap();
    assert_eq!(empty.shape(), [0, 3]);
    assert_eq!(empty.view_ndarray::<f64>().unwrap().view().shape(), [0, 3]);
}

#[test]
fn steps_that_nobody_makes_are_none() {
    let x = Tensor::from([5i64, 7]);
    for (shape, strides) in [
        ([1, 2], [isize::MIN, 1]),
        ([0, 2], [isize::MAX, isize::MIN]),
    ] {
        let view = x.relayout(Layout::from_parts(&shape, &strides, 0)).unwrap();
        let array = view.to_ndarray::<i64>().unwrap();
        assert_eq!(array.shape(), shape);
        assert_eq!(array.into_iter().sum::<i64>(), 12 * shape[0] as i64);
    }
}

#[test]
fn another_type_is_an_error() {
    let x = Tensor::zeros(&[2], DType::F32).unwrap();
    assert!(matches!(x.view_ndarray::<f64>(), Err(Error::DType { .. })));
}

#[test]
fn a_view_keeps_its_values_when_the_tensor_is_written() {
    let mut x = Tensor::zeros(&[3], DType::F32).unwrap();
    let guard = x.view_ndarray::<f32>().unwrap();
    x.assign(&Tensor::scalar(1, DType::F32).unwrap()).unwrap();
    assert_eq!(guard.view(), ndarray::array![0f32, 0.0, 0.0].into_dyn());
    drop(guard);
    assert_eq!(x.to_vec::<f32>().unwrap(), [1.0; 3]);
}
