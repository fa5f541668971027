//! The formats, each with one way to save and one to load.

use std::collections::BTreeMap;
use std::path::Path;
use syntonic_core::cpu::cpu;
use syntonic_core::io::{self, Selection};
use syntonic_core::{DType, Error, Tensor};
use syntonic_srt::evolve::device::{DeviceSearch, Function, MatrixRule, MatrixSearch, Rule};
use syntonic_srt::evolve::{
    CheckpointFault, EvolveError, NoiseHandling, Res, ResConfig, Restarts, Shape, Strategy,
};

/// A file format: whatever is saved holds one number, in many places.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    pub(crate) save: fn(&Path, u64) -> Result<(), Refusal>,
    /// The number, the same in all places.
    pub(crate) load: fn(&Path) -> Result<u64, Refusal>,
}

/// Why something was not done.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The system said no.
    System(std::io::Error),
    /// The file is not what it should be.
    File(String),
    /// Anything else.
    Other(String),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Io { source, .. } => Refusal::System(source),
            Error::File { what, .. } => Refusal::File(what),
            other => Refusal::Other(other.to_string()),
        }
    }
}

impl From<EvolveError> for Refusal {
    fn from(error: EvolveError) -> Refusal {
        match error {
            EvolveError::File { source, .. } => Refusal::System(source),
            EvolveError::Checkpoint { fault, .. } => Refusal::File(fault.to_string()),
            other => Refusal::Other(other.to_string()),
        }
    }
}

/// Every format that is written.
pub(crate) const FORMATS: [Format; 6] = [
    Format {
        name: "npy",
        save: |path, number| Ok(io::save_npy(path, &full(number, DType::U64))?),
        load: |path| Ok(same(&io::load_npy(path)?)),
    },
    Format {
        name: "npz",
        save: |path, number| Ok(io::save_npz(path, &tensors(number))?),
        load: |path| Ok(all_same(&io::load_npz(path)?)),
    },
    Format {
        name: "safetensors",
        save: |path, number| {
            let about = BTreeMap::from([("number".to_owned(), number.to_string())]);
            Ok(io::save_safetensors(path, &tensors(number), &about)?)
        },
        load: |path| {
            let (tensors, about) = io::load_safetensors(path)?;
            let number = all_same(&tensors);
            assert_eq!(about.get("number"), Some(&number.to_string()), "torn");
            Ok(number)
        },
    },
    Format {
        name: "checkpoint",
        save: |path, number| Ok(search(number).save(path)?),
        load: |path| Ok(Res::load(path)?.config().seed),
    },
    Format {
        name: "device",
        save: |path, number| Ok(device_search(2000, number).save(path)?),
        load: |path| {
            let search = DeviceSearch::load(path, &cpu())?;
            let mean = search.mean()?.to_vec::<f64>()?;
            assert!(
                mean.len() == 2000 && mean.iter().all(|x| *x == mean[0]),
                "torn"
            );
            Ok(mean[0] as u64)
        },
    },
    Format {
        name: "matrix",
        save: |path, number| Ok(matrix_search(2000, number).save(path)?),
        load: |path| {
            let search = MatrixSearch::load(path, &cpu())?;
            let mean = search.mean()?.to_vec::<f64>()?;
            assert!(
                mean.len() == 2000 && mean.iter().all(|x| *x == mean[0]),
                "torn"
            );
            Ok(mean[0] as u64)
        },
    },
];

/// Elements of each tensor: several pages, several writes.
const ELEMENTS: usize = 20_000;

fn full(number: u64, dtype: DType) -> Tensor {
    Tensor::full(&[ELEMENTS], number as i64, dtype).unwrap()
}

fn tensors(number: u64) -> [(&'static str, Tensor); 3] {
    [
        ("first", full(number, DType::U64)),
        ("second", full(number, DType::F64)),
        ("third", full(number, DType::I32)),
    ]
}

/// A search of many unknowns whose seed is the number.
pub(crate) fn search(number: u64) -> Res {
    let config = ResConfig::new().seed(number).population(4);
    let config = config.strategy(Strategy::Recombine(Shape::Separable));
    let mut res = Res::new(&vec![1.5; 2000], config).unwrap();
    step(&mut res);
    res
}

/// A search on a device of so many unknowns, whose start is the number.
fn device_search(n: usize, number: u64) -> DeviceSearch {
    let start = Tensor::full(&[n], number as i64, DType::F64).unwrap();
    DeviceSearch::new(&start, 0.5, 4, Rule::Separable, number).unwrap()
}

/// The same by tensor operations.
fn matrix_search(n: usize, number: u64) -> MatrixSearch {
    let start = Tensor::full(&[n], number as i64, DType::F64).unwrap();
    MatrixSearch::new(&start, 0.5, 4, MatrixRule::CrFmNes, number).unwrap()
}

pub(crate) fn step(res: &mut Res) {
    let values: Vec<f64> = res
        .ask()
        .unwrap()
        .iter()
        .map(|x| x.iter().map(|v| v * v).sum())
        .collect();
    res.tell(&values).unwrap();
}

fn same(t: &Tensor) -> u64 {
    let values = t.cast(DType::U64).unwrap().to_vec::<u64>().unwrap();
    assert_eq!(values.len(), ELEMENTS, "torn");
    assert!(values.iter().all(|v| *v == values[0]), "torn");
    values[0]
}

fn all_same(tensors: &BTreeMap<String, Tensor>) -> u64 {
    let numbers: Vec<u64> = tensors.values().map(same).collect();
    assert_eq!(numbers.len(), 3, "torn");
    assert!(numbers.iter().all(|n| *n == numbers[0]), "torn");
    numbers[0]
}

type Loading = fn(&Path) -> Result<Option<Res>, Refusal>;

/// A good file to be damaged, and how it is loaded.
pub(crate) struct Victim {
    pub(crate) name: &'static str,
    pub(crate) good: Vec<u8>,
    /// A search comes back, to go on with.
    pub(crate) load: Loading,
    /// Makes good again what would give any damage away.
    pub(crate) mend: fn(Vec<u8>) -> Vec<u8>,
}

/// Small files of every form that is read.
pub(crate) fn victims() -> Vec<Victim> {
    let x = Tensor::from_vec((0..120).map(f64::from).collect(), &[3, 40]).unwrap();
    let some = [
        ("weights.0", x.clone()),
        ("truth", Tensor::ones(&[50], DType::Bool).unwrap()),
        ("complex", x.cast(DType::C128).unwrap()),
        ("narrow", x.cast(DType::F16).unwrap()),
    ];
    let about = BTreeMap::from([("step".to_owned(), "1000".to_owned())]);
    let as_it_is: fn(Vec<u8>) -> Vec<u8> = |bytes| bytes;
    let checkpoint = checkpoint();
    let text = small_search().to_json().unwrap();
    let victim = |name, good, load, mend| Victim {
        name,
        good,
        load,
        mend,
    };
    vec![
        victim(
            "npy",
            io::npy_to_bytes(&x).unwrap(),
            |path| Ok(io::load_npy(path).map(|_| None)?),
            as_it_is,
        ),
        victim(
            "npz, stored",
            io::npz_to_bytes(&some).unwrap(),
            |path| Ok(io::load_npz(path).map(|_| None)?),
            as_it_is,
        ),
        victim(
            "npz, deflated",
            include_bytes!("../../../syntonic-core/tests/data/numpy_arrays.npz").to_vec(),
            |path| Ok(io::load_npz(path).map(|_| None)?),
            as_it_is,
        ),
        victim(
            "safetensors",
            io::safetensors_to_bytes(&some, &about).unwrap(),
            |path| Ok(io::load_safetensors(path).map(|_| None)?),
            as_it_is,
        ),
        victim(
            "safetensors, one name",
            io::safetensors_to_bytes(&some, &about).unwrap(),
            |path| {
                let names = ["truth"];
                let wanted = Selection {
                    names: Some(&names),
                    most_bytes: None,
                };
                match io::load_safetensors_with(path, &wanted) {
                    // Its own name is part of what may be damaged.
                    Err(Error::Value { what, .. }) => Err(Refusal::File(what)),
                    done => Ok(done.map(|_| None)?),
                }
            },
            as_it_is,
        ),
        victim("checkpoint", checkpoint.clone(), load_checkpoint, as_it_is),
        victim(
            "checkpoint, summed anew",
            checkpoint,
            load_checkpoint,
            sum_anew,
        ),
        victim(
            "checkpoint of format 1",
            include_bytes!("../../src/evolve/tests/format_1.json").to_vec(),
            load_checkpoint,
            as_it_is,
        ),
        victim(
            "device search",
            small_device_search(),
            |path| Ok(DeviceSearch::load(path, &cpu()).map(|_| None)?),
            as_it_is,
        ),
        victim(
            "matrix search",
            small_matrix_search(),
            |path| Ok(MatrixSearch::load(path, &cpu()).map(|_| None)?),
            as_it_is,
        ),
        victim(
            "text of a checkpoint",
            text.into_bytes(),
            load_text,
            as_it_is,
        ),
        victim(
            "text of a noisy search",
            noisy_search().to_json().unwrap().into_bytes(),
            load_text,
            as_it_is,
        ),
    ]
}

fn small_device_search() -> Vec<u8> {
    let folder = crate::folder::Folder::new("device-search");
    let path = folder.at("search");
    let mut search = device_search(5, 3).restarting(Restarts::Growing).unwrap();
    search.run(Function::Sphere, 7, None).unwrap();
    search.save(&path).unwrap();
    std::fs::read(&path).unwrap()
}

fn small_matrix_search() -> Vec<u8> {
    let folder = crate::folder::Folder::new("matrix-search");
    let path = folder.at("search");
    let start = Tensor::full(&[4], 3.0, DType::F32).unwrap();
    let mut search = MatrixSearch::new(&start, 0.5, 6, MatrixRule::Cma, 3).unwrap();
    search.run(Function::Sphere, 7, None).unwrap();
    search.save(&path).unwrap();
    std::fs::read(&path).unwrap()
}

fn load_checkpoint(path: &Path) -> Result<Option<Res>, Refusal> {
    Ok(Some(Res::load(path)?))
}

fn load_text(path: &Path) -> Result<Option<Res>, Refusal> {
    let text = std::fs::read(path).map_err(Refusal::System)?;
    let Ok(text) = String::from_utf8(text) else {
        return Err(Refusal::File("not text".into()));
    };
    Ok(Some(Res::from_json(&text)?))
}

fn small_search() -> Res {
    let config = ResConfig::new().seed(3).population(6);
    let mut res = Res::new(
        &[1.5; 30],
        config.strategy(Strategy::Recombine(Shape::Full)),
    )
    .unwrap();
    (0..20).for_each(|_| step(&mut res));
    res
}

/// One whose candidates are evaluated several times.
fn noisy_search() -> Res {
    let config = ResConfig::new().seed(3).population(6);
    let mut res = Res::new(&[1.5; 4], config.noise(NoiseHandling::Auto)).unwrap();
    for generation in 0..5 {
        let rows = res.ask().unwrap().rows();
        let values = (0..rows).map(|row| (row * row + generation) as f64 % 7.0);
        let values: Vec<f64> = values.collect();
        res.tell(&values).unwrap();
    }
    assert!(res.repeats() > 1);
    res
}

fn checkpoint() -> Vec<u8> {
    let text = small_search().to_json().unwrap();
    first_line(text.as_bytes())
}

/// The text with the line before it that says it is whole.
fn first_line(text: &[u8]) -> Vec<u8> {
    let start = format!(
        "syntonic RES checkpoint, format 5, {} bytes, crc32 ",
        text.len()
    );
    let sum = crc32fast::hash(&[start.as_bytes(), text].concat());
    [format!("{start}{sum:08x}\n").as_bytes(), text].concat()
}

fn sum_anew(bytes: Vec<u8>) -> Vec<u8> {
    match bytes.iter().position(|b| *b == b'\n') {
        Some(end) => first_line(&bytes[end + 1..]),
        None => bytes,
    }
}

#[test]
fn every_victim_is_whole_before_it_is_damaged() {
    let folder = crate::folder::Folder::new("victims");
    for victim in victims() {
        let path = folder.at("good");
        std::fs::write(&path, (victim.mend)(victim.good)).unwrap();
        (victim.load)(&path).unwrap_or_else(|e| panic!("{}: {e:?}", victim.name));
    }
    small_search().save(folder.at("checkpoint")).unwrap();
    assert_eq!(
        std::fs::read(folder.at("checkpoint")).unwrap(),
        checkpoint()
    );
}

#[test]
fn a_checkpoint_is_refused_for_what_is_wrong_with_it() {
    let folder = crate::folder::Folder::new("refused");
    let path = folder.at("search");
    let fault = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        match Res::load(&path) {
            Err(EvolveError::Checkpoint { place, fault }) => {
                assert!(place.ends_with("search"));
                fault
            }
            other => panic!("{other:?}"),
        }
    };
    let good = checkpoint();
    assert!(matches!(fault(b""), CheckpointFault::Truncated(_)));
    assert!(matches!(
        fault(b"\x93NUMPY and more"),
        CheckpointFault::Foreign(_)
    ));
    assert!(matches!(fault(b"{\"a\": 3}"), CheckpointFault::Foreign(_)));
    for end in (1..good.len()).filter(|end| *end < 200 || end % 19 == 0) {
        let fault = fault(&good[..end]);
        assert!(
            matches!(fault, CheckpointFault::Truncated(_)),
            "{end}: {fault}"
        );
    }
    for bit in (0..8 * good.len()).filter(|bit| *bit < 8 * 100 || bit % 61 == 0) {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        // Every one of them is noticed: that is what the sum is for.
        let fault = fault(&bytes);
        assert!(
            bit < 8 * 80 || matches!(fault, CheckpointFault::Damaged(_)),
            "{bit}: {fault}"
        );
    }
    let mut longer = good.clone();
    longer.push(b' ');
    assert!(matches!(fault(&longer), CheckpointFault::Damaged(_)));
    let text = small_search()
        .to_json()
        .unwrap()
        .replacen("\"format\":5", "\"format\":7", 1);
    let later = fault(&first_line(text.as_bytes()));
    assert!(
        matches!(later, CheckpointFault::Version { found: 7, known: 6 }),
        "{later}"
    );
    let start = format!("syntonic RES checkpoint, format 7, {} bytes, crc32 ", 3);
    let sum = crc32fast::hash(format!("{start}new").as_bytes());
    let later = fault(format!("{start}{sum:08x}\nnew").as_bytes());
    assert!(
        matches!(later, CheckpointFault::Version { found: 7, known: 6 }),
        "{later}"
    );
}
