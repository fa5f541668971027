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
        let ready = rounds(program);
        let mut plan = Plan {
            program,
            count,
            placed: vec![None; program.nodes.len()],
            left: (0..program.outputs.len()).collect(),
            phases: Phases::default(),
            ready,
            costs,
        };
        for (at, node) in program.nodes.iter().enumerate() {
            if let Op::Input(k) = node.op {
                plan.placed[at] = Some(Place::Input(k));
            }
        }
        let rounds = plan.ready.iter().copied().max().unwrap_or(0);
        for round in 0..rounds {
            plan.round(round, early);
        }
        plan.rest()?;
        Some(plan.phases)
    }
}

/// How many rounds of folds each node depends on.
fn rounds(program: &Typed) -> Vec<usize> {
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
    fn round(&mut self, round: usize, early: bool) {
        let ready = self.ready.clone();
        let mut written = self.take(|o| match o.role {
            Yield::RowScalar => ready[o.node as usize] <= round + 1,
            Yield::Element => early && ready[o.node as usize] <= round,
            Yield::RowSum => false,
        });
        for k in self.of_rows(round) {
            let same = |w: &Written| w.node == k && w.role == Yield::RowScalar;
            if !written.iter().any(same) {
                written.push(self.temporary(k, Level::Row));
            }
        }
        for k in self.of_elements(round) {
            let same = |w: &Written| w.node == k && w.role == Yield::Element;
            if !written.iter().any(same) {
                written.push(self.temporary(k, Level::Lane));
            }
        }
        self.phase(Sweep::Rows, &written);
        for w in &written {
            let is_input = matches!(self.node(w.node).op, Op::Input(_));
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

    /// Values of elements that later phases need, that this round computes, and that cost more to compute again than to store.
    fn of_elements(&self, round: usize) -> BTreeSet<u32> {
        let mut stored = BTreeSet::new();
        let mut seen = BTreeSet::new();
        // few: nodes of one program.
        let mut stack: Vec<u32> = self
            .left
            .iter()
            .map(|&o| self.program.outputs[o].node)
            .collect();
        while let Some(k) = stack.pop() {
            if self.placed[k as usize].is_some() || !seen.insert(k) {
                continue;
            }
            if !self.is_made(k) || self.ready[k as usize] > round {
                stack.extend(self.node(k).operands());
                continue;
            }
            if self.cost(k) <= self.moving(k) {
                continue;
            }
            let heart = self.heart(k);
            stored.insert(heart);
            seen.insert(heart);
            if heart != k {
                stack.extend(self.node(k).operands());
            }
        }
        stored
    }

    /// True for a value of elements that is computed.
    fn is_made(&self, k: u32) -> bool {
        let node = self.node(k);
        node.level == Level::Lane && self.placed[k as usize].is_none()
    }

    /// What computing a value of elements takes, from what is in memory.
    fn cost(&self, k: u32) -> f64 {
        let met = self.needed(std::iter::once(k), |k| self.node(k).level != Level::Lane);
        let step = |k: u32| match self.node(k).op {
            Op::Apply(prim, args) if self.is_made(k) => {
                let at = usize::from(prim == Prim::Select);
                (self.costs.step)(prim, self.node(args[at]).dtype)
            }
            _ => 0.0,
        };
        met.into_iter().map(step).sum()
    }

    /// What writing and reading a value of elements takes.
    fn moving(&self, k: u32) -> f64 {
        2.0 * self.node(k).dtype.size() as f64 * self.costs.byte
    }

    /// The operand, however far down, that most of the cost of `k` goes to, and that is no wider.
    fn heart(&self, mut k: u32) -> u32 {
        let mut cost = self.cost(k);
        loop {
            let size = self.node(k).dtype.size();
            let operands = self.node(k).operands().iter().copied();
            let made = operands.filter(|&a| self.is_made(a));
            let dearest = made.max_by(|&a, &b| self.cost(a).total_cmp(&self.cost(b)));
            match dearest {
                Some(a) if self.cost(a) > 0.75 * cost && self.node(a).dtype.size() <= size => {
                    (k, cost) = (a, self.cost(a));
                }
                _ => return k,
            }
        }
    }

    /// The values of rows that later phases need, that this round can compute, and that are not in memory.
    fn of_rows(&self, round: usize) -> Vec<u32> {
        let roots = self.left.iter().map(|&o| self.program.outputs[o].node);
        let stops =
            |k: u32| self.node(k).level == Level::Row && self.ready[k as usize] <= round + 1;
        let met = self.needed(roots, stops);
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

    /// What no round has written: elements, and then sums over rows.
    fn rest(&mut self) -> Option<()> {
        let rows = self.take(|o| o.role == Yield::RowScalar);
        if !rows.is_empty() {
            self.phase(Sweep::Rows, &rows);
        }
        let elements = self.take(|o| o.role == Yield::Element);
        if !elements.is_empty() {
            self.phase(Sweep::Elements, &elements);
        }
        let sums = self.take(|_| true);
        let is_float = |w: &Written| self.node(w.node).dtype.is_float();
        if !sums.iter().all(is_float) {
            return None;
        }
        if !sums.is_empty() {
            self.phase(Sweep::Columns, &sums);
        }
        Some(())
    }

    fn phase(&mut self, sweep: Sweep, written: &[Written]) {
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
                    Op::Input(input as u16)
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
        for w in written {
            let (node, dtype) = (at[w.node as usize], self.node(w.node).dtype);
            let (node, role) = match w.role {
                Yield::RowSum => (summed(&mut typed, node, dtype), Yield::RowScalar),
                role => (node, role),
            };
            typed.outputs.push(TypedOutput { node, role, dtype });
        }
        self.phases.phases.push(Phase {
            sweep,
            program: typed,
            inputs,
            outputs: written.iter().map(|w| w.place).collect(),
        });
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
