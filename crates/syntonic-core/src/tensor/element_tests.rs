//! An element is what it was when it was asked for.

use crate::device::{Device, DeviceId, Kernel, Launch, MemoryStats};
use crate::fuse::Task;
use crate::{DType, Error, Graph, Result, Scalar, Tensor, cpu, grad};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Three numbers of a type, of which no two are equal but for `bool`.
fn numbers(dtype: DType) -> Result<Tensor> {
    Tensor::from([0.0, 1.0, 2.0]).cast(dtype)?.eval()
}

/// Writes zeros over all of it, as every view sees.
fn erase(x: &Tensor) -> Result<()> {
    // SAFETY: no other thread has the memory.
    unsafe {
        x.assign_aliased(
            &Tensor::scalar(0, DType::I64)?
                .cast(x.dtype())?
                .to(x.device())?,
        )
    }
}

#[test]
fn of_every_type_it_outlives_a_write() -> Result<()> {
    for dtype in DType::every() {
        let x = numbers(dtype)?;
        let (first, last) = (x.element(&[1])?, x.element(&[-1])?);
        let want = x.slice(0, Some(1), None, 1)?.cast(DType::C128)?.copy()?;
        erase(&x)?;
        let got = [first, last];
        assert!(got.iter().all(|e| e.dtype() == dtype && e.ndim() == 0));
        for (k, e) in got.iter().enumerate() {
            let want = want.select(0, k as i64)?.item()?;
            assert_eq!(e.cast(DType::C128)?.item()?, want, "{dtype}");
        }
    }
    Ok(())
}

#[test]
fn of_every_layout_it_is_the_one_at_the_position() -> Result<()> {
    let x = Tensor::arange(0, 24, 1)?.reshape(&[2, 3, 4])?;
    let views = [
        x.clone(),
        x.permute(&[2, 0, 1])?,
        x.flip(&[0, 2])?,
        x.slice(2, None, None, -2)?,
        x.select(1, 2)?.broadcast_to(&[5, 2, 4])?,
    ];
    for view in views {
        let all = view.to_vec::<i64>()?;
        let [a, b, c] = view.shape() else {
            panic!("three axes")
        };
        for (k, &want) in all.iter().enumerate() {
            let at = [k / (b * c), k / c % b, k % c].map(|n| n as i64);
            assert_eq!(view.element(&at)?.item()?, Scalar::Int(want.into()));
            let back = [at[0] - *a as i64, at[1] - *b as i64, at[2] - *c as i64];
            assert_eq!(view.element(&back)?.item()?, Scalar::Int(want.into()));
        }
        for wrong in [[*a as i64, 0, 0], [0, 0, -1 - *c as i64], [0, i64::MIN, 0]] {
            assert!(matches!(view.element(&wrong), Err(Error::Index { .. })));
        }
    }
    let none = Tensor::zeros(&[0, 3], DType::F32)?;
    assert!(none.element(&[0, 0]).is_err() && none.element(&[]).is_err());
    assert_eq!(
        Tensor::scalar(7, DType::U8)?.element(&[])?.item()?,
        Scalar::Int(7)
    );
    Ok(())
}

#[test]
fn of_what_is_pending_it_is_a_value_too() -> Result<()> {
    let x = Tensor::ones(&[20_000], DType::F64)? * 3;
    let e = x.element(&[19_999])?;
    erase(&x)?;
    assert_eq!(
        (e.item()?, x.element(&[0])?.item()?),
        (Scalar::Float(3.0), Scalar::Float(0.0))
    );
    Ok(())
}

#[test]
fn within_a_graph_it_is_read_at_each_replay() -> Result<()> {
    let x = Tensor::from([1.0, 2.0]);
    let graph = Graph::capture(&[&x], |x| Ok(vec![x[0].element(&[1])?.try_mul(10.0)?]))?;
    assert_eq!(
        graph.replay(&[&Tensor::from([5.0, 7.0])])?[0].item()?,
        Scalar::Float(70.0)
    );
    Ok(())
}

#[test]
fn it_has_a_gradient() -> Result<()> {
    let x = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
    let slope = grad::grad(
        |v| {
            v[0].element(&[1, 0])?
                .square()?
                .try_add(&v[0].element(&[-1, -1])?)
        },
        &[&x],
    )?;
    assert_eq!(slope[0].to_vec::<f64>()?, [0.0, 0.0, 6.0, 1.0]);
    Ok(())
}

/// Memory of the host as that of a GPU: other code does not follow its addresses, and each program is a launch that is counted.
#[derive(Debug)]
struct Far {
    host: Arc<dyn Device>,
    programs: AtomicUsize,
}

impl Device for Far {
    fn id(&self) -> DeviceId {
        DeviceId::Cuda(9)
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        self.host.allocate(bytes)
    }

    unsafe fn release(&self, address: *mut u8, bytes: usize) {
        // SAFETY: the caller's promise; what was allocated here came from there.
        unsafe { self.host.release(address, bytes) }
    }

    unsafe fn upload(&self, to: *mut u8, from: &[u8]) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.host.upload(to, from) }
    }

    unsafe fn download(&self, to: &mut [u8], from: *const u8) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.host.download(to, from) }
    }

    fn eager_elements(&self) -> usize {
        0
    }

    unsafe fn run(&self, task: &Task<'_>) -> Result<()> {
        self.programs.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { self.host.run(task) }
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        self.programs.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { self.host.launch(kernel, args) }
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn stats(&self) -> MemoryStats {
        self.host.stats()
    }

    fn trim(&self) {}
}

#[test]
fn on_a_device_that_starts_slowly_it_waits_until_somebody_writes() -> Result<()> {
    let far = Arc::new(Far {
        host: cpu(),
        programs: AtomicUsize::new(0),
    });
    let device: Arc<dyn Device> = far.clone();
    let programs = || far.programs.load(Ordering::Relaxed);
    for dtype in [DType::F32, DType::I64, DType::U8, DType::C64, DType::BF16] {
        let x = numbers(dtype)?.to(&device)?;
        let (read, kept, used) = (x.element(&[1])?, x.element(&[1])?, x.element(&[-2])?);
        let before = programs();
        // Nobody wrote, so that the number is read where it lies.
        assert_eq!(read.item()?.to_complex().re, 1.0);
        assert_eq!(programs(), before, "{dtype}");
        assert!(kept.is_pending() && read.is_pending(), "{dtype}");
        let more = used.try_mul(&used)?;
        erase(&x)?;
        for e in [kept, read, used] {
            assert!(!e.is_pending(), "{dtype}");
            assert_eq!(e.item()?.to_complex().re, 1.0, "{dtype}");
        }
        assert_eq!(more.item()?.to_complex().re, 1.0, "{dtype}");
        assert_eq!(x.element(&[1])?.item()?.to_complex().re, 0.0, "{dtype}");
    }
    // No program has numbers of storage, so that these are copied.
    let x = numbers(DType::F8E4M3)?.to(&device)?;
    let e = x.element(&[2])?;
    erase(&x)?;
    assert_eq!(e.item()?.to_f64(), 2.0);
    // Of what is pending itself an element is one more expression.
    let y = Tensor::from([1.0, 2.0]).to(&device)?.try_mul(3.0)?;
    let e = y.element(&[1])?;
    assert!(e.is_pending() && y.is_pending());
    erase(&y)?;
    assert_eq!(
        (e.item()?.to_f64(), y.element(&[1])?.item()?.to_f64()),
        (6.0, 0.0)
    );
    Ok(())
}
