//! Operands on two devices: every public function of several tensors names them in one typed error, and never follows an address of
//! one device on the other. The second device is the CPU under another name, so that a call that slips through is seen and does no harm.

use std::sync::Arc;
use syntonic_core::device::{Kernel, Launch, MemoryStats};
use syntonic_core::fuse::{Prim, Task};
use syntonic_core::ops::index::{IndexItem, add, index, set};
use syntonic_core::ops::linalg::{self, Activation, Contract};
use syntonic_core::ops::order::{self, Membership, Side};
use syntonic_core::ops::reduce::Over;
use syntonic_core::ops::row_operators::{COSINE_SIMILARITY, RMS_NORM};
use syntonic_core::ops::{composites, difference, elementwise, gather, join, rearrange};
use syntonic_core::pipeline::Mode;
use syntonic_core::run::{self, Axes};
use syntonic_core::{
    DType, Device, DeviceId, Error, Graph, Result, Tensor, cpu, fuse, grad, stages,
};

#[derive(Debug)]
struct Elsewhere;

impl Device for Elsewhere {
    fn id(&self) -> DeviceId {
        DeviceId::Cuda(7)
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        cpu().allocate(bytes)
    }

    unsafe fn release(&self, address: *mut u8, bytes: usize) {
        // SAFETY: the caller's promise; what was allocated here came from there.
        unsafe { cpu().release(address, bytes) }
    }

    unsafe fn upload(&self, to: *mut u8, from: &[u8]) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { cpu().upload(to, from) }
    }

    unsafe fn download(&self, to: &mut [u8], from: *const u8) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { cpu().download(to, from) }
    }

    unsafe fn run(&self, task: &Task<'_>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { cpu().run(task) }
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { cpu().launch(kernel, args) }
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn stats(&self) -> MemoryStats {
        cpu().stats()
    }

    fn trim(&self) {}
}

fuse! {
    PRODUCT(x: element, y: element) -> (element) { x * y }
    SHARE(x: element, y: element) -> (row_scalar) { sum(x * y) }
    WEIGHTED(x: element, w: row) -> (element) { x * w / sum(x) }
    LESS(x: element, m: row_scalar) -> (element) { x - m }
}

stages! {
    struct Affine(x: [n, m], a: [n, m]) -> (y) {
        #[stage(1)] y: [n, m] = |x, a| x * a + 1.0;
    }
}

/// A function of two matrices of 3 by 3 that may live apart.
type Call = fn(&Tensor, &Tensor) -> Result<()>;

fn first(x: &Tensor) -> Tensor {
    x.select(0, 0).unwrap()
}

fn whole(x: &Tensor) -> Tensor {
    x.cast(DType::I64).unwrap()
}

const CALLS: &[(&str, Call)] = &[
    ("run::map", |a, b| {
        run::map(&PRODUCT, &[a, b], &[], a.shape(), a.device()).map(drop)
    }),
    ("run::map elsewhere", |a, b| {
        run::map(&PRODUCT, &[a, a], &[], a.shape(), b.device()).map(drop)
    }),
    ("run::rows", |a, b| {
        run::rows(&SHARE, &[a, b], &[], &[-1], Axes::Drop).map(drop)
    }),
    ("run::rows by a row", |a, b| {
        run::rows(&WEIGHTED, &[a, &first(b)], &[], &[-1], Axes::Drop).map(drop)
    }),
    ("run::rows by numbers of rows", |a, b| {
        run::rows(&LESS, &[a, &first(b)], &[], &[-1], Axes::Drop).map(drop)
    }),
    ("a primitive", |a, b| {
        elementwise::apply(Prim::Add, &[a.into(), b.into()]).map(drop)
    }),
    ("a choice", |a, b| {
        let on = elementwise::apply(Prim::Gt, &[a.into(), 0.into()])?;
        elementwise::apply(Prim::Select, &[(&on).into(), b.into(), 0.into()]).map(drop)
    }),
    ("a composite", |a, b| {
        let two = composites::ALL.iter().find(|c| c.args.len() == 2).unwrap();
        elementwise::composite(two.name, two.build, &[a.into(), b.into()]).map(drop)
    }),
    ("clip", |a, b| {
        elementwise::clip(a, Some(b.into()), None).map(drop)
    }),
    ("an operator", |a, b| a.try_mul(b).map(drop)),
    ("complex", |a, b| a.complex(b).map(drop)),
    ("assign", |a, b| a.clone().assign(b)),
    ("an index by an array", |a, b| {
        index(a, &[IndexItem::Array(whole(&first(b)))]).map(drop)
    }),
    ("an index by a mask", |a, b| {
        let on = elementwise::apply(Prim::Ge, &[(&first(b)).into(), 0.into()])?;
        index(a, &[IndexItem::Mask(on)]).map(drop)
    }),
    ("set", |a, b| {
        set(&mut a.clone(), &[IndexItem::Int(0)], &first(b))
    }),
    ("set by an array", |a, b| {
        set(
            &mut a.clone(),
            &[IndexItem::Array(whole(&first(b)))],
            &first(a),
        )
    }),
    ("add", |a, b| {
        add(&mut a.clone(), &[IndexItem::Int(0)], &first(b))
    }),
    ("concat", |a, b| join::concat(&[a, b], Some(0)).map(drop)),
    ("stack", |a, b| join::stack(&[a, b], 0).map(drop)),
    ("take", |a, b| {
        gather::take(a, &whole(&first(b)), Some(0)).map(drop)
    }),
    ("take along", |a, b| {
        gather::take_along_axis(a, &whole(b), 0).map(drop)
    }),
    ("scatter by", |a, b| {
        gather::scatter(&mut a.clone(), 0, &whole(b), a)
    }),
    ("scatter of", |a, b| {
        gather::scatter(&mut a.clone(), 0, &whole(a), b)
    }),
    ("scatter_add", |a, b| {
        gather::scatter_add(&mut a.clone(), 0, &whole(a), b)
    }),
    ("repeat each", |a, b| {
        rearrange::repeat_each(a, &whole(&first(b)), Some(0)).map(drop)
    }),
    ("diff before", |a, b| {
        difference::diff(a, 1, 0, Some(b), None).map(drop)
    }),
    ("diff behind", |a, b| {
        difference::diff(a, 1, 0, None, Some(b)).map(drop)
    }),
    ("searchsorted", |a, b| {
        order::searchsorted(&first(a), b, Side::Left, None).map(drop)
    }),
    ("searchsorted by", |a, b| {
        order::searchsorted(&first(a), a, Side::Left, Some(&whole(&first(b)))).map(drop)
    }),
    ("isin", |a, b| {
        order::isin(a, b, Membership::Inside).map(drop)
    }),
    ("bincount", |a, b| {
        order::bincount(&whole(&first(a)), Some(&first(b)), 0).map(drop)
    }),
    ("matmul", |a, b| linalg::matmul(a, b).map(drop)),
    ("gemv", |a, b| linalg::gemv(a, &first(b)).map(drop)),
    ("bmm", |a, b| {
        linalg::bmm(&a.expand_dims(&[0])?, &b.expand_dims(&[0])?).map(drop)
    }),
    ("vecdot", |a, b| linalg::vecdot(a, b, -1).map(drop)),
    ("outer", |a, b| {
        linalg::outer(&first(a), &first(b)).map(drop)
    }),
    ("kron", |a, b| linalg::kron(a, b).map(drop)),
    ("cross", |a, b| linalg::cross(a, b, -1).map(drop)),
    ("tensordot", |a, b| {
        linalg::tensordot(a, b, Contract::Last(1)).map(drop)
    }),
    ("einsum", |a, b| {
        linalg::einsum("ij,jk->ik", &[a, b]).map(drop)
    }),
    ("linear", |a, b| {
        linalg::linear(a, b, None, Activation::None).map(drop)
    }),
    ("linear with a bias", |a, b| {
        linalg::linear(a, a, Some(&first(b)), Activation::None).map(drop)
    }),
    ("solve", |a, b| linalg::solve(a, b).map(drop)),
    ("a row operator", |a, b| {
        RMS_NORM.along(-1, &[a, &first(b)], &[1e-6]).map(drop)
    }),
    ("a row operator of two", |a, b| {
        COSINE_SIMILARITY.along(-1, &[a, b], &[1e-8]).map(drop)
    }),
    ("its gradient", |a, b| {
        RMS_NORM.backward(-1, b, &[a, &first(a)], &[1e-6]).map(drop)
    }),
    ("a plan", |a, b| {
        Affine::plan().run(&[a, b], Mode::Fused).map(drop)
    }),
    ("a plan by stages", |a, b| {
        Affine::plan().run(&[a, b], Mode::Unfused).map(drop)
    }),
    ("a tape", |a, b| {
        let product = |v: &[Tensor]| v[0].try_mul(&v[1])?.sum(..);
        grad::grad(product, &[a, b]).map(drop)
    }),
    ("a program on a tape", |a, b| {
        let product = |v: &[Tensor]| {
            run::map(&PRODUCT, &[&v[0], b], &[], a.shape(), a.device())?
                .remove(0)
                .sum(..)
        };
        grad::grad(product, &[a]).map(drop)
    }),
    ("rows on a tape", |a, b| {
        let share = |v: &[Tensor]| {
            run::rows(&SHARE, &[&v[0], b], &[], &[-1], Axes::Drop)?
                .remove(0)
                .sum(..)
        };
        grad::grad(share, &[a]).map(drop)
    }),
    ("a graph", |a, b| {
        Graph::capture(&[a, b], |v| Ok(vec![v[0].try_mul(v[1])?])).map(drop)
    }),
];

#[test]
fn operands_on_two_devices_are_named() {
    let elsewhere: Arc<dyn Device> = Arc::new(Elsewhere);
    let here = Tensor::from([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]]);
    let there = here.to(&elsewhere).unwrap();
    let mut wrong = Vec::new();
    for (name, call) in CALLS {
        for (a, b) in [(&here, &there), (&there, &here)] {
            match call(a, b) {
                Err(Error::Device { operands, .. }) => {
                    let text = operands.to_string();
                    assert!(
                        text.contains("cpu") && text.contains("cuda:7"),
                        "{name}: {text}"
                    );
                }
                other => wrong.push(format!("{name} of {}: {other:?}", a.device_id())),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn operands_of_one_device_are_taken() {
    let elsewhere: Arc<dyn Device> = Arc::new(Elsewhere);
    let here = Tensor::from([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]]);
    let there = here.to(&elsewhere).unwrap();
    for (name, call) in CALLS {
        // Its results are elsewhere on purpose.
        if *name != "a graph" {
            assert!(
                call(&here, &here).is_ok(),
                "{name}: {:?}",
                call(&here, &here)
            );
            assert!(
                call(&there, &there).is_ok(),
                "{name}: {:?}",
                call(&there, &there)
            );
        }
    }
    let sum = syntonic_core::ops::reduce::sum(&there, &Over::all(), None).unwrap();
    assert_eq!(
        (sum.device_id(), sum.to_scalar::<f64>().unwrap()),
        (DeviceId::Cuda(7), 9.0)
    );
}
