//! Tensors in files: NumPy's and safetensors. `cargo run -p syntonic-core --example 08_files`

use std::collections::BTreeMap;
use syntonic_core::prelude::*;

fn main() -> syntonic_core::Result<()> {
    let folder = std::env::temp_dir();
    let path = |ending: &str| folder.join(format!("syntonic_{}.{ending}", std::process::id()));
    let weights = Tensor::from([[0.5, -1.5], [2.0, 0.25]]);
    let steps = Tensor::arange(0, 5, 1)?;

    // One array, as numpy.load reads it.
    io::save_npy(path("npy"), &weights)?;
    let read = io::load_npy(path("npy"))?;
    println!("{read}");
    assert_eq!(read.to_vec::<f64>()?, weights.to_vec::<f64>()?);

    // Several by name, also with a transposed one, which is written row-major.
    let named = [("weights", weights.t()?), ("steps", steps)];
    io::save_npz(path("npz"), &named)?;
    let archive = io::load_npz(path("npz"))?;
    assert_eq!(archive["weights"].to_vec::<f64>()?, [0.5, 2.0, -1.5, 0.25]);

    // safetensors, with words of one's own beside the tensors. Every type of ours fits.
    let about = BTreeMap::from([("made by".to_owned(), "08_files".to_owned())]);
    let half = weights.cast(DType::BF16)?;
    io::save_safetensors(path("safetensors"), &[("half", half)], &about)?;
    let (tensors, about) = io::load_safetensors(path("safetensors"))?;
    assert_eq!(tensors["half"].dtype(), DType::BF16);
    assert_eq!(about["made by"], "08_files");

    // A file that was cut short is an error that says so, and nothing was allocated for it.
    let bytes = io::npy_to_bytes(&weights)?;
    let e = io::npy_from_bytes(&bytes[..bytes.len() - 1]).unwrap_err();
    println!("{e}");
    assert!(matches!(e, syntonic_core::Error::File { .. }));

    for ending in ["npy", "npz", "safetensors"] {
        assert!(std::fs::remove_file(path(ending)).is_ok());
    }
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
