//! A kernel that you bring as PTX, on tensors of ours. `cargo run -p syntonic-cuda --example 04_a_kernel_of_ones_own`

use syntonic_core::Result;
use syntonic_core::prelude::*;
use syntonic_cuda::foreign::{Argument, Module, Spread};

/// y[i] = 3 y[i], a thread an element.
const TRIPLE: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry triple(.param .u64 py, .param .u32 pn)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .f32 %f<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [py];
    ld.param.u32 %r0, [pn];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    setp.ge.u32 %p, %r4, %r0;
    @%p bra DONE;
    cvta.to.global.u64 %rd1, %rd0;
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f0, [%rd3];
    mul.rn.f32 %f1, %f0, 0f40400000;
    st.global.f32 [%rd3], %f1;
DONE:
    ret;
}
";

fn main() -> Result<()> {
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        return Ok(());
    }
    let gpu = syntonic_cuda::open(0)?;
    let device = syntonic_cuda::device(0)?;
    let y = Tensor::ones_on(&[1000], DType::F32, &device)?.eval()?;

    // It joins the order of streams: what is asked of `y` before is done before, what is asked later waits.
    let module = Module::from_ptx(&gpu, TRIPLE)?;
    let spread = Spread {
        grid: [8, 1, 1],
        block: [128, 1, 1],
        shared: 0,
    };
    // SAFETY: the kernel takes an address and a number, stays inside the 1,000 elements, and nobody else has `y`.
    unsafe {
        module.launch(
            "triple",
            spread,
            &[Argument::Write(&y), Argument::I32(1000)],
        )?
    };
    assert_eq!(y.sum(..)?.to_scalar::<f32>()?, 3000.0);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
