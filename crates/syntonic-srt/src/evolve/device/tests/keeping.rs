//! A search that was saved goes on with the same bits, and a file that is no such search is refused for what is wrong with it.

use super::*;
use crate::evolve::{CheckpointFault, EvolveError, Restarts};
use std::collections::BTreeMap;
use std::path::PathBuf;
use syntonic_core::cpu::cpu;
use syntonic_core::io;

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("syntonic-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Everything of a search that decides or is seen, in bits: all but how many generations its last launch had.
pub(super) fn bits(search: &DeviceSearch) -> Result<Vec<u64>, Error> {
    let (best, score) = search.best()?;
    let (numbers, history) = search.history()?;
    let mut all = vec![search.generation(), search.population() as u64];
    all.extend(numbers);
    let end = (search.state.shape()[1] - plan::NUMBERS + learning::DONE) as isize;
    let state = search.state.slice(1, Some(0), Some(end), 1)?;
    for x in [
        search.mean()?,
        search.deviation()?,
        best,
        score,
        history,
        state,
    ] {
        all.extend(x.to_vec::<f64>()?.iter().map(|x| x.to_bits()));
    }
    Ok(all)
}

fn searches() -> Result<Vec<DeviceSearch>, Error> {
    let edge = |x: f64| Tensor::from_slice(&[x], &[1]);
    let mut all = vec![];
    for (k, rule) in RULES.into_iter().enumerate() {
        for dtype in [DType::F32, DType::F64] {
            let plain = DeviceSearch::new(&start(5, dtype)?, 0.5, 8, rule, k as u64)?;
            all.push(plain.clone().bounded(&edge(-1.0)?, &edge(f64::INFINITY)?)?);
            let rows = Tensor::full(&[3, 4], 2.0, dtype)?;
            all.push(DeviceSearch::new(&rows, 0.5, 6, rule, u64::MAX - k as u64)?);
            if rule != OPEN_AI {
                all.push(plain.clone().restarting(Restarts::Growing)?);
            }
            all.push(plain);
        }
    }
    Ok(all)
}

#[test]
fn a_loaded_search_goes_on_with_the_same_bits_wherever_it_was_cut() -> Tested {
    let folder = Folder::new("kept");
    let path = folder.0.join("search");
    for mut whole in searches()? {
        let mut part = whole.clone();
        whole.run(Function::Rastrigin, 130, None)?;
        for count in [0, 1, 62, 1, 3, 63] {
            part.run(Function::Rastrigin, count, None)?;
            part.save(&path)?;
            let loaded = DeviceSearch::load(&path, &cpu())?;
            assert!(bits(&loaded)? == bits(&part)?);
            let first = std::fs::read(&path)?;
            loaded.save(&path)?;
            assert_eq!(std::fs::read(&path)?, first);
            part = loaded;
        }
        assert!(bits(&part)? == bits(&whole)?);
        let scores = whole.scores(Function::Sphere)?;
        assert_eq!(
            part.scores(Function::Sphere)?.to_vec::<f64>()?,
            scores.to_vec::<f64>()?
        );
        for search in [&mut whole, &mut part] {
            search.tell(&scores)?;
        }
        assert!(bits(&part)? == bits(&whole)?);
    }
    Ok(())
}

/// Which generations a history has depends on their number alone, and neither it nor the file grows without end.
#[test]
fn a_long_history_is_thinned_however_it_came_about() -> Tested {
    let new = || DeviceSearch::new(&start(1, DType::F64)?, 0.5, 4, Rule::Snes, 1);
    let folder = Folder::new("long");
    let path = folder.0.join("search");
    let (mut whole, mut part) = (new()?, new()?);
    let scores = whole
        .run(Function::Sphere, 9001, None)?
        .history
        .to_vec::<f64>()?;
    for count in (1..).take(140) {
        let left = 9001 - part.generation();
        part.run(Function::Sphere, left.min(count), None)?;
    }
    assert_eq!(part.generation(), 9001);
    let (numbers, history) = whole.history()?;
    let wanted: Vec<u64> = (1..=2250).map(|k| 4 * k).chain([9001]).collect();
    assert_eq!(numbers, wanted);
    let wanted: Vec<f64> = wanted.iter().map(|k| scores[*k as usize - 1]).collect();
    assert_eq!(history.to_vec::<f64>()?, wanted);
    assert!(bits(&part)? == bits(&whole)?);
    whole.save(&path)?;
    assert!(std::fs::metadata(&path)?.len() < 40_000);
    assert!(bits(&DeviceSearch::load(&path, &cpu())?)? == bits(&whole)?);
    let (numbers, history) = new()?.history()?;
    assert!(numbers.is_empty() && history.shape() == [0]);
    Ok(())
}

#[test]
fn a_run_that_saves_is_the_run_that_does_not() -> Tested {
    let folder = Folder::new("saving");
    let path = folder.0.join("search");
    for every in [0, 1, 7, 1000] {
        let new = || DeviceSearch::new(&start(3, DType::F64)?, 0.5, 8, Rule::Separable, 1);
        let (mut whole, mut part) = (new()?, new()?);
        let target = Some(1e-9);
        let run = whole.run(Function::Sphere, 500, target)?;
        part.run_saving(Function::Sphere, 10, target, &path, every)?;
        assert!(bits(&DeviceSearch::load(&path, &cpu())?)? == bits(&part)?);
        let rest = part.run_saving(Function::Sphere, 490, target, &path, every)?;
        assert_eq!(
            (rest.done + 10, rest.history.shape()),
            (run.done, &[rest.done as usize][..])
        );
        assert!(bits(&part)? == bits(&whole)?);
        assert!(bits(&DeviceSearch::load(&path, &cpu())?)? == bits(&part)?);
    }
    let mut search = DeviceSearch::new(&start(3, DType::F64)?, 0.5, 8, Rule::Separable, 1)?;
    let lost = search.run_saving(Function::Sphere, 5, None, folder.0.join("no/search"), 1);
    assert!(matches!(lost, Err(EvolveError::File { .. })));
    assert_eq!(search.generation(), 0);
    Ok(())
}

type Metadata = BTreeMap<String, String>;
type Tensors = BTreeMap<String, Tensor>;

/// A file with these parts, whose sum fits.
fn written(path: &PathBuf, tensors: &Tensors, mut metadata: Metadata) -> Tested {
    metadata.insert("crc32".into(), file::checksum(&metadata, tensors)?);
    let named: Vec<(&str, Tensor)> = tensors.iter().map(|(k, t)| (&k[..], t.clone())).collect();
    Ok(io::save_safetensors(path, &named, &metadata)?)
}

fn refusal(path: &PathBuf) -> CheckpointFault {
    match DeviceSearch::load(path, &cpu()) {
        Err(EvolveError::Checkpoint { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_is_refused_for_what_is_wrong_with_it() -> Tested {
    let folder = Folder::new("refused");
    let path = folder.0.join("search");
    let mut search = DeviceSearch::new(&start(3, DType::F32)?, 0.5, 8, Rule::Separable, 1)?
        .bounded(
            &Tensor::from_slice(&[-4.0], &[1])?,
            &Tensor::from_slice(&[4.0], &[1])?,
        )?
        .restarting(Restarts::Growing)?;
    search.run(Function::Sphere, 5, None)?;
    search.save(&path)?;
    let (tensors, metadata) = io::load_safetensors(&path)?;
    written(&path, &tensors, metadata.clone())?;
    assert!(bits(&DeviceSearch::load(&path, &cpu())?)? == bits(&search)?);

    let words = [
        ("\"generation\":5", "\"generation\":1073741824"),
        ("\"generation\":5", "\"generation\":4"),
        ("\"generation\":5", "\"generation\":-1"),
        ("\"rule\":\"separable\"", "\"rule\":\"adam\""),
        ("\"rule\":\"separable\"", "\"rule\":\"snes\""),
        ("\"rule\":\"separable\"", "\"rule\":\"openai\""),
        ("\"dtype\":\"float32\"", "\"dtype\":\"float64\""),
        ("\"dtype\":\"float32\"", "\"dtype\":\"int64\""),
        ("\"n\":3", "\"n\":2"),
        ("\"n\":3", "\"n\":0"),
        ("\"n\":3", "\"n\":18446744073709551615"),
        ("\"runs\":1", "\"runs\":2"),
        ("\"runs\":1", "\"runs\":0"),
        (
            "\"population\":8,\"batched\"",
            "\"population\":7,\"batched\"",
        ),
        (
            "\"population\":8,\"batched\"",
            "\"population\":16,\"batched\"",
        ),
        (
            "\"population\":8,\"batched\"",
            "\"population\":8589934592,\"batched\"",
        ),
        ("\"batched\":false", "\"batched\":true"),
        ("\"bounded\":true", "\"bounded\":false"),
        ("\"number\":0", "\"number\":70"),
        ("\"sigma\":0.5", "\"sigma\":\"NaN\""),
        ("\"sigma\":0.5", "\"sigma\":0"),
        ("\"improved\":", "\"improved\":9"),
        ("\"recent\":5", "\"recent\":4"),
        ("\"recent\":5", "\"recent\":500"),
        ("\"recent\":5", "\"recent\":0"),
        ("\"seed\":1", "\"seed\":1,\"more\":1"),
        ("\"seed\":1", "\"sand\":1"),
    ];
    for (from, to) in words {
        let mut metadata = metadata.clone();
        let text = metadata["search"].clone();
        assert!(text.contains(from), "{from}: {text}");
        metadata.insert("search".into(), text.replacen(from, to, 1));
        written(&path, &tensors, metadata)?;
        let fault = refusal(&path);
        assert!(
            matches!(fault, CheckpointFault::Damaged(_)),
            "{to}: {fault}"
        );
    }

    let stride = tensors["state"].numel();
    let with = |at: usize, value: f64| -> Result<Tensor, Error> {
        let mut values = tensors["state"].to_vec::<f64>()?;
        values[at] = value;
        Tensor::from_slice(&values, &[1, stride])
    };
    let numbers = stride - plan::NUMBERS;
    let nan = f64::NAN;
    let replaced = [
        ("state", with(0, nan)?),
        ("state", with(3, -1.0)?),
        ("state", with(4, f64::INFINITY)?),
        ("state", with(9, 0.0)?),
        ("state", with(12, f64::INFINITY)?),
        ("state", with(numbers + learning::SIGMA, nan)?),
        ("state", with(numbers + learning::SIGMA, 0.0)?),
        ("state", with(numbers + learning::MISSING, 1.5)?),
        ("state", with(numbers + learning::BEST_SCORE, nan)?),
        ("state", with(numbers + learning::DONE, 0.5)?),
        ("state", tensors["state"].cast(DType::F32)?),
        ("state", tensors["state"].reshape(&[-1])?),
        ("history", Tensor::zeros(&[1, 4], DType::F64)?),
        ("bounds", Tensor::zeros(&[2, 3], DType::F64)?),
        ("bounds", Tensor::full(&[2, 3], nan, DType::F32)?),
        (
            "bounds",
            Tensor::from_slice(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &[2, 3])?.cast(DType::F32)?,
        ),
        ("start", Tensor::full(&[1, 3], nan, DType::F64)?),
        ("start", Tensor::zeros(&[3], DType::F64)?),
        ("recent", Tensor::full(&[5], nan, DType::F64)?),
        ("recent", Tensor::zeros(&[1, 5], DType::F64)?),
        ("other", Tensor::zeros(&[3], DType::F64)?),
        ("other", Tensor::zeros(&[3], DType::I64)?),
    ];
    for (name, t) in replaced {
        let mut changed = tensors.clone();
        changed.insert(name.into(), t.eval()?);
        written(&path, &changed, metadata.clone())?;
        let fault = refusal(&path);
        assert!(
            matches!(fault, CheckpointFault::Damaged(_)),
            "{name}: {fault}"
        );
    }
    for name in tensors.keys() {
        let mut fewer = tensors.clone();
        fewer.remove(name);
        written(&path, &fewer, metadata.clone())?;
        assert!(
            matches!(refusal(&path), CheckpointFault::Damaged(_)),
            "{name}"
        );
    }

    let mut later = metadata.clone();
    later.insert("version".into(), "7".into());
    written(&path, &tensors, later)?;
    assert!(matches!(
        refusal(&path),
        CheckpointFault::Version { found: 7, known: 3 }
    ));
    written(&path, &tensors, Metadata::new())?;
    assert!(matches!(refusal(&path), CheckpointFault::Foreign(_)));
    std::fs::write(&path, b"something else")?;
    assert!(matches!(refusal(&path), CheckpointFault::Foreign(_)));
    assert!(matches!(
        DeviceSearch::load(folder.0.join("none"), &cpu()),
        Err(EvolveError::File { .. })
    ));
    Ok(())
}

/// A search of the first format keeps its algorithm, whose name is another one now.
#[test]
fn the_first_format_is_read() -> Tested {
    let folder = Folder::new("first-format");
    let path = folder.0.join("search");
    let mut search = DeviceSearch::new(&start(3, DType::F64)?, 0.5, 8, Rule::Separable, 1)?;
    search.run(Function::Sphere, 3, None)?;
    search.save(&path)?;
    let (tensors, mut metadata) = io::load_safetensors(&path)?;
    metadata.insert("version".into(), "1".into());
    let about = metadata["search"].replace("\"separable\"", "\"res\"");
    metadata.insert("search".into(), about);
    written(&path, &tensors, metadata)?;
    let mut other = DeviceSearch::load(&path, &cpu())?;
    for search in [&mut search, &mut other] {
        search.run(Function::Sphere, 3, None)?;
    }
    assert!(bits(&search)? == bits(&other)?);
    Ok(())
}

/// What the second format knows of an attempt is the beginning of what is known now.
#[test]
fn the_second_format_is_read() -> Tested {
    let folder = Folder::new("second-format");
    let path = folder.0.join("search");
    let search = DeviceSearch::new(&start(3, DType::F64)?, 0.5, 8, Rule::Separable, 1)?;
    let mut search = search.restarting(Restarts::Growing)?;
    search.run(Function::Rastrigin, 3, None)?;
    search.save(&path)?;
    let (mut tensors, mut metadata) = io::load_safetensors(&path)?;
    tensors.remove("recent");
    metadata.insert("version".into(), "2".into());
    let about = &metadata["search"];
    let (about, _) = about.split_once("\"restarts\"").ok_or("no attempt")?;
    let attempt = "{\"number\":0,\"population\":8,\"sigma\":0.5,\"began\":0,\"improved\":2,\"best\":30.5,\"level\":2,\"least\":1,\"most\":\"inf\"}";
    metadata.insert("search".into(), format!("{about}\"restarts\":{attempt}}}"));
    written(&path, &tensors, metadata)?;
    let mut other = DeviceSearch::load(&path, &cpu())?;
    for search in [&mut search, &mut other] {
        search.run(Function::Rastrigin, 300, None)?;
        assert!(search.restarts() > 0);
    }
    other.save(&path)?;
    assert!(bits(&other)? == bits(&DeviceSearch::load(&path, &cpu())?)?);
    Ok(())
}

/// Every cut and every flipped bit is noticed.
#[test]
fn a_damaged_file_is_refused() -> Tested {
    let folder = Folder::new("damaged");
    let path = folder.0.join("search");
    let mut search = DeviceSearch::new(&start(2, DType::F64)?, 0.5, 4, Rule::Snes, 1)?;
    search.run(Function::Sphere, 3, None)?;
    search.save(&path)?;
    let good = std::fs::read(&path)?;
    for end in 0..good.len() {
        std::fs::write(&path, &good[..end])?;
        let fault = refusal(&path);
        assert!(
            matches!(fault, CheckpointFault::Truncated(_)),
            "{end}: {fault}"
        );
    }
    let header = u64::from_le_bytes(good[..8].try_into()?) as usize;
    for bit in 0..8 * good.len() {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        // A blank at the end of the header may be another one.
        if good[bit / 8] == b' ' && bit / 8 + 8 > 8 + header {
            continue;
        }
        std::fs::write(&path, &bytes)?;
        let fault = refusal(&path);
        // A place of the header may say that there should be more.
        let named = matches!(
            fault,
            CheckpointFault::Damaged(_) | CheckpointFault::Truncated(_)
        );
        assert!(named || bit < 8 * 100, "{bit}: {fault}");
    }
    let longer = [&good[..], b" "].concat();
    std::fs::write(&path, longer)?;
    assert!(matches!(refusal(&path), CheckpointFault::Damaged(_)));
    Ok(())
}

#[test]
fn what_nobody_could_load_is_not_saved() -> Tested {
    let folder = Folder::new("unsaved");
    let path = folder.0.join("search");
    let x = Tensor::from_slice(&[1.0, f64::NAN], &[2])?;
    let search = DeviceSearch::new(&x, 0.5, 4, Rule::Separable, 1)?;
    let refused = search.save(&path);
    assert!(
        matches!(refused, Err(EvolveError::Engine(Error::Value { .. }))),
        "{refused:?}"
    );
    assert!(!path.exists());
    Ok(())
}
