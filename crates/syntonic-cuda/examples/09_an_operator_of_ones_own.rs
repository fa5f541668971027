//! An operator of one's own: on the CPU, as a kernel on a GPU, with a gradient. `cargo run -p syntonic-cuda --example 09_an_operator_of_ones_own`

use syntonic_core::Result;
use syntonic_core::custom::{Form, Operator};
use syntonic_core::grad::value_and_grad;
use syntonic_core::prelude::*;
use syntonic_cuda::foreign::{Argument, Code, Spread};

/// y[i] = x[i]^3, a thread an element.
static CUBE: Code = Code::new(
    "
.version 7.0
.target sm_70
.address_size 64
.visible .entry cube(.param .u64 px, .param .u64 py, .param .u32 pn)
{
    .reg .pred %out;
    .reg .b32 %n, %i, %b, %t, %w;
    .reg .f32 %x, %y;
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
    ld.global.f32 %x, [%p];
    mul.rn.f32 %y, %x, %x;
    mul.rn.f32 %y, %y, %x;
    st.global.f32 [%q], %y;
    ret;
}
",
);

fn cube() -> Operator {
    Operator::new("cube", |operands, _| match operands {
        [x] if x.dtype == DType::F32 => Ok(vec![Form::new(x.shape.clone(), DType::F32)]),
        _ => Err(syntonic_core::Error::value(
            "cube",
            "takes one float32 tensor",
        )),
    })
    .cpu(|call| {
        for (y, x) in call.output::<f32>(0)?.iter_mut().zip(call.input::<f32>(0)?) {
            *y = x * x * x;
        }
        Ok(())
    })
    .gpu(|inputs, outputs, _| {
        let (x, y, n) = (&inputs[0], &outputs[0], inputs[0].numel() as u32);
        let gpu = syntonic_cuda::of(x)?;
        let spread = Spread {
            grid: [n.div_ceil(256), 1, 1],
            block: [256, 1, 1],
            shared: 0,
        };
        let arguments = [
            Argument::Read(x),
            Argument::Write(y),
            Argument::I32(n as i32),
        ];
        // SAFETY: the kernel takes two addresses and a number, stays inside the n elements of both, and nobody else has `y`.
        unsafe { CUBE.on(&gpu)?.launch("cube", spread, &arguments) }
    })
    .gradient(|step| {
        let slope = step.inputs[0].square()?.try_mul(3.0)?;
        Ok(vec![Some(slope.try_mul(&step.gradients[0])?)])
    })
}

fn main() -> Result<()> {
    let device = syntonic_cuda::device(0).unwrap_or_else(|_| cpu());
    let cube = cube();
    let x = Tensor::from([1.0f32, 2.0, 3.0]).to(&device)?;

    // It is an operator as any other: what waits is computed first, and gradients and graphs have it.
    let y = cube.apply(&[&(&x + 1.0)], &[])?;
    assert_eq!(y[0].to_vec::<f32>()?, [8.0, 27.0, 64.0]);
    let loss = |v: &[Tensor]| cube.apply(&[&v[0]], &[])?[0].sum(..);
    let (value, slope) = value_and_grad(loss, &[&x])?;
    assert_eq!(value.to_scalar::<f32>()?, 36.0);
    assert_eq!(slope[0].to_vec::<f32>()?, [3.0, 12.0, 27.0]);
    let graph = Graph::capture(&[&x], |own| cube.apply(own, &[]))?;
    assert_eq!(
        graph.replay(&[&(&x * 2.0)])?[0].to_vec::<f32>()?,
        [8.0, 64.0, 216.0]
    );

    // What it does not take is an error with its name.
    let refused = cube.apply(&[&Tensor::from([1.0f64])], &[]);
    assert!(refused.is_err_and(|error| error.to_string() == "cube: takes one float32 tensor"));
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
