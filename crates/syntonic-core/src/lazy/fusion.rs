//! What is computed together when an expression is read.

mod begun;
mod repeated;
mod results;
mod score;
mod together;

use super::alone::shows_the_same;
use super::explain::Cut;
use super::formula::Names;
use super::halves::{self, Goal, as_half};
use super::space::Space;
use super::{MAX_INPUTS, Operand, Operation, Pending, Reduction, Stands, unread};
use crate::error::Result;
use crate::fuse::{Builder, Level, NodeId, Role, Yield};
use crate::layout::{Layout, Strides};
use crate::tensor::{Source, Tensor};
use begun::Begun;
use repeated::Place;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

/// A set of pending expressions over one space, gathered into one program.
pub(super) struct Fusion {
    pub(super) space: Space,
    builder: Builder,
    pub(super) inputs: Vec<Leaf>,
    pub(super) gathered: Vec<Gathered>,
    seen: HashMap<usize, usize>,
    /// The product that this may be the end of.
    pub(super) product: Option<Begun>,
    pub(super) outputs: Vec<Output>,
    /// What has to be in memory first, though the program built so far does not read it.
    first: Vec<Tensor>,
    names: Names,
    /// Whether it is a formula over what only a kernel has.
    stands: bool,
}

/// An operand of the program.
pub(super) struct Leaf {
    /// The elements over the space, or over its kept axes.
    pub(super) tensor: Tensor,
    /// What it varies over.
    pub(super) level: Level,
    /// Why it is computed first, where it was pending.
    pub(super) cut: Option<Cut>,
}

/// An expression whose node is in the program.
pub(super) struct Gathered {
    pub(super) pending: Arc<Pending>,
    node: NodeId,
    place: Place,
    /// How many gathered expressions use it.
    pub(super) uses: u32,
    /// Whether the product is part of it.
    multiplies: bool,
    /// How often its plan had changed.
    pub(super) changes: u32,
}

impl Gathered {
    /// True where it is made of something else by now, with the same values.
    pub(super) fn has_changed(&self) -> bool {
        self.pending.changes() != self.changes
    }
}

/// An expression whose operands are being gathered.
struct Open {
    pending: Arc<Pending>,
    place: Place,
    operation: Operation,
    operands: SmallVec<[Operand; 3]>,
    changes: u32,
    /// Those of the first operands.
    nodes: SmallVec<[NodeId; 3]>,
}

impl Open {
    fn reduces(&self) -> bool {
        matches!(self.operation, Operation::Reduction(_))
    }
}

/// What an operand is met as.
enum Met {
    Node(NodeId),
    /// An expression that is gathered now.
    Open(Box<Open>),
}

/// An expression that the program writes to memory.
pub(super) struct Output {
    pub(super) pending: Arc<Pending>,
    node: NodeId,
    level: Level,
    /// Whether it is written as a temporary.
    pub(super) temporary: bool,
}

/// What is to be done for an expression.
pub(super) enum Collected {
    /// This program, whose operands are in memory.
    Whole(Box<Fusion>),
    /// To compute these first.
    Wants(Vec<Tensor>),
}

impl Fusion {
    /// What reading `root` computes, or the operands that have to be in memory first. A product that others may read as well is
    /// computed, and so is what is no part of the program.
    pub(super) fn collect(root: &Arc<Pending>, goal: Goal) -> Result<Collected> {
        let mut fusion = Fusion::sketch(root, goal)?;
        let mut first = std::mem::take(&mut fusion.first);
        let begun = fusion.product.as_ref().map(|begun| begun.input);
        let inputs = fusion.inputs.iter().enumerate();
        let wanted = inputs.filter(|&(k, leaf)| begun != Some(k) && unread(&leaf.tensor).is_some());
        first.extend(wanted.map(|(_, leaf)| leaf.tensor.clone()));
        // Small ones of a shape are a launch each, if they are not computed together.
        super::together(&first);
        // The fusion is let go of before they run, as the operands of any other.
        Ok(match first.is_empty() {
            true => Collected::Whole(Box::new(fusion)),
            false => Collected::Wants(first),
        })
    }

    /// The same without computing anything but products that others may read as well: operands may be pending.
    pub(super) fn sketch(root: &Arc<Pending>, goal: Goal) -> Result<Fusion> {
        loop {
            let fusion = Fusion::of(root, goal)?;
            let shared = match &fusion.product {
                // The end of a product is stored.
                Some(begun) if goal != Goal::Result || !fusion.owns(begun, root) => {
                    fusion.inputs[begun.input].tensor.clone()
                }
                _ => return Ok(fusion),
            };
            drop(fusion);
            shared.buffer()?;
        }
    }

    /// Over the space of the first reduction met that `root` has a place in and that becomes a part of the program; else
    /// over the shape of `root`.
    fn of(root: &Arc<Pending>, goal: Goal) -> Result<Fusion> {
        for space in root.spaces() {
            if let Some(level) = space.level(&root.shape) {
                let fusion = Fusion::over(space, root, level, goal)?;
                if fusion.builder.has_folds() {
                    return Ok(fusion);
                }
            }
        }
        Fusion::over(Space::new(&root.shape, 0), root, Level::Lane, goal)
    }

    fn over(space: Space, root: &Arc<Pending>, level: Level, goal: Goal) -> Result<Fusion> {
        let alone = |space| Fusion::root(space, root, level, goal);
        let mut fusion = match alone(space.clone())?.with_company(root)? {
            Some(fusion) => fusion,
            None => alone(space)?,
        };
        let fusing = root.device.fusion();
        let others = fusion.gathered.iter().filter(|g| fusion.writes(g, fusing));
        let others: Vec<Output> = others
            .map(|g| Output {
                pending: g.pending.clone(),
                node: g.node,
                level: g.place.level,
                temporary: !g.pending.exact,
            })
            .collect();
        fusion.outputs.extend(others);
        for output in &fusion.outputs {
            let role = match output.level {
                Level::Lane => Yield::Element,
                Level::Row | Level::Uniform => Yield::RowScalar,
            };
            let node = match output.temporary {
                true => (fusion.builder).cast(output.pending.dtype.compute(), output.node),
                false => output.node,
            };
            fusion.builder.output(node, role);
        }
        Ok(fusion)
    }

    /// The program of `root` alone, without its outputs.
    fn root(space: Space, root: &Arc<Pending>, level: Level, goal: Goal) -> Result<Fusion> {
        let mut fusion = Fusion::none(space, root);
        let node = fusion.gather(root, level)?;
        for &temporary in goal.are_temporary() {
            fusion.write(root, node, level, temporary);
        }
        Ok(fusion)
    }

    /// Nothing yet, of what `root` will be read for.
    fn none(space: Space, root: &Pending) -> Fusion {
        Fusion {
            space,
            builder: Builder::new(),
            inputs: Vec::new(),
            gathered: Vec::new(),
            seen: HashMap::new(),
            product: None,
            outputs: Vec::new(),
            first: Vec::new(),
            names: Names::default(),
            stands: root.stands != Stands::No,
        }
    }

    fn write(&mut self, pending: &Arc<Pending>, node: NodeId, level: Level, temporary: bool) {
        self.outputs.push(Output {
            pending: pending.clone(),
            node,
            level,
            temporary,
        });
    }

    /// The node of an expression, after those of all that it is made of. How deep it is takes memory and no stack: an expression may be
    /// read on a thread that has little of it.
    fn gather(&mut self, root: &Arc<Pending>, level: Level) -> Result<NodeId> {
        let place = self.in_place(&root.shape, level)?;
        let mut met = self.meet(root, place)?;
        // few: the expressions on the way to the innermost one.
        let mut open: Vec<Open> = Vec::new();
        loop {
            match met {
                Met::Open(inner) => open.push(*inner),
                Met::Node(node) => match open.last_mut() {
                    Some(outer) => self.take(outer, node),
                    None => return Ok(node),
                },
            }
            met = match open.last() {
                Some(last) => match last.operands.get(last.nodes.len()) {
                    Some(Operand::Number(x)) => Met::Node(self.builder.constant(*x)),
                    // The rows of a reduction vary over all axes.
                    Some(Operand::Tensor(t)) if last.reduces() => {
                        let place = self.in_place(t.shape(), Level::Lane)?;
                        self.operand(t, t.shape(), &place)?
                    }
                    Some(Operand::Tensor(t)) => {
                        self.operand(t, &last.pending.shape, &last.place)?
                    }
                    None => match open.pop() {
                        Some(last) => Met::Node(self.close(last)),
                        None => unreachable!("there is a last one"),
                    },
                },
                None => unreachable!("an expression that is met is open, or has its node"),
            };
        }
    }

    /// The node of an expression that was gathered before, else the expression with its operands.
    fn meet(&mut self, pending: &Arc<Pending>, place: Place) -> Result<Met> {
        let key = Arc::as_ptr(pending) as usize;
        if let Some(&at) = self.seen.get(&key) {
            self.gathered[at].uses += 1;
            return Ok(Met::Node(self.gathered[at].node));
        }
        // Before its plan: what changes in between is gathered again.
        let changes = pending.changes();
        let Some((operation, operands)) = pending.plan() else {
            // Another thread finished it between the check and the lock.
            let layout = Layout::contiguous("eval", &pending.shape)?;
            let source = Source::Pending(pending.clone());
            let t = Tensor::from_source(pending.dtype, layout, source);
            return self.operand(&t, &pending.shape, &place);
        };
        Ok(Met::Open(Box::new(Open {
            pending: pending.clone(),
            place,
            operation,
            operands,
            changes,
            nodes: SmallVec::new(),
        })))
    }

    /// The node of the next operand.
    fn take(&mut self, open: &mut Open, node: NodeId) {
        if open.reduces()
            && let Some(Operand::Tensor(t)) = open.operands.get(open.nodes.len())
            && !self.varies(node)
        {
            self.first.push(t.clone());
        }
        open.nodes.push(node);
    }

    /// The node of an expression that has those of its operands.
    fn close(&mut self, open: Open) -> NodeId {
        let Open {
            pending,
            place,
            operation,
            operands,
            changes,
            nodes,
        } = open;
        let node = match operation {
            Operation::Prim(prim) => self.builder.apply(prim, &nodes),
            Operation::Cast(dtype) => self.builder.cast(dtype, nodes[0]),
            Operation::As(half) => as_half(&mut self.builder, half, nodes[0]),
            Operation::Composite(build) => build(&mut self.builder, &nodes),
            Operation::Formula(formula) => {
                self.names.note(&formula);
                formula.build(&mut self.builder, &nodes)
            }
            Operation::Reduction(reduction) => {
                let from = match &operands[0] {
                    Operand::Tensor(t) => t.dtype(),
                    Operand::Number(_) => pending.dtype,
                };
                reduction.build(&mut self.builder, nodes[0], from, pending.dtype)
            }
            // Products are not gathered: they are what a program begins with, or memory.
            Operation::Product(_) => nodes[0],
            Operation::StandIn => unreachable!("what stands for an operand is read as one"),
        };
        let node = match pending.exact && pending.dtype.is_half() {
            true => self.builder.cast(pending.dtype, node),
            false => node,
        };
        let multiplies = nodes.iter().any(|&n| self.multiplies(n));
        let key = Arc::as_ptr(&pending) as usize;
        self.seen.insert(key, self.gathered.len());
        self.gathered.push(Gathered {
            pending,
            node,
            place,
            uses: 1,
            multiplies,
            changes,
        });
        node
    }

    /// True where the node's value varies along the row.
    fn varies(&self, node: NodeId) -> bool {
        self.builder.varies(node, |input| {
            self.inputs[usize::from(input)].level == Level::Lane
        })
    }

    /// The node of an operand of an expression of this shape and place: its own nodes where they fit, else what is read
    /// from memory.
    fn operand(&mut self, t: &Tensor, shape: &[usize], place: &Place) -> Result<Met> {
        let level = place.level;
        // What was settled is memory.
        let kept = halves::kept(t);
        let from = kept.as_ref().unwrap_or(t);
        let seen = from.broadcast_to(shape)?;
        let view = self.space.spread(seen.layout(), &place.axes);
        let cut = match from.source() {
            Source::Pending(p) if p.result.get().is_none() && !p.is_stand_in() => {
                match self.fits(t, p, &view) {
                    Ok(place) => return self.meet(p, place),
                    Err(Cut::Product) if self.ends(t, p) => {
                        if let Some(product) = p.as_product() {
                            return Ok(Met::Node(self.begin(t, product)));
                        }
                        Some(Cut::Done)
                    }
                    Err(cut) => Some(cut),
                }
            }
            _ => None,
        };
        // A square matrix may lie turned.
        let in_order = |(k, axis): (usize, &Option<usize>)| axis.is_none_or(|axis| axis == k);
        let in_order = place.axes.iter().enumerate().all(in_order);
        let tensor = match level {
            Level::Lane if in_order && shape == &self.space.shape[..] => seen,
            Level::Lane => from.with_layout(view),
            Level::Row | Level::Uniform => from.with_layout(self.without_rows(&view)),
        };
        let leaf = self.leaf(tensor, level, cut);
        Ok(Met::Node(match kept {
            Some(_) => as_half(&mut self.builder, t.dtype(), leaf),
            None => leaf,
        }))
    }

    /// The place of the expression behind `t` if its nodes can join the program, else why not.
    fn fits(&self, t: &Tensor, p: &Arc<Pending>, view: &Layout) -> std::result::Result<Place, Cut> {
        let seen = || {
            let level = self.space.seen(t, p, view)?;
            self.in_place(&p.shape, level).ok()
        };
        if let Some(&at) = self.seen.get(&(Arc::as_ptr(p) as usize)) {
            let own = &self.gathered[at].place;
            let place = match own.repeats {
                true => self.repeated(t, p, view).filter(|place| place == own),
                false => seen(),
            };
            return place.ok_or(Cut::View);
        }
        if self.inputs.len() >= MAX_INPUTS {
            return Err(Cut::Operands);
        }
        match (p.plan(), seen()) {
            (None, _) => Err(Cut::Done),
            (Some((Operation::Product(_), _)), Some(_)) => Err(Cut::Product),
            (Some((Operation::Reduction(reduction), operands)), seen) => match operands.first() {
                Some(Operand::Tensor(x)) if self.is_row_of(&reduction, x) => seen.ok_or(Cut::View),
                _ => Err(Cut::OtherAxes),
            },
            (Some(_), Some(place)) => Ok(place),
            (Some(_), None) => self.repeated(t, p, view).ok_or(Cut::View),
        }
    }

    /// True where the reduction takes exactly the rows of the space.
    fn is_row_of(&self, reduction: &Reduction, x: &Tensor) -> bool {
        let Some(axes) = self.space.axes(x.shape(), Level::Lane) else {
            return false;
        };
        let reduced = axes.iter().enumerate();
        let bits = reduced.filter_map(|(k, axis)| {
            let reduces = (reduction.axes() >> k) & 1 == 1;
            axis.filter(|_| reduces).map(|axis| 1u64 << axis)
        });
        self.space.has_rows() && bits.fold(0, |all, bit| all | bit) == self.space.reduced
    }

    /// `view` over the kept axes alone.
    fn without_rows(&self, view: &Layout) -> Layout {
        let kept = (0..self.space.shape.len()).filter(|&axis| !self.space.reduces(axis));
        let strides: Strides = kept.map(|axis| view.strides()[axis]).collect();
        Layout::from_parts(&self.space.kept(), &strides, view.offset())
    }

    /// A tensor that is read from memory.
    fn leaf(&mut self, t: Tensor, level: Level, cut: Option<Cut>) -> NodeId {
        let product = self.product.as_ref().map(|begun| begun.input);
        let same = |(k, have): (usize, &Leaf)| {
            product != Some(k) && have.level == level && shows_the_same(&have.tensor, &t)
        };
        let mut inputs = self.inputs.iter().enumerate();
        if let Some(k) = inputs.position(same) {
            return self.builder.existing_input(k);
        }
        let role = match level {
            Level::Lane => Role::Element,
            Level::Row | Level::Uniform => Role::RowScalar,
        };
        let name = format!("x{}", self.inputs.len());
        self.inputs.push(Leaf {
            tensor: t,
            level,
            cut,
        });
        self.builder.input(name, role)
    }
}
