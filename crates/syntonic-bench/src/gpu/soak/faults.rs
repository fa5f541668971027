//! What goes wrong on a GPU is an error that says so, and what does not depend on it goes on.
//!
//! A fault of a kernel takes the GPU from the whole process, and a library that is open stays open: both are looked at in a
//! process of their own.

use std::process::Command;
use std::sync::Arc;

use crate::gpu::parity::Check;
use crate::gpu::parity::products::close;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Context, Result, bail, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::fft::{Norm, fft};
use syntonic_core::ops::linalg::{matmul, svdvals};
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Buffer, DType, DeviceId, Error, Tensor};
use syntonic_cuda::{Cuda, device_count, foreign};

/// What a process of its own looks at: its name on the command line, and the variables that it is started with.
type Scene = (
    &'static str,
    &'static [(&'static str, &'static str)],
    fn(&Gpu) -> Result<()>,
);

const SCENES: [Scene; 3] = [
    ("a_kernel_fault", &[], kernel_fault),
    (
        "leaving_while_kernels_are_made",
        &[],
        leaving_while_kernels_are_made,
    ),
    (
        "no_cublas",
        &[("SYNTONIC_CUDA_LIBRARIES", "/nonexistent/toolkit")],
        no_cublas,
    ),
];

pub(in crate::gpu) fn checks() -> Vec<Check> {
    let apart = SCENES.map(|(name, variables, _)| {
        Check::new(format!("faults/{name}"), move |gpu| {
            in_a_process(gpu, name, variables)
        })
    });
    let mut all = Vec::from(apart);
    all.push(Check::new("faults/a_gpu_that_there_is_not", |_| {
        no_such_gpu()
    }));
    all.push(Check::new("faults/operands_on_two_devices", two_devices));
    all.push(Check::new("faults/out_of_memory", out_of_memory));
    all
}

/// Looks at one scene in this process.
///
/// # Errors
/// Where there is no such scene or GPU, or what should hold does not.
pub fn play(name: &str, ordinal: u32) -> Result<()> {
    let scene = SCENES.iter().find(|scene| scene.0 == name);
    let (_, _, look) = scene.with_context(|| format!("no scene {name:?}"))?;
    let device = syntonic_cuda::device(ordinal)?;
    look(&Gpu { device })
}

fn in_a_process(gpu: &Gpu, name: &str, variables: &[(&str, &str)]) -> Result<()> {
    let DeviceId::Cuda(ordinal) = gpu.device.id() else {
        bail!("{} is no GPU", gpu.device.id());
    };
    let mut child = Command::new(std::env::current_exe()?);
    child.args(["scene", name, "--gpu", &ordinal.to_string()]);
    child.envs(variables.iter().copied());
    let done = child.output()?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "{}: {said}", done.status);
    Ok(())
}

fn numbers() -> Result<Tensor> {
    Ok(Tensor::from_vec(
        (0..5000u16).map(f32::from).collect(),
        &[5000],
    )?)
}

fn twice(x: &Tensor) -> syntonic_core::Result<Tensor> {
    apply(Prim::Add, &[x.into(), x.into()])?.eval()
}

fn text_of<T>(result: syntonic_core::Result<T>) -> Result<String> {
    match result {
        Err(error @ Error::Fault { .. }) => Ok(error.to_string()),
        Err(other) => bail!("another error: {other}"),
        Ok(_) => bail!("no error"),
    }
}

/// A kernel reads where no memory is.
fn kernel_fault(gpu: &Gpu) -> Result<()> {
    let DeviceId::Cuda(ordinal) = gpu.device.id() else {
        bail!("{} is no GPU", gpu.device.id());
    };
    let cuda: Arc<Cuda> = syntonic_cuda::open(ordinal)?;
    let host = numbers()?;
    let there = gpu.take(&host)?;
    // SAFETY: nobody reads this memory but the GPU, which is to find out that there is none.
    let nowhere = unsafe { foreign::tensor(&cuda, 1 << 12, &[5000], DType::F32, Box::new(()))? };
    let first = twice(&nowhere).and_then(|_| gpu.device.synchronize());
    let text = text_of(first)?;
    ensure!(
        text.contains("context is lost") && text.contains("launched last is map_"),
        "{text}"
    );
    ensure!(cuda.context().is_lost(), "the loss is not remembered");
    for later in [
        gpu.device.synchronize(),
        there.to(&syntonic_core::cpu()).map(drop),
    ] {
        let text = text_of(later)?;
        ensure!(text.contains("context is lost"), "{text}");
    }
    text_of(host.to(&gpu.device))?;
    // What lives on the CPU is not touched by it.
    let doubled: Vec<f32> = twice(&host)?.to_vec()?;
    ensure!(doubled[4999] == 9998.0, "{}", doubled[4999]);
    Ok(())
}

/// A process may end while kernels are made for its programs, by a thread that nobody waits for.
fn leaving_while_kernels_are_made(gpu: &Gpu) -> Result<()> {
    let host = Tensor::from_vec(vec![1.5f32; 1 << 20], &[1 << 20])?;
    let x = gpu.take(&host)?;
    for length in 8..12 {
        // The second launch asks for a kernel.
        for _ in 0..2 {
            let product = (0..length).try_fold(x.clone(), |y, _| {
                apply(Prim::Mul, &[(&y).into(), (&x).into()])
            });
            product?.eval()?;
        }
    }
    Ok(())
}

/// Everything but products of floats and decompositions works with the driver alone, and those say what to install.
fn no_cublas(gpu: &Gpu) -> Result<()> {
    let host = numbers()?.reshape(&[50, 100])?;
    let x = gpu.take(&host)?;
    compare(&twice(&x)?, &twice(&host)?, Exactness::Same)?;
    let sums = |x: &Tensor| reduce::sum(x, &Over::axes(&[0]), None)?.eval();
    compare(&sums(&x)?, &sums(&host)?, Exactness::Same)?;
    let sorted = |x: &Tensor| order::sort(x, 0, Direction::Descending);
    compare(&sorted(&x)?, &sorted(&host)?, Exactness::Same)?;
    let whole = |x: &Tensor| x.cast(DType::I32)?.eval();
    let squared = |x: &Tensor| matmul(x, &x.transpose(0, 1)?)?.eval();
    compare(
        &squared(&whole(&x)?)?,
        &squared(&whole(&host)?)?,
        Exactness::Same,
    )?;
    // Small ones are ours.
    close(&squared(&x)?, &host, &host.transpose(0, 1)?)?;
    let large = gpu.take(&Tensor::zeros(&[600, 600], DType::F32)?)?;
    let text = text_of(squared(&large))?;
    for part in ["matmul", "nvidia-cublas", "/nonexistent/toolkit"] {
        ensure!(text.contains(part), "{text}");
    }
    let text = text_of(svdvals(&x))?;
    for part in ["svd", "cuSOLVER", "nvidia-cusolver", "/nonexistent/toolkit"] {
        ensure!(text.contains(part), "{text}");
    }
    let text = text_of(fft(&x, None, -1, Norm::Backward))?;
    for part in ["fft", "cuFFT", "nvidia-cufft", "/nonexistent/toolkit"] {
        ensure!(text.contains(part), "{text}");
    }
    // It is no matter of the context: the GPU goes on.
    compare(&twice(&x)?, &twice(&host)?, Exactness::Same)
}

fn no_such_gpu() -> Result<()> {
    let count = device_count();
    let text = match syntonic_cuda::device(count as u32) {
        Err(error @ Error::NoDevice { .. }) => error.to_string(),
        Err(other) => bail!("another error: {other}"),
        Ok(_) => bail!("GPU {count} of {count}"),
    };
    let named = text.contains(&format!("cuda:{count}")) && text.contains(&format!("{count} GPU"));
    ensure!(named, "{text}");
    Ok(())
}

fn two_devices(gpu: &Gpu) -> Result<()> {
    let host = numbers()?;
    let there = gpu.take(&host)?;
    let mixed = apply(Prim::Add, &[(&host).into(), (&there).into()]).and_then(|x| x.eval());
    let text = match mixed {
        Err(error @ Error::Device { .. }) => error.to_string(),
        Err(other) => bail!("another error: {other}"),
        Ok(_) => bail!("operands on two devices were added"),
    };
    let id = gpu.device.id().to_string();
    ensure!(text.contains(&id) && text.contains("on cpu"), "{text}");
    Ok(())
}

/// What does not fit is an error with the numbers, and what fits is served afterwards.
fn out_of_memory(gpu: &Gpu) -> Result<()> {
    let before = gpu.device.stats();
    let asked = 1 << 45;
    match Buffer::allocate(&gpu.device, asked) {
        Err(Error::OutOfMemory {
            requested,
            in_use,
            device,
            ..
        }) => ensure!(
            requested == asked && in_use == before.in_use && device == gpu.device.id(),
            "{requested} bytes on {device} with {in_use} in use"
        ),
        Err(other) => bail!("another error: {other}"),
        Ok(_) => bail!("{asked} bytes were given"),
    }
    let smaller = Buffer::allocate(&gpu.device, 1 << 30)?;
    ensure!(gpu.device.stats().in_use >= before.in_use + (1 << 30));
    drop(smaller);
    ensure!(gpu.device.stats().in_use == before.in_use);
    Ok(())
}
