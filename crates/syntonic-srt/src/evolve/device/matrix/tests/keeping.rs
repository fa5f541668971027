//! A search that was saved goes on with the same bits, and a file that is no such search is refused for what is wrong with it.

use super::*;
use crate::evolve::device::file::checksum;
use crate::evolve::device::{DeviceSearch, Rule};
use crate::evolve::{CheckpointFault, EvolveError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syntonic_core::cpu::cpu;
use syntonic_core::io;

/// A file that goes with the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let name = format!("syntonic-matrix-{name}-{}", std::process::id());
        Place(std::env::temp_dir().join(name))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn searches() -> Result<Vec<MatrixSearch>, Error> {
    let edge = |x: f64| Tensor::from_slice(&[x], &[1]);
    let mut all = vec![];
    for rule in RULES {
        for dtype in [DType::F32, DType::F64] {
            let plain = MatrixSearch::new(&start(6, dtype)?, 0.5, 8, rule, 5)?;
            all.push(plain.clone().bounded(&edge(-1.0)?, &edge(f64::INFINITY)?)?);
            all.push(plain);
        }
    }
    Ok(all)
}

/// Everything that is seen of a search, in bits.
fn bits(search: &MatrixSearch) -> Result<Vec<u64>, Error> {
    let (best, score) = search.best()?;
    let mut all = numbers(search)?;
    for part in [&search.deviation()?, &best, &score] {
        all.extend(list(part)?);
    }
    let bits = all.into_iter().map(f64::to_bits);
    Ok(bits.chain([search.generation()]).collect())
}

#[test]
fn a_loaded_search_goes_on_with_the_same_bits_wherever_it_was_cut() -> Tested {
    let place = Place::new("kept");
    for mut whole in searches()? {
        let mut part = whole.clone();
        whole.run(Function::Rosenbrock, 80, None)?;
        for count in [0, 1, 2, 17, 60] {
            part.run(Function::Rosenbrock, count, None)?;
            part.save(&place.0)?;
            let loaded = MatrixSearch::load(&place.0, &cpu())?;
            assert!(bits(&loaded)? == bits(&part)?);
            let first = std::fs::read(&place.0)?;
            loaded.save(&place.0)?;
            assert_eq!(std::fs::read(&place.0)?, first);
            part = loaded;
        }
        assert!(bits(&part)? == bits(&whole)?);
        let run = whole.run_saving(Function::Rosenbrock, 30, Some(-1.0), &place.0, 7)?;
        assert_eq!((run.done, run.history.shape()), (30, &[30][..]));
        part.run(Function::Rosenbrock, 30, None)?;
        assert!(bits(&part)? == bits(&MatrixSearch::load(&place.0, &cpu())?)?);
    }
    Ok(())
}

type Metadata = BTreeMap<String, String>;
type Tensors = BTreeMap<String, Tensor>;

/// A file with these parts, whose sum fits.
fn written(path: &Path, tensors: &Tensors, mut metadata: Metadata) -> Tested {
    metadata.insert("crc32".into(), checksum(&metadata, tensors)?);
    let named: Vec<(&str, Tensor)> = tensors.iter().map(|(k, t)| (&k[..], t.clone())).collect();
    Ok(io::save_safetensors(path, &named, &metadata)?)
}

fn refusal(path: &Path) -> CheckpointFault {
    match MatrixSearch::load(path, &cpu()) {
        Err(EvolveError::Checkpoint { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_is_refused_for_what_is_wrong_with_it() -> Tested {
    let place = Place::new("refused");
    let path = &place.0;
    let edge = |x: f64| Tensor::from_slice(&[x], &[1]);
    for (rule, other) in [("cma", "cr_fm_nes"), ("cr_fm_nes", "cma")] {
        let of = RULES[usize::from(rule != "cma")];
        let search = MatrixSearch::new(&start(3, DType::F32)?, 0.5, 8, of, 1)?;
        let mut search = search.bounded(&edge(-4.0)?, &edge(4.0)?)?;
        search.run(Function::Sphere, 5, None)?;
        search.save(path)?;
        let (tensors, metadata) = io::load_safetensors(path)?;
        written(path, &tensors, metadata.clone())?;
        assert!(bits(&MatrixSearch::load(path, &cpu())?)? == bits(&search)?);
        let (of, to) = (
            format!("\"rule\":\"{rule}\""),
            format!("\"rule\":\"{other}\""),
        );
        let words = [
            (&of[..], &to[..]),
            (&of[..], "\"rule\":\"snes\""),
            ("\"dtype\":\"float32\"", "\"dtype\":\"float64\""),
            ("\"dtype\":\"float32\"", "\"dtype\":\"int64\""),
            ("\"n\":3", "\"n\":2"),
            ("\"n\":3", "\"n\":0"),
            ("\"n\":3", "\"n\":18446744073709551615"),
            ("\"population\":8", "\"population\":3"),
            ("\"population\":8", "\"population\":8589934592"),
            ("\"bounded\":true", "\"bounded\":false"),
            ("\"decomposed\":", "\"decomposed\":9"),
            ("\"generation\":5", "\"generation\":9223372036854775807"),
            ("\"generation\":5", "\"generation\":-1"),
            ("\"seed\":1", "\"seed\":1,\"more\":1"),
        ];
        for (from, to) in words {
            let mut metadata = metadata.clone();
            let text = metadata["search"].clone();
            assert!(text.contains(from), "{from}: {text}");
            metadata.insert("search".into(), text.replacen(from, to, 1));
            written(path, &tensors, metadata)?;
            let fault = refusal(path);
            assert!(
                matches!(fault, CheckpointFault::Damaged(_)),
                "{to}: {fault}"
            );
        }
        for name in tensors.keys() {
            let mut fewer = tensors.clone();
            let taken = fewer.remove(name).ok_or("no tensor")?;
            written(path, &fewer, metadata.clone())?;
            let fault = refusal(path);
            assert!(
                matches!(fault, CheckpointFault::Damaged(_)),
                "{name}: {fault}"
            );
            let nan = Tensor::full(taken.shape(), f64::NAN, taken.dtype())?.eval()?;
            fewer.insert(name.clone(), nan);
            written(path, &fewer, metadata.clone())?;
            let fault = refusal(path);
            assert!(
                matches!(fault, CheckpointFault::Damaged(_)),
                "{name}: {fault}"
            );
        }
        let mut later = metadata.clone();
        later.insert("version".into(), "7".into());
        written(path, &tensors, later)?;
        let fault = refusal(path);
        assert!(
            matches!(fault, CheckpointFault::Version { found: 7, known: 1 }),
            "{fault}"
        );
    }
    // Searches of each kind are foreign to the other.
    DeviceSearch::new(&start(3, DType::F32)?, 0.5, 8, Rule::Snes, 1)?.save(path)?;
    assert!(matches!(refusal(path), CheckpointFault::Foreign(_)));
    MatrixSearch::new(&start(3, DType::F32)?, 0.5, 8, MatrixRule::Cma, 1)?.save(path)?;
    let refused = DeviceSearch::load(path, &cpu());
    let foreign = matches!(
        refused,
        Err(EvolveError::Checkpoint {
            fault: CheckpointFault::Foreign(_),
            ..
        })
    );
    assert!(foreign, "{refused:?}");
    Ok(())
}

/// Every cut and every flipped bit is noticed.
#[test]
fn a_damaged_file_is_refused() -> Tested {
    let place = Place::new("damaged");
    let mut search = MatrixSearch::new(&start(2, DType::F64)?, 0.5, 4, MatrixRule::CrFmNes, 1)?;
    search.run(Function::Sphere, 3, None)?;
    search.save(&place.0)?;
    let good = std::fs::read(&place.0)?;
    for end in 0..good.len() {
        std::fs::write(&place.0, &good[..end])?;
        let fault = refusal(&place.0);
        assert!(
            matches!(fault, CheckpointFault::Truncated(_)),
            "{end}: {fault}"
        );
    }
    let header = u64::from_le_bytes(good[..8].try_into()?) as usize;
    for byte in 8 + header..good.len() {
        let mut bytes = good.clone();
        bytes[byte] ^= 4;
        std::fs::write(&place.0, &bytes)?;
        let fault = refusal(&place.0);
        assert!(
            matches!(fault, CheckpointFault::Damaged(_)),
            "{byte}: {fault}"
        );
    }
    Ok(())
}
