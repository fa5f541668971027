//! Element-wise operators, reductions, operators over rows and scans: every row of their tables.

use crate::difference::{Row, complex, positive, row, rows_of, spread};
use syntonic_core::fuse::{Fold, Prim, Role};
use syntonic_core::lazy::{Evaluation, set_evaluation};
use syntonic_core::ops::composites;
use syntonic_core::ops::elementwise::{Arg, apply, clip, composite};
use syntonic_core::ops::order::{self, Direction, Extreme, Method, Ranked};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::row_operators::{self, RowOperator};
use syntonic_core::ops::scan::{Initial, cumulative_prod, cumulative_sum};
use syntonic_core::ops::softmax;
use syntonic_core::{DType, Tensor};
use syntonic_srt::nn;

pub(crate) fn rows() -> Vec<Row> {
    let mut all = Vec::new();
    for shapes in SHAPES {
        all.extend(primitives(shapes));
        all.extend(all_composites(shapes));
    }
    all.extend(complex_primitives());
    all.extend(reductions());
    all.extend(over_rows());
    all.extend(scans());
    all.extend(ordered());
    all
}

/// Shapes of up to three operands: alike, broadcast either way, of one element, and empty.
const SHAPES: [[&[usize]; 3]; 6] = [
    [&[2, 3], &[2, 3], &[2, 3]],
    [&[2, 3], &[3], &[2, 1]],
    [&[2, 1], &[1, 3], &[]],
    [&[1], &[1], &[1]],
    [&[], &[2], &[1, 1]],
    [&[0, 3], &[3], &[1, 1]],
];

/// Operands within the domain of a primitive, and apart from each other where it has a corner.
fn operands(prim: Prim, shapes: [&[usize]; 3]) -> Vec<Tensor> {
    let of = |k: usize| match prim {
        Prim::Acosh => positive(shapes[k], k).try_add(1.0).unwrap(),
        Prim::Asin | Prim::Acos | Prim::Atanh => spread(shapes[k], k).try_mul(0.9).unwrap(),
        // Where floor(a / b) is the same all around.
        Prim::Rem | Prim::FloorDiv => match k {
            0 => spread(shapes[0], 0)
                .try_mul(0.2)
                .unwrap()
                .try_add(2.5)
                .unwrap(),
            _ => spread(shapes[1], 1)
                .try_mul(0.05)
                .unwrap()
                .try_add(1.0)
                .unwrap(),
        },
        Prim::Floor | Prim::Ceil | Prim::Trunc | Prim::Round => spread(shapes[k], k)
            .try_mul(0.2)
            .unwrap()
            .try_add(1.3)
            .unwrap(),
        Prim::Sqrt | Prim::Rsqrt | Prim::Recip | Prim::Log | Prim::Log2 | Prim::Log10 => {
            positive(shapes[k], k)
        }
        Prim::Div | Prim::Pow | Prim::Log1p | Prim::Atan2 | Prim::Hypot => positive(shapes[k], k),
        Prim::Min | Prim::Max => spread(shapes[k], k + 3),
        _ => spread(shapes[k], k),
    };
    (0..prim.arity()).map(of).collect()
}

fn primitives(shapes: [&'static [usize]; 3]) -> Vec<Row> {
    let floats = |prim: &Prim| {
        // A choice takes a condition, and truths are constants.
        *prim != Prim::Select
            && *prim != Prim::NextAfter
            && prim.operand_dtype(DType::F64) == Some(DType::F64)
            && prim.result_dtype(DType::F64).is_inexact()
    };
    let one = |&prim: &Prim| {
        row("apply", operands(prim, shapes), move |v| {
            let args: Vec<Arg<'_>> = v.iter().map(Into::into).collect();
            apply(prim, &args)
        })
    };
    let mut all: Vec<Row> = Prim::ALL.iter().filter(|p| floats(p)).map(one).collect();
    let mask = spread(shapes[0], 9).greater(0.0).unwrap();
    let sides = vec![spread(shapes[1], 1), spread(shapes[2], 2)];
    all.push(row("apply", sides, move |v| {
        apply(
            Prim::Select,
            &[(&mask).into(), (&v[0]).into(), (&v[1]).into()],
        )
    }));
    // Numbers among the operands, on either side.
    let x = vec![positive(shapes[0], 4)];
    all.push(row("apply", x.clone(), |v| {
        apply(Prim::Pow, &[2.5.into(), (&v[0]).into()])
    }));
    all.push(row("apply", x.clone(), |v| {
        apply(Prim::Div, &[(&v[0]).into(), 3.0.into()])
    }));
    all.push(row("apply", x, |v| {
        apply(Prim::Select, &[true.into(), (&v[0]).into(), 0.5.into()])
    }));
    all
}

/// Primitives of complex numbers; those with branch cuts stay to the right of them.
fn complex_primitives() -> Vec<Row> {
    let takes = |prim: &Prim| {
        prim.operand_dtype(DType::C128) == Some(DType::C128)
            && prim.result_dtype(DType::C128).is_inexact()
    };
    let skipped = |prim: &Prim| matches!(prim, Prim::Select | Prim::Round);
    let shapes: [&[usize]; 3] = [&[2, 3], &[3], &[2, 1]];
    let one = |&prim: &Prim| {
        let of = |k: usize| {
            complex(shapes[k], k)
                .try_mul(0.4)
                .unwrap()
                .try_add(1.5)
                .unwrap()
        };
        let inputs: Vec<Tensor> = (0..prim.arity()).map(of).collect();
        row("apply", inputs, move |v| {
            let args: Vec<Arg<'_>> = v.iter().map(Into::into).collect();
            apply(prim, &args)
        })
    };
    let own = Prim::ALL
        .iter()
        .filter(|p| takes(p) && !skipped(p))
        .map(one);
    let mixed = row("apply", vec![spread(&[2, 3], 0), complex(&[3], 1)], |v| {
        v[0].try_mul(&v[1])
    });
    own.chain([mixed]).collect()
}

fn all_composites(shapes: [&'static [usize]; 3]) -> Vec<Row> {
    let one = |c: &composites::Composite| {
        let (name, build) = (c.name, c.build);
        let inputs = (0..c.args.len()).map(|k| match (name, k) {
            // Bounds that most elements lie between, and none meets.
            ("clip", 1) => spread(shapes[1], 1)
                .try_mul(0.01)
                .unwrap()
                .try_sub(0.5)
                .unwrap(),
            ("clip", 2) => spread(shapes[2], 2)
                .try_mul(0.01)
                .unwrap()
                .try_add(0.5)
                .unwrap(),
            _ => spread(shapes[k], k),
        });
        row("composite", inputs.collect(), move |v| {
            let args: Vec<Arg<'_>> = v.iter().map(Into::into).collect();
            composite(name, build, &args)
        })
    };
    let tables = composites::ALL.iter().chain(nn::ACTIVATIONS);
    let mut all: Vec<Row> = tables.map(one).collect();
    all.push(row("clip", vec![spread(shapes[0], 0)], |v| {
        clip(&v[0], Some((-0.4).into()), Some(0.6.into()))
    }));
    all
}

type Reduce = fn(&Tensor, &Over) -> syntonic_core::Result<Tensor>;

fn reductions() -> Vec<Row> {
    const ALL: [(&str, Reduce); 18] = [
        ("sum", |x, over| reduce::sum(x, over, None)),
        ("prod", |x, over| reduce::prod(x, over, None)),
        ("min", reduce::min),
        ("max", reduce::max),
        ("mean", reduce::mean),
        ("var", |x, over| reduce::var(x, over, 1.0)),
        ("var", |x, over| reduce::var(x, over, 0.0)),
        ("std", |x, over| reduce::std(x, over, 0.5)),
        ("logsumexp", reduce::logsumexp),
        ("norm", |x, over| reduce::norm(x, 1.0, over)),
        ("norm", |x, over| reduce::norm(x, 2.0, over)),
        ("norm", |x, over| reduce::norm(x, 3.0, over)),
        ("norm", |x, over| reduce::norm(x, f64::INFINITY, over)),
        ("norm", |x, over| reduce::norm(x, f64::NEG_INFINITY, over)),
        ("median", order::median),
        ("quantile", |x, over| {
            order::quantile(x, 0.3, over, Method::Linear)
        }),
        ("quantile", |x, over| {
            order::quantile(x, 0.3, over, Method::Midpoint)
        }),
        ("quantiles", |x, over| {
            order::quantiles(x, &[0.2, 0.9], over, Method::Nearest)
        }),
    ];
    let overs = [Over::all(), Over::axes(&[1]), Over::axes(&[0, -1]).keep()];
    let mut all = Vec::new();
    for (name, f) in ALL {
        for (over, shape) in overs.iter().flat_map(|o| SHAPED.map(|s| (o.clone(), s))) {
            // What has more axes than the smallest, and elements to choose from.
            let one = shape.iter().product::<usize>() <= 1;
            if one && matches!(name, "var" | "std") {
                continue;
            }
            all.push(row(name, vec![spread(shape, 2)], move |v| f(&v[0], &over)));
        }
        if matches!(name, "sum" | "prod" | "mean" | "var" | "norm") {
            let over = Over::axes(&[1]);
            all.push(row(name, vec![complex(&[2, 3], 4)], move |v| {
                f(&v[0], &over)
            }));
        }
    }
    // Sums and means over nothing, and of elements that are not there.
    for shape in [&[0, 3][..], &[2, 0]] {
        all.push(row("sum", vec![spread(shape, 0)], |v| {
            reduce::sum(&v[0], &Over::axes(&[1]), None)
        }));
    }
    all.push(row("fold", vec![spread(&[2, 3], 1)], |v| {
        let folds = Fold::ALL
            .iter()
            .filter(|f| f.result_dtype(DType::F64) == Some(DType::F64));
        let each = folds.map(|&fold| reduce::fold(fold, &v[0], &Over::axes(&[0])));
        let all: Vec<Tensor> = each.collect::<Result<_, _>>()?;
        Tensor::stack(&all.iter().collect::<Vec<_>>(), 0)
    }));
    // A product with zeros: its slope is that of the other factors.
    let with_zero = Tensor::from([[2.0, 0.0, 3.0], [0.0, 4.0, 0.0]]);
    all.push(row("prod", vec![with_zero], |v| {
        reduce::prod(&v[0], &Over::axes(&[1]), None)
    }));
    all
}

/// Shapes of two axes and more, one of a single element.
const SHAPED: [&[usize]; 3] = [&[2, 3], &[2, 2, 3], &[1, 1]];

fn over_rows() -> Vec<Row> {
    let mut all = Vec::new();
    for axis in [0, 1] {
        all.push(row("softmax", vec![spread(&[3, 4], 0)], move |v| {
            softmax::softmax(&v[0], axis)
        }));
        all.push(row("log_softmax", vec![spread(&[3, 4], 0)], move |v| {
            softmax::log_softmax(&v[0], axis)
        }));
        for operator in row_operators::ALL.iter().chain(nn::ROW_OPERATORS) {
            all.push(row_operator(operator, axis));
        }
    }
    // The gradient of a gradient: the backward functions are operators as well.
    all.push(rows_of(
        "RowOperator::backward",
        vec![spread(&[2, 3], 1), positive(&[3], 2), spread(&[2, 3], 3)],
        |v| row_operators::RMS_NORM.backward(-1, &v[2], &[&v[0], &v[1]], &[1e-6]),
    ));
    // Pending chains over rows, each operation at its own time.
    all.push(row("softmax", vec![spread(&[2, 5], 3)], |v| {
        let before = set_evaluation(Evaluation::Eager);
        let y = softmax::softmax(&v[0], -1);
        set_evaluation(before);
        y
    }));
    all
}

fn row_operator(operator: &'static RowOperator, axis: isize) -> Row {
    let shape = |role: Role| match role {
        Role::Row => vec![[3, 4][axis as usize]],
        _ => vec![3, 4],
    };
    // Positive, since some of them are sums over probabilities.
    let inputs = operator.operands.iter().enumerate();
    let inputs = inputs.map(|(k, o)| positive(&shape(o.1), k)).collect();
    let usual: Vec<f64> = operator.settings.iter().map(|s| s.1).collect();
    row(operator.name, inputs, move |v| {
        operator.along(axis, &v.iter().collect::<Vec<_>>(), &usual)
    })
}

fn scans() -> Vec<Row> {
    let mut all = Vec::new();
    for (axis, initial) in [
        (0, Initial::Leave),
        (1, Initial::Include),
        (-1, Initial::Leave),
    ] {
        for x in [spread(&[3, 5], 0), spread(&[1, 1], 0), complex(&[2, 3], 1)] {
            all.push(row("cumulative_sum", vec![x.clone()], move |v| {
                cumulative_sum(&v[0], Some(axis), None, initial)
            }));
            all.push(row("cumulative_prod", vec![x], move |v| {
                cumulative_prod(&v[0], Some(axis), None, initial)
            }));
        }
    }
    let with_zeros = Tensor::from([2.0, 0.0, 3.0, 0.0, 5.0]);
    all.push(row("cumulative_prod", vec![with_zeros], |v| {
        cumulative_prod(&v[0], None, None, Initial::Leave)
    }));
    all
}

fn ordered() -> Vec<Row> {
    let (up, down) = (Direction::Ascending, Direction::Descending);
    vec![
        row("sort", vec![spread(&[3, 4], 0)], move |v| {
            order::sort(&v[0], 0, up)
        }),
        row("sort", vec![spread(&[3, 4], 0)], move |v| {
            order::sort(&v[0], -1, down)
        }),
        row("topk", vec![spread(&[3, 4], 0)], |v| {
            Ok(order::topk(&v[0], 2, 1, Extreme::Largest, Ranked::InOrder)?.0)
        }),
        row("topk", vec![spread(&[3, 4], 0)], |v| {
            Ok(order::topk(&v[0], 2, 0, Extreme::Smallest, Ranked::InPlace)?.0)
        }),
    ]
}
