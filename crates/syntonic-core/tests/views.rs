//! Chains of views: each step against its definition, and no element ever moves.

use syntonic_core::random::Generator;
use syntonic_core::{DType, Tensor};

/// A source of small numbers.
struct Dice(Generator);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        let mut out = [0i64];
        self.0.integers(&mut out, 0, n as i64).unwrap();
        out[0] as usize
    }
}

/// What a view should be: a shape and its elements in row-major order, each a number of its own.
#[derive(Clone, Debug)]
struct Model {
    shape: Vec<usize>,
    values: Vec<i64>,
}

impl Model {
    fn at(&self, p: &[usize]) -> i64 {
        let flat = p.iter().zip(&self.shape).fold(0, |at, (&i, &n)| at * n + i);
        self.values[flat]
    }

    /// A new model of `shape` whose element at `p` is the old one at `from(p)`.
    fn walked(&self, shape: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Model {
        let n: usize = shape.iter().product();
        let values = (0..n)
            .map(|mut flat| {
                let mut p = vec![0; shape.len()];
                for a in (0..shape.len()).rev() {
                    p[a] = flat % shape[a];
                    flat /= shape[a];
                }
                self.at(&from(&p))
            })
            .collect();
        Model { shape, values }
    }
}

/// One random step, on the tensor and on the model; `None` where this step does not suit the shape.
fn step(dice: &mut Dice, x: &Tensor, model: &Model) -> Option<(String, Tensor, Model)> {
    let ndim = model.shape.len();
    let shape = model.shape.clone();
    let axis = if ndim > 0 { dice.below(ndim) } else { 0 };
    match dice.below(9) {
        0 => {
            let mut order: Vec<usize> = (0..ndim).collect();
            (1..ndim).for_each(|i| order.swap(i, dice.below(i + 1)));
            let signed: Vec<isize> = order.iter().map(|&a| a as isize - ndim as isize).collect();
            let out = order.iter().map(|&a| shape[a]).collect();
            let new = model.walked(out, |p| {
                let mut q = vec![0; ndim];
                order.iter().zip(p).for_each(|(&a, &i)| q[a] = i);
                q
            });
            Some((
                format!("permute {order:?}"),
                x.permute(&signed).unwrap(),
                new,
            ))
        }
        1 if ndim > 0 => {
            let len = shape[axis] as isize;
            let end = |d: &mut Dice| {
                (d.below(3) > 0).then(|| d.below(2 * len as usize + 3) as isize - len - 1)
            };
            let (start, stop) = (end(dice), end(dice));
            let step = [1, 2, 3, -1, -2][dice.below(5)];
            let inside = |i: isize, low: isize, high: isize| {
                (if i < 0 { i + len } else { i }).clamp(low, high)
            };
            // The positions as Python's definition counts them off.
            let mut at = Vec::new();
            let (mut i, last) = if step > 0 {
                let first = start.map_or(0, |i| inside(i, 0, len));
                (first, stop.map_or(len, |i| inside(i, 0, len)))
            } else {
                let first = start.map_or(len - 1, |i| inside(i, -1, len - 1));
                (first, stop.map_or(-1, |i| inside(i, -1, len - 1)))
            };
            while (step > 0 && i < last) || (step < 0 && i > last) {
                at.push(i as usize);
                i += step;
            }
            let mut out = shape;
            out[axis] = at.len();
            let new = model.walked(out, |p| {
                let mut q = p.to_vec();
                q[axis] = at[p[axis]];
                q
            });
            let got = x.slice(axis as isize, start, stop, step).unwrap();
            Some((format!("slice {axis} {start:?}:{stop:?}:{step}"), got, new))
        }
        2 if ndim > 0 && shape[axis] > 0 && ndim > 2 => {
            let i = dice.below(shape[axis]);
            let mut out = shape.clone();
            out.remove(axis);
            let new = model.walked(out, |p| {
                let mut q = p.to_vec();
                q.insert(axis, i);
                q
            });
            let got = x
                .select(axis as isize, i as i64 - shape[axis] as i64)
                .unwrap();
            Some((format!("select {axis} {i}"), got, new))
        }
        3 if ndim < 6 => {
            let at = dice.below(ndim + 1);
            let mut out = shape;
            out.insert(at, 1);
            let new = Model {
                shape: out,
                values: model.values.clone(),
            };
            Some((
                format!("expand {at}"),
                x.expand_dims(&[at as isize]).unwrap(),
                new,
            ))
        }
        4 => {
            let gone: Vec<isize> = (0..ndim)
                .filter(|&a| shape[a] == 1)
                .map(|a| a as isize)
                .collect();
            let new = Model {
                shape: shape.into_iter().filter(|&n| n != 1).collect(),
                values: model.values.clone(),
            };
            Some((format!("squeeze {gone:?}"), x.squeeze(&gone).unwrap(), new))
        }
        5 if ndim < 6 && model.values.len() < 500 => {
            let mut out = shape.clone();
            for n in out.iter_mut().filter(|n| **n == 1) {
                *n = dice.below(4);
            }
            out.insert(0, dice.below(2) + 1);
            let new = model.walked(out.clone(), |p| {
                p[1..]
                    .iter()
                    .zip(&shape)
                    .map(|(&i, &n)| if n == 1 { 0 } else { i })
                    .collect()
            });
            Some((
                format!("broadcast {out:?}"),
                x.broadcast_to(&out).unwrap(),
                new,
            ))
        }
        6 if ndim > 1 => {
            let other = (axis + 1 + dice.below(ndim - 1)) % ndim;
            let k = dice.below(7) as isize - 3;
            let (down, right) = ((-k).max(0) as usize, k.max(0) as usize);
            let len = shape[axis]
                .saturating_sub(down)
                .min(shape[other].saturating_sub(right));
            let rest: Vec<usize> = (0..ndim).filter(|&a| a != axis && a != other).collect();
            let mut out: Vec<usize> = rest.iter().map(|&a| shape[a]).collect();
            out.push(len);
            let new = model.walked(out, |p| {
                let mut q = vec![0; ndim];
                rest.iter().zip(p).for_each(|(&a, &i)| q[a] = i);
                q[axis] = p[rest.len()] + down;
                q[other] = p[rest.len()] + right;
                q
            });
            let got = x.diagonal(k, axis as isize, other as isize).unwrap();
            Some((format!("diagonal {k} {axis} {other}"), got, new))
        }
        7 if ndim > 0 => {
            let out = shape.clone();
            let new = model.walked(out, |p| {
                let mut q = p.to_vec();
                q[axis] = shape[axis] - 1 - p[axis];
                q
            });
            Some((
                format!("flip {axis}"),
                x.flip(&[axis as isize]).unwrap(),
                new,
            ))
        }
        8 if ndim > 0 => {
            // An axis cut in two can always be seen without a copy.
            let n = shape[axis];
            let d = (1..=n.max(1))
                .filter(|d| n.is_multiple_of(*d))
                .nth(dice.below(2))?;
            let mut out = shape;
            out[axis] = n / d;
            out.insert(axis + 1, d);
            let signed: Vec<isize> = out.iter().map(|&n| n as isize).collect();
            let new = Model {
                shape: out,
                values: model.values.clone(),
            };
            Some((
                format!("reshape {signed:?}"),
                x.reshape(&signed).unwrap(),
                new,
            ))
        }
        _ => None,
    }
}

#[test]
fn chains_of_views_follow_their_definitions_and_move_nothing() {
    let mut steps = 0;
    for seed in 0..1500 {
        let mut dice = Dice(Generator::new(seed));
        let shape: Vec<usize> = (0..dice.below(4) + 1).map(|_| dice.below(5) + 1).collect();
        let n: usize = shape.iter().product();
        let dtype = DType::ALL[dice.below(DType::ALL.len() - 1) + 1];
        // Numbers that every type holds exactly; 625 positions at most, so some occur again.
        let values: Vec<i64> = (0..n as i64).map(|i| i % 125).collect();
        let mut model = Model {
            shape: shape.clone(),
            values: values.clone(),
        };
        let base = Tensor::from_vec(values, &shape)
            .unwrap()
            .cast(dtype)
            .unwrap();
        let address = base.buffer().unwrap().address();
        let (mut x, mut chain) = (base.clone(), String::new());
        for _ in 0..dice.below(8) {
            let Some((name, next, expected)) = step(&mut dice, &x, &model) else {
                continue;
            };
            chain = format!("{chain}; {name}");
            (x, model) = (next, expected);
            assert_eq!(x.shape(), model.shape, "seed {seed}, {shape:?}{chain}");
            assert_eq!(x.buffer().unwrap().address(), address, "{chain}");
            let got = x.to_vec::<i64>().unwrap();
            assert_eq!(got, model.values, "seed {seed}, {shape:?}{chain}");
            let contiguous = x.contiguous().unwrap();
            assert_eq!(contiguous.to_vec::<i64>().unwrap(), model.values, "{chain}");
            steps += 1;
        }
    }
    assert!(steps > 3000, "only {steps} steps were tried");
}

#[test]
fn a_view_of_a_pending_expression_keeps_it_pending() {
    use syntonic_core::fuse::Prim;
    use syntonic_core::ops::elementwise::apply;
    let x = Tensor::from_vec((0..30_000).map(f64::from).collect(), &[100, 300]).unwrap();
    let y = apply(Prim::Neg, &[(&x).into()]).unwrap();
    let view = y.transpose(0, 1).unwrap().slice(0, None, None, -7).unwrap();
    assert!(y.is_pending() && view.is_pending());
    let got = view.to_vec::<f64>().unwrap();
    for (at, v) in got.iter().enumerate() {
        let (row, column) = (at % 100, 299 - 7 * (at / 100));
        assert_eq!(*v, -((row * 300 + column) as f64));
    }
    let (a, b) = (y.buffer().unwrap(), view.buffer().unwrap());
    assert_eq!(a.address(), b.address());
}

#[test]
fn parts_of_complex_numbers_are_views() {
    use syntonic_core::num_complex::Complex;
    let values: Vec<Complex<f32>> = (0..24u8)
        .map(|i| Complex::new(f32::from(i), -0.5 * f32::from(i)))
        .collect();
    let x = Tensor::from_slice(&values, &[4, 6]).unwrap();
    for view in [
        x.clone(),
        x.transpose(0, 1).unwrap(),
        x.slice(1, None, None, -2).unwrap(),
        x.select(0, 2).unwrap(),
        x.slice(0, Some(4), None, 1).unwrap(),
    ] {
        let z = view.to_vec::<Complex<f32>>().unwrap();
        let (re, im) = (view.real().unwrap(), view.imag().unwrap());
        assert_eq!((re.dtype(), re.shape()), (DType::F32, view.shape()));
        let want: Vec<f32> = z.iter().map(|z| z.re).collect();
        assert_eq!(re.to_vec::<f32>().unwrap(), want);
        let want: Vec<f32> = z.iter().map(|z| z.im).collect();
        assert_eq!(im.to_vec::<f32>().unwrap(), want);
        for part in [re, im] {
            assert_eq!(
                part.buffer().unwrap().address(),
                x.buffer().unwrap().address()
            );
        }
    }
    let five = Tensor::scalar(5, DType::F32).unwrap();
    // SAFETY: this test is the only user of the memory.
    unsafe { x.imag().unwrap().assign_aliased(&five).unwrap() };
    let got = x.to_vec::<Complex<f32>>().unwrap();
    assert!(
        got.iter()
            .zip(&values)
            .all(|(a, b)| a.re == b.re && a.im == 5.0)
    );
    let real = Tensor::from_slice(&[1i32, 2], &[2]).unwrap();
    assert_eq!(real.real().unwrap().to_vec::<i32>().unwrap(), [1, 2]);
    assert_eq!(real.imag().unwrap().to_vec::<i32>().unwrap(), [0, 0]);
}
