//! Plans of cuBLASLt: the descriptors of a product, and the algorithm that the heuristics chose for it.

use crate::context::Context;
use cudarc::cublaslt::sys::{self, cublasComputeType_t, cudaDataType_t};
use std::ffi::c_void;
use std::ptr;
use syntonic_core::{Error, Result};

/// The workspace limit of an algorithm, in bytes: NVIDIA's recommendation for Hopper GPUs, plenty for others.
const WORKSPACE: u64 = 32 << 20;
/// Alignment beyond which algorithms do not differ.
const ALIGNED: u64 = 256;

/// The epilogue of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Finish {
    /// Nothing.
    #[default]
    None,
    /// Adds a bias, one number a column of the row-major result.
    Bias,
    /// `max(x, 0)`; NaN stays NaN.
    Relu,
    /// Bias, then relu.
    BiasRelu,
    /// The tanh form of GELU.
    Gelu,
    /// Bias, then GELU.
    BiasGelu,
}

impl Finish {
    fn name(self) -> sys::cublasLtEpilogue_t {
        use sys::cublasLtEpilogue_t as E;
        match self {
            Finish::None => E::CUBLASLT_EPILOGUE_DEFAULT,
            Finish::Bias => E::CUBLASLT_EPILOGUE_BIAS,
            Finish::Relu => E::CUBLASLT_EPILOGUE_RELU,
            Finish::BiasRelu => E::CUBLASLT_EPILOGUE_RELU_BIAS,
            Finish::Gelu => E::CUBLASLT_EPILOGUE_GELU,
            Finish::BiasGelu => E::CUBLASLT_EPILOGUE_GELU_BIAS,
        }
    }

    pub(super) fn has_bias(self) -> bool {
        matches!(self, Finish::Bias | Finish::BiasRelu | Finish::BiasGelu)
    }
}

/// How an operand is read; the library's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub(super) enum Operation {
    /// As it lies.
    Plain = 0,
    /// Transposed.
    Transposed = 1,
    /// Transposed and conjugated.
    Conjugated = 2,
}

/// One side of a product, column-major.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Side {
    pub(super) kind: cudaDataType_t,
    pub(super) operation: Operation,
    pub(super) leading: i64,
    pub(super) batch: i64,
    /// The largest power of two that divides the address, up to [`ALIGNED`].
    pub(super) alignment: u32,
}

/// The alignment of an address, as plans distinguish it.
pub(super) fn alignment(address: u64) -> u32 {
    1 << address.trailing_zeros().min(ALIGNED.trailing_zeros())
}

/// Everything that decides which algorithm runs: `d = alpha a b + beta c`, column-major.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    pub(super) m: u64,
    pub(super) n: u64,
    pub(super) k: u64,
    pub(super) batch: i32,
    pub(super) a: Side,
    pub(super) b: Side,
    pub(super) c: Side,
    pub(super) d: Side,
    pub(super) compute: cublasComputeType_t,
    /// The type of `alpha` and `beta`.
    pub(super) scale: cudaDataType_t,
    pub(super) finish: Finish,
    /// Whether each row of `a` and each column of `b` has a scale.
    pub(super) scales: bool,
}

/// A form with its algorithm. Handles of the library, given back when dropped.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) operation: sys::cublasLtMatmulDesc_t,
    /// Of `a`, `b`, `c` and `d`.
    pub(super) layouts: [sys::cublasLtMatrixLayout_t; 4],
    pub(super) algorithm: sys::cublasLtMatmulAlgo_t,
    pub(super) workspace: usize,
}

// SAFETY: the handles name memory of the library's, used by one thread at a time under the lock of the cache.
unsafe impl Send for Plan {}

impl Plan {
    /// Asks the library's heuristics for `form`; nothing where it has no algorithm.
    pub(super) fn new(
        context: &Context,
        library: sys::cublasLtHandle_t,
        form: &Form,
    ) -> Result<Option<Plan>> {
        let mut plan = Plan {
            operation: ptr::null_mut(),
            layouts: [ptr::null_mut(); 4],
            algorithm: sys::cublasLtMatmulAlgo_t { data: [0; 8] },
            workspace: 0,
        };
        // SAFETY: the out-pointer is a field of the plan.
        let code =
            unsafe { sys::cublasLtMatmulDescCreate(&mut plan.operation, form.compute, form.scale) };
        status(context, code)?;
        if form.scales && !plan.takes_scales() {
            return Ok(None);
        }
        plan.describe(context, form)?;
        let preference = Preference::new(context, form)?;
        let [a, b, c, d] = plan.layouts;
        let mut found = sys::cublasLtMatmulHeuristicResult_t {
            algo: plan.algorithm,
            workspaceSize: 0,
            state: sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS,
            wavesCount: 0.0,
            reserved: [0; 4],
        };
        let mut count = 0;
        // SAFETY: every handle is alive, and there is room for the one answer asked for.
        let code = unsafe {
            sys::cublasLtMatmulAlgoGetHeuristic(
                library,
                plan.operation,
                a,
                b,
                c,
                d,
                preference.0,
                1,
                &mut found,
                &mut count,
            )
        };
        use sys::cublasStatus_t::{CUBLAS_STATUS_INVALID_VALUE, CUBLAS_STATUS_NOT_SUPPORTED};
        if matches!(
            code,
            CUBLAS_STATUS_NOT_SUPPORTED | CUBLAS_STATUS_INVALID_VALUE
        ) {
            return Ok(None);
        }
        status(context, code)?;
        if count == 0 {
            return Ok(None);
        }
        tracing::debug!(?form, workspace = found.workspaceSize, "planned a product");
        plan.algorithm = found.algo;
        plan.workspace = found.workspaceSize;
        Ok(Some(plan))
    }

    /// Asks for scales of rows and columns, which libraries before that of CUDA 12.9 do not know.
    fn takes_scales(&self) -> bool {
        use sys::cublasLtMatmulDescAttributes_t as A;
        let mode = sys::cublasLtMatmulMatrixScale_t::CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
        let put = |name, at: *const c_void, size| {
            // SAFETY: the descriptor is alive, and the value is of the attribute's type.
            let code =
                unsafe { sys::cublasLtMatmulDescSetAttribute(self.operation, name, at, size) };
            code == sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS
        };
        let modes = [
            A::CUBLASLT_MATMUL_DESC_A_SCALE_MODE,
            A::CUBLASLT_MATMUL_DESC_B_SCALE_MODE,
        ];
        // Any address: the heuristics only need to know that there is one.
        let pointers = [
            A::CUBLASLT_MATMUL_DESC_A_SCALE_POINTER,
            A::CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
        ];
        modes
            .into_iter()
            .all(|name| put(name, ptr::from_ref(&mode).cast(), size_of_val(&mode)))
            && pointers
                .into_iter()
                .all(|name| put(name, ptr::from_ref(&ALIGNED).cast(), size_of_val(&ALIGNED)))
    }

    /// The scales of the next call.
    pub(super) fn set_scales(&self, context: &Context, [a, b]: [u64; 2]) -> Result<()> {
        use sys::cublasLtMatmulDescAttributes_t as A;
        self.attribute(context, A::CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &a)?;
        self.attribute(context, A::CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &b)
    }

    fn describe(&mut self, context: &Context, form: &Form) -> Result<()> {
        use sys::cublasLtMatmulDescAttributes_t as A;
        self.attribute(context, A::CUBLASLT_MATMUL_DESC_TRANSA, &form.a.operation)?;
        self.attribute(context, A::CUBLASLT_MATMUL_DESC_TRANSB, &form.b.operation)?;
        self.attribute(
            context,
            A::CUBLASLT_MATMUL_DESC_EPILOGUE,
            &form.finish.name(),
        )?;
        if form.finish.has_bias() {
            // Any address: the heuristics only need to know that there is one.
            self.attribute(context, A::CUBLASLT_MATMUL_DESC_BIAS_POINTER, &ALIGNED)?;
        }
        let sides = [
            (form.a, form.m, form.k),
            (form.b, form.k, form.n),
            (form.c, form.m, form.n),
            (form.d, form.m, form.n),
        ];
        for (k, (side, rows, cols)) in sides.into_iter().enumerate() {
            let plain = side.operation == Operation::Plain;
            let (rows, cols) = if plain { (rows, cols) } else { (cols, rows) };
            // SAFETY: the out-pointer is a field of the plan.
            let code = unsafe {
                sys::cublasLtMatrixLayoutCreate(
                    &mut self.layouts[k],
                    side.kind,
                    rows,
                    cols,
                    side.leading,
                )
            };
            status(context, code)?;
            if form.batch > 1 {
                use sys::cublasLtMatrixLayoutAttribute_t as L;
                let layout = self.layouts[k];
                set(context, &form.batch, |at, size| {
                    // SAFETY: the layout is alive, and the value is of the attribute's type.
                    unsafe {
                        sys::cublasLtMatrixLayoutSetAttribute(
                            layout,
                            L::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                            at,
                            size,
                        )
                    }
                })?;
                set(context, &side.batch, |at, size| {
                    // SAFETY: as above.
                    unsafe {
                        sys::cublasLtMatrixLayoutSetAttribute(
                            layout,
                            L::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                            at,
                            size,
                        )
                    }
                })?;
            }
        }
        Ok(())
    }

    /// The bias of the next call.
    pub(super) fn set_bias(&self, context: &Context, address: u64) -> Result<()> {
        use sys::cublasLtMatmulDescAttributes_t::CUBLASLT_MATMUL_DESC_BIAS_POINTER;
        self.attribute(context, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &address)
    }

    fn attribute<T: Copy>(
        &self,
        context: &Context,
        name: sys::cublasLtMatmulDescAttributes_t,
        value: &T,
    ) -> Result<()> {
        set(context, value, |at, size| {
            // SAFETY: the descriptor is alive, and the value is of the attribute's type.
            unsafe { sys::cublasLtMatmulDescSetAttribute(self.operation, name, at, size) }
        })
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        // SAFETY: handles of the library's, or null, given back once; a status of a handle that goes is of no use.
        unsafe {
            for layout in self.layouts.into_iter().filter(|l| !l.is_null()) {
                sys::cublasLtMatrixLayoutDestroy(layout);
            }
            if !self.operation.is_null() {
                sys::cublasLtMatmulDescDestroy(self.operation);
            }
        }
    }
}

/// What an algorithm may use.
struct Preference(sys::cublasLtMatmulPreference_t);

impl Preference {
    fn new(context: &Context, form: &Form) -> Result<Preference> {
        use sys::cublasLtMatmulPreferenceAttributes_t as P;
        let mut preference = Preference(ptr::null_mut());
        // SAFETY: the out-pointer is the preference's own.
        let code = unsafe { sys::cublasLtMatmulPreferenceCreate(&mut preference.0) };
        status(context, code)?;
        let put = |name, value: u32| preference.put(context, name, &value);
        preference.put(
            context,
            P::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
            &WORKSPACE,
        )?;
        put(
            P::CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
            reductions(form),
        )?;
        put(
            P::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
            form.a.alignment,
        )?;
        put(
            P::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
            form.b.alignment,
        )?;
        put(
            P::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
            form.c.alignment,
        )?;
        put(
            P::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
            form.d.alignment,
        )?;
        Ok(preference)
    }

    fn put<T: Copy>(
        &self,
        context: &Context,
        name: sys::cublasLtMatmulPreferenceAttributes_t,
        value: &T,
    ) -> Result<()> {
        set(context, value, |at, size| {
            // SAFETY: the preference is alive, and the value is of the attribute's type.
            unsafe { sys::cublasLtMatmulPreferenceSetAttribute(self.0, name, at, size) }
        })
    }
}

impl Drop for Preference {
    fn drop(&mut self) {
        // SAFETY: the library's own handle, given back once.
        unsafe { sys::cublasLtMatmulPreferenceDestroy(self.0) };
    }
}

/// Split-K reduction schemes that a product may use: none that rounds partial sums to a narrower type.
fn reductions(form: &Form) -> u32 {
    const COMPUTE_TYPE: u32 = 2;
    const ANY: u32 = 7;
    let narrow = [cudaDataType_t::CUDA_R_16F, cudaDataType_t::CUDA_R_16BF];
    if narrow.contains(&form.d.kind) {
        COMPUTE_TYPE
    } else {
        ANY
    }
}

fn set<T: Copy>(
    context: &Context,
    value: &T,
    call: impl FnOnce(*const c_void, usize) -> sys::cublasStatus_t,
) -> Result<()> {
    status(context, call(ptr::from_ref(value).cast(), size_of::<T>()))
}

/// A status of the library as a result of ours.
pub(super) fn status(context: &Context, status: sys::cublasStatus_t) -> Result<()> {
    if status == sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS {
        return Ok(());
    }
    Err(Error::Fault {
        op: "matmul".to_owned(),
        device: context.device,
        what: format!("{status:?}"),
    })
}
