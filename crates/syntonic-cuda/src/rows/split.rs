//! A program of rows as maps and plain folds, for programs without a JIT kernel.
//!
//! Folds are taken in dependency order. Before each round of folds, one map over the rows computes per-row values, and one
//! map over everything computes what is folded. Values in memory are read again rather than recomputed.

use std::collections::BTreeSet;
use syntonic_core::fuse::phases::rounds;
use syntonic_core::fuse::{Fold, Level, Op, Typed, TypedNode, TypedOutput, Yield};
use syntonic_core::{DType, Scalar};

/// Where a value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// An input of the program.
    Input(u16),
    /// An output of the program.
    Output(usize),
    /// Temporary memory.
    Temporary(usize),
}

/// Temporary memory: one value per row, or per element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Temporary {
    pub(super) dtype: DType,
    pub(super) level: Level,
}

/// One launch.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A map over the rows ([`Level::Row`]) or over everything ([`Level::Lane`]).
    Map {
        level: Level,
        program: Typed,
        inputs: Vec<Place>,
        outputs: Vec<Place>,
    },
    /// A fold of elements of `dtype` in memory.
    Fold {
        fold: Fold,
        dtype: DType,
        result: DType,
        from: Place,
        to: Place,
    },
}

/// The launches, and the memory between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    pub(super) temporaries: Vec<Temporary>,
}

impl Plan {
    /// The plan of a program over rows of `count` elements.
    pub(super) fn new(program: &Typed, count: usize) -> Plan {
        let mut planner = Planner {
            program,
            count,
            placed: vec![None; program.nodes.len()],
            plan: Plan::default(),
        };
        planner.inputs();
        let ready = rounds(program);
        let folds = |round: usize| -> Vec<u32> {
            let waits = |k: &u32| match program.nodes[*k as usize].op {
                Op::Fold(_, of) => ready[of as usize] == round,
                _ => false,
            };
            (0..program.nodes.len() as u32).filter(waits).collect()
        };
        let last = ready.iter().copied().max().unwrap_or(0);
        for round in 0..last {
            planner.round(&folds(round));
        }
        planner.outputs();
        planner.plan
    }

    /// The last step that reads or writes each temporary.
    pub(super) fn last_uses(&self) -> Vec<usize> {
        let mut last = vec![0; self.temporaries.len()];
        for (at, step) in self.steps.iter().enumerate() {
            let (inputs, outputs) = match step {
                Step::Map {
                    inputs, outputs, ..
                } => (&inputs[..], &outputs[..]),
                Step::Fold { from, to, .. } => {
                    (std::slice::from_ref(from), std::slice::from_ref(to))
                }
            };
            for place in inputs.iter().chain(outputs) {
                if let Place::Temporary(t) = place {
                    last[*t] = at;
                }
            }
        }
        last
    }
}

struct Planner<'a> {
    program: &'a Typed,
    count: usize,
    /// Nodes whose values are in memory, in the node's own type.
    placed: Vec<Option<Place>>,
    plan: Plan,
}

impl Planner<'_> {
    fn node(&self, at: u32) -> &TypedNode {
        &self.program.nodes[at as usize]
    }

    fn inputs(&mut self) {
        for (at, node) in self.program.nodes.iter().enumerate() {
            if let Op::Input(k) = node.op {
                self.placed[at] = Some(Place::Input(k));
            }
        }
    }

    /// The node whose memory a fold of `of` reads: `of`, or the half value it widens.
    fn stored(&self, of: u32) -> u32 {
        match self.node(of).op {
            Op::Cast(from) => {
                let narrow = self.node(from).dtype;
                if narrow.is_half() && narrow.compute() == self.node(of).dtype {
                    from
                } else {
                    of
                }
            }
            _ => of,
        }
    }

    fn round(&mut self, folds: &[u32]) {
        let operand = |&k: &u32| match self.node(k).op {
            Op::Fold(_, of) => self.stored(of),
            _ => k,
        };
        let wanted: BTreeSet<u32> = folds.iter().map(operand).collect();
        let missing: Vec<u32> = wanted
            .into_iter()
            .filter(|&k| self.placed[k as usize].is_none())
            .collect();
        self.compute(&missing);
        for &k in folds {
            self.fold(k);
        }
    }

    fn fold(&mut self, at: u32) {
        let Op::Fold(fold, of) = self.node(at).op else {
            return;
        };
        let stored = self.stored(of);
        let Some(from) = self.placed[stored as usize] else {
            return;
        };
        let to = self.target(at);
        self.placed[at as usize] = Some(to);
        self.plan.steps.push(Step::Fold {
            fold,
            dtype: self.node(stored).dtype,
            result: self.node(at).dtype,
            from,
            to,
        });
    }

    /// Where a per-row value goes: an output that is nothing else, or new memory.
    fn target(&mut self, at: u32) -> Place {
        let mut outputs = self.program.outputs.iter();
        let output = outputs.position(|o| o.node == at && o.role == Yield::RowScalar);
        let dtype = self.node(at).dtype;
        output.map_or_else(|| self.temporary(dtype, Level::Row), Place::Output)
    }

    fn temporary(&mut self, dtype: DType, level: Level) -> Place {
        self.plan.temporaries.push(Temporary { dtype, level });
        Place::Temporary(self.plan.temporaries.len() - 1)
    }

    /// Computes `wanted` into new memory: per-row values first.
    fn compute(&mut self, wanted: &[u32]) {
        let of_lanes: Vec<u32> = self.at_level(wanted, |level| level == Level::Lane);
        let mut of_rows = self.at_level(wanted, |level| level != Level::Lane);
        of_rows.extend(self.row_values(&of_lanes));
        of_rows.sort_unstable();
        of_rows.dedup();
        for (level, nodes) in [(Level::Row, of_rows), (Level::Lane, of_lanes)] {
            let to = nodes
                .iter()
                .map(|&k| self.temporary(self.node(k).dtype, level))
                .collect();
            self.map(level, &nodes, to);
        }
    }

    fn at_level(&self, nodes: &[u32], is: impl Fn(Level) -> bool) -> Vec<u32> {
        let fits = |k: &&u32| is(self.node(**k).level);
        nodes.iter().filter(fits).copied().collect()
    }

    /// Per-row values that the lane values `roots` read, that are computed, and that are not in memory.
    fn row_values(&self, roots: &[u32]) -> Vec<u32> {
        let needed = self.needed(roots);
        let mut found = Vec::new();
        for &k in needed
            .iter()
            .filter(|&&k| self.node(k).level == Level::Lane)
        {
            for &a in self.node(k).operands() {
                let computed =
                    self.node(a).level == Level::Row && self.placed[a as usize].is_none();
                if computed {
                    found.push(a);
                }
            }
        }
        found
    }

    /// What must be computed for `roots`, themselves included, in order. The search ends at values in memory, which it
    /// includes.
    fn needed(&self, roots: &[u32]) -> BTreeSet<u32> {
        let mut needed = BTreeSet::new();
        let mut stack = roots.to_vec();
        while let Some(k) = stack.pop() {
            if needed.insert(k) && self.placed[k as usize].is_none() {
                stack.extend(self.node(k).operands());
            }
        }
        needed
    }

    /// A map that writes the values `nodes` to the places `to`.
    fn map(&mut self, level: Level, nodes: &[u32], to: Vec<Place>) {
        if nodes.is_empty() {
            return;
        }
        let mut inputs: Vec<Place> = Vec::new();
        let mut typed = Typed {
            name: self.program.name.clone(),
            nodes: Vec::new(),
            outputs: Vec::new(),
            inputs: Vec::new(),
        };
        let mut at = vec![0u32; self.program.nodes.len()];
        for k in self.needed(nodes) {
            let op = match self.placed[k as usize] {
                Some(place) => {
                    let known = inputs.iter().position(|&p| p == place);
                    let input = known.unwrap_or_else(|| {
                        inputs.push(place);
                        typed.inputs.push(self.node(k).dtype);
                        inputs.len() - 1
                    });
                    Op::Input(input as u16)
                }
                None => self.translated(k, &at),
            };
            at[k as usize] = typed.nodes.len() as u32;
            // A part has no rows: what varies, varies per element.
            let still = self.node(k).level == Level::Uniform && !matches!(op, Op::Input(_));
            typed.nodes.push(TypedNode {
                op,
                dtype: self.node(k).dtype,
                level: if still { Level::Uniform } else { Level::Lane },
            });
        }
        typed.outputs = nodes
            .iter()
            .map(|&k| TypedOutput {
                node: at[k as usize],
                role: Yield::Element,
                dtype: self.node(k).dtype,
            })
            .collect();
        for (&k, &place) in nodes.iter().zip(&to) {
            self.placed[k as usize].get_or_insert(place);
        }
        self.plan.steps.push(Step::Map {
            level,
            program: typed,
            inputs,
            outputs: to,
        });
    }

    /// What node `k` computes, over the nodes `at` of a part.
    fn translated(&self, k: u32, at: &[u32]) -> Op {
        let to = |a: u32| at[a as usize];
        match self.node(k).op {
            Op::Count => Op::Const(Scalar::Int(self.count as i128).cast(self.node(k).dtype)),
            Op::Apply(prim, args) => Op::Apply(prim, args.map(to)),
            Op::Cast(a) => Op::Cast(to(a)),
            other => other,
        }
    }

    /// Writes every output that no fold has written.
    fn outputs(&mut self) {
        let written = |o: usize| Some(Place::Output(o));
        let missing = |role: fn(Yield) -> bool| -> (Vec<u32>, Vec<Place>) {
            let outputs = self.program.outputs.iter().enumerate();
            outputs
                .filter(|(o, output)| {
                    role(output.role) && self.placed[output.node as usize] != written(*o)
                })
                .map(|(o, output)| (output.node, Place::Output(o)))
                .unzip()
        };
        let rows = missing(|role| role == Yield::RowScalar);
        let lanes = missing(|role| role != Yield::RowScalar);
        self.compute(&self.row_values(&lanes.0));
        self.map(Level::Row, &rows.0, rows.1);
        self.map(Level::Lane, &lanes.0, lanes.1);
    }
}
