//! More axes than a tensor has: every way in which a shape enters refuses them with one typed error, at once.

use ndarray::{ArrayD, IxDyn};
use std::time::{Duration, Instant};
use syntonic_core::layout::{Layout, MAX_NDIM};
use syntonic_core::ops::index::{IndexItem, index};
use syntonic_core::ops::join::{Indexing, meshgrid, stack};
use syntonic_core::ops::linalg::kron;
use syntonic_core::ops::{random, rearrange};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Tensor, cpu, io};

const F32: DType = DType::F32;

/// A tensor of as many axes as there may be, each of length 1.
fn deepest() -> Tensor {
    Tensor::ones(&[1; MAX_NDIM], F32).unwrap()
}

/// A way to ask for a tensor of `ndim` axes.
type Entrance = fn(usize) -> Result<Tensor, Error>;

const ENTRANCES: [(&str, Entrance); 16] = [
    ("zeros", |n| Tensor::zeros(&vec![1; n], F32)),
    ("full", |n| Tensor::full(&vec![1; n], 2.0, F32)),
    ("from_slice", |n| Tensor::from_slice(&[1.0f32], &vec![1; n])),
    ("from_vec", |n| Tensor::from_vec(vec![1.0f32], &vec![1; n])),
    ("from_ndarray", |n| {
        Tensor::from_ndarray(ArrayD::<f32>::zeros(IxDyn(&vec![1; n])))
    }),
    ("reshape", |n| Tensor::ones(&[1], F32)?.reshape(&vec![1; n])),
    ("broadcast_to", |n| {
        Tensor::ones(&[1], F32)?.broadcast_to(&vec![1; n])
    }),
    ("expand_dims", |n| {
        let new: Vec<isize> = (0..n as isize).collect();
        Tensor::ones(&[], F32)?.expand_dims(&new)
    }),
    ("relayout", |n| {
        let layout = Layout::contiguous("test", &vec![1; n])?;
        Tensor::ones(&[1], F32)?.relayout(layout)
    }),
    ("new axes of an index", |n| {
        index(&Tensor::ones(&[], F32)?, &vec![IndexItem::NewAxis; n])
    }),
    ("new axes beside a mask", |n| {
        let x = Tensor::ones(&[3], F32)?;
        let mut items = vec![IndexItem::NewAxis; n];
        items[0] = IndexItem::Array(Tensor::from_slice(&[0i64, 2], &[2])?);
        index(&x, &items)
    }),
    ("tile", |n| {
        rearrange::tile(&Tensor::ones(&[1], F32)?, &vec![1; n])
    }),
    ("meshgrid", |n| {
        let one = Tensor::ones(&[1], F32)?;
        Ok(meshgrid(&vec![&one; n], Indexing::Ij)?.remove(0))
    }),
    ("random numbers", |n| {
        random::uniform(&vec![1; n], 0.0, 1.0, F32, &mut Generator::new(1), &cpu())
    }),
    ("npy", |n| load_npy(n)),
    ("safetensors", |n| load_safetensors(n)),
];

fn load_npy(ndim: usize) -> Result<Tensor, Error> {
    let shape = "1,".repeat(ndim);
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(1f32.to_le_bytes());
    io::npy_from_bytes(&bytes)
}

fn load_safetensors(ndim: usize) -> Result<Tensor, Error> {
    let shape = vec!["1"; ndim].join(",");
    let header = format!(r#"{{"x":{{"dtype":"F32","shape":[{shape}],"data_offsets":[0,4]}}}}"#);
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.extend(1f32.to_le_bytes());
    let (mut tensors, _) = io::safetensors_from_bytes(&bytes)?;
    tensors
        .remove("x")
        .ok_or_else(|| Error::value("test", "no tensor x"))
}

#[test]
fn as_many_axes_as_there_may_be() {
    for (name, entrance) in ENTRANCES {
        let x = entrance(MAX_NDIM).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(x.ndim(), MAX_NDIM, "{name}");
    }
}

#[test]
fn more_axes_are_refused_at_once() {
    for (name, entrance) in ENTRANCES {
        for ndim in [MAX_NDIM + 1, 10_000] {
            let start = Instant::now();
            let error = entrance(ndim).expect_err(name);
            assert!(start.elapsed() < Duration::from_secs(1), "{name}");
            assert!(
                error.to_string().contains(&ndim.to_string()),
                "{name}: {error}"
            );
            let typed = matches!(error, Error::TooManyAxes { .. } | Error::File { .. });
            assert!(typed, "{name}: {error}");
        }
    }
}

#[test]
fn one_axis_more_than_the_deepest() {
    let x = deepest();
    let before = x.clone();
    let mut widened = x.clone();
    let refused = [
        x.expand_dims(&[0]).map(drop),
        stack(&[&x, &x], 0).map(drop),
        kron(&x, &x).map(drop),
        x.reshape(&[1; MAX_NDIM + 1]).map(drop),
        widened.widen(0),
        index(&x, &[IndexItem::NewAxis]).map(drop),
    ];
    for (k, outcome) in refused.into_iter().enumerate() {
        assert!(
            matches!(outcome, Err(Error::TooManyAxes { .. })),
            "{k}: {outcome:?}"
        );
    }
    assert!(!widened.refit(&[1; MAX_NDIM + 1]));
    assert_eq!(widened.shape(), before.shape());
}

#[test]
fn serialised_tensors_have_no_more_axes_either() {
    let text = serde_json::to_string(&Tensor::ones(&[1], F32).unwrap()).unwrap();
    let shape = format!("[{}]", vec!["1"; MAX_NDIM + 1].join(","));
    let deeper = text.replace("[1]", &shape);
    assert_ne!(deeper, text);
    let error = serde_json::from_str::<Tensor>(&deeper).unwrap_err();
    assert!(error.to_string().contains("65 axes"), "{error}");
}
