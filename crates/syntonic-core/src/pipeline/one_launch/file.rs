//! The launch of a plan in a file: a kernel as text, behind a manifest of what it is and what it runs over.
//!
//! The first line has the sum of all behind it, so damage is found before anything is believed. The manifest is JSON in comments of
//! the text, which is PTX as it stands.

use super::{Given, Kind, Ready, address};
use crate::device::{Device, Frame, Image, Steps, Word};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::Op;
use crate::io::{open_file, write_file};
use crate::pipeline::Plan;
use crate::tensor::Tensor;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// How a file begins, before the sum.
const FORM: &str = "// syntonic plan 1 ";
/// How each line of the manifest begins, and no comment of a kernel.
const COMMENT: &str = "//| ";
/// No file is longer, in bytes.
const LONGEST: u64 = 1 << 24;
const SAVE: &str = "save of a plan";
const LOAD: &str = "load of a plan";

/// What a file says of its kernel.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    plan: String,
    /// Of the plan's text, see [`Plan::digest`].
    digest: String,
    /// The operators of its formulas.
    operators: BTreeSet<String>,
    /// The types that it computes in.
    dtypes: BTreeSet<DType>,
    inputs: Vec<Given>,
    run: Frame,
    kernel: Image,
}

impl Plan {
    /// Writes the launch of this plan over inputs of these shapes, types and layouts, on their device: the kernel's text behind a manifest of
    /// its operators, types, schedule and digest. [`Plan::load`] takes it in another process, on any card that runs the text, without making
    /// it anew.
    ///
    /// The file is text, the same for the same version and card.
    ///
    /// # Errors
    /// Where the plan over these inputs is no single launch with a text: on the CPU, and where stages over one space are a kernel of the
    /// library. As [`write_file`] and [`Plan::run`].
    ///
    /// ```
    /// use syntonic_core::{Tensor, stages};
    ///
    /// stages! {
    ///     struct Energy(a: [m, n], x: [n]) -> (e) {
    ///         #[stage(1)] y: [m] = product(a, x);
    ///         #[stage(2, reduction = sum)] e: [] = |y| y * y;
    ///     }
    /// }
    /// let (a, x) = (Tensor::from([[1.0, 2.0], [3.0, 4.0]]), Tensor::from([1.0, 1.0]));
    /// // With tensors on a GPU this writes a file.
    /// let refused = Energy::plan().save(&[&a, &x], "energy.ptx").unwrap_err();
    /// assert!(refused.to_string().contains("no launch with a text on cpu"), "{refused}");
    /// ```
    pub fn save(&self, inputs: &[&Tensor], path: impl AsRef<Path>) -> Result<()> {
        let extents = self.bind(inputs)?;
        for input in inputs {
            input.buffer()?;
        }
        let ready = self.ready(inputs, &extents)?;
        let launch = ready.launch.as_ref();
        let image = launch.and_then(|(frame, launch)| Some((frame, launch.image()?)));
        let steps = self.assembled(inputs, &extents)?;
        let (Some((frame, kernel)), Some(assembled)) = (image, steps) else {
            let device = inputs[0].device().id();
            return Err(Error::value(
                SAVE,
                format!(
                    "{} over these inputs is no launch with a text on {device}; hint: give inputs on a GPU; what Plan::report says to be \
                     a kernel of the library has no file and needs none",
                    self.name()
                ),
            ));
        };
        let (operators, dtypes) = about(&assembled.steps);
        let manifest = Manifest {
            plan: self.name().to_owned(),
            digest: self.digest(),
            operators,
            dtypes,
            inputs: ready.kind.inputs.clone(),
            run: frame.clone(),
            kernel,
        };
        let text = manifest.text()?;
        write_file(SAVE, path, |file| file.write_all(text.as_bytes()))
    }

    /// Takes the launch that a file has for runs of this plan on a device: a run in [`Mode::Fused`](crate::pipeline::Mode::Fused) over inputs
    /// of the shapes, types and layouts that it was written for begins with it, for as long as this plan lives.
    ///
    /// # Safety
    /// The file is code that runs on the device. It was written by [`Plan::save`], and nobody changed it on purpose: the sum in
    /// it finds damage, and no malice.
    ///
    /// # Errors
    /// A file that is damaged, of another form, or of another plan; a device that does not run its text. As [`open_file`].
    ///
    /// ```
    /// use syntonic_core::{Error, Tensor, stages};
    ///
    /// stages! {
    ///     struct Energy(a: [m, n], x: [n]) -> (e) {
    ///         #[stage(1)] y: [m] = product(a, x);
    ///         #[stage(2, reduction = sum)] e: [] = |y| y * y;
    ///     }
    /// }
    /// let cpu = Tensor::from([1.0]).device().clone();
    /// // SAFETY: there is no such file.
    /// let missing = unsafe { Energy::plan().load("no such.ptx", &cpu) };
    /// assert!(matches!(missing, Err(Error::Io { .. })));
    /// ```
    pub unsafe fn load(&self, path: impl AsRef<Path>, device: &Arc<dyn Device>) -> Result<()> {
        let path = path.as_ref();
        let wrong = |what: String| Error::File {
            op: LOAD,
            path: path.display().to_string(),
            what,
        };
        let (mut file, length) = open_file(LOAD, path)?;
        if length > LONGEST {
            return Err(wrong(format!("{length} bytes are no plan's")));
        }
        let mut text = String::new(); // few: `LONGEST`
        let read = (&mut file).take(LONGEST).read_to_string(&mut text);
        read.map_err(|e| wrong(e.to_string()))?;
        let manifest = Manifest::of(&text).map_err(wrong)?;
        if manifest.digest != self.digest() {
            let Manifest { plan, digest, .. } = &manifest;
            return Err(wrong(format!(
                "it is of the plan {plan} with the digest {digest}, not of {} with {}; hint: save this plan again",
                self.name(),
                self.digest()
            )));
        }
        // SAFETY: the image is the one that was saved, as the caller promises.
        let Some(launch) = (unsafe { device.launch_of(&manifest.kernel)? }) else {
            return Err(wrong(format!(
                "its kernel is for {} and newer, which {} is not; hint: save the plan on such a device",
                manifest.kernel.target,
                device.id()
            )));
        };
        self.remember(Arc::new(Ready {
            kind: Kind {
                device: address(device),
                inputs: manifest.inputs,
            },
            launch: Some((manifest.run, launch)),
            is_loaded: true,
        }));
        Ok(())
    }
}

/// The operators of steps, and the types that they compute in.
fn about(steps: &Steps) -> (BTreeSet<String>, BTreeSet<DType>) {
    let (mut operators, mut dtypes) = (BTreeSet::new(), BTreeSet::new());
    for task in steps.tasks() {
        if task.smallest.is_some() {
            operators.insert("smallest".to_owned());
        }
        for node in &task.program.nodes {
            dtypes.insert(node.dtype);
            operators.extend(match node.op {
                Op::Apply(prim, _) => Some(prim.name().to_owned()),
                Op::Fold(fold, _) => Some(fold.name().to_owned()),
                Op::Cast(_) => Some("cast".to_owned()),
                _ => None,
            });
        }
    }
    (operators, dtypes)
}

impl Manifest {
    /// The file.
    fn text(&self) -> Result<String> {
        let json = serde_json::to_string_pretty(self);
        let json = json.map_err(|e| Error::value(SAVE, e.to_string()))?;
        let mut rest = String::new();
        for line in json.lines() {
            rest.extend([COMMENT, line, "\n"]);
        }
        rest.push_str(&self.kernel.text);
        Ok(format!("{FORM}{}\n{rest}", sum(&rest)))
    }

    /// What a file says; in words, what is wrong with it.
    fn of(text: &str) -> std::result::Result<Manifest, String> {
        let Some((given, rest)) = text
            .strip_prefix(FORM)
            .and_then(|text| text.split_once('\n'))
        else {
            return Err(format!("it does not begin with {FORM:?}"));
        };
        if given != sum(rest) {
            return Err(
                "its sum is another: it was changed since it was written; hint: save the plan again, and have no tool change its line ends"
                    .to_owned(),
            );
        }
        let lines = rest.split_inclusive('\n');
        let commented = lines.take_while(|line| line.starts_with(COMMENT));
        let mut json = String::new();
        let mut head = 0;
        for line in commented {
            head += line.len();
            json.push_str(&line[COMMENT.len()..]);
        }
        let mut manifest: Manifest = serde_json::from_str(&json).map_err(|e| e.to_string())?;
        manifest.kernel.text = rest[head..].to_owned();
        match manifest.fits() {
            true => Ok(manifest),
            false => Err("its parts do not fit together".to_owned()),
        }
    }

    /// Whether every buffer that it names is one of a run.
    fn fits(&self) -> bool {
        let Frame {
            results,
            outputs,
            between,
            ..
        } = &self.run;
        let buffers = self.inputs.len() + results.len() + usize::from(*between > 0);
        let is_buffer = |word: &Word| !matches!(word, Word::At(place) if place.buffer >= buffers);
        !self.inputs.is_empty()
            && !results.is_empty()
            && outputs.iter().all(|&k| k < results.len())
            && self.kernel.words.iter().all(is_buffer)
    }
}

/// SHA-256 in hexadecimal digits.
fn sum(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Place;

    fn manifest() -> Manifest {
        let input = Given {
            dtype: DType::F32,
            shape: vec![3],
            strides: vec![1],
            remainder: 0,
        };
        let at = |buffer| Word::At(Place { buffer, offset: 8 });
        Manifest {
            plan: "Half".to_owned(),
            digest: "00".to_owned(),
            operators: ["mul".to_owned()].into(),
            dtypes: [DType::F32].into(),
            inputs: vec![input],
            run: Frame {
                name: "half".to_owned(),
                results: vec![(vec![3], DType::F32)],
                outputs: vec![0],
                between: 0,
                bytes: 24,
            },
            kernel: Image {
                target: "sm_90".to_owned(),
                entry: "half".to_owned(),
                schedule: vec!["1 block".to_owned()],
                blocks: 1,
                partial: 0,
                written: vec![1],
                words: vec![Word::Same(u64::MAX), at(0), at(1)],
                text: "// a comment of the text\n.version 8.3\n{}\n".to_owned(),
            },
        }
    }

    #[test]
    fn a_file_says_what_was_written() {
        let text = manifest().text().unwrap();
        let read = Manifest::of(&text).unwrap();
        assert_eq!(read.kernel, manifest().kernel);
        assert_eq!(read.text().unwrap(), text);
        assert!(text.lines().skip(1).any(|line| line.contains("\"sm_90\"")));
    }

    #[test]
    fn damage_is_found() {
        let text = manifest().text().unwrap();
        let wrong = |text: &str| Manifest::of(text).unwrap_err();
        assert!(wrong("").contains("begin"));
        assert!(wrong(&text.replace("8.3", "8.4")).contains("sum"));
        assert!(wrong(&text.replace('\n', "\r\n")).contains("sum"));
        assert!(wrong(&text[..text.len() - 1]).contains("sum"));
        let mut other = manifest();
        other.run.outputs = vec![1];
        assert!(wrong(&other.text().unwrap()).contains("fit"));
        let mut other = manifest();
        let place = Place {
            buffer: 2,
            offset: 0,
        };
        other.kernel.words.push(Word::At(place));
        assert!(wrong(&other.text().unwrap()).contains("fit"));
    }
}
