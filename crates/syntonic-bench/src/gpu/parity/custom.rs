//! Operators from outside, with a kernel that a program brings: registered by name, and as a value.

use std::sync::Arc;

use super::Check;
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::{Result, ensure};
use syntonic_core::custom::{Call, Form, Operator};
use syntonic_core::device::{Kernel, Launch};
use syntonic_core::grad::grad;
use syntonic_core::{DType, DeviceId, Error, Graph, Scalar, Tensor, profile};
use syntonic_cuda::Cuda;
use syntonic_cuda::foreign::{Argument, Code, Spread};

/// `y[i] = a x[i] + x[i]^2` for i < n.
static BENT: Code = Code::new(
    "
.version 7.0
.target sm_70
.address_size 64
.visible .entry bent(.param .u64 px, .param .u64 py, .param .f32 pa, .param .u32 pn)
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
    mul.rn.f32 %a, %x, %a;
    mul.rn.f32 %y, %x, %x;
    add.rn.f32 %y, %a, %y;
    st.global.f32 [%q], %y;
    ret;
}
",
);

static KERNEL: Kernel = Kernel {
    name: "parity::bent",
    cpu: on_cpu,
};

fn bent(a: f32, x: f32) -> f32 {
    a * x + x * x
}

unsafe fn on_cpu(launch: &Launch) -> syntonic_core::Result<()> {
    let (x, y) = (&launch.inputs[0], &launch.outputs[0]);
    let a = launch.params[0].to_f64() as f32;
    for k in 0..x.layout.numel() {
        // SAFETY: both are row-major and have so many elements, as `operators` has them.
        unsafe {
            let value = bent(a, *x.address().cast::<f32>().add(k));
            y.address().cast::<f32>().add(k).write(value);
        }
    }
    Ok(())
}

unsafe fn on_gpu(gpu: &Arc<Cuda>, launch: &Launch) -> syntonic_core::Result<()> {
    let (x, y) = (&launch.inputs[0], &launch.outputs[0]);
    let (spread, n) = spread(x.layout.numel());
    let a = Argument::F32(launch.params[0].to_f64() as f32);
    let arguments = [Argument::Input(x), Argument::Output(y), a, n];
    // SAFETY: the kernel takes these four and stops at `n`; the launch is as `operators` has it.
    unsafe { BENT.on(gpu)?.launch("bent", spread, &arguments) }
}

fn spread(n: usize) -> (Spread, Argument<'static>) {
    let spread = Spread {
        grid: [n.div_ceil(128) as u32, 1, 1],
        block: [128, 1, 1],
        shared: 0,
    };
    (spread, Argument::I32(n as i32))
}

fn forms(operands: &[Form], numbers: &[Scalar]) -> syntonic_core::Result<Vec<Form>> {
    match (operands, numbers) {
        ([x], [_]) if x.dtype == DType::F32 => Ok(vec![x.clone()]),
        _ => Err(Error::value(
            "bent",
            "takes one float32 tensor and one number",
        )),
    }
}

fn slopes(step: &syntonic_core::custom::Step<'_>) -> syntonic_core::Result<Vec<Option<Tensor>>> {
    let inner = step.inputs[0].try_mul(2.0)?.try_add(step.numbers[0])?;
    Ok(vec![Some(inner.try_mul(&step.gradients[0])?)])
}

/// The operator by its kernel, and the same as a value with functions of its own.
fn operators() -> Result<[Operator; 2]> {
    syntonic_cuda::register(&KERNEL, on_gpu)?;
    // SAFETY: the kernel reads and writes as many float32 elements as both have, everywhere.
    let by_name = unsafe { Operator::of_kernel(&KERNEL, forms) };
    let on_cpu = |call: &Call<'_>| {
        let a = call.numbers()[0].to_f64() as f32;
        let pairs = call.output::<f32>(0)?.iter_mut().zip(call.input::<f32>(0)?);
        pairs.for_each(|(y, x)| *y = bent(a, *x));
        Ok(())
    };
    let value = Operator::new("parity::bent_value", forms)
        .cpu(on_cpu)
        .gpu(|x, y, numbers| {
            let (spread, n) = spread(x[0].numel());
            let a = Argument::F32(numbers[0].to_f64() as f32);
            let arguments = [Argument::Read(&x[0]), Argument::Write(&y[0]), a, n];
            let module = BENT.on(&syntonic_cuda::of(&x[0])?)?;
            // SAFETY: the kernel takes these four and stops at `n`, and nobody else has `y`.
            unsafe { module.launch("bent", spread, &arguments) }
        });
    Ok([by_name.gradient(slopes), value.gradient(slopes)])
}

const A: f64 = 1.5;

fn apply(operator: &Operator, x: &Tensor) -> syntonic_core::Result<Tensor> {
    Ok(operator.apply(&[x], &[Scalar::Float(A)])?.remove(0))
}

pub(super) fn checks() -> Vec<Check> {
    let each = |name: &'static str, look: fn(&Gpu, &Operator) -> Result<()>| {
        let cases = [("by_name", 0), ("value", 1)];
        cases.map(move |(way, k)| {
            Check::new(format!("custom/{name}_{way}"), move |gpu| {
                look(gpu, &operators()?[k])
            })
        })
    };
    let mut checks: Vec<Check> = each("values", values).into();
    checks.extend(each("gradient", gradient));
    checks.extend(each("graph", graph));
    checks.extend(each("profile", in_a_profile));
    checks.push(Check::new("custom/without_a_kernel", without));
    checks
}

/// Plain, strided, repeated and pending operands.
fn values(gpu: &Gpu, operator: &Operator) -> Result<()> {
    let x = sample(DType::F32, &[37, 65], 1)?;
    let there = gpu.take(&x)?;
    compare(
        &apply(operator, &there)?,
        &apply(operator, &x)?,
        Exactness::Same,
    )?;
    let turned = |x: &Tensor| x.t()?.flip(&[0]);
    let got = apply(operator, &turned(&there)?)?;
    compare(&got, &apply(operator, &turned(&x)?)?, Exactness::Same)?;
    let wide = |x: &Tensor| x.index(3)?.broadcast_to(&[4, 65]);
    let got = apply(operator, &wide(&there)?)?;
    compare(&got, &apply(operator, &wide(&x)?)?, Exactness::Same)?;
    let got = apply(operator, &(&there * 2.0))?.try_add(1.0)?;
    compare(
        &got,
        &apply(operator, &(&x * 2.0))?.try_add(1.0)?,
        Exactness::Same,
    )
}

fn gradient(gpu: &Gpu, operator: &Operator) -> Result<()> {
    let x = sample(DType::F32, &[1000], 2)?;
    let slope = |x: &Tensor| -> syntonic_core::Result<Tensor> {
        let loss = |v: &[Tensor]| apply(operator, &v[0])?.sum(..);
        Ok(grad(loss, &[x])?.remove(0))
    };
    compare(&slope(&gpu.take(&x)?)?, &slope(&x)?, Exactness::Same)
}

/// A replay launches the kernel, also when whoever captured it has let go of the operator.
fn graph(gpu: &Gpu, operator: &Operator) -> Result<()> {
    let (x, y) = (
        sample(DType::F32, &[500], 3)?,
        sample(DType::F32, &[500], 4)?,
    );
    let work = |x: &Tensor| apply(operator, &(x + 1.0))?.try_mul(3.0);
    let graph = Graph::capture(&[&gpu.take(&x)?], |own| Ok(vec![work(own[0])?]))?;
    for input in [&x, &y] {
        let got = graph.replay(&[&gpu.take(input)?])?;
        compare(&got[0], &work(input)?, Exactness::Same)?;
    }
    Ok(())
}

fn in_a_profile(gpu: &Gpu, operator: &Operator) -> Result<()> {
    let x = sample(DType::F32, &[4096], 5)?;
    let there = gpu.take(&x)?;
    let recording = profile::start();
    let got = apply(operator, &there)?;
    let profile = recording.finish()?;
    compare(&got, &apply(operator, &x)?, Exactness::Same)?;
    let line = profile
        .lines
        .iter()
        .find(|line| line.name == operator.name());
    ensure!(
        line.is_some_and(|line| line.bytes == 2 * 4 * 4096),
        "{profile}"
    );
    Ok(())
}

/// Without a kernel for the GPU it is an error, and nothing goes to the host.
fn without(gpu: &Gpu) -> Result<()> {
    let x = gpu.take(&sample(DType::F32, &[10], 6)?)?;
    let operator =
        Operator::new("parity::on_cpu_alone", forms).cpu(|call| call.give(0, &call.tensor(0)?));
    let complaint = apply(&operator, &x)
        .err()
        .map(|e| e.to_string())
        .unwrap_or_default();
    let here = gpu.device.id() == DeviceId::Cpu;
    ensure!(
        here || complaint.contains("parity::on_cpu_alone: it has no function for cuda"),
        "{complaint}"
    );
    let idle = Operator::new("parity::idle", forms)
        .cpu(|call| call.give(0, &call.tensor(0)?))
        .gpu(|_, _, _| Ok(()));
    let complaint = apply(&idle, &x)
        .err()
        .map(|e| e.to_string())
        .unwrap_or_default();
    ensure!(
        here || complaint.contains("did not write result 0"),
        "{complaint}"
    );
    Ok(())
}
