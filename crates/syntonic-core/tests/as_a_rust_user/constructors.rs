//! Tensors from nested arrays, vectors, ranges, seeds and arrays of `ndarray`.

use ndarray::{Array2, ArrayD, array};
use syntonic_core::Error;
use syntonic_core::prelude::*;

#[test]
fn nested_arrays_have_their_shape_and_type() {
    assert_eq!(Tensor::from([1u8, 2]).dtype(), DType::U8);
    assert_eq!(Tensor::from([[true], [false]]).shape(), [2, 1]);
    assert_eq!(Tensor::from([[[0.5f32; 4]; 3]; 2]).shape(), [2, 3, 4]);
    let x = Tensor::from([[[[1, 2], [3, 4]]]]);
    assert_eq!(
        (x.shape(), x.to_vec::<i32>().unwrap()),
        (&[1, 1, 2, 2][..], vec![1, 2, 3, 4])
    );
    assert_eq!(Tensor::from([0.0f64; 0]).shape(), [0]);
}

#[test]
fn vectors_and_rows() {
    let values = vec![1.0, 2.0];
    let address = values.as_ptr().cast::<u8>();
    let x = Tensor::try_from(values).unwrap();
    assert_eq!(
        x.buffer().unwrap().address().cast_const(),
        address,
        "taken over"
    );
    assert_eq!(
        Tensor::try_from(&[1i16, 2][..]).unwrap().dtype(),
        DType::I16
    );
    let rows = Tensor::try_from(vec![vec![1, 2], vec![3, 4], vec![5, 6]]).unwrap();
    assert_eq!(
        (rows.shape(), rows.to_vec::<i32>().unwrap()),
        (&[3, 2][..], vec![1, 2, 3, 4, 5, 6])
    );
    let e = Tensor::try_from(vec![vec![1], vec![2, 3]]).unwrap_err();
    assert!(
        matches!(&e, Error::Value { what, .. } if what.contains("row 1")),
        "{e}"
    );
    assert_eq!(
        Tensor::try_from(Vec::<Vec<f32>>::new()).unwrap().shape(),
        [0, 0]
    );
}

#[test]
fn ranges_and_identities() {
    assert_eq!(
        Tensor::arange(1.0, 2.0, 0.25)
            .unwrap()
            .to_vec::<f64>()
            .unwrap(),
        [1.0, 1.25, 1.5, 1.75]
    );
    assert_eq!(
        Tensor::arange(3, 0, -1).unwrap().to_vec::<i64>().unwrap(),
        [3, 2, 1]
    );
    assert!(matches!(Tensor::arange(0, 1, 0), Err(Error::Value { .. })));
    assert_eq!(
        Tensor::linspace(1, 2, 3).unwrap().to_vec::<f64>().unwrap(),
        [1.0, 1.5, 2.0]
    );
    assert_eq!(
        Tensor::eye(3, DType::I8)
            .unwrap()
            .sum(..)
            .unwrap()
            .to_scalar::<i64>()
            .unwrap(),
        3
    );
    let ones = Tensor::ones_on(&[2], DType::F16, &cpu()).unwrap();
    let zeros = Tensor::zeros_on(&[2], DType::F16, &cpu()).unwrap();
    assert_eq!((ones - zeros).to_vec::<f32>().unwrap(), [1.0, 1.0]);
}

#[test]
fn a_seed_gives_the_same_numbers_again() {
    let draw = || {
        let mut generator = Generator::new(5);
        let u = Tensor::rand(&[100], DType::F64, &mut generator).unwrap();
        let z = Tensor::randn(&[100], DType::F64, &mut generator).unwrap();
        (u.to_vec::<f64>().unwrap(), z.to_vec::<f64>().unwrap())
    };
    let (u, z) = draw();
    assert_eq!((u.clone(), z.clone()), draw());
    assert!(u.iter().all(|x| (0.0..1.0).contains(x)) && z.iter().any(|x| *x < 0.0));
    let mut plain = vec![0.0; 100];
    Generator::new(5).uniform_f64(&mut plain);
    assert_eq!(u, plain);
}

#[test]
fn ndarray_both_ways() {
    let matrix: Array2<f32> = array![[1.0, 2.0], [3.0, 4.0]];
    let x = Tensor::try_from(matrix.clone().reversed_axes()).unwrap();
    assert_eq!(
        (x.shape(), x.to_vec::<f32>().unwrap()),
        (&[2, 2][..], vec![1.0, 3.0, 2.0, 4.0])
    );
    let back = ArrayD::<f32>::try_from(&x.t().unwrap()).unwrap();
    assert_eq!(back, matrix.into_dyn());
}

#[test]
fn one_number() {
    assert_eq!(Tensor::from([2.9]).to_scalar::<i32>().unwrap(), 2);
    assert!(matches!(
        Tensor::from([1, 2]).to_scalar::<i32>(),
        Err(Error::Shape { op: "item", .. })
    ));
}
