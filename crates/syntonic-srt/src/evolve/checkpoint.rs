//! Saving a search and taking it up again, to the bit.

use super::res::{Res, State};
use super::{EvolveError, ResConfig};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use syntonic_core::room;

/// Raised when old files can no longer be read.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Written<'a> {
    format: u32,
    config: &'a ResConfig,
    state: &'a State,
}

#[derive(Deserialize)]
struct Read {
    format: u32,
    config: ResConfig,
    state: State,
}

impl Res {
    /// The search as JSON text. Candidates asked for and not yet told are not in it: the resumed
    /// search asks for the same ones.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory for the text.
    pub fn to_json(&self) -> Result<String, EvolveError> {
        let written = Written {
            format: FORMAT,
            config: &self.config,
            state: &self.state,
        };
        let mut draft = room::Draft::default();
        if let Err(e) = serde_json::to_writer(&mut draft, &written) {
            return Err(match e.io_error_kind() {
                Some(ErrorKind::OutOfMemory) => room::refused(draft.0.len()).into(),
                _ => e.into(),
            });
        }
        String::from_utf8(draft.0).map_err(|_| EvolveError::Damaged("the text is no UTF-8"))
    }

    /// The search that [`Res::to_json`] wrote; it continues with the same bits.
    ///
    /// # Errors
    /// [`EvolveError::Format`] for text that is no checkpoint, [`EvolveError::Damaged`] and the
    /// errors of [`Res::new`] for one that contradicts itself.
    pub fn from_json(text: &str) -> Result<Res, EvolveError> {
        let Read {
            format,
            config,
            state,
        } = serde_json::from_str(text)?;
        if format != FORMAT {
            return Err(EvolveError::Damaged("written by another version"));
        }
        let n = state.search.centre.len();
        if n == 0 {
            return Err(EvolveError::EmptyStart);
        }
        config.validate(n)?;
        state.search.validate(config.shape_for(n))?;
        if state.best.as_ref().is_some_and(|best| best.x.len() != n) {
            return Err(EvolveError::Damaged(
                "the best candidate has another length",
            ));
        }
        if state.improved > state.generation {
            return Err(EvolveError::Damaged(
                "the best candidate is from the future",
            ));
        }
        Res::assemble(config, state)
    }

    /// Writes [`Res::to_json`] to a file, by way of a new file beside it, so that no crash leaves
    /// half a checkpoint.
    ///
    /// # Errors
    /// [`EvolveError::File`] if it cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), EvolveError> {
        let path = path.as_ref();
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let text = self.to_json()?;
        fs::write(&part, text)
            .and_then(|()| fs::rename(&part, path))
            .map_err(|source| at(path, source))
    }

    /// Reads a file that [`Res::save`] wrote.
    ///
    /// # Errors
    /// [`EvolveError::File`] if it cannot be read, and the errors of [`Res::from_json`].
    pub fn load(path: impl AsRef<Path>) -> Result<Res, EvolveError> {
        let path = path.as_ref();
        Res::from_json(&fs::read_to_string(path).map_err(|source| at(path, source))?)
    }
}

fn at(path: &Path, source: std::io::Error) -> EvolveError {
    if source.kind() == ErrorKind::OutOfMemory {
        let bytes = fs::metadata(path).map_or(0, |about| about.len());
        return room::refused(bytes as usize).into();
    }
    EvolveError::File {
        path: path.to_owned(),
        source,
    }
}
