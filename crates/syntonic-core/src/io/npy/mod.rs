//! NumPy's `.npy`: a header in Python's notation, then the elements.
//!
//! Both orders of bytes and of axes are read; what is written is row-major and little-endian.
//! `bfloat16` and 8-bit floats cannot be written: NumPy has no such types.

mod header;

use super::draft::Draft;
use super::elements::with_bytes;
use super::memory::Memory;
use super::stream::{Place, Stream};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::tensor::{Tensor, describe};
use header::{Axes, Header};
use std::io::{Read, Write};
use std::path::Path;

/// The first bytes of every file.
const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// No honest header is longer.
const LONGEST_HEADER: u64 = 1 << 20;

/// Writes a tensor to a `.npy` file, which appears when it is complete.
///
/// Errors: [`Error::DType`] for `bfloat16` and 8-bit floats, [`Error::Io`] where the system refuses.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-save-npy-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("x.npy");
/// io::save_npy(&path, &Tensor::from([[1.0, 2.0], [3.0, 4.0]]))?;
/// assert_eq!(io::load_npy(&path)?.to_vec::<f64>()?, [1.0, 2.0, 3.0, 4.0]);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn save_npy(path: impl AsRef<Path>, x: &Tensor) -> Result<()> {
    let op = "save_npy";
    check_dtype(op, x)?;
    let place = Place::file(op, path.as_ref());
    Draft::new(&place, path.as_ref())?.finish(|file| write(&place, x, file))
}

/// The bytes that [`save_npy`] would write.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let bytes = io::npy_to_bytes(&Tensor::from([1u8, 2, 3]))?;
/// assert_eq!(&bytes[..6], b"\x93NUMPY");
/// assert_eq!(bytes[bytes.len() - 3..], [1, 2, 3]);
/// assert!(io::npy_to_bytes(&Tensor::zeros(&[2], DType::BF16)?).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn npy_to_bytes(x: &Tensor) -> Result<Vec<u8>> {
    let op = "npy_to_bytes";
    check_dtype(op, x)?;
    let mut bytes = Memory::default();
    write(&Place::memory(op), x, &mut bytes)?;
    Ok(bytes.into_bytes())
}

/// Reads a `.npy` file. An array that Fortran order stores comes back as a transposed view.
///
/// Errors: [`Error::File`] for a file that is not what it claims to be, or holds Python objects or
/// another type that no tensor has; [`Error::Io`] where the system refuses.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-load-npy-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("x.npy");
/// io::save_npy(&path, &Tensor::from([true, false]))?;
/// assert_eq!(io::load_npy(&path)?.to_vec::<bool>()?, [true, false]);
/// std::fs::write(&path, b"\x93NUMPY").unwrap();
/// assert!(io::load_npy(&path).is_err());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn load_npy(path: impl AsRef<Path>) -> Result<Tensor> {
    read(&mut Stream::open("load_npy", path.as_ref())?)
}

/// As [`load_npy`], from bytes in memory.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let bytes = io::npy_to_bytes(&Tensor::from([[1, 2, 3]]))?;
/// assert_eq!(io::npy_from_bytes(&bytes)?.shape(), [1, 3]);
/// assert!(io::npy_from_bytes(&bytes[..bytes.len() - 1]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn npy_from_bytes(bytes: &[u8]) -> Result<Tensor> {
    let place = Place::memory("npy_from_bytes");
    read(&mut Stream::new(place, bytes, bytes.len() as u64))
}

/// Refuses the types that NumPy lacks.
pub(super) fn check_dtype(op: &'static str, x: &Tensor) -> Result<()> {
    if x.dtype() != DType::BF16 && !x.dtype().is_stored() {
        return Ok(());
    }
    Err(Error::DType {
        op,
        operands: describe(&[x]),
        hint: format!(
            "NumPy has no {}; cast to float32, which holds every value, or save as safetensors",
            x.dtype()
        ),
    })
}

/// Bytes of the whole file for `x`.
pub(super) fn length(x: &Tensor) -> u64 {
    let header = header::write(x.dtype(), x.shape());
    (header.len() + x.numel() * x.dtype().size()) as u64
}

pub(super) fn write(place: &Place, x: &Tensor, to: &mut impl Write) -> Result<()> {
    to.write_all(&header::write(x.dtype(), x.shape()))
        .map_err(|e| place.failed(e))?;
    with_bytes(x, |bytes| place.write(to, bytes))?
}

pub(super) fn read<R: Read>(stream: &mut Stream<R>) -> Result<Tensor> {
    let header = read_header(stream)?;
    let out = stream.tensor(
        "the array",
        header.dtype,
        &header.stored_shape(),
        header.order,
    )?;
    if stream.rest() > 0 {
        let what = format!("{} bytes follow the array", stream.rest());
        return Err(stream.place.wrong(what));
    }
    match header.axes {
        Axes::RowMajor => Ok(out),
        Axes::Fortran => {
            let back: Vec<isize> = (0..out.ndim() as isize).rev().collect();
            out.permute(&back)
        }
    }
}

fn read_header<R: Read>(stream: &mut Stream<R>) -> Result<Header> {
    let start = stream.bytes(8, "the magic string and version")?;
    let place = stream.place.clone();
    if !start.starts_with(MAGIC) {
        return Err(place.wrong("it does not begin with the magic string of .npy files"));
    }
    let width = match (start[6], start[7]) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        (major, minor) => {
            return Err(place.wrong(format!("version {major}.{minor} of .npy is not known")));
        }
    };
    let digits = stream.bytes(width, "the header's length")?;
    let length = digits.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    if length > LONGEST_HEADER {
        return Err(place.wrong(format!("its header claims {length} bytes")));
    }
    let text = stream.bytes(length, "the header")?;
    let text = std::str::from_utf8(&text).map_err(|_| place.wrong("its header is not text"))?;
    header::parse(text).map_err(|what| place.wrong(what))
}
