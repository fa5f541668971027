//! Files: what is saved when memory has run out is what somebody wants to keep.

use crate::given::{Given, Row, all_done, row};
use std::collections::BTreeMap;
use std::path::PathBuf;
use syntonic_core::{DType, Error, Tensor, io};
use syntonic_srt::evolve::{EvolveError, Res, ResConfig};

/// A file of this process and row.
fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("syntonic-short-{}-{name}", std::process::id()))
}

/// An error of a search as one of the engine, which it is where memory is short.
fn engine(error: EvolveError) -> Error {
    match error {
        EvolveError::Engine(error) => error,
        other => Error::value("RES", other.to_string()),
    }
}

fn search(dimension: usize) -> Result<Res, EvolveError> {
    let mut search = Res::new(&vec![3.0; dimension], ResConfig::new().seed(1))?;
    let values = vec![1.0; search.ask()?.rows()];
    search.tell(&values)?;
    Ok(search)
}

pub(crate) fn rows() -> Vec<Row> {
    // Rows that lie in memory, and such as are gathered.
    fn layouts(g: &Given) -> Result<[Tensor; 3], Error> {
        Ok([g.x.clone(), g.turned.clone(), g.mask.cast(DType::C64)?])
    }
    vec![
        row("save_npy", |g| {
            let path = file("x.npy");
            layouts(g)?.iter().try_for_each(|x| io::save_npy(&path, x))
        }),
        row("load_npy", |g| {
            let path = file("y.npy");
            if !path.exists() {
                io::save_npy(&path, &g.x)?;
            }
            io::load_npy(&path)?.eval().map(drop)
        }),
        row("npy_to_bytes", |g| io::npy_to_bytes(&g.x).map(drop)),
        row("npy_from_bytes", |g| {
            let bytes = io::npy_to_bytes(&g.per_row)?;
            io::npy_from_bytes(&bytes).map(drop)
        }),
        row("save_npz", |g| {
            let [a, b, c] = layouts(g)?;
            io::save_npz(file("x.npz"), &[("a", a), ("b", b), ("c", c)])
        }),
        row("load_npz", |g| {
            let path = file("y.npz");
            if !path.exists() {
                io::save_npz(&path, &[("a", g.x.clone()), ("b", g.mask.clone())])?;
            }
            let all: Vec<Tensor> = io::load_npz(&path)?.into_values().collect();
            all_done(&all)
        }),
        row("npz_to_bytes", |g| {
            io::npz_to_bytes(&[("a", g.x.clone())]).map(drop)
        }),
        row("npz_from_bytes", |g| {
            let bytes = io::npz_to_bytes(&[("a", g.x.clone())])?;
            io::npz_from_bytes(&bytes).map(drop)
        }),
        row("save_safetensors", |g| {
            let [a, b, c] = layouts(g)?;
            let about = BTreeMap::from([("made".to_owned(), "by a test".to_owned())]);
            io::save_safetensors(
                file("x.safetensors"),
                &[("a", a), ("b", b), ("c", c)],
                &about,
            )
        }),
        row("load_safetensors", |g| {
            let path = file("y.safetensors");
            if !path.exists() {
                io::save_safetensors(&path, &[("a", g.x.clone())], &BTreeMap::new())?;
            }
            io::load_safetensors(&path).map(drop)
        }),
        row("safetensors_to_bytes", |g| {
            io::safetensors_to_bytes(&[("a", g.x.clone())], &BTreeMap::new()).map(drop)
        }),
        row("safetensors_from_bytes", |g| {
            let bytes = io::safetensors_to_bytes(&[("a", g.x.clone())], &BTreeMap::new())?;
            io::safetensors_from_bytes(&bytes).map(drop)
        }),
        row("write_file", |_| {
            // Nothing that this writes is in memory: no amount is refused.
            io::write_file("save", file("x.txt"), |to| {
                (0..100_000).try_for_each(|k| writeln!(to, "{k}"))
            })
        }),
        row("Res::save", |_| {
            let search = search(300).map_err(engine)?;
            search.save(file("x.json")).map_err(engine)
        }),
        row("Res::load", |_| {
            let path = file("y.json");
            if !path.exists() {
                search(300).map_err(engine)?.save(&path).map_err(engine)?;
            }
            Res::load(&path).map(drop).map_err(engine)
        }),
    ]
}

/// Calls that come to their end with next to nothing: what was computed is in memory, and goes to the disk as it lies.
pub(crate) fn bounds() -> Vec<(Row, usize)> {
    vec![
        (row("save_npy", |g| io::save_npy(file("b.npy"), &g.x)), 0),
        (
            row("save_npz", |g| {
                io::save_npz(file("b.npz"), &[("a", g.x.clone())])
            }),
            0,
        ),
        (
            row("save_safetensors", |g| {
                io::save_safetensors(
                    file("b.safetensors"),
                    &[("a", g.x.clone())],
                    &BTreeMap::new(),
                )
            }),
            0,
        ),
    ]
}
