//! Saving a search and taking it up again, to the bit.
//!
//! A file is one line of text and the search as JSON:
//!
//! ```text
//! syntonic RES checkpoint, format 6, 5312 bytes, crc32 0a1b2c3d
//! {"format":6,"config":{...},"state":{...}}
//! ```
//!
//! The line counts the bytes after it; the sum is over all of the file but itself. Every later format begins with such
//! a line. Format 1 was the JSON alone; it is still read, though nobody can tell whether such a file is damaged where
//! it is still JSON. Format 2 had no attempts, format 3 no bounds, scales and injected points, format 4 no
//! probes: a separable search of it stays one until its next attempt. Format 6 is that of searches that handle noise or lie on a lattice;
//! others are still written in format 5. A search of the first two goes on with the learning rates of today: from where
//! it was, and not to the bits that the program which wrote it would have had.

use super::attempt::Attempt;
use super::fault::CheckpointFault::{self, Damaged, Foreign, Refused, Truncated};
use super::res::{Res, State};
use super::sum::sum;
use super::uncertainty::MOST_REPEATS;
use super::{EvolveError, ResConfig, floats, inject, record};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufReader, ErrorKind, Read, Seek};
use std::path::Path;
use syntonic_core::{Error, io, room};

/// Raised when older programs can no longer read what is written.
const FORMAT: u32 = 6;
/// The format of searches that need nothing later.
const PLAIN: u32 = 5;
/// The formats that are read.
const READ: [u32; 6] = [1, 2, 3, 4, PLAIN, FORMAT];
/// The first format whose searches know their start and their attempt.
const ATTEMPTS: u32 = 3;
/// The first bytes of every file since format 2.
const MAGIC: &str = "syntonic RES checkpoint, format ";
/// No first line is longer.
const LONGEST_LINE: u64 = 120;
/// Bytes of text that a number takes at least, with its comma, as we write them.
const LEAST_NUMBER: u64 = 4;
/// No search has counted further, and nobody will see one that does.
const MOST_COUNTED: u64 = 1 << 53;

#[derive(Serialize)]
struct Written<'a> {
    format: u32,
    config: &'a ResConfig,
    state: &'a State,
}

#[derive(Deserialize)]
struct Stored {
    format: u32,
    config: ResConfig,
    state: State,
}

/// What a text says of itself if it says nothing else that is understood.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

impl Res {
    /// The search as JSON text. Candidates asked for and not yet told are not in it: the resumed
    /// search asks for the same ones.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory for the text, [`EvolveError::Text`] if it cannot be made.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new())?;
    /// let mut back = Res::from_json(&res.to_json()?)?;
    /// assert_eq!(back.ask()?.as_slice(), res.ask()?.as_slice());
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn to_json(&self) -> Result<String, EvolveError> {
        let written = Written {
            format: self.format(),
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
        String::from_utf8(draft.0).map_err(|_| {
            let fault = Damaged("its text is no UTF-8".into());
            fault.at("text")
        })
    }

    /// The search that [`Res::to_json`] wrote; it continues with the same bits, unless an older format is read.
    ///
    /// # Errors
    /// [`EvolveError::Checkpoint`], with what is wrong; [`EvolveError::Engine`] without memory for what it holds.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let text = Res::new(&[3.0; 4], ResConfig::new().seed(7))?.to_json()?;
    /// assert_eq!(Res::from_json(&text)?.config().seed, 7);
    /// assert!(Res::from_json(&text[1..]).is_err());
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Res, EvolveError> {
        let stored = Stored::parse(text.as_bytes()).map_err(|_| room::refused(text.len()))?;
        let stored = stored.and_then(Stored::checked);
        stored.map_err(|fault| fault.at("text"))?.assembled()
    }

    /// The format of its file: the first that has what it has, so that older programs read what they know.
    fn format(&self) -> u32 {
        match self.config.noise.is_off() && self.config.lattice.is_none() {
            true => PLAIN,
            false => FORMAT,
        }
    }

    /// Writes the search to a file, whole or not at all, as [`io::write_file`] does.
    ///
    /// # Errors
    /// [`EvolveError::File`] where the system refuses, [`EvolveError::Checkpoint`] where `path` leads to what is no file.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new())?;
    /// let path = std::env::temp_dir().join(format!("syntonic-res-save-{}.json", std::process::id()));
    /// res.save(&path)?;
    /// assert_eq!(Res::load(&path)?.ask()?.as_slice(), res.ask()?.as_slice());
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), EvolveError> {
        let path = path.as_ref();
        let text = self.to_json()?;
        let line = line(self.format(), text.len() as u64, |sum| {
            sum.update(text.as_bytes())
        });
        let written = io::write_file("RES: save", path, |file| {
            file.write_all(line.as_bytes())?;
            file.write_all(text.as_bytes())
        });
        written.map_err(|e| of_core(path, e))
    }

    /// Finds out now whether [`Res::save`] could write `path`: a run should not learn at its end that it could not.
    ///
    /// # Errors
    /// As [`Res::save`].
    ///
    /// ```
    /// use syntonic_srt::evolve::Res;
    ///
    /// let folder = std::env::temp_dir();
    /// assert!(Res::check_save(folder.join("search.json")).is_ok());
    /// assert!(Res::check_save(folder.join("no such folder/search.json")).is_err());
    /// ```
    pub fn check_save(path: impl AsRef<Path>) -> Result<(), EvolveError> {
        let path = path.as_ref();
        io::check_writable("RES: save", path).map_err(|e| of_core(path, e))
    }

    /// Reads a file that [`Res::save`] wrote.
    ///
    /// # Errors
    /// [`EvolveError::File`] if it cannot be read, [`EvolveError::Checkpoint`] if it is no checkpoint, cut short,
    /// damaged, of a format that is not known, or of a search that is refused; [`EvolveError::Engine`] without memory for
    /// what it holds.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let path = std::env::temp_dir().join(format!("syntonic-res-load-{}.json", std::process::id()));
    /// Res::new(&[3.0; 4], ResConfig::new().seed(7))?.save(&path)?;
    /// assert_eq!(Res::load(&path)?.config().seed, 7);
    /// std::fs::write(&path, "{}").unwrap();
    /// assert!(Res::load(&path).is_err());
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Res, EvolveError> {
        let path = path.as_ref();
        let (file, len) = io::open_file("RES: load", path).map_err(|e| of_core(path, e))?;
        let stored = read(file, len).map_err(|e| of_system(path, e))?;
        let stored = stored.and_then(Stored::checked);
        stored
            .map_err(|fault| fault.at(&path.display().to_string()))?
            .assembled()
    }
}

/// The first line, given what adds the rest of the file to the sum.
fn line(format: u32, len: u64, rest: impl FnOnce(&mut Hasher)) -> String {
    let start = format!("{MAGIC}{format}, {len} bytes, crc32 ");
    let sum = sum(|sum| {
        sum.update(start.as_bytes());
        rest(sum);
    });
    format!("{start}{sum}\n")
}

/// What a file holds, if the system gives it to us.
fn read(file: File, len: u64) -> std::io::Result<Result<Stored, CheckpointFault>> {
    let mut file = BufReader::new(file);
    let mut start = Vec::new();
    (&mut file).take(LONGEST_LINE).read_to_end(&mut start)?;
    if start.starts_with(b"{") {
        return read_first_format(file);
    }
    if start.is_empty() {
        return Ok(Err(Truncated("it is empty".into())));
    }
    let common = start.len().min(MAGIC.len());
    if start[..common] != MAGIC.as_bytes()[..common] {
        let what = "it does not begin as one does";
        return Ok(Err(Foreign(what.into())));
    }
    let Some(end) = start.iter().position(|&b| b == b'\n') else {
        return Ok(Err(if (start.len() as u64) < LONGEST_LINE {
            Truncated(format!("it has only {} bytes", start.len()))
        } else {
            Damaged("its first line does not end".into())
        }));
    };
    let mut text = start.split_off(end + 1);
    let rest = len.saturating_sub((end + 1 + text.len()) as u64);
    room::more(&mut text, rest as usize).map_err(|_| ErrorKind::OutOfMemory)?;
    file.read_to_end(&mut text)?;
    match checked_line(&start, &text) {
        Ok(()) => Stored::parse(&text),
        Err(fault) => Ok(Err(fault)),
    }
}

/// Whether the first line fits the rest.
fn checked_line(line_found: &[u8], text: &[u8]) -> Result<(), CheckpointFault> {
    let numbers = std::str::from_utf8(line_found).ok().and_then(numbers);
    let Some((format, len)) = numbers else {
        return Err(Damaged("its first line is not one of ours".into()));
    };
    let found = text.len() as u64;
    if found < len {
        return Err(Truncated(format!(
            "it should have {len} bytes after its first line and has {found}"
        )));
    }
    if found > len {
        return Err(Damaged(format!("{} bytes follow its {len}", found - len)));
    }
    if line(format, len, |sum| sum.update(text)).as_bytes() != line_found {
        return Err(Damaged("its contents do not fit its checksum".into()));
    }
    if READ.contains(&format) && format > 1 {
        return Ok(());
    }
    Err(unknown(format))
}

/// The format and the length that a first line tells.
fn numbers(line: &str) -> Option<(u32, u64)> {
    let (format, rest) = line.strip_prefix(MAGIC)?.split_once(", ")?;
    let (len, _) = rest.split_once(" bytes, ")?;
    Some((format.parse().ok()?, len.parse().ok()?))
}

fn unknown(found: u32) -> CheckpointFault {
    CheckpointFault::Version {
        found,
        known: FORMAT,
    }
}

/// Reads JSON alone, piece by piece: the text of numbers is longer than they are.
fn read_first_format(
    mut file: BufReader<File>,
) -> std::io::Result<Result<Stored, CheckpointFault>> {
    file.rewind()?;
    let (mut bytes, mut commas) = (0, 0);
    let mut piece = [0; 8 << 10];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            n => {
                bytes += n as u64;
                commas += piece[..n].iter().filter(|b| **b == b',').count() as u64;
            }
        }
    }
    if let Err(fault) = check_density(bytes, commas) {
        return Ok(Err(fault));
    }
    file.rewind()?;
    match serde_json::from_reader(&mut file) {
        Ok(stored) => Ok(Ok(stored)),
        Err(e) if e.is_io() => Err(e.into()),
        Err(e) if floats::had_no_room(&e) => Err(ErrorKind::OutOfMemory.into()),
        Err(e) => {
            file.rewind()?;
            let version = serde_json::from_reader(&mut file);
            Ok(Err(explained(&e, version.ok())))
        }
    }
}

/// Refuses text whose numbers would take far more memory than it.
fn check_density(bytes: u64, commas: u64) -> Result<(), CheckpointFault> {
    if commas.saturating_mul(LEAST_NUMBER) <= bytes {
        return Ok(());
    }
    let what = "it holds more numbers than we would write in so few bytes";
    Err(Damaged(what.into()))
}

impl Stored {
    fn parse(text: &[u8]) -> std::io::Result<Result<Stored, CheckpointFault>> {
        let commas = text.iter().filter(|b| **b == b',').count() as u64;
        if let Err(fault) = check_density(text.len() as u64, commas) {
            return Ok(Err(fault));
        }
        match serde_json::from_slice(text) {
            Ok(stored) => Ok(Ok(stored)),
            Err(e) if floats::had_no_room(&e) => Err(ErrorKind::OutOfMemory.into()),
            Err(e) => Ok(Err(explained(&e, serde_json::from_slice(text).ok()))),
        }
    }

    /// Everything that a search relies on, before it takes memory for anything.
    fn checked(mut self) -> Result<Stored, CheckpointFault> {
        if !READ.contains(&self.format) {
            return Err(unknown(self.format));
        }
        let (config, state) = (&self.config, &mut self.state);
        let n = state.search.centre.len();
        if n == 0 {
            return Err(Damaged("its search has no unknowns".into()));
        }
        config
            .validate(n)
            .map_err(|refused| Refused(Box::new(refused)))?;
        state.search.validate(config)?;
        let counts = [state.generation, state.evaluations, state.nan];
        if counts.iter().any(|count| *count > MOST_COUNTED) {
            return Err(Damaged("it has counted further than possible".into()));
        }
        if self.format < ATTEMPTS {
            state.start.clear();
            let best = state.best.as_ref().map(|best| best.cost);
            state.attempt = Attempt::of_old(state.improved, best);
        }
        let starts = if self.format < ATTEMPTS { 0 } else { n };
        if state.start.len() != starts || state.start.iter().any(|v| !v.is_finite()) {
            return Err(Damaged("its start is improper".into()));
        }
        let number = state.attempt.number;
        let Ok(sizes) = config.sizes(n, number) else {
            return Err(Damaged("its attempt is improper".into()));
        };
        if !state.attempt.is_proper(state.generation) {
            return Err(Damaged("its attempt is improper".into()));
        }
        let now = (state.generation, n);
        if !inject::are_proper(&state.injected, config, sizes, now) {
            return Err(Damaged("its injected points are improper".into()));
        }
        if let Some(best) = &state.best
            && (best.x.len() != n || best.cost.is_nan())
        {
            return Err(Damaged(
                "its best candidate has no value, or another length".into(),
            ));
        }
        let repeats = state.repeats;
        if !(1.0..=MOST_REPEATS).contains(&repeats) || (config.noise.is_off() && repeats != 1.0) {
            return Err(Damaged(
                "its evaluations of a candidate are improper".into(),
            ));
        }
        if state.improved > state.generation {
            return Err(Damaged("its best candidate is from the future".into()));
        }
        let generations = || state.history.iter().map(|record| record.generation);
        let ends = generations().next_back().unwrap_or(state.generation) == state.generation;
        if !ends || !generations().is_sorted_by(|a, b| a < b) {
            return Err(Damaged("its history is out of order".into()));
        }
        record::thin(&mut state.history);
        Ok(self)
    }

    fn assembled(mut self) -> Result<Res, EvolveError> {
        let state = &mut self.state;
        if state.start.is_empty() {
            state.start = room::copied(&state.search.centre)?;
        }
        Res::assemble(self.config, self.state)
    }
}

/// Why a text was not understood.
fn explained(error: &serde_json::Error, version: Option<Version>) -> CheckpointFault {
    match version {
        Some(Version { format }) if !READ.contains(&format) => unknown(format),
        _ if error.is_eof() => Truncated(error.to_string()),
        Some(_) => Damaged(error.to_string()),
        None if error.is_data() => Foreign(error.to_string()),
        None => Damaged(error.to_string()),
    }
}

/// An error of core's about a checkpoint.
fn of_core(path: &Path, error: Error) -> EvolveError {
    match error {
        Error::Io { source, .. } => of_system(path, source),
        Error::File { what, .. } => Foreign(what).at(&path.display().to_string()),
        other => Foreign(other.to_string()).at(&path.display().to_string()),
    }
}

/// An error of the system's about a checkpoint.
pub(super) fn of_system(path: &Path, source: std::io::Error) -> EvolveError {
    if source.kind() == ErrorKind::OutOfMemory {
        let bytes = fs::metadata(path).map_or(0, |about| about.len());
        return room::refused(bytes as usize).into();
    }
    EvolveError::File {
        path: path.to_owned(),
        source,
    }
}
