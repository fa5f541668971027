//! The phases of a program with folds: what one reading of the elements can compute.
//!
//! The folds of a phase depend on those of earlier phases only. Values of rows that a later phase needs go through memory, one for each
//! row. Values of elements do where computing them again would cost more; all others are computed again from what is in memory, with
//! the same bits.

use super::Prim;
use super::program::{Fold, Yield};
use super::typed::{Level, Op, Typed, TypedNode, TypedOutput};
use crate::dtype::DType;
use crate::scalar::Scalar;
use std::collections::BTreeSet;

mod stored;
#[cfg(test)]
mod tests;

/// Where a value is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// An input of the program.
    Input(u16),
    /// An output of the program.
    Output(usize),
    /// Memory of its own.
    Temporary(usize),
}

/// What a phase does with the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// It folds rows.
    Rows,
    /// It folds nothing.
    Elements,
    /// It folds the columns: the outer axes and those of the row have changed places.
    Columns,
}

/// One reading of the elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What it does with them.
    pub sweep: Sweep,
    /// What it computes.
    pub program: Typed,
    /// Where the inputs of that program are.
    pub inputs: Vec<Place>,
    /// Where its outputs go.
    pub outputs: Vec<Place>,
}

/// Memory between phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Temporary {
    /// The type of its values.
    pub dtype: DType,
    /// Whether it has one for each element, or one for each row.
    pub level: Level,
}

/// What decides whether a value is computed again or stored, in one unit of time.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// A primitive over operands of a type, for each element.
    pub step: fn(Prim, DType) -> f64,
    /// A byte that is written or read.
    pub byte: f64,
}

/// The phases of a program, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phases {
    /// The phases.
    pub phases: Vec<Phase>,
    /// What goes from one phase to another.
    pub temporaries: Vec<Temporary>,
}

impl Phases {
    /// The phases of a program over rows of `count` elements; nothing where integers are summed over rows. Where `early`, elements are
    /// written by the first phase that has them; else by the last one, after all else is read.
    ///
    /// ```
    /// use syntonic_core::DType;
    /// use syntonic_core::fuse::{lower, phases::{Costs, Phases}};
    ///
    /// syntonic_core::fuse! { CENTRED(x: element) -> (element) { x - sum(x) / count() } }
    /// let costs = Costs { step: |_, _| 1.0, byte: 1.0 };
    /// let phases = Phases::of(&lower(&CENTRED, &[DType::F32])?, 100, true, costs).unwrap();
    /// assert_eq!((phases.phases.len(), phases.temporaries.len()), (2, 1));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn of(program: &Typed, count: usize, early: bool, costs: Costs) -> Option<Phases> {
        let mut plan = Plan::new(program, count, costs);
        for round in 0..plan.rounds() {
            plan.round(round, early)?;
        }
        plan.rest()?;
        Some(plan.phases)
    }

    /// Two phases of a program with folds and sums over rows: all of its rows, with as many rounds of folds as there are, and then the
    /// sums; nothing where it has not both. For devices that can keep a row until all its folds are there.
    ///
    /// ```
    /// use syntonic_core::DType;
    /// use syntonic_core::fuse::{lower, phases::{Costs, Phases, Sweep}};
    ///
    /// syntonic_core::fuse! { TERMS(x: element) -> (element, row_sum) { let y = x / sum(x); [y, y * y] } }
    /// let costs = Costs { step: |_, _| 1.0, byte: 1.0 };
    /// let phases = Phases::with_sums_last(&lower(&TERMS, &[DType::F32])?, 100, costs).unwrap();
    /// assert_eq!(phases.phases[1].sweep, Sweep::Columns);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn with_sums_last(program: &Typed, count: usize, costs: Costs) -> Option<Phases> {
        let mut plan = Plan::new(program, count, costs);
        let rounds = plan.rounds();
        if rounds == 0 {
            return None;
        }
        let mut written = plan.take(|o| o.role != Yield::RowSum);
        if plan.left.is_empty() {
            return None;
        }
        plan.keep_rows(rounds, &mut written);
        plan.phase(Sweep::Rows, &written)?;
        plan.place(&written);
        plan.rest()?;
        Some(plan.phases)
    }
}

/// How many rounds of folds each node depends on.
///
/// ```
/// use syntonic_core::DType;
/// use syntonic_core::fuse::{lower, phases::rounds};
///
/// syntonic_core::fuse! { SHIFTED(x: element) -> (element) { x - max(x) } }
/// let typed = lower(&SHIFTED, &[DType::F32])?;
/// assert_eq!(rounds(&typed), [0, 1, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn rounds(program: &Typed) -> Vec<usize> {
    let mut ready: Vec<usize> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let before = node.operands().iter().map(|&a| ready[a as usize]).max();
        let fold = matches!(node.op, Op::Fold(..));
        ready.push(before.unwrap_or(0) + usize::from(fold));
    }
    ready
}

/// A value that a phase writes.
struct Written {
    node: u32,
    role: Yield,
    place: Place,
}

struct Plan<'a> {
    program: &'a Typed,
    count: usize,
    ready: Vec<usize>,
    /// Where nodes are in memory.
    placed: Vec<Option<Place>>,
    /// Outputs that are not written yet.
    left: Vec<usize>,
    phases: Phases,
    costs: Costs,
}

impl<'a> Plan<'a> {
    fn new(program: &'a Typed, count: usize, costs: Costs) -> Plan<'a> {
        let place = |node: &TypedNode| match node.op {
            Op::Input(k) | Op::Index(k) => Some(Place::Input(k)),
            _ => None,
        };
        Plan {
            program,
            count,
            ready: rounds(program),
            placed: program.nodes.iter().map(place).collect(),
            left: (0..program.outputs.len()).collect(),
            phases: Phases::default(),
            costs,
        }
    }

    /// How many rounds of folds there are.
    fn rounds(&self) -> usize {
        self.ready.iter().copied().max().unwrap_or(0)
    }
}

impl Plan<'_> {
    fn node(&self, at: u32) -> &TypedNode {
        &self.program.nodes[at as usize]
    }

    /// Takes the outputs that fit out of those that are left.
    fn take(&mut self, fits: impl Fn(&TypedOutput) -> bool) -> Vec<Written> {
        let outputs = &self.program.outputs;
        let (taken, left) = (self.left.iter()).partition(|&&o| fits(&outputs[o]));
        self.left = left;
        let taken: Vec<usize> = taken;
        let written = |o: usize| Written {
            node: outputs[o].node,
            role: outputs[o].role,
            place: Place::Output(o),
        };
        taken.into_iter().map(written).collect()
    }

    /// The phase of the folds that depend on those of `round` earlier ones.
    fn round(&mut self, round: usize, early: bool) -> Option<()> {
        let ready = self.ready.clone();
        let mut written = self.take(|o| match o.role {
            Yield::RowScalar => ready[o.node as usize] <= round + 1,
            Yield::Element => early && ready[o.node as usize] <= round,
            Yield::RowSum => false,
        });
        self.keep_rows(round, &mut written);
        let elements = written.iter().filter(|w| w.role == Yield::Element);
        let given: Vec<u32> = elements.map(|w| w.node).collect();
        for k in self.of_elements(round, &given) {
            written.push(self.temporary(k, Level::Lane));
        }
        self.phase(Sweep::Rows, &written)?;
        self.place(&written);
        Some(())
    }

    /// Adds the values of rows that are left for later phases after this round.
    fn keep_rows(&mut self, round: usize, written: &mut Vec<Written>) {
        for k in self.of_rows(round) {
            let same = |w: &Written| w.node == k && w.role == Yield::RowScalar;
            if !written.iter().any(same) {
                written.push(self.temporary(k, Level::Row));
            }
        }
    }

    /// Takes note of where values are.
    fn place(&mut self, written: &[Written]) {
        for w in written {
            let is_input = matches!(self.node(w.node).op, Op::Input(_) | Op::Index(_));
            let level = match w.role {
                Yield::Element => Level::Lane,
                _ => Level::Row,
            };
            if !is_input && self.node(w.node).level == level {
                self.placed[w.node as usize].get_or_insert(w.place);
            }
        }
    }

    /// New memory for the value of a node.
    fn temporary(&mut self, node: u32, level: Level) -> Written {
        let dtype = self.node(node).dtype;
        self.phases.temporaries.push(Temporary { dtype, level });
        Written {
            node,
            role: match level {
                Level::Lane => Yield::Element,
                _ => Yield::RowScalar,
            },
            place: Place::Temporary(self.phases.temporaries.len() - 1),
        }
    }

    /// The values of rows that later phases need, that this round can compute, and that are not in memory.
    fn of_rows(&self, round: usize) -> Vec<u32> {
        self.missing(|k| self.node(k).level == Level::Row && self.ready[k as usize] <= round + 1)
    }

    /// What is left needs these values, where the search for it ends, and they are not in memory.
    fn missing(&self, stops: impl Fn(u32) -> bool) -> Vec<u32> {
        let roots = self.left.iter().map(|&o| self.program.outputs[o].node);
        let met = self.needed(roots, &stops);
        let missing = |k: &u32| stops(*k) && self.placed[*k as usize].is_none();
        met.into_iter().filter(missing).collect()
    }

    /// What must be computed for `roots`, themselves included, in order. The search ends at values in memory, and where `stops` says,
    /// which it includes.
    fn needed(
        &self,
        roots: impl Iterator<Item = u32>,
        stops: impl Fn(u32) -> bool,
    ) -> BTreeSet<u32> {
        let mut needed = BTreeSet::new();
        // few: nodes of one program.
        let mut stack: Vec<u32> = roots.collect();
        while let Some(k) = stack.pop() {
            if needed.insert(k) && self.placed[k as usize].is_none() && !stops(k) {
                stack.extend(self.node(k).operands());
            }
        }
        needed
    }

    /// What no round has written: sums over rows, and then elements.
    fn rest(&mut self) -> Option<()> {
        let rows = self.take(|o| o.role == Yield::RowScalar);
        if !rows.is_empty() {
            self.phase(Sweep::Rows, &rows)?;
        }
        // Elements last: they may replace what is read.
        let sums = self.take(|o| o.role == Yield::RowSum);
        let is_float = |w: &Written| self.node(w.node).dtype.is_float();
        if !sums.iter().all(is_float) {
            return None;
        }
        if !sums.is_empty() {
            self.phase(Sweep::Columns, &sums)?;
        }
        let elements = self.take(|_| true);
        if !elements.is_empty() {
            self.phase(Sweep::Elements, &elements)?;
        }
        Some(())
    }

    fn phase(&mut self, sweep: Sweep, written: &[Written]) -> Option<()> {
        let mut inputs: Vec<Place> = Vec::new();
        let mut typed = Typed {
            name: self.program.name.clone(),
            nodes: Vec::new(),
            outputs: Vec::new(),
            inputs: Vec::new(),
        };
        let mut at = vec![0u32; self.program.nodes.len()];
        for k in self.needed(written.iter().map(|w| w.node), |_| false) {
            let TypedNode { op, dtype, level } = *self.node(k);
            let op = match (self.placed[k as usize], op) {
                (Some(place), _) => {
                    let known = inputs.iter().position(|&p| p == place);
                    let input = known.unwrap_or_else(|| {
                        inputs.push(place);
                        typed.inputs.push(dtype);
                        inputs.len() - 1
                    });
                    match op {
                        Op::Index(_) => Op::Index(input as u16),
                        _ => Op::Input(input as u16),
                    }
                }
                (None, Op::Apply(prim, args)) => Op::Apply(prim, args.map(|a| at[a as usize])),
                (None, Op::Cast(a)) => Op::Cast(at[a as usize]),
                (None, Op::Fold(fold, a)) => Op::Fold(fold, at[a as usize]),
                (None, Op::Count) if sweep == Sweep::Columns => {
                    Op::Const(Scalar::Int(self.count as i128).cast(dtype))
                }
                (None, other) => other,
            };
            // What varies with the row varies along a column.
            let level = match (sweep, level) {
                (Sweep::Columns, Level::Row) => Level::Lane,
                _ => level,
            };
            at[k as usize] = typed.nodes.len() as u32;
            typed.nodes.push(TypedNode { op, dtype, level });
        }
        let mut outputs = Vec::new();
        for w in written {
            let (node, dtype) = (at[w.node as usize], self.node(w.node).dtype);
            let (node, role) = match w.role {
                Yield::RowSum => (summed(&mut typed, node, dtype), Yield::RowScalar),
                role => (node, role),
            };
            typed.outputs.push(TypedOutput { node, role, dtype });
            outputs.push(w.place);
        }
        self.phases.phases.push(Phase {
            sweep,
            program: typed,
            inputs,
            outputs,
        });
        Some(())
    }
}

/// Adds the sum of a node of floats; half types are summed in `float32` and rounded once.
fn summed(typed: &mut Typed, node: u32, dtype: DType) -> u32 {
    let wide = dtype.compute();
    let mut add = |op: Op, dtype: DType, level: Level| -> u32 {
        typed.nodes.push(TypedNode { op, dtype, level });
        typed.nodes.len() as u32 - 1
    };
    if wide == dtype {
        return add(Op::Fold(Fold::Sum, node), dtype, Level::Row);
    }
    let widened = add(Op::Cast(node), wide, Level::Lane);
    let sum = add(Op::Fold(Fold::Sum, widened), wide, Level::Row);
    add(Op::Cast(sum), dtype, Level::Row)
}
