//! Files that lie. Each is refused with an error that says what is wrong, and nothing panics or asks
//! for memory that the file's own length does not justify.

use std::collections::BTreeMap;
use syntonic_core::io::*;
use syntonic_core::{DType, Error, Tensor};

fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}

fn assert_refused<T: std::fmt::Debug>(result: Result<T, Error>, why: &str) {
    match result {
        Err(Error::File { what, .. }) => assert!(what.contains(why), "{what:?} lacks {why:?}"),
        other => panic!("expected a refusal because of {why:?}, got {other:?}"),
    }
}

#[test]
fn lying_safetensors() {
    let eight = [0u8; 8];
    for (header, why) in [
        ("", "does not begin with '{'"),
        ("[]", "does not begin with '{'"),
        (" {}", "does not begin with '{'"),
        ("{", "EOF"),
        ("{}", "8 bytes follow"),
        ("{}x", "trailing characters"),
        (r#"{"x":1}"#, "invalid type"),
        (r#"{"x":{"dtype":"F32","shape":[2]}}"#, "missing field"),
        (
            r#"{"x":{"dtype":"F99","shape":[2],"data_offsets":[0,8]}}"#,
            "unknown variant",
        ),
        (
            r#"{"x":{"dtype":"F8_E8M0","shape":[8],"data_offsets":[0,8]}}"#,
            "F8_E8M0",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}"#,
            "invalid value",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#,
            "shape",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#,
            "offset",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8,16]}}"#,
            "invalid length 3",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}"#,
            "8 bytes follow",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#,
            "8 bytes follow",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#,
            "offset",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"y":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#,
            "offset",
        ),
        (
            r#"{"x":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"y":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}"#,
            "offset",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"x":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}}"#,
            "\"x\" occurs twice",
        ),
        (
            r#"{"__metadata__":{"a":"1","a":"2"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#,
            "\"a\" occurs twice",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}}"#,
            "overflow",
        ),
        (
            r#"{"x":{"dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8]}}"#,
            "overflow",
        ),
        (
            r#"{"x":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,18446744073709551615]}}"#,
            "overflow",
        ),
        (
            r#"{"x":{"dtype":"U8","shape":[1152921504606846976],"data_offsets":[0,1152921504606846976]}}"#,
            "8 bytes follow",
        ),
        (
            r#"{"__metadata__":{"syntonic.complex128":"[\"y\"]"},"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}"#,
            "calls \"y\" complex128",
        ),
        (
            r#"{"__metadata__":{"syntonic.complex128":"[\"x\"]"},"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}"#,
            "calls \"x\" complex128",
        ),
        (
            r#"{"__metadata__":{"syntonic.complex128":"x"},"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}"#,
            "no list of names",
        ),
        (
            r#"{"__metadata__":{"n":3},"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}"#,
            "invalid type",
        ),
    ] {
        assert_refused(safetensors_from_bytes(&safetensors(header, &eight)), why);
    }
    let nested = format!("{{\"x\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
    assert_refused(
        safetensors_from_bytes(&safetensors(&nested, &eight)),
        "no list of tensors",
    );
    let truth = r#"{"x":{"dtype":"BOOL","shape":[8],"data_offsets":[0,8]}}"#;
    let bytes = safetensors(truth, &[0, 1, 0, 1, 255, 0, 0, 0]);
    assert_refused(
        safetensors_from_bytes(&bytes),
        "element 4 of a bool tensor is 255",
    );
}

#[test]
fn safetensors_whose_header_lies_about_itself() {
    for length in [3, 1 << 20, 100_000_001, u64::MAX - 7, u64::MAX] {
        let mut bytes = u64::to_le_bytes(length).to_vec();
        bytes.extend(b"{}");
        let why = if length > 100_000_000 {
            "claims"
        } else {
            "left"
        };
        assert_refused(safetensors_from_bytes(&bytes), why);
    }
    assert_refused(safetensors_from_bytes(b""), "only 0 are left");
    assert_refused(safetensors_from_bytes(b"\x01\x00\x00"), "only 3 are left");
    let mut bytes = 4u64.to_le_bytes().to_vec();
    bytes.extend(b"{\xff\xfe}");
    assert_refused(safetensors_from_bytes(&bytes), "not UTF-8");
}

#[test]
fn lying_npy() {
    for (header, why) in [
        ("", "where '{' should be"),
        ("{}", "has no \"descr\""),
        (
            "{'descr': '<f4', 'fortran_order': False}",
            "has no \"shape\"",
        ),
        (
            "{'descr': '<f4', 'shape': (2,)}",
            "has no \"fortran_order\"",
        ),
        (
            "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
            "twice",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
            "unknown entry",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } + 1",
            "goes on",
        ),
        (
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
            "neither True nor False",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
            "not a number",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
            "not a number",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
            "where '(' should be",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2",
            "where ')' should be",
        ),
        (
            "{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}",
            "is none of",
        ),
        ("{'descr': '<f4", "does not end"),
        (
            "{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
            "pickled",
        ),
        (
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
            "records",
        ),
        (
            "{'descr': '<f16', 'fortran_order': False, 'shape': (2,)}",
            "'<f16'\" is none of",
        ),
        (
            "{'descr': '<U8', 'fortran_order': False, 'shape': (2,)}",
            "is none of",
        ),
        (
            "{'descr': '<V2', 'fortran_order': False, 'shape': (2,)}",
            "is none of",
        ),
        (
            "{'descr': '|f4', 'fortran_order': False, 'shape': (2,)}",
            "is none of",
        ),
        (
            "{'descr': 'f4', 'fortran_order': False, 'shape': (2,)}",
            "byte order",
        ),
        (
            "{'descr': '', 'fortran_order': False, 'shape': (2,)}",
            "byte order",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
            "needs 12 bytes, but only 8",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
            "4 bytes follow",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
            "overflows",
        ),
        (
            "{'descr': '<f8', 'fortran_order': True, 'shape': (2305843009213693952,)}",
            "overflows",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
            "not a number",
        ),
        (
            "{'descr': '|b1', 'fortran_order': False, 'shape': (8,)}",
            "neither 0 nor 1",
        ),
    ] {
        let why = why.replace("'<f16'\"", "\"<f16\"");
        assert_refused(npy_from_bytes(&npy(header, &[7; 8])), &why);
    }
    assert_refused(npy_from_bytes(b""), "only 0 are left");
    assert_refused(npy_from_bytes(b"PK\x03\x04....."), "magic");
    assert_refused(npy_from_bytes(b"\x93NUMPY\x09\x00\x00\x00"), "version 9.0");
    assert_refused(
        npy_from_bytes(b"\x93NUMPY\x01\x00\xff\xff{}"),
        "65535 bytes, but only 2",
    );
    assert_refused(
        npy_from_bytes(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}"),
        "claims 4294967295",
    );
    assert_refused(
        npy_from_bytes(b"\x93NUMPY\x01\x00\x02\x00\xff\xfe"),
        "not text",
    );
}

fn archive() -> Vec<u8> {
    let x = Tensor::from_vec((0..50).collect::<Vec<i32>>(), &[5, 10]).unwrap();
    let y = Tensor::ones(&[3], DType::C128).unwrap();
    npz_to_bytes(&[("aa", x), ("bb", y)]).unwrap()
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut out = bytes.to_vec();
    let mut found = 0;
    for at in 0..=out.len() - from.len() {
        if out[at..].starts_with(from) {
            out[at..at + to.len()].copy_from_slice(to);
            found += 1;
        }
    }
    assert!(found > 0);
    out
}

#[test]
fn lying_npz() {
    let good = archive();
    assert_eq!(npz_from_bytes(&good).unwrap().len(), 2);
    assert_refused(
        npz_from_bytes(&replaced(&good, b"bb.npy", b"aa.npy")),
        "2 members",
    );
    assert_refused(
        npz_from_bytes(&replaced(&good, b"bb.npy", b"bb.txt")),
        "no .npy file",
    );
    assert_refused(npz_from_bytes(&replaced(&good, b"<i4", b"<f4")), "checksum");
    assert_refused(npz_from_bytes(&replaced(&good, b"<i4", b"|O4")), "pickled");
    assert_refused(npz_from_bytes(b""), "zip");
    for cut in [1, 10, good.len() / 2, good.len() - 1] {
        assert_refused(npz_from_bytes(&good[..cut]), "");
    }
}

/// An archive whose member claims to unpack to far more than deflate can.
#[test]
fn an_archive_that_claims_the_impossible() {
    let size = 704u32.to_le_bytes();
    let good = {
        let x = Tensor::zeros(&[576], DType::U8).unwrap();
        npz_to_bytes(&[("x", x)]).unwrap()
    };
    let claims = replaced(&good, &size, &0xfff0_0000u32.to_le_bytes());
    assert_refused(npz_from_bytes(&claims), "");
}

/// Flips, cuts, repeats and extends bytes of `good`, and asks only for a typed answer.
fn mutate(good: &[u8], rounds: u64, load: impl Fn(&[u8]) -> Result<(), Error>) {
    let mut refused = 0;
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..rounds {
        let mut bytes = good.to_vec();
        for _ in 0..=numbers.below(3) {
            mutate_once(&mut bytes, &mut numbers);
        }
        match load(&bytes) {
            Ok(()) => {}
            Err(Error::File { what, .. }) => {
                assert!(!what.is_empty());
                refused += 1;
            }
            Err(other) => panic!("not an error about the file: {other:?}"),
        }
    }
    assert!(
        refused > rounds / 10,
        "only {refused} of {rounds} mutants were noticed"
    );
}

fn mutate_once(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let at = numbers.below(bytes.len().max(1) as u64) as usize;
    match numbers.below(8) {
        0 => bytes.truncate(at),
        1 => bytes.extend((0..numbers.below(40)).map(|k| k as u8)),
        2 if at < bytes.len() => {
            let len = (numbers.below(16) as usize).min(bytes.len() - at);
            bytes.drain(at..at + len);
        }
        3 if at < bytes.len() => {
            let len = (numbers.below(64) as usize).min(bytes.len() - at);
            let copy = bytes[at..at + len].to_vec();
            bytes.splice(at..at, copy);
        }
        // Digits are where sizes are.
        4 => {
            let digits: Vec<usize> = (0..bytes.len())
                .filter(|&k| bytes[k].is_ascii_digit())
                .collect();
            if !digits.is_empty() {
                let k = digits[numbers.below(digits.len() as u64) as usize];
                bytes[k] = b'0' + numbers.below(10) as u8;
            }
        }
        5 if at < bytes.len() => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][numbers.below(5) as usize],
        _ if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
        _ => {}
    }
}

/// SplitMix64: the same mutants every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

#[test]
fn mutated_safetensors() {
    let x = Tensor::from_vec((0..12).map(f64::from).collect(), &[3, 4]).unwrap();
    let tensors = [
        ("weights.0", x.clone()),
        ("truth", Tensor::ones(&[5], DType::Bool).unwrap()),
        ("complex", x.cast(DType::C128).unwrap()),
        ("half", x.cast(DType::BF16).unwrap()),
    ];
    let about = BTreeMap::from([("step".to_owned(), "1000".to_owned())]);
    let good = safetensors_to_bytes(&tensors, &about).unwrap();
    mutate(&good, 12_000, |bytes| {
        safetensors_from_bytes(bytes).map(drop)
    });
}

#[test]
fn mutated_npy() {
    let x = Tensor::from_vec((0..12).map(f64::from).collect(), &[3, 4]).unwrap();
    let good = npy_to_bytes(&x).unwrap();
    mutate(&good, 12_000, |bytes| npy_from_bytes(bytes).map(drop));
    let truth = npy_to_bytes(&Tensor::ones(&[70], DType::Bool).unwrap()).unwrap();
    mutate(&truth, 4_000, |bytes| npy_from_bytes(bytes).map(drop));
}

#[test]
fn mutated_npz() {
    mutate(&archive(), 8_000, |bytes| npz_from_bytes(bytes).map(drop));
    let deflated = include_bytes!("data/numpy_arrays.npz");
    mutate(deflated, 1_000, |bytes| npz_from_bytes(bytes).map(drop));
}
