//! Random scripts: steps are drawn until one has a meaning that can be checked.

use super::choices::{BINARY, DTYPES, FOLDS, SHAPES, UNARY};
use super::model::Model;
use super::script::{Arg, Dice, Name, Numbers, Refusal, Script, Step, View};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites;
use syntonic_core::run::Axes;
use syntonic_core::{DType, Scalar};

/// How often a step is drawn anew before there is none.
const TRIES: usize = 60;

/// A script, and what it means in each thread, its trunk first.
pub(crate) fn script(seed: u64) -> (Script, Vec<Model>) {
    let mut draw = Draw::new(seed);
    let mut trunk = Model::default();
    let mut script = Script::default();
    let leaves = match draw.mood {
        Mood::Products => 4,
        _ => 1 + draw.dice.below(2),
    };
    for _ in 0..leaves {
        let leaf = draw.leaf();
        trunk.take(&leaf).expect("a leaf has a meaning");
        script.trunk.push(leaf);
    }
    // Now and then more than one program takes, and more than may wait.
    let length = match draw.dice.below(25) {
        0 => 40 + draw.dice.below(60),
        _ => 4 + draw.dice.below(20),
    };
    draw.steps(length, &mut trunk, &mut script.trunk);
    let mut models = vec![trunk];
    if draw.dice.once_in(3) {
        let mut dice = draw.dice.clone();
        let mine = models[0].part(|| dice.once_in(2));
        for _ in 0..1 + draw.dice.below(3) {
            let mut branch = models[0].branch();
            let mut steps: Vec<Step> = mine.iter().map(|&name| Step::Forget(name)).collect();
            let known = steps.iter().try_for_each(|step| branch.take(step));
            known.expect("it was alive");
            let length = 1 + draw.dice.below(8);
            draw.steps(length, &mut branch, &mut steps);
            models.push(branch);
            script.branches.push(steps);
        }
        if draw.dice.once_in(2) {
            draw.mood = Mood::Writes;
        }
        let length = draw.dice.below(8);
        draw.steps(length, &mut models[0], &mut script.tail);
    }
    (script, models)
}

/// What a graph has more of than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    Even,
    Folds,
    Writes,
    Views,
    Operands,
    Products,
}

struct Draw {
    dice: Dice,
    shape: Vec<usize>,
    dtypes: [DType; 2],
    mood: Mood,
}

impl Draw {
    fn new(seed: u64) -> Draw {
        let mut dice = Dice::new(seed);
        let shape = dice.pick(&SHAPES).to_vec();
        let dtypes = [dice.pick(&DTYPES), dice.pick(&DTYPES)];
        let moods = [
            Mood::Even,
            Mood::Even,
            Mood::Folds,
            Mood::Writes,
            Mood::Views,
            Mood::Operands,
            Mood::Products,
        ];
        let mood = dice.pick(&moods);
        Draw {
            dice,
            shape,
            dtypes,
            mood,
        }
    }

    fn steps(&mut self, count: usize, model: &mut Model, steps: &mut Vec<Step>) {
        for _ in 0..count {
            for _ in 0..TRIES {
                let step = self.step(model);
                if model.take(&step).is_some() {
                    steps.push(step);
                    break;
                }
            }
        }
    }

    fn step(&mut self, model: &Model) -> Step {
        let Some(x) = self.variable(model) else {
            return self.leaf();
        };
        let chosen = match self.mood {
            Mood::Even => 40,
            _ if self.dice.once_in(2) => 40,
            Mood::Folds => 24,
            Mood::Writes => [32, 34, 35][self.dice.below(3)],
            Mood::Views => 30,
            Mood::Operands => self.dice.pick(&[0, 0, 10]),
            Mood::Products => 26,
        };
        let chosen = if chosen == 40 {
            self.dice.below(41)
        } else {
            chosen
        };
        let step = match chosen {
            0..2 => self.leaf(),
            2..6 => Step::Prim {
                prim: self.dice.pick(&UNARY),
                args: vec![Arg::Variable(x)],
            },
            6..15 => self.two(model, x),
            15 => self.three(model, x),
            16 => Step::Composite {
                at: self.dice.below(composites::ALL.len()),
                x,
            },
            17 => Step::Cast {
                x,
                dtype: self.dice.pick(&DTYPES),
            },
            18..26 => self.fold(model, x),
            26 => self.product(model, x),
            27..32 => Step::View {
                x,
                view: self.view(model, x),
            },
            32..34 => Step::Write {
                to: x,
                from: self.fitting(model, x),
            },
            34 => Step::Assign {
                to: x,
                from: self.fitting(model, x),
            },
            35 => {
                return Step::Lend {
                    x,
                    seed: self.dice.bits(),
                };
            }
            36..38 => return Step::Read(x),
            38 => return Step::Explain(x),
            39 => return Step::Forget(x),
            _ => {
                let all = [
                    Refusal::Shapes,
                    Refusal::Axis,
                    Refusal::Nothing,
                    Refusal::Write,
                ];
                return Step::Refused(self.dice.pick(&all), x);
            }
        };
        let step = match step {
            Step::Leaf { .. } | Step::View { .. } => return step,
            other => other,
        };
        if self.dice.once_in(14) {
            return Step::Failing(self.dice.below(4), Box::new(step));
        }
        step
    }

    /// A variable, one of the last ones more often.
    fn variable(&mut self, model: &Model) -> Option<Name> {
        let alive = model.alive();
        let last = alive.len().saturating_sub(3);
        if self.dice.once_in(2) {
            return alive
                .get(last + self.dice.below(alive.len() - last))
                .copied();
        }
        alive.get(self.dice.below(alive.len())).copied()
    }

    /// A variable whose shape meets that of `x`, if there is another.
    fn fitting(&mut self, model: &Model, x: Name) -> Name {
        let meets = |a: &[usize], b: &[usize]| {
            let pairs = a.iter().rev().zip(b.iter().rev());
            pairs.into_iter().all(|(&m, &n)| m == n || m == 1 || n == 1)
        };
        let mut all = model.alive();
        if let Some(value) = model.value(x) {
            all.retain(|&y| {
                let other = model.value(y);
                other.is_some_and(|other| y != x && meets(&value.shape, &other.shape))
            });
        }
        if all.is_empty() || self.dice.once_in(8) {
            return x;
        }
        self.dice.pick(&all)
    }

    fn leaf(&mut self) -> Step {
        let mut shape = self.shape.clone();
        if self.mood == Mood::Products {
            let shapes: [&[usize]; 5] = [&[100, 8], &[8, 100], &[8, 100], &[100, 100], &[100, 1]];
            shape = self.dice.pick(&shapes).to_vec();
        } else if self.dice.once_in(3) {
            let axis = self.dice.below(shape.len());
            shape[axis] = 1;
        }
        if self.dice.once_in(4) && self.mood != Mood::Products {
            shape.remove(0);
        }
        let kinds = [
            Numbers::Whole,
            Numbers::Whole,
            Numbers::Whole,
            Numbers::Real,
            Numbers::Real,
            Numbers::Odd,
        ];
        let dtype = match self.mood {
            // A product takes two of one type.
            Mood::Products if !self.dtypes[0].is_bool() => self.dtypes[0],
            Mood::Products => DType::F32,
            _ if self.dice.once_in(5) => self.dice.pick(&DTYPES),
            _ => self.dice.pick(&self.dtypes),
        };
        Step::Leaf {
            shape,
            dtype,
            numbers: match self.mood {
                Mood::Products => Numbers::Whole,
                _ => self.dice.pick(&kinds),
            },
            seed: self.dice.bits(),
        }
    }

    fn number(&mut self) -> Scalar {
        match self.dice.below(5) {
            0..2 => Scalar::Int(self.dice.below(5) as i128),
            2..4 => Scalar::Float(self.dice.below(9) as f64 * 0.5 - 2.0),
            _ => Scalar::Float(self.dice.pick(&[
                -0.0,
                0.1,
                1.0 / 3.0,
                1e-5,
                7e4,
                f64::INFINITY,
                f64::NAN,
            ])),
        }
    }

    fn two(&mut self, model: &Model, x: Name) -> Step {
        let other = if self.dice.once_in(4) {
            Arg::Number(self.number())
        } else {
            Arg::Variable(self.fitting(model, x))
        };
        let mut args = vec![Arg::Variable(x), other];
        if self.dice.once_in(2) {
            args.reverse();
        }
        Step::Prim {
            prim: self.dice.pick(&BINARY),
            args,
        }
    }

    fn three(&mut self, model: &Model, x: Name) -> Step {
        let prim = if self.dice.once_in(4) {
            Prim::Fma
        } else {
            Prim::Select
        };
        let mut args = vec![Arg::Variable(x), Arg::Variable(self.fitting(model, x))];
        args.push(if self.dice.once_in(2) {
            Arg::Number(self.number())
        } else {
            Arg::Variable(self.fitting(model, x))
        });
        // A condition of truths, where there is one.
        let truths = model.alive().into_iter();
        let truths: Vec<Name> = truths
            .filter(|&k| model.value(k).is_some_and(|v| v.dtype.is_bool()))
            .collect();
        if !truths.is_empty() && prim == Prim::Select {
            args.rotate_right(1);
            args[0] = Arg::Variable(self.dice.pick(&truths));
        }
        Step::Prim { prim, args }
    }

    fn fold(&mut self, model: &Model, x: Name) -> Step {
        let ndim = model.value(x).map_or(0, |v| v.shape.len());
        let mut axes: Vec<usize> = (0..ndim).filter(|_| self.dice.once_in(3)).collect();
        if axes.is_empty() && ndim > 0 {
            axes.push(if self.dice.once_in(2) {
                ndim - 1
            } else {
                self.dice.below(ndim)
            });
        }
        Step::Fold {
            fold: self.dice.pick(&FOLDS),
            x,
            axes,
            keep: self.dice.pick(&[Axes::Keep, Axes::Keep, Axes::Drop]),
        }
    }

    fn product(&mut self, model: &Model, x: Name) -> Step {
        let alive = model.alive().into_iter();
        let shape = |k: Name| model.value(k).map(|v| v.shape.clone()).unwrap_or_default();
        let inner = shape(x).last().copied();
        let fits: Vec<Name> = alive
            .filter(|&k| shape(k).len() == 2 && shape(k).first().copied() == inner)
            .collect();
        let b = if fits.is_empty() {
            x
        } else {
            self.dice.pick(&fits)
        };
        Step::Product { a: x, b }
    }

    fn view(&mut self, model: &Model, x: Name) -> View {
        let shape = model.value(x).map(|v| v.shape.clone()).unwrap_or_default();
        let ndim = shape.len();
        let axis = self.dice.below(ndim);
        let len = shape.get(axis).copied().unwrap_or(0);
        match self.dice.below(16) {
            0..3 => {
                let mut order: Vec<usize> = (0..ndim).collect();
                for k in (1..ndim).rev() {
                    order.swap(k, self.dice.below(k + 1));
                }
                View::Permute(order)
            }
            3..6 => {
                // Most of an axis, now and then little or nothing of it.
                let start = if self.dice.once_in(2) {
                    0
                } else {
                    self.dice.below(len.min(3))
                };
                let stop = match self.dice.below(12) {
                    0 => start.min(len),
                    1 => (start + 1).min(len),
                    2..4 => len.saturating_sub(1).max(start),
                    _ => len,
                };
                let step = 1 + usize::from(self.dice.once_in(5));
                View::Slice {
                    axis,
                    start,
                    stop,
                    step,
                }
            }
            6 => View::Flip(axis),
            7 => View::Select {
                axis,
                index: self.dice.below(len),
            },
            8..11 => View::Expand(self.dice.below(ndim + 1)),
            11 => View::Squeeze(axis),
            12..14 => {
                // To what it would meet.
                let other = self.fitting(model, x);
                View::Broadcast(
                    model
                        .value(other)
                        .map(|v| v.shape.clone())
                        .unwrap_or_default(),
                )
            }
            14 => {
                let n: usize = shape.iter().product();
                let by = [2, 3, 4, 5, 10]
                    .into_iter()
                    .filter(|d| n.is_multiple_of(*d));
                let by: Vec<usize> = by.collect();
                View::Reshape(match self.dice.below(3) {
                    0 => vec![n],
                    1 if !by.is_empty() => {
                        let first = self.dice.pick(&by);
                        vec![first, n / first]
                    }
                    _ => {
                        // Two neighbouring axes as one.
                        let mut shape = shape;
                        if axis + 1 < ndim {
                            let len = shape.remove(axis);
                            shape[axis] *= len;
                        }
                        shape
                    }
                })
            }
            _ => View::Diagonal(axis, self.dice.below(ndim)),
        }
    }
}
