//! The proof that an image is of the version that it claims: the assembler of that age takes it.

use std::collections::BTreeMap;
use std::fmt;
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
        self.run(architecture, ptx, output, &[]).map(drop)
    }

    /// As [`Assembler::assemble`]: what the one kernel of the text takes of a multiprocessor.
    pub(super) fn resources(
        &self,
        architecture: Architecture,
        ptx: &Path,
        output: &Path,
    ) -> Result<Resources> {
        let said = self.run(architecture, ptx, output, &["-v"])?;
        Resources::read(&said).context("the assembler does not say what the kernel takes")
    }

    /// Assembles, and gives what the assembler says.
    fn run(
        &self,
        architecture: Architecture,
        ptx: &Path,
        output: &Path,
        flags: &[&str],
    ) -> Result<String> {
        let outcome = Command::new(&self.program)
            .arg(format!("-arch=sm_{architecture}"))
            .args(flags)
            .arg(ptx)
            .arg("-o")
            .arg(output)
            .output()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let said = String::from_utf8_lossy(&outcome.stderr);
        if outcome.status.success() {
            return Ok(said.into_owned() + &String::from_utf8_lossy(&outcome.stdout));
        }
        bail!(
            "the assembler ended with {}\n{}",
            outcome.status,
            excerpt(&said)
        )
    }
}

/// What a kernel takes of a multiprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resources {
    /// Of a thread.
    pub(super) registers: u32,
    /// Bytes of shared memory of a block, less what a launch adds.
    pub(super) shared: usize,
    /// Bytes of a thread that its registers have no room for.
    pub(super) spilled: usize,
}

impl Resources {
    /// Reads what the assembler says of one kernel.
    fn read(said: &str) -> Option<Self> {
        // The number before a word.
        let before = |word: &str| {
            let (front, _) = said.split_once(word)?;
            front.split_whitespace().last()?.parse::<usize>().ok()
        };
        Some(Self {
            registers: u32::try_from(before(" registers")?).ok()?,
            shared: before(" bytes smem").unwrap_or(0),
            spilled: before(" bytes spill stores").unwrap_or(0),
        })
    }
}

impl fmt::Display for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.spilled {
            0 => write!(f, "{}", self.registers),
            spilled => write!(f, "{}, {spilled} bytes spilled", self.registers),
        }
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

    #[test]
    fn what_a_kernel_takes_is_read() {
        let said = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'fill_b1' for 'sm_90'\n\
            ptxas info    : Function properties for fill_b1\n    \
            0 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads\n\
            ptxas info    : Used 40 registers, used 1 barriers, 1088 bytes smem, 584 bytes cmem[0]\n";
        let resources = Resources::read(said).unwrap();
        assert_eq!(
            resources,
            Resources {
                registers: 40,
                shared: 1088,
                spilled: 16
            }
        );
        assert_eq!(resources.to_string(), "40, 16 bytes spilled");
        let plain =
            Resources::read("ptxas info    : Used 8 registers, 356 bytes cmem[0]\n").unwrap();
        assert_eq!((plain.shared, plain.to_string()), (0, "8".to_owned()));
        assert_eq!(Resources::read("ptxas info    : 0 bytes gmem"), None);
    }
}
