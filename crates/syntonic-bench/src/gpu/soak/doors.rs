//! Programs that use CUDA themselves: their context, stream, memory and kernels.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::gpu::parity::Check;
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::{Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Device, DeviceId, Tensor};
use syntonic_cuda::foreign::{self, Argument, Module, Spread};
use syntonic_cuda::guest::{Host, Lodging};
use syntonic_cuda::{Cuda, Stream};
use syntonic_srt::nn::{LayerNorm, layer_norm, layer_norm_backward};

/// `y[i] = a x[i] + y[i]` for i < n.
const AXPY: &str = "
.version 8.0
.target sm_75
.address_size 64
.visible .entry axpy(.param .u64 px, .param .u64 py, .param .f32 pa, .param .u32 pn)
{
    .reg .pred %out;
    .reg .b32 %n, %i, %b, %t, %w;
    .reg .f32 %a, %x, %y;
    .reg .b64 %p, %q, %o;
    ld.param.u32 %n, [pn];
    mov.u32 %b, %ctaid.x;
    mov.u32 %w, %ntid.x;
    mov.u32 %t, %tid.x;
    mad.lo.u32 %i, %b, %w, %t;
    setp.ge.u32 %out, %i, %n;
    @%out ret;
    mul.wide.u32 %o, %i, 4;
    ld.param.u64 %p, [px];
    ld.param.u64 %q, [py];
    add.u64 %p, %p, %o;
    add.u64 %q, %q, %o;
    ld.param.f32 %a, [pa];
    ld.global.f32 %x, [%p];
    ld.global.f32 %y, [%q];
    mul.rn.f32 %x, %x, %a;
    add.rn.f32 %y, %y, %x;
    st.global.f32 [%q], %y;
    ret;
}
";

const N: usize = 4097;

pub(in crate::gpu) fn checks() -> Vec<Check> {
    vec![
        Check::new("doors/a_kernel_of_the_program", |gpu| {
            let cuda = typed(gpu.device.id())?;
            let (x, y) = (numbers(1)?, numbers(2)?);
            let (p, q) = (gpu.take(&x)?, gpu.take(&y)?);
            axpy(&cuda, &p, &q)?;
            compare(&q, &expected(&x, &y)?, Exactness::Same)
        }),
        Check::new("doors/memory_and_stream_of_the_program", |gpu| {
            let cuda = typed(gpu.device.id())?;
            let driver = cuda.context().driver().clone();
            ensure!(Arc::ptr_eq(&foreign::adopt(&driver)?, &cuda));
            let theirs = driver.new_stream()?;
            // SAFETY: the stream is of this GPU's primary context and lives to the end of this function.
            let stream = unsafe { Stream::adopt(&cuda, theirs.cu_stream() as usize)? };
            let _current = stream.enter();
            let (x, y) = (numbers(3)?, numbers(4)?);
            let lent = gpu.take(&x)?;
            let at = foreign::address(&lent)?;
            // SAFETY: the memory is that of `lent`, which the new tensor keeps alive and nobody writes.
            let seen = unsafe { foreign::tensor(&cuda, at, &[N], DType::F32, Box::new(lent))? };
            let q = gpu.take(&y)?;
            axpy(&cuda, &seen, &q)?;
            compare(&q, &expected(&x, &y)?, Exactness::Same)
        }),
        Check::new("doors/operators_that_another_library_calls", as_a_guest),
        Check::new("doors/mistakes_have_their_errors", |gpu| {
            let cuda = typed(gpu.device.id())?;
            ensure!(Module::from_ptx(&cuda, "no PTX at all").is_err());
            let here = numbers(1)?;
            ensure!(foreign::address(&here).is_err());
            let there = gpu.take(&here)?;
            memory_where_no_vector_begins(&cuda, &there, &here)?;
            let complaint = axpy(&cuda, &here, &there).err().map(|e| e.to_string());
            ensure!(complaint.is_some_and(|text| text.contains("on cpu")));
            Ok(())
        }),
    ]
}

/// The allocator of another library: it keeps what it gave until it goes itself.
#[derive(Default)]
struct Lodgings {
    device: Mutex<Vec<Tensor>>,
    given: AtomicUsize,
    returned: Arc<AtomicUsize>,
}

/// Counts a piece of memory as returned.
struct Piece(Arc<AtomicUsize>);

impl Drop for Piece {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A [`Lodgings`] on a GPU.
struct Landlord(Arc<Cuda>, Lodgings);

impl Host for Landlord {
    fn allocate(&self, bytes: usize) -> syntonic_core::Result<Lodging> {
        let device: Arc<dyn Device> = self.0.clone();
        // Another thread is on no visit: there memory is our pool's.
        let make = || {
            let made = Tensor::full_on(&[bytes], 0xA5i64, DType::U8, &device)?.eval()?;
            self.0.context().synchronize("landlord")?;
            Ok::<_, syntonic_core::Error>((foreign::address(&made)?, made))
        };
        let (address, made) =
            std::thread::scope(|scope| scope.spawn(make).join().expect("no panic"))?;
        self.1.device.lock().expect("no panic").push(made);
        self.1.given.fetch_add(1, Ordering::Relaxed);
        Ok(Lodging {
            address,
            owner: Box::new(Piece(self.1.returned.clone())),
        })
    }
}

/// Rows, sums down columns and words that blocks share, all in the stream and the memory of another library.
fn as_a_guest(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu.device.id())?;
    let settings = LayerNorm::default();
    let (x, grad) = (
        sample(DType::F32, &[600, 257], 1)?,
        sample(DType::F32, &[600, 257], 2)?,
    );
    let gamma = sample(DType::F32, &[257], 3)?;
    let (x, grad, gamma) = (gpu.take(&x)?, gpu.take(&grad)?, gpu.take(&gamma)?);
    let work = || -> Result<Vec<Tensor>> {
        let mut all = vec![layer_norm(&x, Some((&gamma, &gamma)), settings)?];
        let back = layer_norm_backward(&grad, &x, Some(&gamma), settings)?;
        all.push(back.x);
        all.extend(
            back.affine
                .into_iter()
                .flat_map(|(gamma, beta)| [gamma, beta]),
        );
        all.push((&x * &grad).exp()?);
        all.push(reduce::sum(&x, &Over::all(), None)?);
        Ok(all
            .iter()
            .map(Tensor::eval)
            .collect::<syntonic_core::Result<_>>()?)
    };
    let wanted = work()?;
    cuda.context().synchronize("operands")?;
    let stream = Stream::new(&cuda)?;
    let landlord = Arc::new(Landlord(cuda.clone(), Lodgings::default()));
    for _ in 0..2 {
        // SAFETY: the stream is one of this GPU's and lives to the end, as the memory does, which is the GPU's.
        let visit = unsafe { cuda.visit(stream.handle(), landlord.clone())? };
        let found = work()?;
        let at: Vec<u64> = found
            .iter()
            .map(foreign::address)
            .collect::<syntonic_core::Result<_>>()?;
        stream.synchronize()?;
        drop(visit);
        let theirs = landlord.1.device.lock().expect("no panic");
        let theirs: Vec<u64> = theirs
            .iter()
            .map(foreign::address)
            .collect::<syntonic_core::Result<_>>()?;
        ensure!(
            at.iter().all(|a| theirs.contains(a)),
            "a result is in memory of ours"
        );
        for (got, want) in found.iter().zip(&wanted) {
            compare(got, &gpu.fetch(want)?, Exactness::Same)?;
        }
    }
    stream.synchronize()?;
    let (given, returned) = (&landlord.1.given, &landlord.1.returned);
    let kept = given.load(Ordering::Relaxed) - returned.load(Ordering::Relaxed);
    // Words that blocks share wait for the next launch on the stream; everything else went back.
    ensure!(kept <= 2, "{kept} pieces of memory were not given back");
    Ok(())
}

/// Elements of a type begin at multiples of their size; where vectors would begin does not matter.
fn memory_where_no_vector_begins(cuda: &Arc<Cuda>, there: &Tensor, here: &Tensor) -> Result<()> {
    let at = foreign::address(there)?;
    // SAFETY: the memory is that of `there`, which each tensor keeps alive and nobody writes; any bits are numbers.
    let view = |skip: u64, n: usize, dtype: DType| unsafe {
        foreign::tensor(cuda, at + skip, &[n], dtype, Box::new(there.clone()))
    };
    for (dtype, skip) in [(DType::F64, 4), (DType::C64, 4), (DType::C128, 8)] {
        let complaint = view(skip, 100, dtype).err().map(|e| e.to_string());
        ensure!(
            complaint
                .as_ref()
                .is_some_and(|text| text.contains("not aligned")),
            "{dtype}: {complaint:?}"
        );
    }
    let later = view(4, N - 1, DType::F32)?;
    let twice = |x: &Tensor| apply(Prim::Add, &[x.into(), x.into()])?.eval();
    let rest = here.slice(0, Some(1), None, 1)?;
    compare(&twice(&later)?, &twice(&rest)?, Exactness::Same)
}

fn typed(id: DeviceId) -> Result<Arc<Cuda>> {
    match id {
        DeviceId::Cuda(ordinal) => Ok(syntonic_cuda::open(ordinal)?),
        other => Err(anyhow::anyhow!("{other} is no GPU")),
    }
}

fn numbers(seed: u64) -> Result<Tensor> {
    sample(DType::F32, &[N], seed)
}

fn axpy(cuda: &Arc<Cuda>, x: &Tensor, y: &Tensor) -> Result<()> {
    let module = Module::from_ptx(cuda, AXPY)?;
    let spread = Spread {
        grid: [N.div_ceil(128) as u32, 1, 1],
        block: [128, 1, 1],
        shared: 0,
    };
    let arguments = [
        Argument::Read(x),
        Argument::Write(y),
        Argument::F32(2.5),
        Argument::I32(N as i32),
    ];
    // SAFETY: the kernel takes these four, stops at `n`, and nobody else uses `y`.
    unsafe { module.launch("axpy", spread, &arguments)? };
    Ok(cuda.context().synchronize("axpy")?)
}

fn expected(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (x, y) = (x.to_vec::<f32>()?, y.to_vec::<f32>()?);
    let z: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.5 * x + y).collect();
    Ok(Tensor::from_vec(z, &[N])?)
}
