//! Files that are what they claim to be: what is saved comes back, and what others wrote is read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use syntonic_core::half::{bf16, f16};
use syntonic_core::io::*;
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Error, Scalar, Tensor, with_element};

/// A folder of this test's own, gone when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("syntonic-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// 0, 1, 2, ... as `dtype`, with an imaginary part where there is one.
fn counting(dtype: DType, shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    let value = |k: usize| match dtype {
        DType::Bool => Scalar::Bool(k % 2 == 1),
        d if d.is_complex() => Scalar::Complex(Complex::new(k as f64, -0.5 * k as f64)),
        _ => Scalar::Int(k as i128),
    };
    with_element!(dtype, T => {
        let values: Vec<T> = (0..n).map(|k| syntonic_core::Element::from_scalar(value(k))).collect();
        Tensor::from_vec(values, shape).unwrap()
    })
}

fn assert_same(a: &Tensor, b: &Tensor, what: &str) {
    assert_eq!((a.dtype(), a.shape()), (b.dtype(), b.shape()), "{what}");
    with_element!(a.dtype(), T => {
        assert_eq!(a.host_slice::<T>().unwrap()[..], b.host_slice::<T>().unwrap()[..], "{what}");
    });
}

/// Every element type in every layout, by name.
fn zoo(bfloat: bool) -> Vec<(String, Tensor)> {
    let mut out = Vec::new();
    for dtype in DType::every().filter(|&d| bfloat || (d != DType::BF16 && !d.is_stored())) {
        let x = counting(dtype, &[2, 3, 4]);
        for (layout, t) in [
            ("plain", x.clone()),
            ("turned", x.transpose(0, 2).unwrap()),
            ("flipped", x.flip(&[0, 2]).unwrap()),
            ("sliced", x.slice(2, Some(1), None, 2).unwrap()),
            (
                "wide",
                x.select(0, 1).unwrap().broadcast_to(&[5, 3, 4]).unwrap(),
            ),
            ("empty", counting(dtype, &[3, 0, 2])),
            ("scalar", counting(dtype, &[])),
            ("odd", counting(dtype, &[7])),
        ] {
            out.push((format!("{dtype}.{layout}"), t));
        }
    }
    out
}

fn borrowed(tensors: &[(String, Tensor)]) -> Vec<(&str, Tensor)> {
    tensors.iter().map(|(n, t)| (&n[..], t.clone())).collect()
}

fn about() -> BTreeMap<String, String> {
    BTreeMap::from([("φ".to_owned(), "1.618\n\"".to_owned())])
}

#[test]
fn safetensors_come_back() {
    let folder = Folder::new("safetensors");
    let path = folder.at("zoo.safetensors");
    let tensors = zoo(true);
    save_safetensors(&path, &borrowed(&tensors), &about()).unwrap();
    // SAFETY: nobody else knows the file.
    let mapped = unsafe { map_safetensors(&path) }.unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(
        bytes,
        safetensors_to_bytes(&borrowed(&tensors), &about()).unwrap()
    );
    for (back, metadata) in [
        load_safetensors(&path).unwrap(),
        mapped,
        safetensors_from_bytes(&bytes).unwrap(),
    ] {
        assert_eq!(metadata, about());
        assert_eq!(back.len(), tensors.len());
        for (name, t) in &tensors {
            assert_same(&back[name], t, name);
        }
    }
    assert_eq!(folder.names(), ["zoo.safetensors"]);
}

#[test]
fn the_reference_implementation_reads_what_we_write() {
    let tensors = zoo(true);
    let bytes = safetensors_to_bytes(&borrowed(&tensors), &about()).unwrap();
    let theirs = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let view = theirs.tensor("complex128.odd").unwrap();
    assert_eq!(
        (view.dtype(), view.shape()),
        (safetensors::Dtype::F64, &[7, 2][..])
    );
    let view = theirs.tensor("complex64.odd").unwrap();
    assert_eq!(
        (view.dtype(), view.shape()),
        (safetensors::Dtype::C64, &[7][..])
    );
    let view = theirs.tensor("float32.flipped").unwrap();
    let first = f32::from_le_bytes(view.data()[..4].try_into().unwrap());
    assert_eq!(first, 15.0);
}

#[test]
fn what_the_reference_implementation_writes_is_read() {
    let data: Vec<u8> = [1.5f32, -2.0, f32::NAN]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let view =
        safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![3], &data).unwrap();
    let bytes = safetensors::serialize([("x", view)], None).unwrap();
    let (back, metadata) = safetensors_from_bytes(&bytes).unwrap();
    assert!(metadata.is_empty());
    let values = back["x"].to_vec::<f32>().unwrap();
    assert_eq!(values[..2], [1.5, -2.0]);
    assert!(values[2].is_nan());
}

#[test]
fn writing_a_mapped_tensor_leaves_the_file_alone() {
    let folder = Folder::new("mapped");
    let path = folder.at("x.safetensors");
    let x = counting(DType::F32, &[100]);
    save_safetensors(&path, &[("x", x.clone())], &BTreeMap::new()).unwrap();
    // SAFETY: nobody else knows the file, and saving replaces it.
    let (mut mapped, _) = unsafe { map_safetensors(&path) }.unwrap();
    let mut mine = mapped.remove("x").unwrap();
    mine.assign(&Tensor::scalar(Scalar::Int(-1), DType::F32).unwrap())
        .unwrap();
    assert_eq!(mine.to_vec::<f32>().unwrap(), [-1.0; 100]);
    assert_same(&load_safetensors(&path).unwrap().0["x"], &x, "the file");
    // SAFETY: as above.
    let (kept, _) = unsafe { map_safetensors(&path) }.unwrap();
    save_safetensors(&path, &[("y", mine)], &BTreeMap::new()).unwrap();
    assert_same(&kept["x"], &x, "a map outlives the file's replacement");
    assert!(load_safetensors(&path).unwrap().0.contains_key("y"));
}

#[test]
fn a_map_that_is_not_aligned_is_copied() {
    let folder = Folder::new("unaligned");
    let path = folder.at("x.safetensors");
    let header = br#"{"x":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    assert!(!bytes.len().is_multiple_of(8));
    bytes.extend([1.0f64, -3.5].iter().flat_map(|x| x.to_le_bytes()));
    std::fs::write(&path, &bytes).unwrap();
    // SAFETY: nobody else knows the file.
    let (back, _) = unsafe { map_safetensors(&path) }.unwrap();
    assert_eq!(back["x"].to_vec::<f64>().unwrap(), [1.0, -3.5]);
}

#[test]
fn npy_comes_back() {
    let folder = Folder::new("npy");
    let path = folder.at("x.npy");
    for (name, t) in zoo(false) {
        save_npy(&path, &t).unwrap();
        assert_same(&load_npy(&path).unwrap(), &t, &name);
        assert_eq!(std::fs::read(&path).unwrap(), npy_to_bytes(&t).unwrap());
    }
    assert_eq!(folder.names(), ["x.npy"]);
}

#[test]
fn npz_comes_back() {
    let folder = Folder::new("npz");
    let path = folder.at("zoo.npz");
    let tensors = zoo(false);
    save_npz(&path, &borrowed(&tensors)).unwrap();
    let bytes = npz_to_bytes(&borrowed(&tensors)).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    for back in [load_npz(&path).unwrap(), npz_from_bytes(&bytes).unwrap()] {
        assert_eq!(back.len(), tensors.len());
        for (name, t) in &tensors {
            assert_same(&back[name], t, name);
        }
    }
}

/// Which names come back, from either format that has names.
#[test]
fn single_tensors_are_read() {
    let folder = Folder::new("single");
    let (zip, plain) = (folder.at("zoo.npz"), folder.at("zoo.safetensors"));
    let tensors = zoo(false);
    save_npz(&zip, &borrowed(&tensors)).unwrap();
    save_safetensors(&plain, &borrowed(&tensors), &about()).unwrap();
    let load = |names: &[&str]| {
        let wanted = Selection {
            names: Some(names),
            most_bytes: None,
        };
        let (some, metadata) = load_safetensors_with(&plain, &wanted)?;
        assert_eq!(metadata, about());
        Ok::<_, Error>([load_npz_with(&zip, &wanted)?, some])
    };
    for (name, t) in &tensors {
        for back in load(&[name]).unwrap() {
            assert_eq!(back.len(), 1);
            assert_same(&back[name], t, name);
        }
    }
    for back in load(&["float64.odd", "int8.plain", "bool.wide"]).unwrap() {
        let names: Vec<&String> = back.keys().collect();
        assert_eq!(names, ["bool.wide", "float64.odd", "int8.plain"]);
    }
    assert!(load(&[]).unwrap().iter().all(BTreeMap::is_empty));
    match load(&["int8.plain", "nobody"]) {
        Err(Error::Value { what, .. }) => {
            assert!(
                what.contains("holds no \"nobody\"; hint: it holds \"bool.empty\""),
                "{what}"
            );
        }
        other => panic!("{other:?}"),
    }
}

/// What a compressed archive may unpack to.
#[test]
fn unpacking_has_a_limit() {
    let folder = Folder::new("limit");
    let path = folder.at("x.npz");
    std::fs::write(&path, include_bytes!("data/numpy_arrays.npz")).unwrap();
    let load = |names, most_bytes| {
        let wanted = Selection { names, most_bytes };
        load_npz_with(&path, &wanted).map(|back| back.len())
    };
    assert_eq!(load(None, None).unwrap(), 14 * 5);
    let len = std::fs::metadata(&path).unwrap().len();
    match load(None, Some(len / 2)) {
        Err(Error::File { what, .. }) => assert!(what.contains("raise most_bytes"), "{what}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(load(Some(&["int8.little"][..]), Some(len / 2)).unwrap(), 1);
}

/// Of an archive: its longer forms, a comment, sizes behind the members, and something in front of it all.
#[test]
fn every_form_of_an_archive_is_read() {
    let long = include_bytes!("data/numpy_long.npz");
    let short = npz_to_bytes(&[
        ("größe", counting(DType::I64, &[5])),
        ("b", Tensor::ones(&[2, 3], DType::F64).unwrap()),
    ])
    .unwrap();
    for archive in [&long[..], &short] {
        for front in [&b""[..], b"#!/usr/bin/env python\n"] {
            let back = npz_from_bytes(&[front, archive].concat()).unwrap();
            assert_eq!(back.len(), 2);
            assert_same(&back["größe"], &counting(DType::I64, &[5]), "größe");
            assert_eq!(back["b"].to_vec::<f64>().unwrap(), [1.0; 6]);
        }
    }
    assert!(
        npz_from_bytes(&npz_to_bytes(&[]).unwrap())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn what_numpy_writes_is_read() {
    let back = npz_from_bytes(include_bytes!("data/numpy_arrays.npz")).unwrap();
    assert_eq!(back.len(), 14 * 5);
    for dtype in DType::ALL.into_iter().filter(|&d| d != DType::BF16) {
        let x = counting(dtype, &[2, 3, 4]);
        for form in ["little", "big", "fortran"] {
            let name = format!("{dtype}.{form}");
            assert_same(&back[&name], &x, &name);
        }
        assert!(!back[&format!("{dtype}.fortran")].is_contiguous());
        let empty = &back[&format!("{dtype}.empty")];
        assert_eq!((empty.dtype(), empty.shape()), (dtype, &[0, 5][..]));
        let last = &back[&format!("{dtype}.scalar")];
        assert_eq!(last.shape(), [0usize; 0]);
        assert_eq!(
            last.item().unwrap(),
            x.reshape(&[24])
                .unwrap()
                .select(0, 23)
                .unwrap()
                .item()
                .unwrap()
        );
    }
}

#[test]
fn numpy_has_no_bfloat16() {
    let x = counting(DType::BF16, &[3]);
    for refused in [
        npy_to_bytes(&x).unwrap_err(),
        npz_to_bytes(&[("x", x.clone())]).unwrap_err(),
        save_npy("never.npy", &x).unwrap_err(),
        save_npz("never.npz", &[("x", x.clone())]).unwrap_err(),
    ] {
        let text = refused.to_string();
        assert!(
            matches!(refused, Error::DType { .. }) && text.contains("float32"),
            "{text}"
        );
    }
    assert!(!std::path::Path::new("never.npy").exists());
}

#[test]
fn a_failed_save_leaves_the_old_file() {
    let folder = Folder::new("failed");
    let path = folder.at("x.safetensors");
    let x = counting(DType::I32, &[4]);
    let none = BTreeMap::new();
    save_safetensors(&path, &[("x", x.clone())], &none).unwrap();
    let before = std::fs::read(&path).unwrap();
    let twice = [("x", x.clone()), ("x", x.clone())];
    assert!(matches!(
        save_safetensors(&path, &twice, &none),
        Err(Error::Value { .. })
    ));
    assert!(matches!(save_npz(&path, &twice), Err(Error::Value { .. })));
    let reserved = [("__metadata__", x.clone())];
    assert!(matches!(
        save_safetensors(&path, &reserved, &none),
        Err(Error::Value { .. })
    ));
    let taken = BTreeMap::from([("syntonic.complex128".to_owned(), "[]".to_owned())]);
    assert!(matches!(
        save_safetensors(&path, &[], &taken),
        Err(Error::Value { .. })
    ));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(folder.names(), ["x.safetensors"]);
    let nowhere = folder.at("missing").join("x.npy");
    assert!(matches!(save_npy(&nowhere, &x), Err(Error::Io { .. })));
    assert!(matches!(load_npy(&nowhere), Err(Error::Io { .. })));
    assert!(matches!(save_npy(&folder.0, &x), Err(Error::Io { .. })));
    assert!(load_npy(&folder.0).is_err());
}

#[test]
fn serde_keeps_every_bit() {
    let nan = f32::from_bits(0x7fc1_2345);
    let odd = Tensor::from_slice(&[nan, -0.0, f32::INFINITY, 1e-45], &[2, 2]).unwrap();
    let text = serde_json::to_string(&odd).unwrap();
    assert_eq!(
        text,
        r#"{"dtype":"f32","shape":[2,2],"data":"RSPBfwAAAIAAAIB/AQAAAA=="}"#
    );
    let back: Tensor = serde_json::from_str(&text).unwrap();
    let bits = |t: &Tensor| {
        t.to_vec::<f32>()
            .unwrap()
            .iter()
            .map(|x| x.to_bits())
            .collect::<Vec<_>>()
    };
    assert_eq!(bits(&back), bits(&odd));
    for (name, t) in zoo(true) {
        let back: Tensor = serde_json::from_str(&serde_json::to_string(&t).unwrap()).unwrap();
        assert_same(&back, &t, &name);
        let back: Tensor = postcard::from_bytes(&postcard::to_stdvec(&t).unwrap()).unwrap();
        assert_same(&back, &t, &name);
    }
}

#[test]
fn serde_checks_sizes() {
    for (text, why) in [
        (
            r#"{"dtype":"f32","shape":[2],"data":"AAAA"}"#,
            "does not have 3 bytes",
        ),
        (
            r#"{"dtype":"f32","shape":[4611686018427387904,4],"data":""}"#,
            "does not have 0 bytes",
        ),
        (
            r#"{"dtype":"f64","shape":[2305843009213693952],"data":""}"#,
            "does not have 0 bytes",
        ),
        (
            r#"{"dtype":"bool","shape":[2],"data":"AQI="}"#,
            "element 1 of a bool tensor is 2",
        ),
        (r#"{"dtype":"f31","shape":[],"data":""}"#, "unknown variant"),
        (r#"{"dtype":"f32","shape":[-1],"data":""}"#, "invalid value"),
        (
            r#"{"dtype":"f32","shape":[1],"data":"!!!!"}"#,
            "Invalid symbol",
        ),
        (r#"{"dtype":"f32","shape":[1]}"#, "missing field"),
    ] {
        let error = serde_json::from_str::<Tensor>(text)
            .unwrap_err()
            .to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    let x = counting(DType::F32, &[3]);
    let good = postcard::to_stdvec(&x).unwrap();
    for cut in 0..good.len() {
        assert!(
            postcard::from_bytes::<Tensor>(&good[..cut]).is_err(),
            "{cut}"
        );
    }
}

#[test]
fn half_types_keep_their_bits() {
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let brains: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let x = Tensor::from_vec(halves, &[256, 256]).unwrap();
    let y = Tensor::from_vec(brains, &[65536]).unwrap();
    let bytes = safetensors_to_bytes(&[("x", x.clone()), ("y", y)], &BTreeMap::new()).unwrap();
    let (back, _) = safetensors_from_bytes(&bytes).unwrap();
    for (k, h) in back["x"].host_slice::<f16>().unwrap().iter().enumerate() {
        assert_eq!(usize::from(h.to_bits()), k);
    }
    for (k, h) in back["y"].host_slice::<bf16>().unwrap().iter().enumerate() {
        assert_eq!(usize::from(h.to_bits()), k);
    }
    let back = npy_from_bytes(&npy_to_bytes(&x).unwrap()).unwrap();
    for (k, h) in back.host_slice::<f16>().unwrap().iter().enumerate() {
        assert_eq!(usize::from(h.to_bits()), k);
    }
}
