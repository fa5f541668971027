//! The score as a program, and what it reads.

use super::forms::Forms;
use super::{Attention, OP};
use crate::device::{Arg, End};
use crate::dtype::DType;
use crate::error::{Error, Result, way_out};
use crate::fuse::{Indices, Input, Node, Prim, Program, Role};
use crate::layout::{Dims, Layout};
use crate::lazy::{Part, as_parts, leave_open, stand_in};
use crate::ops::elementwise::{Arg as Given, apply};
use crate::ops::moves::arg;
use crate::scalar::Scalar;
use crate::tensor::{Index, Tensor, describe};

/// Where a score is: numbers from 0 on, which need no memory and broadcast to `[B, H, Q, K]`.
#[derive(Clone, Debug)]
pub struct Positions {
    /// The number of the matrix among those of the leading axes, `[B, 1, 1, 1]`.
    pub batch: Tensor,
    /// The number of the query's head, `[1, H, 1, 1]`.
    pub head: Tensor,
    /// The number of the query, `[1, 1, Q, 1]`.
    pub query: Tensor,
    /// The number of the key, `[1, 1, 1, K]`.
    pub key: Tensor,
}

impl Positions {
    fn over(forms: &Forms) -> Result<Positions> {
        let along = |axis: usize| {
            let len = forms.space()[axis];
            let mut shape = [1; 4];
            shape[axis] = len;
            let all = match Tensor::ramp(0, 1, len, &forms.device)? {
                Some(ramp) => ramp,
                None => return Err(Error::value(OP, "there are too many positions")),
            };
            Ok(all.with_layout(Layout::contiguous(OP, &shape)?))
        };
        Ok(Positions {
            batch: along(0)?,
            head: along(1)?,
            query: along(2)?,
            key: along(3)?,
        })
    }
}

/// What a score reads besides the product.
#[derive(Clone, Debug)]
pub(super) enum Read {
    /// Numbers without memory, over the space.
    Index(Index),
    /// A tensor of four axes, of which those have length 1 that it is repeated along.
    Memory(Tensor),
}

/// A score: its program, whose first input is the scaled product, and what the others are.
#[derive(Clone, Debug)]
pub(super) struct Score {
    pub(super) program: Program,
    pub(super) reads: Vec<Read>,
}

impl Score {
    pub(super) fn of(
        forms: &Forms,
        f: impl FnOnce(&Tensor, &Positions, &[Tensor]) -> Result<Tensor>,
        settings: &Attention<'_>,
    ) -> Result<Score> {
        // few: the operands of one call.
        let mut all: Vec<Tensor> = Vec::new();
        for operand in settings.operands {
            if operand.layout().broadcast_to(&forms.space()).is_none() {
                return Err(Error::Shape {
                    op: OP,
                    operands: describe(&[operand]),
                    hint: format!(
                        "operands of a score broadcast to [batch, heads, queries, keys], here {:?}",
                        forms.space()
                    ),
                });
            }
            all.push((*operand).clone());
        }
        if let Some(mask) = settings.mask {
            all.push(forms.mask(mask)?);
        }
        // The slope of a tracked operand comes from the kernel, so the score reads what stands for it.
        let given = all.iter().map(|x| match x.is_tracked() {
            true => stand_in(x.dtype(), x.shape(), &forms.device),
            false => Ok(x.clone()),
        });
        let given: Vec<Tensor> = given.collect::<Result<_>>()?;
        let product = stand_in(forms.sums, &forms.space(), &forms.device)?;
        let at = Positions::over(forms)?;
        let made = leave_open(|| {
            let made = f(&product, &at, &given[..settings.operands.len()])?;
            check(forms, &made)?;
            // Positions are integers, whose products with numbers are float64.
            let made = made.cast(forms.sums)?;
            match settings.mask {
                Some(_) => masked(&made, &given[given.len() - 1]),
                None => Ok(made),
            }
        })?;
        let (program, parts) = as_parts(&made)?;
        Score::from_parts(forms, program, parts, &product, &given, &all)
    }

    /// The program with the product first, and what stands for operands replaced by them.
    fn from_parts(
        forms: &Forms,
        mut program: Program,
        mut parts: Vec<Part>,
        product: &Tensor,
        given: &[Tensor],
        all: &[Tensor],
    ) -> Result<Score> {
        match parts.iter().position(|part| part.stands_for(product)) {
            Some(k) => {
                program.put_first(k);
                let part = parts.remove(k);
                if part.tensor.layout() != product.layout()
                    || parts.iter().any(|part| part.stands_for(product))
                {
                    return Err(Error::value(
                        OP,
                        "a score reads the product at its own query and key alone, not turned or shifted; hint: turn q and k before the call",
                    ));
                }
            }
            // One that is made of positions and operands alone.
            None => {
                program.inputs.push(Input {
                    name: "product".into(),
                    role: Role::Element,
                });
                program.put_first(program.inputs.len() - 1);
            }
        }
        let reads = parts.into_iter().map(|part| {
            let t = part.tensor;
            let stands = |k: &usize| all[*k].is_tracked() && t.shares_storage(&given[*k]);
            match (0..all.len()).find(stands) {
                Some(k) => {
                    let x = all[k].contiguous()?;
                    let from = t.layout().offset() + x.layout().offset();
                    Ok(Read::Memory(x.with_layout(once(t.layout(), from))))
                }
                None => Ok(match t.as_index() {
                    Some(index) => Read::Index(index),
                    None => {
                        let from = t.layout().offset();
                        Read::Memory(t.with_layout(once(t.layout(), from)))
                    }
                }),
            }
        });
        let reads: Vec<Read> = reads.collect::<Result<_>>()?;
        let tracked = |read: &Read| matches!(read, Read::Memory(t) if t.is_tracked());
        debug_assert!(
            forms.space().contains(&0) || !reads.iter().any(tracked) || !all.is_empty(),
            "what is tracked was an operand"
        );
        Ok(Score { program, reads })
    }

    /// Whether the score is the scaled product as it is.
    pub(super) fn is_plain(&self) -> bool {
        let result = self.program.outputs[0].node.index();
        matches!(self.program.nodes[result], Node::Input(0))
    }

    /// The types of what it reads.
    fn dtypes(&self) -> impl Iterator<Item = DType> {
        self.reads.iter().map(|read| match read {
            Read::Index(_) => DType::I64,
            Read::Memory(t) => t.dtype(),
        })
    }

    /// `program`, whose first inputs are `first` of the type of the sums and whose others are what the score reads, for a launch; and the
    /// tensors that have to live meanwhile.
    pub(super) fn end(
        &self,
        program: &Program,
        first: usize,
        forms: &Forms,
    ) -> Result<(End, Vec<Tensor>)> {
        let space = forms.space();
        // few: the inputs of one program.
        let mut dtypes = vec![forms.sums; first];
        dtypes.extend(self.dtypes());
        let indices = self.reads.iter().enumerate();
        let indices = indices.filter(|(_, read)| matches!(read, Read::Index(_)));
        let indices = Indices::of(indices.map(|(k, _)| k + first));
        // few: the operands of one score.
        let (mut live, mut args) = (Vec::new(), Vec::new());
        for read in &self.reads {
            args.push(match read {
                Read::Index(index) => Arg {
                    base: std::ptr::without_provenance_mut(index.start as usize),
                    dtype: DType::I64,
                    layout: Layout::from_parts(&space, &index.strides, 0),
                },
                Read::Memory(t) => {
                    let t = t.stop_gradient().eval()?;
                    let t = t.to_read()?.broadcast_to(&space)?;
                    let made = arg(&t)?;
                    live.push(t);
                    made
                }
            });
        }
        let outputs = vec![forms.sums; program.outputs.len()];
        let end = End::of_elements(program, &dtypes, indices, args, &outputs)?;
        Ok((end, live))
    }
}

/// The layout from `offset` on, with length 1 where it repeats elements.
fn once(layout: &Layout, offset: usize) -> Layout {
    let axes = layout.shape().iter().zip(layout.strides());
    let shape: Dims = axes
        .map(|(&len, &s)| if s == 0 { len.min(1) } else { len })
        .collect();
    Layout::from_parts(&shape, layout.strides(), offset)
}

/// Errors unless the function gave scores.
fn check(forms: &Forms, made: &Tensor) -> Result<()> {
    if made.is_tracked() {
        let what = format!(
            "its score reads a tensor that depends on a variable and is none of its operands; hint: give it as an operand, or {}",
            way_out::STOP
        );
        return Err(Error::Gradient {
            op: OP,
            what: what.into(),
        });
    }
    if made.device_id() != forms.device.id() {
        return Err(Error::value(
            OP,
            format!(
                "the score gave {}, which is on another device; hint: {}",
                made.describe(),
                way_out::MOVE
            ),
        ));
    }
    let real = made.dtype().is_float() && !made.dtype().is_stored();
    if !real || made.shape() != forms.space() {
        return Err(Error::value(
            OP,
            format!(
                "the score gave {}, and scores are {}{:?}; hint: it may use element-wise operations alone, over operands that are no wider",
                made.describe(),
                forms.sums,
                forms.space()
            ),
        ));
    }
    Ok(())
}

/// The score where the mask lets it through, or with the mask added.
fn masked(score: &Tensor, mask: &Tensor) -> Result<Tensor> {
    if mask.dtype().is_bool() {
        let never = Given::Number(Scalar::Float(f64::NEG_INFINITY));
        return apply(Prim::Select, &[mask.into(), score.into(), never]);
    }
    if !mask.dtype().is_float() || mask.dtype().is_stored() {
        return Err(Error::DType {
            op: OP,
            operands: describe(&[mask]),
            hint: "a mask is bool, true where a query attends to a key, or floats that are added to the score".into(),
        });
    }
    let mask = mask.cast(score.dtype())?;
    apply(Prim::Add, &[score.into(), (&mask).into()])
}
