//! cuBLASLt on one GPU: opened by the first product, with a cache of plans.

use super::plan::{Form, Plan, status};
use crate::context::Context;
use crate::driver::toolkit::{self, Toolkit};
use cudarc::cublaslt::sys;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;
use syntonic_core::fork::{Locked, lock};
use syntonic_core::{Error, Result};

/// The most cached plans; one more clears the cache.
const MOST_PLANS: usize = 4096;

/// Environment variables that silently change what cuBLAS computes.
const OVERRIDES: [&str; 5] = [
    "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_EMULATE_SINGLE_PRECISION",
    "CUBLAS_EMULATE_DOUBLE_PRECISION",
    "CUBLAS_EMULATION_STRATEGY",
    "CUBLAS_FIXEDPOINT_EMULATION_MANTISSA_BIT_COUNT",
];

/// Name and value of the environment variables that change what cuBLAS computes. While any is set, the guarantees of products
/// do not hold.
///
/// ```
/// // Before a measurement, or where products must be as exact as they promise.
/// for (name, value) in syntonic_cuda::product_overrides() {
///     eprintln!("{name}={value} changes what products compute");
///     assert!(std::env::var_os(name).is_some());
/// }
/// ```
pub fn product_overrides() -> Vec<(&'static str, String)> {
    let set = OVERRIDES.into_iter().filter_map(|name| {
        let value = std::env::var_os(name)?;
        Some((name, value.to_string_lossy().into_owned()))
    });
    set.collect()
}

/// A handle and its cached plans.
#[derive(Debug)]
struct Library {
    handle: sys::cublasLtHandle_t,
    /// Nothing for a form that the library has no algorithm for.
    plans: HashMap<Form, Option<Plan>>,
}

// SAFETY: a handle may be used from any thread, by one at a time, which the lock around it ensures.
unsafe impl Send for Library {}

/// The library on one GPU; opened by the first product.
#[derive(Debug, Default)]
pub(crate) struct Blas(Mutex<Option<Library>>);

/// One product: its form, where the operands are, and the factors in the form's scale type.
pub(super) struct Call<'a> {
    pub(super) form: Form,
    pub(super) a: u64,
    pub(super) b: u64,
    pub(super) c: u64,
    pub(super) d: u64,
    /// Read where the form has a bias.
    pub(super) bias: u64,
    /// Read where the form has scales: of the rows of `a`, and of the columns of `b`.
    pub(super) scales: [u64; 2],
    pub(super) alpha: &'a Factor,
    pub(super) beta: &'a Factor,
}

/// Whether a product was launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Launched {
    /// It was.
    Yes,
    /// The library has no algorithm for it.
    NoWay,
}

/// A number in the type that the library computes in, aligned as C aligns its complex numbers.
#[repr(C, align(16))]
pub(super) union Factor {
    pub(super) single: f32,
    pub(super) double: f64,
    pub(super) complex: syntonic_core::num_complex::Complex<f32>,
    pub(super) double_complex: syntonic_core::num_complex::Complex<f64>,
}

impl Factor {
    fn address(&self) -> *const c_void {
        ptr::from_ref(self).cast()
    }
}

impl Blas {
    /// Launches a product on this thread's stream.
    ///
    /// # Errors
    /// Where the library is not installed: what to install, and every place searched. Where there is no memory for the
    /// workspace.
    ///
    /// # Safety
    /// The operands are live and have the form's lengths and types; `d` is apart from the others, or is `c`.
    pub(super) unsafe fn launch(&self, context: &Context, call: &Call<'_>) -> Result<Launched> {
        let mut held = self.hold(context)?;
        let Some(library) = held.as_mut() else {
            return Ok(Launched::NoWay);
        };
        context.bind()?;
        if library.plans.len() >= MOST_PLANS && !library.plans.contains_key(&call.form) {
            library.plans.clear();
        }
        let handle = library.handle;
        let plan = match library.plans.entry(call.form) {
            std::collections::hash_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::hash_map::Entry::Vacant(empty) => {
                empty.insert(Plan::new(context, handle, &call.form)?)
            }
        };
        let Some(plan) = plan else {
            return Ok(Launched::NoWay);
        };
        if call.form.finish.has_bias() {
            plan.set_bias(context, call.bias)?;
        }
        if call.form.scales {
            plan.set_scales(context, call.scales)?;
        }
        let workspace = match plan.workspace {
            0 => None,
            bytes => Some(context.scratch(bytes)?),
        };
        let at = workspace.as_ref().map_or(0, |w| w.address());
        let [a, b, c, d] = plan.layouts;
        // SAFETY: the handles are alive and used by this thread alone, the factors are read before the call returns, the
        // workspace goes back in the order of the stream; the rest is the caller's promise. The type of a stream here and in
        // the driver is the same pointer.
        let code = unsafe {
            sys::cublasLtMatmul(
                handle,
                plan.operation,
                call.alpha.address(),
                call.a as *const c_void,
                a,
                call.b as *const c_void,
                b,
                call.beta.address(),
                call.c as *const c_void,
                c,
                call.d as *mut c_void,
                d,
                &plan.algorithm,
                at as *mut c_void,
                plan.workspace,
                context.stream().cast(),
            )
        };
        status(context, code)?;
        Ok(Launched::Yes)
    }

    fn hold(&self, context: &Context) -> Result<Locked<'_, Option<Library>>> {
        let mut library = lock(&self.0);
        if library.is_none() {
            *library = Some(open(context)?);
        }
        Ok(library)
    }
}

fn open(context: &Context) -> Result<Library> {
    let refuse = |what: String| Error::Fault {
        op: "matmul".to_owned(),
        device: context.device,
        what,
    };
    toolkit::open(Toolkit::Cublas).map_err(refuse)?;
    for (name, value) in product_overrides() {
        tracing::warn!(name, value, "this changes what products compute");
    }
    context.bind()?;
    let mut handle = ptr::null_mut();
    // SAFETY: the library is open, so looking for it and its functions finds it; the context is current.
    unsafe {
        let known =
            sys::is_culib_present() && sys::culib().get::<*const ()>(b"cublasLtMatmul\0").is_ok();
        if !known {
            return Err(refuse(format!(
                "{}; the one found is older",
                Toolkit::Cublas.hint()
            )));
        }
        status(context, sys::cublasLtCreate(&mut handle))?;
    }
    Ok(Library {
        handle,
        plans: HashMap::new(),
    })
}
