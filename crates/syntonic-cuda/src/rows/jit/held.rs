//! Register-resident rows: every operand is read once, and all loads of a row are in flight before the arithmetic begins. The
//! threads of a row are lanes of a warp, warps of a block, or blocks of a cluster; a block exits with its rows. Strided rows
//! (columns) are grouped by 32 neighbours, one per lane.

use super::body::{Body, WARP, line};
use super::formula::Leaf;
use super::params::place;
use crate::jit::{Moved, Share};
use std::fmt::Write;

/// Threads per block where several rows share a warp.
pub(super) const TOGETHER: usize = 128;

/// The threads that own a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Team {
    /// This many neighbouring lanes of a warp, a power of two.
    Lanes(usize),
    /// This many warps, which are a block.
    Warps(usize),
    /// This many warps in each of this many blocks, which are a cluster.
    Blocks(usize, usize),
    /// This many warps in each of this many blocks, which are a cluster, for strided rows: the lanes of a warp own neighbouring rows.
    Columns(usize, usize),
}

/// How a row is spread over its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Held {
    pub(super) team: Team,
    /// Vectors per thread.
    pub(super) vectors: usize,
    /// The first of them, which every thread has: the row is so long that only later ones can lie beyond its end.
    pub(super) whole: usize,
    /// Elements per vector.
    pub(super) lanes: usize,
    /// Resident blocks per multiprocessor.
    pub(super) at_once: usize,
    /// Bit k: all rows share operand k.
    pub(super) shared: u32,
    /// True where a row lies in segments, of which none continues the one before it.
    pub(super) segmented: bool,
}

impl Held {
    /// Threads per block.
    pub(super) fn block(self) -> usize {
        match self.team {
            Team::Lanes(_) => TOGETHER,
            Team::Warps(warps) | Team::Blocks(warps, _) | Team::Columns(warps, _) => warps * WARP,
        }
    }

    /// Blocks of a row's cluster.
    pub(super) fn blocks(self) -> usize {
        match self.team {
            Team::Blocks(_, blocks) | Team::Columns(_, blocks) => blocks,
            _ => 1,
        }
    }

    /// Rows that a block works on at once.
    pub(super) fn rows_of_block(self) -> usize {
        match self.team {
            Team::Lanes(lanes) => TOGETHER / lanes,
            Team::Columns(..) => WARP,
            Team::Warps(_) | Team::Blocks(..) => 1,
        }
    }

    /// Partial sums over rows that a block leaves.
    pub(super) fn partials_of_block(self) -> usize {
        match self.team {
            Team::Lanes(_) => TOGETHER / WARP,
            _ => 1,
        }
    }

    /// Threads of a row.
    pub(super) fn threads(self) -> usize {
        match self.team {
            Team::Lanes(lanes) => lanes,
            Team::Columns(warps, blocks) => warps * blocks,
            _ => self.block() * self.blocks(),
        }
    }

    /// True where a block may have fewer rows than it has room for.
    fn may_lack_rows(self) -> bool {
        self.rows_of_block() > 1
    }

    /// True for strided rows (columns).
    pub(super) fn is_strided(self) -> bool {
        matches!(self.team, Team::Columns(..))
    }

    fn all(self) -> Share {
        Share {
            lanes: self.lanes,
            first: 0,
            vectors: self.vectors,
        }
    }

    fn vector(self, r: usize) -> Share {
        Share {
            first: r,
            vectors: 1,
            ..self.all()
        }
    }
}

/// Writes the kernel.
pub(super) fn write(body: &mut Body<'_>, name: &str, held: Held) -> Option<()> {
    let mut writer = Writer { body, held };
    writer.whole(name)
}

pub(super) struct Writer<'a, 'b> {
    pub(super) body: &'a mut Body<'b>,
    pub(super) held: Held,
}

impl Writer<'_, '_> {
    fn whole(&mut self, name: &str) -> Option<()> {
        let held = self.held;
        self.body
            .begin(name, held.block(), held.at_once, held.all());
        self.places();
        let stays = self.stays();
        if stays {
            self.begin_rows();
        }
        self.body.bases();
        if self.held.is_strided() {
            self.body.strides("step", place::STEP);
        }
        if self.held.segmented {
            self.body.strides("apart", place::SEGMENT);
        }
        self.vectors();
        let last = self.body.stages.len() - 1;
        self.load_stage(0);
        for at in 0..last {
            self.body.row_values(at)?;
            let runs = self.stage(at)?;
            // The loads of the next stage are in flight while the threads join. Loads that only the results need are issued
            // in the last stage, since they would occupy registers until then.
            if at + 1 < last {
                self.load_stage(at + 1);
            }
            self.join(at, runs);
        }
        self.body.row_values(last)?;
        self.results(last)?;
        if stays {
            self.finish_rows();
        }
        line!(self.body, "ret;\n}}");
        Some(())
    }

    /// The row and this thread's place in it; and shared memory for the joins of warps and blocks.
    fn places(&mut self) {
        let (held, blocks) = (self.held, self.held.blocks());
        let text = &mut self.body.values.text;
        text.push_str(
            ".reg .b32 thread, room, mail, rank, half;\nmov.u32 rank, 0;\nmov.u32 row, %ctaid.x;\n",
        );
        if blocks > 1 {
            text.push_str("barrier.cluster.arrive.aligned;\nmov.u32 rank, %cluster_ctarank;\n");
            line!(self.body, "shr.u32 row, row, {};", blocks.ilog2());
        }
        match held.team {
            Team::Lanes(lanes) => {
                line!(
                    self.body,
                    "and.b32 thread, tid, {};\nshr.u32 w, tid, {};",
                    lanes - 1,
                    lanes.ilog2()
                );
                line!(self.body, "mad.lo.u32 row, row, {}, w;", TOGETHER / lanes);
                return;
            }
            Team::Warps(_) => line!(self.body, "mov.u32 thread, tid;"),
            Team::Blocks(warps, _) => {
                line!(self.body, "mad.lo.u32 thread, rank, {}, tid;", warps * WARP)
            }
            Team::Columns(warps, _) => {
                line!(
                    self.body,
                    "mad.lo.u32 row, row, {WARP}, lane;\nmad.lo.u32 thread, rank, {warps}, warp;"
                );
            }
        }
        let each = 2 * self.most() * self.entry();
        line!(
            self.body,
            ".shared .align 8 .b8 told[{}];\nmov.u32 room, told;",
            each * held.block() / WARP
        );
        if blocks > 1 {
            line!(
                self.body,
                ".shared .align 8 .b8 sent[{}];\nmov.u32 mail, sent;",
                each * blocks
            );
        }
        if held.is_strided() {
            line!(self.body, "mad.lo.u32 room, lane, 8, room;");
            if blocks > 1 {
                line!(self.body, "mad.lo.u32 mail, lane, 8, mail;");
            }
        }
    }

    /// The offsets of those vectors of this thread in the row that may lie beyond its end: they are clamped to the last vector.
    fn vectors(&mut self) {
        let Held { vectors, whole, .. } = self.held;
        let threads = self.held.threads();
        line!(
            self.body,
            ".reg .pred there<{vectors}>;\n.reg .b32 vector<{vectors}>, end;\nsub.u32 end, length, 1;"
        );
        for r in 0..vectors {
            line!(self.body, "add.u32 vector{r}, thread, {};", r * threads);
            if r >= whole {
                line!(
                    self.body,
                    "setp.lt.u32 there{r}, vector{r}, length;\nmin.u32 vector{r}, vector{r}, end;"
                );
            }
        }
        if self.held.segmented {
            line!(self.body, ".reg .b32 segment<{vectors}>, place<{vectors}>;");
            for r in 0..vectors {
                let at = (format!("vector{r}"), format!("place{r}"));
                self.body
                    .divide(place::RUN, &at.0, &format!("segment{r}"), &at.1);
            }
        }
    }

    /// The register with the place of vector `r` in its segment, or in the row.
    fn place(&self, r: usize) -> String {
        let name = if self.held.segmented {
            "place"
        } else {
            "vector"
        };
        format!("{name}{r}")
    }

    /// The predicate under which vector `r` is in the row, where it may not be.
    pub(super) fn there(&self, r: usize) -> Option<String> {
        (r >= self.held.whole).then(|| format!("there{r}"))
    }

    /// The guard under which this thread has vector `r` of a row; nothing where it always has.
    pub(super) fn guard(&mut self, r: usize) -> String {
        match (self.there(r), self.held.may_lack_rows()) {
            (None, false) => String::new(),
            (None, true) => "@here ".to_owned(),
            (Some(there), false) => format!("@{there} "),
            (Some(there), true) => {
                line!(self.body, "and.pred holds, {there}, here;");
                "@holds ".to_owned()
            }
        }
    }

    fn is_shared(&self, operand: u16) -> bool {
        self.held.shared >> operand & 1 == 1
    }

    /// The address of vector `r` of an operand or result with `size` bytes per element.
    fn address(&mut self, operand: usize, r: usize, size: usize) -> String {
        let at = self.body.fresh("b64");
        let Held { lanes, whole, .. } = self.held;
        let place = self.place(r);
        if self.held.is_strided() {
            line!(
                self.body,
                "mad.wide.u32 {at}, {place}, step{operand}, base{operand};"
            );
        } else if r < whole && !self.held.segmented {
            // A constant distance from the first one: it takes no register and no instruction.
            let (each, apart) = (lanes * size, self.held.threads() * lanes * size);
            line!(
                self.body,
                "mad.wide.u32 {at}, thread, {each}, base{operand};\nadd.s64 {at}, {at}, {};",
                r * apart
            );
        } else {
            line!(
                self.body,
                "mad.wide.u32 {at}, {place}, {}, base{operand};",
                lanes * size
            );
        }
        if self.held.segmented {
            line!(
                self.body,
                "mad.wide.s32 {at}, segment{r}, apart{operand}, {at};"
            );
        }
        at
    }

    fn load(&mut self, k: u32, operand: u16, r: usize) {
        if self.body.formula.is_index(usize::from(operand)) {
            let at = self.address(usize::from(operand), r, 1);
            let share = self.held.vector(r);
            self.body.values.count(k, share, &at, 0, None);
            return;
        }
        let at = self.address(usize::from(operand), r, self.body.formula.dtype(k).size());
        let cache = if self.is_shared(operand) {
            ""
        } else {
            ".L1::no_allocate"
        };
        let share = self.held.vector(r);
        // Only loads of whole 16-byte vectors bypass L1 (L1::no_allocate).
        let whole = self.held.lanes * self.body.formula.dtype(k).size() == 16;
        self.body
            .load(k, share, &at, if whole { cache } else { "" });
    }

    /// Issues the loads that a stage is the first to need, but for operands that all rows share.
    fn load_stage(&mut self, at: usize) {
        let stages = self.body.stages;
        for r in 0..self.held.vectors {
            for &k in &stages[at].loads {
                if let Some(Leaf::Operand(o)) = self.body.formula.leaf(k)
                    && !self.is_shared(o)
                {
                    self.load(k, o, r);
                }
            }
        }
    }

    /// Computes vector `r` in a stage; loads the shared operands where they are needed.
    fn values(&mut self, at: usize, r: usize, late: bool) -> Option<()> {
        let stages = self.body.stages;
        for &k in &stages[at].loads {
            if let Some(Leaf::Operand(o)) = self.body.formula.leaf(k)
                && (late || self.is_shared(o))
            {
                self.load(k, o, r);
            }
        }
        for &k in &stages[at].lane {
            self.body.values.value(k, self.held.vector(r))?;
        }
        Some(())
    }

    /// This thread's partial value of each fold of a stage.
    fn stage(&mut self, at: usize) -> Option<Vec<String>> {
        let (formula, stages) = (self.body.formula, self.body.stages);
        let folds = &stages[at].folds;
        let mut runs: Vec<Vec<String>> = vec![Vec::new(); folds.len()];
        for r in 0..self.held.vectors {
            self.values(at, r, false)?;
            for (runs, &f) in runs.iter_mut().zip(folds) {
                let there = self.there(r);
                let share = self.held.vector(r);
                let run = self.body.gather(&formula.folds[f], share, there.as_deref());
                runs.push(run);
            }
        }
        let each = folds.iter().zip(runs);
        Some(
            each.map(|(&f, runs)| self.body.tree(&formula.folds[f], runs))
                .collect(),
        )
    }

    /// The last stage: results per element, and those per row.
    fn results(&mut self, last: usize) -> Option<()> {
        let formula = self.body.formula;
        let each = formula
            .outputs
            .iter()
            .enumerate()
            .filter(|(_, output)| output.is_each());
        let each: Vec<(usize, u32)> = each
            .map(|(o, output)| (self.body.inputs + o, output.value))
            .collect();
        for r in 0..self.held.vectors {
            self.values(last, r, true)?;
            for &(operand, k) in &each {
                let at = self.address(operand, r, formula.dtype(k).size());
                let guard = self.guard(r);
                let moved = Moved {
                    at: &at,
                    apart: 0,
                    guard: &guard,
                    cache: "",
                };
                self.body.values.moves("st", k, self.held.vector(r), &moved);
            }
            self.add_row(r);
        }
        line!(
            self.body,
            "setp.eq.u32 holds, thread, 0;\nand.pred holds, holds, here;"
        );
        self.body.row_results("@holds ");
        Some(())
    }
}
