//! The operators of the engine.

use crate::given::{ALL, COLS, Given, ROWS, Row, all_done, cast, done, row};
use syntonic_core::fuse::{Fold, Prim};
use syntonic_core::ops::create::{self, Endpoint};
use syntonic_core::ops::fft::{self, Extent, Norm};
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::ops::join::{self, Indexing};
use syntonic_core::ops::linalg::{self, Contract};
use syntonic_core::ops::order::{self, Direction, Extreme, Membership, Method, Ranked, Side};
use syntonic_core::ops::pad::{Padding, pad};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::scan::{self, Initial};
use syntonic_core::ops::{composites, difference, elementwise, gather, random, rearrange, softmax};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Scalar, Tensor, cpu};

pub(crate) fn rows() -> Vec<Row> {
    [
        elements(),
        folds(),
        created(),
        moved(),
        picked(),
        ordered(),
        products(),
        transforms(),
        drawn(),
        written(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Fourier transforms along rows and columns, of lengths that need tables of their own.
fn transforms() -> Vec<Row> {
    const HOW: Norm = Norm::Ortho;
    let all = Extent::default;
    let mut out = vec![
        row("fft", |g| {
            // A prime, which the library transforms by a longer length.
            done(fft::fft(&g.flat, Some(7919), 0, HOW))?;
            done(fft::fft(&g.x, None, 0, HOW))
        }),
        row("ifft", |g| done(fft::ifft(&g.turned, None, 0, HOW))),
        row("rfft", |g| {
            done(fft::rfft(&g.flat, Some(5000), 0, HOW))?;
            done(fft::rfft(&g.x, None, 0, HOW))
        }),
        row("irfft", |g| {
            done(fft::irfft(&g.flat, Some(5003), 0, HOW))?;
            done(fft::irfft(&g.x, None, 1, HOW))
        }),
        row("hfft", |g| done(fft::hfft(&g.x, None, 1, HOW))),
        row("ihfft", |g| done(fft::ihfft(&g.x, None, 1, HOW))),
        row("fftshift", |g| done(fft::fftshift(&g.x, None))),
        row("ifftshift", |g| done(fft::ifftshift(&g.x, Some(&[0])))),
        row("fftfreq", |_| done(fft::fftfreq(ALL, 0.5, None, &cpu()))),
        row("rfftfreq", |_| {
            done(fft::rfftfreq(2 * ALL, 0.5, None, &cpu()))
        }),
    ];
    out.extend([
        row("fftn", move |g| done(fft::fftn(&g.x, all(), HOW))),
        row("ifftn", move |g| done(fft::ifftn(&g.x, all(), HOW))),
        row("rfftn", move |g| done(fft::rfftn(&g.x, all(), HOW))),
        row("irfftn", move |g| done(fft::irfftn(&g.x, all(), HOW))),
    ]);
    out
}

/// The operand in a type that the primitive takes.
fn accepted(prim: Prim, x: &Tensor) -> Result<Tensor, Error> {
    let types = [DType::F64, DType::I64, DType::Bool];
    let fits = types.into_iter().find(|&t| prim.operand_dtype(t).is_some());
    cast(x, fits.unwrap_or(DType::F64))
}

fn elements() -> Vec<Row> {
    vec![
        row("apply", |g| {
            for &prim in Prim::ALL {
                let x = accepted(prim, &g.x)?;
                let args: Vec<elementwise::Arg<'_>> =
                    (0..prim.arity()).map(|_| (&x).into()).collect();
                done(elementwise::apply(prim, &args))?;
            }
            Ok(())
        }),
        row("composite", |g| {
            for c in composites::ALL {
                let args: Vec<elementwise::Arg<'_>> =
                    c.args.iter().map(|_| (&g.x).into()).collect();
                done(elementwise::composite(c.name, c.build, &args))?;
            }
            Ok(())
        }),
        row("clip", |g| {
            let (low, high) = ((&g.per_column).into(), (&g.x).into());
            done(elementwise::clip(&g.x, Some(low), Some(high)))?;
            done(elementwise::clip(&g.x, Some(low), None))
        }),
    ]
}

/// A reduction over everything, along the rows, across them, and of a view that runs the other way.
fn reduction(
    name: &'static str,
    f: impl Fn(&Tensor, &Over) -> Result<Tensor, Error> + 'static,
) -> Row {
    row(name, move |g| {
        done(f(&g.x, &Over::all()))?;
        for axis in [0, -1] {
            done(f(&g.x, &Over::axes(&[axis])))?;
            done(f(&g.turned, &Over::axes(&[axis]).keep()))?;
        }
        Ok(())
    })
}

fn folds() -> Vec<Row> {
    vec![
        reduction("fold", |x, over| reduce::fold(Fold::Sum, x, over)),
        reduction("sum", |x, over| reduce::sum(x, over, None)),
        reduction("prod", |x, over| reduce::prod(x, over, None)),
        reduction("min", reduce::min),
        reduction("max", reduce::max),
        reduction("any", reduce::any),
        reduction("all", reduce::all),
        row("argmin", |g| {
            done(reduce::argmin(&g.x, &Over::axes(&[0])))?;
            done(reduce::argmin(&g.flat, &Over::axes(&[0])))
        }),
        row("argmax", |g| {
            done(reduce::argmax(&g.x, &Over::axes(&[1])))?;
            done(reduce::argmax(&g.flat, &Over::axes(&[0])))
        }),
        reduction("mean", reduce::mean),
        reduction("var", |x, over| reduce::var(x, over, 1.0)),
        reduction("std", |x, over| reduce::std(x, over, 0.0)),
        reduction("logsumexp", reduce::logsumexp),
        reduction("norm", |x, over| reduce::norm(x, 3.0, over)),
        reduction("count_nonzero", reduce::count_nonzero),
        row("softmax", |g| {
            done(softmax::softmax(&g.x, 0))?;
            done(softmax::softmax(&g.turned, 1))
        }),
        row("log_softmax", |g| {
            done(softmax::log_softmax(&g.x, 1))?;
            done(softmax::log_softmax(&g.turned, 0))
        }),
        row("cumulative_sum", |g| {
            done(scan::cumulative_sum(&g.x, Some(0), None, Initial::Include))?;
            done(scan::cumulative_sum(&g.flat, None, None, Initial::Leave))
        }),
        row("cumulative_prod", |g| {
            done(scan::cumulative_prod(&g.x, Some(1), None, Initial::Leave))
        }),
    ]
}

fn created() -> Vec<Row> {
    let number = Scalar::Float;
    vec![
        row("full", |_| {
            done(create::full(&[ALL], 2.5, DType::F64, &cpu()))
        }),
        row("zeros", |_| done(create::zeros(&[ALL], DType::F64, &cpu()))),
        row("ones", |_| done(create::ones(&[ALL], DType::F32, &cpu()))),
        row("empty", |_| done(create::empty(&[ALL], DType::I64, &cpu()))),
        row("full_like", |g| done(create::full_like(&g.x, 1, None))),
        row("zeros_like", |g| done(create::zeros_like(&g.x, None))),
        row("ones_like", |g| done(create::ones_like(&g.x, None))),
        row("empty_like", |g| done(create::empty_like(&g.x, None))),
        row("arange", move |_| {
            let (start, stop, step) = (number(0.0), number(ALL as f64), number(1.0));
            done(create::arange(start, stop, step, None, &cpu()))
        }),
        row("linspace", move |_| {
            let ends = (number(0.0), number(1.0));
            done(create::linspace(
                ends.0,
                ends.1,
                ALL,
                Endpoint::Included,
                None,
                &cpu(),
            ))
        }),
        row("eye", |_| {
            done(create::eye(ROWS, COLS, 1, DType::F64, &cpu()))
        }),
    ]
}

fn moved() -> Vec<Row> {
    vec![
        row("concat", |g| {
            done(join::concat(&[&g.x, &g.x], None))?;
            done(join::concat(&[&g.turned, &g.turned], Some(1)))
        }),
        row("stack", |g| done(join::stack(&[&g.x, &g.x], -1))),
        row("split", |g| all_done(&join::split(&g.flat, ALL / 64, 0)?)),
        row("split_at", |g| {
            let positions: Vec<isize> = (0..2000).collect();
            all_done(&join::split_at(&g.flat, &positions, 0)?)
        }),
        row("unstack", |g| all_done(&join::unstack(&g.x, 1)?)),
        row("broadcast_arrays", |g| {
            all_done(&join::broadcast_arrays(&[&g.x, &g.per_column])?)
        }),
        row("diff", |g| {
            done(difference::diff(&g.x, 2, -1, Some(&g.x), None))
        }),
        row("meshgrid", |g| {
            let grid = join::meshgrid(&[&g.per_row, &g.per_column], Indexing::Ij)?;
            grid.iter().try_for_each(|t| t.copy().map(drop))
        }),
        row("moveaxis", |g| {
            rearrange::moveaxis(&g.x, &[0], &[1])?.copy().map(drop)
        }),
        row("tile", |g| done(rearrange::tile(&g.x, &[1, 2]))),
        row("repeat", |g| {
            done(rearrange::repeat(&g.x, 2, Some(0)))?;
            done(rearrange::repeat(&g.x, 2, None))
        }),
        row("repeat_each", |g| {
            let counts = cast(&g.mask, DType::I64)?.reshape(&[-1])?;
            done(rearrange::repeat_each(&g.flat, &counts, Some(0)))
        }),
        row("roll", |g| {
            done(rearrange::roll(&g.x, &[3], None))?;
            done(rearrange::roll(&g.x, &[3], Some(&[0])))
        }),
        row("tril", |g| done(rearrange::tril(&g.x, 1))),
        row("triu", |g| done(rearrange::triu(&g.x, -1))),
        row("pad", |g| {
            for padding in [
                Padding::Constant(Scalar::Int(0)),
                Padding::Edge,
                Padding::Wrap,
            ] {
                done(pad(&g.x, &[(1, 2), (3, 4)], padding))?;
            }
            done(pad(&g.flat, &[(5, 5)], Padding::Reflect))?;
            done(pad(&g.flat, &[(5, 5)], Padding::Symmetric))
        }),
    ]
}

fn picked() -> Vec<Row> {
    let by_mask = |g: &Given| [IndexItem::Mask(g.mask.clone())];
    let by_place = |g: &Given| [IndexItem::Array(g.whole.clone())];
    vec![
        row("take", |g| done(gather::take(&g.flat, &g.whole, Some(0)))),
        row("take_along_axis", |g| {
            done(gather::take_along_axis(&g.x, &g.places, 1))
        }),
        row("scatter", |g| {
            gather::scatter(&mut g.x.clone(), 1, &g.places, &g.x)
        }),
        row("scatter_add", |g| {
            gather::scatter_add(&mut g.x.clone(), 1, &g.places, &g.x)
        }),
        row("put", |g| gather::put(&mut g.x.clone(), &g.whole, &g.flat)),
        row("nonzero", |g| all_done(&gather::nonzero(&g.x)?)),
        row("select_where", |g| {
            done(gather::select_where(&g.x, &g.mask))
        }),
        row("index", move |g| {
            done(index::index(&g.x, &by_mask(g)))?;
            done(index::index(&g.flat, &by_place(g)))
        }),
        row("set", move |g| {
            let one = Tensor::scalar(1.0, DType::F64)?;
            index::set(&mut g.x.clone(), &by_mask(g), &one)?;
            index::set(&mut g.flat.clone(), &by_place(g), &one)
        }),
        row("add", move |g| {
            index::add(&mut g.flat.clone(), &by_place(g), &g.flat)
        }),
    ]
}

fn ordered() -> Vec<Row> {
    let (up, down) = (Direction::Ascending, Direction::Descending);
    vec![
        row("sort", move |g| {
            for dtype in [DType::F64, DType::F32, DType::I8, DType::C128] {
                let (x, flat) = (cast(&g.turned, dtype)?, cast(&g.flat, dtype)?);
                done(order::sort(&x, 0, up))?;
                done(order::sort(&x, -1, down))?;
                done(order::sort(&flat, 0, up))?;
            }
            Ok(())
        }),
        row("argsort", move |g| {
            for dtype in [DType::F64, DType::F16, DType::C64] {
                let flat = cast(&g.flat, dtype)?;
                done(order::argsort(&flat, 0, down))?;
                done(order::argsort(&cast(&g.x, dtype)?, 0, up))?;
            }
            Ok(())
        }),
        row("searchsorted", |g| {
            done(order::searchsorted(&g.flat, &g.x, Side::Left, None))?;
            done(order::searchsorted(
                &g.flat,
                &g.x,
                Side::Right,
                Some(&g.whole),
            ))
        }),
        row("isin", |g| {
            done(order::isin(&g.x, &g.flat, Membership::Inside))?;
            done(order::isin(
                &cast(&g.x, DType::C128)?,
                &g.flat,
                Membership::Outside,
            ))
        }),
        row("unique", |g| {
            let u = order::unique(&g.x)?;
            all_done(&[u.values, u.indices, u.inverse, u.counts])
        }),
        row("topk", |g| {
            let (values, places) =
                order::topk(&g.flat, ALL / 2, 0, Extreme::Largest, Ranked::InOrder)?;
            all_done(&[values, places])?;
            let (values, places) = order::topk(&g.x, 3, 1, Extreme::Smallest, Ranked::InPlace)?;
            all_done(&[values, places])
        }),
        row("bincount", |g| {
            done(order::bincount(&g.whole, None, 0))?;
            done(order::bincount(&g.whole, Some(&g.flat), ALL))
        }),
        row("median", |g| {
            done(order::median(&g.x, &Over::all()))?;
            done(order::median(&g.x, &Over::axes(&[0])))
        }),
        row("quantile", |g| {
            done(order::quantile(
                &g.x,
                0.3,
                &Over::axes(&[1]),
                Method::Linear,
            ))
        }),
        row("quantiles", |g| {
            let q: Vec<f64> = (0..50).map(|k| f64::from(k) / 50.0).collect();
            done(order::quantiles(
                &g.x,
                &q,
                &Over::axes(&[0]),
                Method::Nearest,
            ))
        }),
    ]
}

fn products() -> Vec<Row> {
    vec![
        row("matmul", |g| {
            for dtype in [
                DType::F64,
                DType::F32,
                DType::C128,
                DType::F16,
                DType::BF16,
                DType::I32,
            ] {
                let (a, b) = (cast(&g.x, dtype)?, cast(&g.turned, dtype)?);
                done(linalg::matmul(&a, &b))?;
                done(linalg::matmul(&a, &cast(&g.per_column, dtype)?))?;
            }
            Ok(())
        }),
        row("matmul_scaled", |g| {
            let c = Tensor::ones(&[ROWS, ROWS], DType::F16)?;
            let (a, b) = (cast(&g.x, DType::F16)?, cast(&g.turned, DType::F16)?);
            done(linalg::matmul_scaled(2.0, &a, &b, 0.5, &c))
        }),
        row("bmm", |g| {
            let (a, b) = (
                g.x.reshape(&[2, 128, COLS as isize])?,
                g.turned
                    .copy()?
                    .reshape(&[2, ROWS as isize, ROWS as isize])?,
            );
            let a = a.slice(2, None, Some(ROWS as isize), 1)?;
            done(linalg::bmm(&a, &b))
        }),
        row("gemv", |g| done(linalg::gemv(&g.x, &g.per_column))),
        row("vecdot", |g| {
            done(linalg::vecdot(&g.x, &g.x, 0))?;
            done(linalg::vecdot(&g.turned, &g.turned, -1))
        }),
        row("outer", |g| done(linalg::outer(&g.per_row, &g.per_column))),
        row("kron", |g| {
            done(linalg::kron(&g.x, &Tensor::ones(&[1, 2], DType::F64)?))
        }),
        row("tensordot", |g| {
            done(linalg::tensordot(&g.x, &g.turned, Contract::Last(1)))?;
            done(linalg::tensordot(&g.x, &g.x, Contract::Pairs(&[0], &[0])))
        }),
        row("matrix_transpose", |g| {
            linalg::matrix_transpose(&g.x)?.copy().map(drop)
        }),
        row("trace", |g| done(linalg::trace(&g.x, 1, None))),
        row("einsum", |g| {
            done(linalg::einsum("ij,kj->ik", &[&g.x, &g.x]))?;
            done(linalg::einsum("ij,ij,ij->ji", &[&g.x, &g.x, &g.x]))
        }),
    ]
}

fn drawn() -> Vec<Row> {
    vec![
        row("uniform", |_| {
            done(random::uniform(
                &[ALL],
                -1.0,
                1.0,
                DType::F16,
                &mut Generator::new(1),
                &cpu(),
            ))
        }),
        row("normal", |_| {
            done(random::normal(
                &[ALL],
                1.0,
                2.0,
                DType::F64,
                &mut Generator::new(1),
                &cpu(),
            ))
        }),
        row("integers", |_| {
            done(random::integers(
                &[ALL],
                -5,
                5,
                DType::I8,
                &mut Generator::new(1),
                &cpu(),
            ))
        }),
        row("permutation", |_| {
            let (mut generator, before) = (Generator::new(1), Generator::new(1));
            let drawn = random::permutation(ALL, &mut generator, &cpu());
            // A draw that failed has drawn nothing.
            assert_eq!(drawn.is_err(), generator == before);
            done(drawn)
        }),
        row("shuffled", |g| {
            done(random::shuffled(&g.x, 1, &mut Generator::new(1)))
        }),
    ]
}

fn written() -> Vec<Row> {
    vec![row("Buffer::lend", |g| {
        let x = g.x.copy()?;
        let pending = |prim| elementwise::apply(prim, &[(&x).into(), 3.0.into()]);
        let waiting = [
            pending(Prim::Add)?,
            pending(Prim::Mul)?,
            pending(Prim::Sub)?,
        ];
        let buffer = x.buffer()?;
        let outcome = buffer.lend();
        // Whoever was refused may ask again, and what waits for the memory is still known.
        if outcome.is_err() && buffer.lend().is_ok() {
            assert!(waiting.iter().all(|t| !t.is_pending()));
        }
        outcome
    })]
}
