//! How the work of a generation is cut, and the numbers of a launch. Sums within a piece are added before the pieces are, so that the cut
//! decides the bits: it depends on the sizes of the search alone.

use super::function::Form;
use std::ops::Range;
use syntonic_core::device::ByName;
use syntonic_core::{DType, Result, Scalar};

/// Blocks of noise of a tile of coordinates.
pub(super) const LANES: usize = 32;
/// Tiles that are added before the groups are.
pub(super) const GROUP: usize = 64;
/// Ranks are counted, by comparing all with all, up to this population; beyond, the scores are sorted.
pub(super) const COUNTED: usize = 1 << 16;
/// Rows of a state; the last three are there where paths are followed: variance, path of the step size, path of the shape. A matrix has
/// in their place the path of the step size and its columns.
pub(super) const MEAN: usize = 0;
pub(super) const DEVIATION: usize = 1;
pub(super) const BEST: usize = 2;
pub(super) const VARIANCE: usize = 3;
pub(super) const PATH: usize = 4;
pub(super) const SHAPE_PATH: usize = 5;
pub(super) const MATRIX_PATH: usize = 3;
pub(super) const MATRIX: usize = 4;
/// Numbers behind the rows: [`super::learning`] names them.
pub(super) const NUMBERS: usize = 12;
/// Rates of a rule.
pub(super) const RATES: usize = 12;

/// What a launch does: a bit for scores, for ranks, for moves by the sums over the selected draws, and for what all coordinates decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Stages {
    /// Scores of a range of draws of one generation.
    Scores = 1,
    /// Moves a range of tiles by scores that are given.
    Moves = 6,
    /// Adapts to moves that are given.
    Adapts = 8,
    /// Learns from scores that are given: the two before.
    Learning = 14,
    /// Whole generations.
    All = 15,
}

impl Stages {
    const EACH: [Stages; 5] = [
        Stages::Scores,
        Stages::Moves,
        Stages::Adapts,
        Stages::Learning,
        Stages::All,
    ];

    pub(super) fn ranks(self) -> bool {
        self as u8 & 2 != 0
    }

    pub(super) fn adapts(self) -> bool {
        self as u8 & 8 != 0
    }
}

/// How a rule moves mean and deviations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Update {
    Natural = 0,
    Gradient = 1,
    Paths = 2,
    Matrix = 3,
}

impl Update {
    /// Rows of a state of `n` numbers each, if they can be counted.
    pub(super) fn rows(self, n: usize) -> Option<usize> {
        match self {
            Update::Natural | Update::Gradient => Some(VARIANCE),
            Update::Paths => Some(SHAPE_PATH + 1),
            Update::Matrix => n.checked_add(MATRIX),
        }
    }
}

/// The sizes of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) runs: usize,
    pub(super) n: usize,
    pub(super) population: usize,
    pub(super) mirrored: bool,
    pub(super) dtype: DType,
}

impl Plan {
    /// Candidates of a draw.
    pub(super) fn each(self) -> usize {
        1 + usize::from(self.mirrored)
    }

    pub(super) fn draws(self) -> usize {
        self.population / self.each()
    }

    /// Normal numbers of a Philox block.
    pub(super) fn held(self) -> usize {
        match self.dtype {
            DType::F32 => 4,
            _ => 2,
        }
    }

    /// Blocks of noise of a draw.
    pub(super) fn blocks(self) -> usize {
        self.n.div_ceil(self.held())
    }

    pub(super) fn tiles(self) -> usize {
        self.blocks().div_ceil(LANES)
    }

    pub(super) fn groups(self) -> usize {
        self.tiles().div_ceil(GROUP)
    }

    /// Draws whose steps are added before the segments are: as many as leave work for a large device, and at most 8 where all work is less
    /// than that. A very small search has the work of one block.
    pub(super) fn segment(self) -> usize {
        let jobs = |segment: usize| self.tiles() * self.draws().div_ceil(segment);
        let mut segment = 256;
        while segment > 8 && jobs(segment) < 8192 {
            segment /= 2;
        }
        let most = if self.tiles() * self.draws() <= 64 {
            8
        } else {
            1056
        };
        if segment == 8 && jobs(4) <= most {
            segment = 4;
        }
        segment
    }

    pub(super) fn segments(self) -> usize {
        self.draws().div_ceil(self.segment())
    }
}

/// The numbers of a launch.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) plan: Plan,
    pub(super) stages: Stages,
    pub(super) update: Update,
    /// The function that is scored, if one is.
    pub(super) form: Option<Form>,
    pub(super) seed: u64,
    pub(super) generations: usize,
    /// Draws that are scored or made into candidates, or tiles that are moved.
    pub(super) range: Range<usize>,
    /// What the weights of all ranks have in common, if that is taken out of them.
    pub(super) base: Option<f64>,
    /// The run ends at a score as small as this.
    pub(super) target: f64,
    pub(super) rates: [f64; RATES],
}

impl Asked {
    /// The names of the numbers of a launch.
    pub(super) const NUMBERS: &[&str] = &[
        "runs",
        "n",
        "population",
        "mirrored",
        "segment",
        "stages",
        "update",
        "form",
        "seed",
        "generations",
        "from",
        "to",
        "centred",
        "base",
        "target",
    ];
    /// The list of a launch.
    pub(super) const LISTS: &[(&str, usize)] = &[("rates", RATES)];

    /// As the numbers of a launch, beside the rates: [`Asked::of`] reads them.
    pub(super) fn numbers(&self) -> [(&'static str, Scalar); 15] {
        [
            ("runs", self.plan.runs.into()),
            ("n", self.plan.n.into()),
            ("population", self.plan.population.into()),
            ("mirrored", self.plan.mirrored.into()),
            ("segment", self.plan.segment().into()),
            ("stages", (self.stages as u8).into()),
            ("update", (self.update as u8).into()),
            ("form", self.form.map_or(-1, |form| form as i64).into()),
            ("seed", self.seed.into()),
            ("generations", self.generations.into()),
            ("from", self.range.start.into()),
            ("to", self.range.end.into()),
            ("centred", self.base.is_some().into()),
            ("base", self.base.unwrap_or(0.0).into()),
            ("target", self.target.into()),
        ]
    }

    /// What a launch asks for; `dtype` is that of the search. Errors: numbers that no search has.
    pub(super) fn of(named: &ByName<'_>, dtype: DType) -> Result<Asked> {
        Ok(Asked {
            plan: Plan {
                runs: named.whole("runs")?,
                n: named.whole("n")?,
                population: named.whole("population")?,
                mirrored: named.whole::<u8>("mirrored")? != 0,
                dtype,
            },
            stages: {
                let number = named.whole::<u8>("stages")?;
                let mut each = Stages::EACH.into_iter();
                each.find(|stages| *stages as u8 == number)
                    .unwrap_or(Stages::All)
            },
            update: match named.whole::<u8>("update")? {
                0 => Update::Natural,
                1 => Update::Gradient,
                2 => Update::Paths,
                _ => Update::Matrix,
            },
            form: usize::try_from(named.whole::<i64>("form")?)
                .ok()
                .and_then(|form| Form::ALL.get(form).copied()),
            seed: named.whole("seed")?,
            generations: named.whole("generations")?,
            range: named.whole("from")?..named.whole("to")?,
            base: match named.whole::<u8>("centred")? {
                0 => None,
                _ => Some(named.real("base")?),
            },
            target: named.real("target")?,
            rates: named.list("rates")?,
        })
    }

    /// The tiles that are moved.
    pub(super) fn moved(&self) -> Range<usize> {
        match self.stages {
            Stages::Moves | Stages::Adapts => self.range.clone(),
            _ => 0..self.plan.tiles(),
        }
    }

    /// The segments that are scored.
    pub(super) fn scored(&self) -> Range<usize> {
        let segment = self.plan.segment();
        match self.stages {
            Stages::Scores => self.range.start / segment..self.range.end.div_ceil(segment),
            _ => 0..self.plan.segments(),
        }
    }

    /// The first block of noise of a draw.
    pub(super) fn block(&self, run: usize, generation: u64, draw: usize) -> u64 {
        let upper = generation * self.plan.runs as u64 + run as u64;
        (upper << 32) | (draw * self.plan.blocks()) as u64
    }
}
