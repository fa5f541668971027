#![doc = include_str!("../README.md")]

mod advisor;
mod arguments;
mod assignment;
mod comparisons;
mod complex;
mod construct;
mod convert;
mod copies;
mod creation;
mod cuda;
mod custom;
mod device;
mod device_group;
mod dtype;
mod dtype_names;
mod elementwise;
mod enter;
mod errors;
mod evaluation;
mod files;
mod flags;
mod former_names;
mod fourier;
mod golden;
mod gradients;
mod graph;
mod group;
mod guest;
mod indexing;
mod info;
mod layout;
mod linalg;
mod log;
mod loops;

mod managed;
mod manipulation;
mod masked;
mod memory;
mod methods;
mod nested;
mod number;
mod operand;
mod operators;
mod ordering;
mod panics;
mod pickle;
mod pipeline;
mod precision;
mod profile;
mod protocols;
mod queue;
mod random;
mod reductions;
mod repr;
mod rounding;
mod row_operators;
mod service;
mod singles;
mod state;
mod stream;
mod views;

use pyo3::prelude::*;

/// The native half of the package `syntonic`; the importable half is `python/syntonic`.
#[pymodule(gil_used = false)]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::advisor::{PyAdvice, PyAdvisor};
    #[pymodule_export]
    use crate::construct::asarray;
    #[pymodule_export]
    use crate::copies::cuda_pinned_empty;
    #[pymodule_export]
    use crate::creation::{arange, eye, full, linspace};
    #[pymodule_export]
    use crate::cuda::{
        _use_cubins, cuda_device_count, cuda_device_name, cuda_empty_cache, cuda_kernel_sources,
        cuda_memory_stats, cuda_set_memory_limit, cuda_synchronize, cuda_why_unavailable,
    };
    #[pymodule_export]
    use crate::custom::PyOperator;
    #[pymodule_export]
    use crate::device::{PyDevice, default_device, set_default_device};
    #[pymodule_export]
    use crate::device_group::{PyDeviceGroup, cuda_can_access_peer};
    #[pymodule_export]
    use crate::dtype::{PyDType, promote_types};
    #[pymodule_export]
    use crate::elementwise::Elementwise;
    #[pymodule_export]
    #[pymodule_export]
    use crate::evaluation::{explain, set_default_rounding, set_eager, set_rounding};
    #[pymodule_export]
    use crate::files::{
        load_npy, load_npz, load_safetensors, save_npy, save_npz, save_safetensors,
    };
    #[pymodule_export]
    use crate::flags::Flags;
    #[pymodule_export]
    use crate::fourier::{
        fft, fftfreq, fftn, fftshift, hfft, ifft, ifftn, ifftshift, ihfft, irfft, irfftn, rfft,
        rfftfreq, rfftn,
    };
    #[pymodule_export]
    use crate::golden::attention::attention;
    #[pymodule_export]
    use crate::golden::backward::{
        batch_norm_backward, golden_gelu_backward, layer_norm_backward, residual_backward,
        residual_layer_norm_backward, syntonic_softmax_backward, syntonic_softmax_gradients,
    };
    #[pymodule_export]
    use crate::golden::device_search::{PyCapturedGeneration, PyDeviceSearch};
    #[pymodule_export]
    use crate::golden::discrete::{
        PyDiscreteModel, action_marginals, choose_action, expected_free_energy, infer_states,
        policies, policy_posterior, predict_states, sample_action,
    };
    #[pymodule_export]
    use crate::golden::evolve::PyRes;
    #[pymodule_export]
    use crate::golden::exact::{
        _restore_wide, PyAttractors, PyCrystallized, PyFlux, PyGoldenArray, PyGoldenBigArray,
        PyGoldenInt, PyGoldenRational, fibonacci, golden_concat, golden_recursion,
        golden_recursion_undo, golden_stack, lucas, phi_power, snap, states_join, states_load,
    };
    #[pymodule_export]
    use crate::golden::geometry::{
        cone_mask, cone_weights, e8_roots, e8_simple_roots, golden_generations, golden_project,
        winding_count, winding_sum, winding_weights, windings,
    };
    #[pymodule_export]
    use crate::golden::infer::{
        accuracy, belief_update, categorical_free_energy, categorical_kl_divergence, free_energy,
        kl_divergence,
    };
    #[pymodule_export]
    use crate::golden::information::{
        Pending, Prepared, mutual_information, transfer_entropy_matrix,
    };
    #[pymodule_export]
    use crate::golden::matrix_search::PyMatrixSearch;
    #[pymodule_export]
    use crate::golden::nn::{
        batch_norm, batch_norm_eval, golden_gelu, layer_norm, residual, residual_layer_norm,
        running_update, syntonic_softmax,
    };
    #[pymodule_export]
    use crate::golden::optim::{PyOptimizer, clip_by_global_norm};
    #[pymodule_export]
    use crate::golden::products::{
        golden_compound, golden_compounds, golden_deficit, golden_deficits, golden_factor,
        golden_factors, golden_levels, golden_number, golden_ratio, golden_ratios,
        golden_structures, mm, mm_add, mm_corrected, mm_gemm, mm_golden_phase, mm_golden_weighted,
        mm_hn, mm_nh, mm_nt, mm_phi, mm_q_corrected, mm_tn, mm_tt, phi_antibracket, phi_bracket,
        projection_sum,
    };
    #[pymodule_export]
    use crate::golden::resonant::{
        PyModes, cycle, differentiate, golden_weights, harmonize, mode_norms, syntony,
    };
    #[pymodule_export]
    use crate::gradients::{PyVariables, stop_gradient};
    #[pymodule_export]
    use crate::graph::PyGraph;
    #[pymodule_export]
    use crate::group::PyGroup;
    #[pymodule_export]
    use crate::guest::_visit;
    #[pymodule_export]
    use crate::info::build_info;
    #[pymodule_export]
    use crate::linalg::{
        bmm, cholesky, cond, cross, det, eig, eigh, eigvals, eigvalsh, einsum, expm, gemv_chain,
        inv, kron, linear, linear_backward, lstsq, matmul, matrix_norm, matrix_power, matrix_rank,
        outer, pinv, qr, scaled_matmul, slogdet, solve, svd, svdvals, tensordot, trace, vecdot,
    };
    #[pymodule_export]
    use crate::loops::{fori_loop, while_loop};
    #[pymodule_export]
    use crate::managed::{
        cuda_advise, cuda_is_managed, cuda_managed, cuda_managed_empty, cuda_prefetch_to,
    };
    #[pymodule_export]
    use crate::manipulation::{
        broadcast_arrays, broadcast_shapes, concat, diff, meshgrid, nonzero, pad, repeat, roll,
        scatter, split, stack, take, take_along_axis, tile, tril, triu, unstack,
    };
    #[pymodule_export]
    use crate::memory::dlpack::from_dlpack;
    #[pymodule_export]
    use crate::memory::launch::KernelCode;
    #[pymodule_export]
    use crate::ordering::{
        argsort, bincount, cumulative_prod, cumulative_sum, isin, median, quantile, searchsorted,
        sort, topk, unique,
    };
    #[pymodule_export]
    use crate::panics::_fault;
    #[pymodule_export]
    use crate::pickle::_restore;
    #[pymodule_export]
    use crate::pipeline::formula::Symbol;
    #[pymodule_export]
    use crate::pipeline::plan::{PyPlan, PyStage};
    #[pymodule_export]
    use crate::precision::{get_matmul_precision, matmul_report, set_matmul_precision};
    #[pymodule_export]
    use crate::profile::PyRecording;
    #[pymodule_export]
    use crate::queue::{PyQueue, PyRequest};
    #[pymodule_export]
    use crate::random::PyGenerator;
    #[pymodule_export]
    use crate::reductions::{
        all, any, argmax, argmin, count_nonzero, logsumexp, max, mean, min, prod, std, sum, var,
        vector_norm,
    };
    #[pymodule_export]
    use crate::row_operators::RowOperator;
    #[pymodule_export]
    use crate::service::{PyService, PyServiceModel};
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::stream::{PyEvent, PyStream, cuda_current_stream};
    #[pymodule_export]
    use crate::views::{broadcast_to, expand_dims, flip, moveaxis, permute_dims, reshape, squeeze};

    /// Puts what is made at run time into the module: the version, the element types, the exceptions.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("PHI", syntonic_srt::constants::PHI)?;
        module.add("INV_PHI", syntonic_srt::constants::INV_PHI)?;
        module.add("Q", syntonic_srt::constants::Q)?;
        crate::dtype::register(module)?;
        crate::errors::register(module)?;
        // At the door, and not by whatever comes first.
        let level = syntonic_core::cpu::lanes::Level::checked();
        level.map(|_| ()).map_err(crate::errors::raise)?;
        crate::log::install();
        crate::panics::install(module)
    }
}
