//! The proof that an image is of the version that it claims: the assembler of that age takes it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::architecture::{Architecture, Isa};
use crate::venv::{Purpose, Venv};

/// Assemblers by the newest version that each of them reads, oldest first.
const ASSEMBLERS: &[(Isa, Purpose)] = &[
    (Isa::new(8, 3), Purpose::Ptxas83),
    (Isa::new(8, 7), Purpose::Ptxas87),
];

/// One of NVIDIA's assemblers.
pub(super) struct Assembler {
    /// The newest version that it reads.
    reads: Isa,
    program: PathBuf,
}

impl Assembler {
    /// The newest that is pinned. Drivers of its major release take what it makes, older ones of that release as well.
    pub(super) fn newest() -> Result<Self> {
        let newest = ASSEMBLERS.last().context("no assembler is pinned")?;
        Self::of(*newest)
    }

    fn of((reads, purpose): (Isa, Purpose)) -> Result<Self> {
        let program = Venv::ready(purpose)?.packaged("nvidia/cuda_nvcc/bin/ptxas")?;
        Ok(Self { reads, program })
    }

    /// The newest version of PTX that it reads, which tells the assemblers apart.
    pub(super) fn version(&self) -> Isa {
        self.reads
    }

    /// Assembles the text at `ptx` for `architecture`, and leaves the result at `output`.
    pub(super) fn assemble(
        &self,
        architecture: Architecture,
        ptx: &Path,
        output: &Path,
    ) -> Result<()> {
        let outcome = Command::new(&self.program)
            .arg(format!("-arch=sm_{architecture}"))
            .arg(ptx)
            .arg("-o")
            .arg(output)
            .output()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        if outcome.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&outcome.stderr);
        bail!(
            "the assembler ended with {}\n{}",
            outcome.status,
            excerpt(&said)
        )
    }
}

/// The oldest assemblers that know the targets at hand.
pub(super) struct Assemblers(BTreeMap<Isa, Assembler>);

impl Assemblers {
    /// Makes the environments that `architectures` need, if they are not there.
    pub(super) fn ready(architectures: &[Architecture]) -> Result<Self> {
        let mut programs = BTreeMap::new();
        for floor in architectures
            .iter()
            .map(|architecture| architecture.floor())
        {
            let (reads, purpose) = oldest(floor)?;
            if let std::collections::btree_map::Entry::Vacant(free) = programs.entry(reads) {
                free.insert(Assembler::of((reads, purpose))?);
            }
        }
        Ok(Self(programs))
    }

    /// Proves that the image at `ptx` is of the age that it claims, and leaves what it becomes at `output`.
    pub(super) fn prove(
        &self,
        architecture: Architecture,
        ptx: &Path,
        output: &Path,
    ) -> Result<()> {
        let (reads, _) = oldest(architecture.floor())?;
        let assembler = self.0.get(&reads);
        let assembler = assembler.context("this assembler was not asked for")?;
        let assembled = assembler.assemble(architecture, ptx, output);
        assembled.with_context(|| format!("needs more than PTX {}", architecture.floor()))
    }
}

fn oldest(isa: Isa) -> Result<(Isa, Purpose)> {
    let mut able = ASSEMBLERS.iter().filter(|(reads, _)| *reads >= isa);
    able.next()
        .copied()
        .with_context(|| format!("no assembler for PTX {isa} is pinned"))
}

/// The first complaints; one unknown instruction may occur a thousand times.
fn excerpt(said: &str) -> String {
    said.lines().take(5).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_floor_has_its_assembler() {
        let of = |name: &str| {
            let architecture: Architecture = name.parse().unwrap();
            oldest(architecture.floor()).unwrap().0.to_string()
        };
        assert_eq!(["75", "90a"].map(of), ["8.3", "8.3"]);
        assert_eq!(["100", "120a"].map(of), ["8.7", "8.7"]);
        assert!(oldest(Isa::new(9, 0)).is_err());
    }
}
