//! Random programs over random shapes and layouts: the executor against the interpreter.
//!
//! The body of a program uses primitives that are exactly rounded, and sums what is small and whole,
//! so every schedule must give the very same numbers. Primitives with an error stand at the end, on
//! clamped operands; their results may differ by what the table of primitives allows, and sums of them
//! by that and the rounding of the sum.

use syntonic_core::fuse::interpreter::{Extent, interpret};
use syntonic_core::fuse::{
    Builder, Fold, Level, NodeId, Precision, Prim, Program, Role, Typed, Yield, lower,
};
use syntonic_core::num_complex::Complex;
use syntonic_core::run::{self, Axes};
use syntonic_core::{DType, Element, Error, Scalar, Tensor, cpu, with_element};

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Primitives whose results have no error in any type, and whose results do not depend on the sign of zero.
const EXACT: &[Prim] = &[
    Prim::Neg,
    Prim::Abs,
    Prim::Square,
    Prim::Add,
    Prim::Sub,
    Prim::Mul,
    Prim::Min,
    Prim::Max,
    Prim::Eq,
    Prim::Ne,
    Prim::Lt,
    Prim::Ge,
    Prim::Floor,
    Prim::Ceil,
    Prim::Trunc,
    Prim::Round,
    Prim::IsNan,
    Prim::IsFinite,
    Prim::Real,
    Prim::Imag,
    Prim::Conj,
    Prim::Not,
    Prim::And,
    Prim::Or,
    Prim::Xor,
    Prim::BitNot,
    Prim::BitAnd,
    Prim::BitXor,
    Prim::Shl,
    Prim::Shr,
    Prim::Select,
];
/// Primitives of real floats with an error.
const ROUNDED: &[Prim] = &[
    Prim::Exp,
    Prim::Expm1,
    Prim::Log,
    Prim::Log1p,
    Prim::Sin,
    Prim::Cos,
    Prim::Tanh,
    Prim::Sqrt,
    Prim::Rsqrt,
    Prim::Recip,
    Prim::Div,
    Prim::Erf,
    Prim::Atan,
    Prim::Asinh,
    Prim::Cosh,
];
const DTYPES: &[DType] = &[
    DType::F32,
    DType::F32,
    DType::F64,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::Bool,
    DType::C64,
    DType::C128,
    DType::F16,
    DType::BF16,
];

/// A tensor, and its elements as its memory has them, read without the executor.
struct Operand {
    view: Tensor,
    memory: Vec<Scalar>,
    role: Role,
}

impl Operand {
    /// A random view of this shape: axes in any order, backwards, with gaps, or repeated.
    fn new(shape: &[usize], dtype: DType, role: Role, numbers: &mut Numbers) -> Operand {
        let mut order: Vec<usize> = (0..shape.len()).collect();
        if numbers.chance(60) {
            for i in (1..order.len()).rev() {
                order.swap(i, numbers.below(i + 1));
            }
        }
        let steps: Vec<isize> = order
            .iter()
            .map(|_| numbers.pick(&[1, 1, 1, 1, -1, 2, -2]))
            .collect();
        let repeats: Vec<bool> = order.iter().map(|_| numbers.chance(12)).collect();
        let stored: Vec<usize> = (0..order.len())
            .map(|k| {
                if repeats[k] {
                    1
                } else {
                    shape[order[k]] * steps[k].unsigned_abs()
                }
            })
            .collect();
        let n: usize = stored.iter().product();
        let memory: Vec<Scalar> = (0..n).map(|_| small(dtype, numbers)).collect();
        let mut view = with_element!(dtype, T => {
            let values: Vec<T> = memory.iter().map(|&x| Element::from_scalar(x)).collect();
            Tensor::from_vec(values, &stored).unwrap()
        });
        for (k, &step) in steps.iter().enumerate() {
            if !repeats[k] {
                view = view.slice(k as isize, None, None, step).unwrap();
            }
        }
        let mut back = vec![0isize; order.len()];
        for (k, &axis) in order.iter().enumerate() {
            back[axis] = k as isize;
        }
        let view = view.permute(&back).unwrap();
        Operand { view, memory, role }
    }

    /// The element at `at`, one position per axis of a shape it broadcasts to.
    fn get(&self, at: &[usize]) -> Scalar {
        let layout = self.view.layout();
        let lead = at.len() - layout.ndim();
        let axes = layout.shape().iter().zip(layout.strides());
        let walk = axes
            .zip(&at[lead..])
            .map(|((&n, &s), &i)| if n == 1 { 0 } else { i as isize * s });
        self.memory[(layout.offset() as isize + walk.sum::<isize>()) as usize]
    }
}

/// A small number that every type and every later step holds exactly; now and then one that is not finite.
fn small(dtype: DType, numbers: &mut Numbers) -> Scalar {
    let mut part = |whole: bool| {
        let eighths = numbers.below(97) as f64 - 48.0;
        if whole {
            (eighths / 4.0).trunc()
        } else {
            eighths / 8.0
        }
    };
    let value = match dtype {
        DType::Bool => return Scalar::Bool(part(true) > 0.0),
        d if d.is_complex() => return Scalar::Complex(Complex::new(part(true), part(true))),
        d => part(d.is_integer()),
    };
    let value = if dtype.is_float() && numbers.chance(1) {
        numbers.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0])
    } else {
        value
    };
    Scalar::Float(value).cast(dtype)
}

/// A program under construction: what was refused by its types is not in it.
struct Growing {
    builder: Builder,
    dtypes: Vec<DType>,
    precision: Precision,
    nodes: Vec<Known>,
}

/// A node with its type, and how often it varies.
#[derive(Clone, Copy)]
struct Known {
    id: NodeId,
    dtype: DType,
    level: Level,
}

impl Growing {
    fn add(&mut self, make: impl Fn(&mut Builder) -> NodeId) -> Option<Known> {
        let mut builder = self.builder.clone();
        let id = make(&mut builder);
        let mut probe = builder.clone();
        probe.output(id, Yield::Element);
        let typed = lower(&probe.finish("probe", self.precision), &self.dtypes).ok()?;
        let output = *typed.outputs.last()?;
        let known = Known {
            id,
            dtype: output.dtype,
            level: typed.nodes[output.node as usize].level,
        };
        self.builder = builder;
        self.nodes.push(known);
        Some(known)
    }

    /// The values of `x` clamped, and whole if asked.
    fn tamed(&mut self, x: Known, bound: i32, whole: bool) -> Option<Known> {
        if x.dtype.is_bool() {
            return Some(x);
        }
        let x = if x.dtype.is_complex() {
            self.add(|b| b.apply(Prim::Real, &[x.id]))?
        } else {
            x
        };
        let low = if matches!(x.dtype, DType::U8) {
            0
        } else {
            -bound
        };
        self.add(|b| {
            let (low, high) = (b.constant(low), b.constant(bound));
            let y = b.apply(Prim::Max, &[x.id, low]);
            let y = b.apply(Prim::Min, &[y, high]);
            if whole { b.apply(Prim::Floor, &[y]) } else { y }
        })
    }

    /// One more exact node: a primitive, a cast or, among rows, a fold.
    fn grow(&mut self, folds: bool, numbers: &mut Numbers) {
        let at = |numbers: &mut Numbers, nodes: &[Known]| nodes[numbers.below(nodes.len())];
        let [x, y, z] = [(); 3].map(|()| at(numbers, &self.nodes));
        if folds && numbers.chance(25) {
            let fold = numbers.pick(&Fold::ALL);
            let x = match fold {
                Fold::Sum => self.tamed(x, 8, true),
                Fold::Prod => self.tamed(x, 1, true),
                _ => Some(x),
            };
            if let Some(x) = x {
                self.add(|b| b.fold(fold, x.id));
            }
        } else if numbers.chance(12) {
            let dtype = numbers.pick(DTYPES);
            if let Some(x) = self.tamed(x, 100, false) {
                self.add(|b| b.cast(dtype, x.id));
            }
        } else if numbers.chance(15) {
            let value = numbers.pick(&[
                Scalar::Int(2),
                Scalar::Float(-0.5),
                Scalar::Int(-1),
                Scalar::Float(3.0),
            ]);
            let prim = numbers.pick(&[Prim::Add, Prim::Sub, Prim::Mul, Prim::Max, Prim::Lt]);
            self.add(|b| {
                let c = b.constant(value);
                b.apply(prim, &[x.id, c])
            });
        } else {
            let prim = numbers.pick(EXACT);
            let args = [x.id, y.id, z.id];
            self.add(|b| b.apply(prim, &args[..prim.arity()]));
        }
    }
}

/// How far an output may be from the interpreter's.
#[derive(Clone, Copy, Debug)]
enum Allowed {
    Nothing,
    /// Units in the last place.
    Ulp(u32),
    /// A sum, over the row, of values with this error that another output holds.
    SumOf {
        terms: usize,
        ulp: u32,
    },
}

struct Case {
    program: Program,
    typed: Typed,
    operands: Vec<Operand>,
    allowed: Vec<Allowed>,
    params: Vec<Scalar>,
    outer: Vec<usize>,
    row: Vec<usize>,
    /// The axes of the whole shape that form the row.
    axes: Vec<usize>,
}

impl Case {
    fn new(shape: &[usize], axes: &[usize], folds: bool, numbers: &mut Numbers) -> Case {
        let outer: Vec<usize> = (0..shape.len())
            .filter(|a| !axes.contains(a))
            .map(|a| shape[a])
            .collect();
        let row: Vec<usize> = axes.iter().map(|&a| shape[a]).collect();
        let mut growing = Growing {
            builder: Builder::new(),
            dtypes: Vec::new(),
            precision: numbers.pick(&[Precision::Wide, Precision::Stepwise]),
            nodes: Vec::new(),
        };
        let (mut operands, mut roles) = (Vec::new(), Vec::new());
        for k in 0..1 + numbers.below(4) {
            let role = if k == 0 || !folds {
                Role::Element
            } else {
                numbers.pick(&[Role::Element, Role::Element, Role::Row, Role::RowScalar])
            };
            let of: &[usize] = match role {
                Role::Row => &row,
                Role::RowScalar => &outer,
                _ => shape,
            };
            let dtype = numbers.pick(DTYPES);
            let mut operand = Operand::new(of, dtype, role, numbers);
            if k == 0 && operand.view.shape() != shape {
                // The first operand has the whole shape, so that the others may repeat.
                operand = Operand::new(of, dtype, role, &mut Numbers(1));
            }
            growing.dtypes.push(dtype);
            operands.push(operand);
            roles.push(role);
        }
        for role in roles {
            growing.add_input(role);
        }
        let params = vec![Scalar::Float(0.5)];
        let number = growing.builder.input("s", Role::Number);
        for _ in 0..3 + numbers.below(12) {
            growing.grow(folds, numbers);
        }
        let x = growing.nodes[numbers.below(growing.nodes.len())];
        growing.add(|b| b.apply(Prim::Mul, &[x.id, number]));
        let allowed = growing.finish_outputs(folds, numbers);
        let program = growing.builder.finish("random", growing.precision);
        let typed = lower(&program, &growing.dtypes).unwrap();
        Case {
            program,
            typed,
            operands,
            allowed,
            params,
            outer,
            row,
            axes: axes.to_vec(),
        }
    }

    /// The position in the whole shape of element `i` of row `r`, and within its own axes.
    fn places(&self, r: usize, i: usize) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
        let (outer, row) = (unravel(r, &self.outer), unravel(i, &self.row));
        let (mut o, mut w) = (outer.iter(), row.iter());
        let whole = (0..outer.len() + row.len())
            .map(|a| {
                if self.axes.contains(&a) {
                    *w.next().unwrap()
                } else {
                    *o.next().unwrap()
                }
            })
            .collect();
        (whole, outer, row)
    }

    fn expected(&self) -> Result<Vec<Vec<Scalar>>, Error> {
        let extent = Extent {
            rows: self.outer.iter().product(),
            row: self.row.iter().product(),
        };
        interpret(&self.typed, extent, &self.params, |k, r, i| {
            let (whole, outer, row) = self.places(r, i);
            let operand = &self.operands[k];
            operand.get(match operand.role {
                Role::Row => &row,
                Role::RowScalar => &outer,
                _ => &whole,
            })
        })
    }

    fn run(&self, folds: bool, shape: &[usize]) -> Result<Vec<Tensor>, Error> {
        let inputs: Vec<&Tensor> = self.operands.iter().map(|o| &o.view).collect();
        if folds {
            let axes: Vec<isize> = self.axes.iter().map(|&a| a as isize).collect();
            run::rows(&self.program, &inputs, &self.params, &axes, Axes::Drop)
        } else {
            run::map(&self.program, &inputs, &self.params, shape, &cpu())
        }
    }

    fn check(&self, folds: bool, shape: &[usize], seed: u64) {
        let about = || {
            let views: Vec<_> = self
                .operands
                .iter()
                .map(|o| (o.view.dtype(), o.view.layout()))
                .collect();
            format!(
                "seed {seed}, {shape:?} over {:?}, {views:?}, {:?}\n{}",
                self.axes, self.program.precision, self.program
            )
        };
        let (want, got) = match (self.expected(), self.run(folds, shape)) {
            (Ok(want), Ok(got)) => (want, got),
            (
                Err(Error::EmptyReduction { op: a, .. }),
                Err(Error::EmptyReduction { op: b, .. }),
            ) => {
                assert_eq!(a, b, "{}", about());
                return;
            }
            // No row at all: the executor still refuses what has no value over an empty row.
            (Ok(_), Err(Error::EmptyReduction { .. })) if shape.contains(&0) => return,
            (want, got) => panic!("{:?} but {:?}: {}", want.err(), got.err(), about()),
        };
        for (o, tensor) in got.iter().enumerate() {
            let output = self.typed.outputs[o];
            // The interpreter leaves the sums over rows of a wide program unrounded.
            let wide = output.role == Yield::RowSum && tensor.dtype().compute() == output.dtype;
            assert!(wide || tensor.dtype() == output.dtype, "{}", about());
            let values: Vec<Scalar> = with_element!(tensor.dtype(), T => {
                tensor.host_slice::<T>().unwrap().iter().map(|x| x.to_scalar()).collect()
            });
            assert_eq!(values.len(), want[o].len(), "output {o}: {}", about());
            for (j, &expected) in want[o].iter().enumerate() {
                let at = self.position(output.role, j);
                let rounded = ulp_of(expected.to_f64(), tensor.dtype());
                let room = self.room(o, j, expected, &want)
                    + if tensor.dtype() == output.dtype {
                        0.0
                    } else {
                        rounded
                    };
                assert!(
                    near(values[at], expected, room),
                    "output {o} at {at}: {:?} instead of {expected:?} (within {room}): {}",
                    values[at],
                    about()
                );
            }
        }
    }

    /// Where the interpreter's `j`-th value lies in a row-major output.
    fn position(&self, role: Yield, j: usize) -> usize {
        if role != Yield::Element {
            return j;
        }
        let n: usize = self.row.iter().product();
        let (whole, ..) = self.places(j / n, j % n);
        let (mut outer, mut row) = (self.outer.iter(), self.row.iter());
        (0..whole.len()).fold(0, |at, a| {
            let len = if self.axes.contains(&a) {
                row.next()
            } else {
                outer.next()
            };
            at * len.unwrap() + whole[a]
        })
    }

    fn room(&self, o: usize, j: usize, expected: Scalar, want: &[Vec<Scalar>]) -> f64 {
        let dtype = self.typed.outputs[o].dtype;
        match self.allowed[o] {
            Allowed::Nothing => 0.0,
            // One more for the oracle, whose own functions are as exact as double precision lets them.
            Allowed::Ulp(ulp) => f64::from(ulp + 1) * ulp_of(expected.to_f64(), dtype),
            Allowed::SumOf { terms, ulp } => {
                let n: usize = self.row.iter().product();
                let terms = want[terms][j * n..][..n].iter().map(|x| x.to_f64());
                let each: f64 = terms
                    .clone()
                    .map(|x| f64::from(ulp + 1) * ulp_of(x, dtype))
                    .sum();
                let size: f64 = terms.map(f64::abs).sum();
                // Up to 32 steps may run in the terms' own type before they go on in double precision.
                let short = if dtype == DType::F64 {
                    0.0
                } else {
                    32.0 * f64::from(f32::EPSILON)
                };
                let long = 4.0 * n as f64 * f64::EPSILON;
                each + size * (short + long) + ulp_of(expected.to_f64(), dtype)
            }
        }
    }
}

impl Growing {
    fn add_input(&mut self, role: Role) {
        let k = self.builder.clone().len();
        let id = self.builder.input(format!("x{k}"), role);
        let mut probe = self.builder.clone();
        probe.output(id, Yield::Element);
        let declared = self.nodes.len() + 1;
        let typed = lower(
            &probe.finish("probe", self.precision),
            &self.dtypes[..declared],
        )
        .unwrap();
        let node = typed.nodes[typed.outputs[0].node as usize];
        self.nodes.push(Known {
            id,
            dtype: node.dtype,
            level: node.level,
        });
    }

    /// Exact results of every kind, then one rounded element-wise result and its sum.
    fn finish_outputs(&mut self, folds: bool, numbers: &mut Numbers) -> Vec<Allowed> {
        let mut allowed = Vec::new();
        for _ in 0..1 + numbers.below(3) {
            let x = self.nodes[self.nodes.len() - 1 - numbers.below(self.nodes.len().min(5))];
            if folds && x.level != Level::Lane {
                self.builder.output(x.id, Yield::RowScalar);
            } else if folds && numbers.chance(20) {
                if let Some(y) = self.tamed(x, 8, true) {
                    self.builder.output(y.id, Yield::RowSum);
                } else {
                    continue;
                }
            } else {
                self.builder.output(x.id, Yield::Element);
            }
            allowed.push(Allowed::Nothing);
        }
        let lanes: Vec<Known> = self
            .nodes
            .iter()
            .copied()
            .filter(|k| k.level == Level::Lane)
            .collect();
        let x = lanes[numbers.below(lanes.len())];
        let real = self.tamed(x, 8, false);
        let dtype = if numbers.chance(50) {
            DType::F32
        } else {
            DType::F64
        };
        let prim = numbers.pick(ROUNDED);
        let end = real.and_then(|x| {
            let x = self.add(|b| b.cast(dtype, x.id))?;
            self.add(|b| b.apply(prim, &[x.id, x.id][..prim.arity()]))
        });
        // A program whose half inputs all agree rounds its results to them: not what is measured here.
        if let Some(end) = end.filter(|e| e.dtype == dtype) {
            let terms = allowed.len();
            self.builder.output(end.id, Yield::Element);
            allowed.push(Allowed::Ulp(prim.row().ulp));
            if folds {
                let sum = self.builder.fold(Fold::Sum, end.id);
                self.builder.output(sum, Yield::RowScalar);
                allowed.push(Allowed::SumOf {
                    terms,
                    ulp: prim.row().ulp,
                });
            }
        }
        if allowed.is_empty() {
            self.builder.output(self.nodes[0].id, Yield::Element);
            allowed.push(Allowed::Nothing);
        }
        allowed
    }
}

fn unravel(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut out = vec![0; shape.len()];
    for (k, &n) in shape.iter().enumerate().rev() {
        // A value per row is there also where the row is empty.
        (out[k], at) = (at % n.max(1), at / n.max(1));
    }
    out
}

/// The distance to the next number of this type.
fn ulp_of(x: f64, dtype: DType) -> f64 {
    if dtype == DType::F64 {
        x.abs().next_up() - x.abs()
    } else {
        let x = (x as f32).abs();
        f64::from(x.next_up()) - f64::from(x)
    }
}

/// Equal (NaN equals NaN, 0 equals -0), or finite and within `room`.
fn near(got: Scalar, want: Scalar, room: f64) -> bool {
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= room;
    match (got, want) {
        (Scalar::Float(a), Scalar::Float(b)) => same(a, b),
        (Scalar::Complex(a), Scalar::Complex(b)) => same(a.re, b.re) && same(a.im, b.im),
        (a, b) => a == b,
    }
}

fn check(seed: u64, shape: &[usize], axes: &[usize], folds: bool) {
    let mut numbers = Numbers(seed);
    Case::new(shape, axes, folds, &mut numbers).check(folds, shape, seed);
}

#[test]
fn maps_agree() {
    let shapes: &[&[usize]] = &[
        &[],
        &[0],
        &[1],
        &[3],
        &[1024],
        &[1025],
        &[4097],
        &[3, 0, 2],
        &[2, 3, 4],
        &[5, 129],
        &[129, 5],
        &[33, 40],
        &[40, 1, 33],
        &[2, 7, 3, 11],
        &[3, 1500],
        &[17, 65, 3],
    ];
    for seed in 0..500 {
        let shape = shapes[seed as usize % shapes.len()];
        check(seed, shape, &[], false);
    }
}

#[test]
fn rows_agree() {
    let cases: &[(&[usize], &[usize])] = &[
        (&[1], &[0]),
        (&[0], &[0]),
        (&[7], &[0]),
        (&[3, 0], &[1]),
        (&[0, 3], &[1]),
        (&[3, 5], &[1]),
        (&[4, 1], &[1]),
        (&[2, 1023], &[1]),
        (&[2, 1025], &[1]),
        (&[2, 4096], &[1]),
        (&[2, 4097], &[1]),
        (&[3, 2, 5, 4], &[1, 3]),
        (&[3, 40, 130], &[1, 2]),
        (&[5, 3, 7], &[0, 2]),
        (&[6, 4], &[0, 1]),
        (&[70, 3, 2], &[2]),
        (&[9, 6000], &[1]),
        (&[3, 4], &[]),
    ];
    for seed in 0..400 {
        let (shape, axes) = cases[seed as usize % cases.len()];
        check(1000 + seed, shape, axes, true);
    }
}

#[test]
fn columns_agree() {
    let cases: &[(&[usize], &[usize])] = &[
        (&[5, 16], &[0]),
        (&[33, 100], &[0]),
        (&[2, 1025], &[0]),
        (&[65, 3, 40], &[0]),
        (&[70, 4], &[1]),
        (&[3, 31, 50], &[1]),
        (&[31, 3, 50], &[0, 1]),
        (&[2000, 3], &[1]),
        (&[2, 20, 3, 40], &[0, 2]),
        // A tile within one run of neighbours.
        (&[2, 3, 1500], &[1]),
        (&[2, 12, 1100], &[1]),
    ];
    for seed in 0..300 {
        let (shape, axes) = cases[seed as usize % cases.len()];
        check(3000 + seed, shape, axes, true);
    }
}

#[test]
fn long_rows_in_chunks_agree() {
    let long = 2 * (64 << 10);
    for seed in 0..4 {
        let shape = [1 + seed as usize % 2, long + [0, 1, 77][seed as usize % 3]];
        check(5000 + seed, &shape, &[1], true);
    }
}

#[test]
fn long_columns_in_chunks_agree() {
    let shapes: [&[usize]; 3] = [&[33_000, 17], &[420, 1300], &[5, 90, 1400]];
    for (seed, shape) in shapes.into_iter().enumerate() {
        let axes: Vec<usize> = (0..shape.len() - 1).collect();
        check(7000 + seed as u64, shape, &axes, true);
    }
}
