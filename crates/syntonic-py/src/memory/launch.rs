//! Kernels that a Python program brings, launched over the memory of States.

use crate::arguments::{parameter, shown};
use crate::device::{default_gpu, usable};
use crate::dtype::PyDType;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex};
use syntonic_core::fork::lock;
use syntonic_core::half::{bf16, f16};
use syntonic_core::{DType, Device, DeviceId, Error, Tensor, describe};
use syntonic_cuda::foreign::{Argument, Code, Module, Spread};
use syntonic_cuda::{Cuda, nvrtc};

/// What a parameter of the kernel is.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// An address; of elements of any type where none is named.
    Pointer {
        written: bool,
        dtype: Option<DType>,
    },
    Number(DType),
}

/// What comes as an argument.
enum Given {
    Read(Tensor),
    Write(Tensor),
    Number(i64),
}

/// The text of the kernel.
enum Text {
    Ptx(Code),
    /// CUDA C, compiled for each GPU that it runs on.
    Source {
        source: String,
        options: Vec<String>,
        compiled: Mutex<Vec<(DeviceId, Arc<Code>)>>,
    },
}

/// A kernel of a program's own.
#[pyclass(frozen, name = "KernelCode", module = "syntonic._core")]
pub(crate) struct KernelCode {
    entry: String,
    text: Text,
    parameters: Vec<(String, Kind)>,
}

impl KernelCode {
    /// The module on a GPU; loaded now if it is not there.
    fn on(&self, gpu: &Arc<Cuda>) -> Result<Arc<Module>, Error> {
        let (source, options, compiled) = match &self.text {
            Text::Ptx(code) => return code.on(gpu),
            Text::Source {
                source,
                options,
                compiled,
            } => (source, options, compiled),
        };
        let id = gpu.id();
        let known =
            |all: &[(DeviceId, Arc<Code>)]| all.iter().find(|c| c.0 == id).map(|c| c.1.clone());
        let found = known(&lock(compiled));
        let code = match found {
            Some(code) => code,
            None => {
                let options: Vec<&str> = options.iter().map(String::as_str).collect();
                let code = Arc::new(Code::from_text(nvrtc::compile(gpu, source, &options)?));
                let mut all = lock(compiled);
                known(&all).unwrap_or_else(|| {
                    all.push((id, code.clone()));
                    code
                })
            }
        };
        code.on(gpu)
    }

    /// An argument as its parameter takes it.
    fn read(&self, k: usize, x: &Bound<'_, PyAny>) -> PyResult<Given> {
        let (declared, kind) = &self.parameters[k];
        let refuse = |class, what: String| {
            error(
                class,
                format!("{}: argument {k}, {declared}, {what}", self.entry),
            )
        };
        let (written, wanted) = match *kind {
            Kind::Pointer { written, dtype } => (written, dtype),
            Kind::Number(dtype) => {
                let unfit = || {
                    refuse(
                        Class::ArgumentType,
                        format!("is {}; it must be a number that fits", shown(x)),
                    )
                };
                let number = number(x, dtype).map_err(|_| unfit())?.ok_or_else(unfit)?;
                return Ok(Given::Number(number));
            }
        };
        let Ok(state) = x.cast::<State>() else {
            return Err(refuse(
                Class::ArgumentType,
                format!("is {}; it must be a State", shown(x)),
            ));
        };
        let t: &Tensor = &state.get().tensor;
        if wanted.is_some_and(|dtype| dtype != t.dtype()) {
            return Err(refuse(
                Class::DType,
                format!("is {}; hint: {}", t.describe(), "convert with .astype(...)"),
            ));
        }
        if !t.is_contiguous() {
            return Err(refuse(
                Class::Argument,
                format!(
                    "is {} with strides, and a kernel is given an address alone; hint: give .copy() of it",
                    t.describe()
                ),
            ));
        }
        Ok(match written {
            true => Given::Write(t.clone()),
            false => Given::Read(t.clone()),
        })
    }
}

/// The bits of a number, of which the kernel reads as many as its type has, from the lowest on; none where the type does not hold it.
fn number(x: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Option<i64>> {
    if dtype.is_bool() {
        return Ok(Some(i64::from(x.extract::<bool>()?)));
    }
    if dtype == DType::U64 {
        return Ok(Some(x.extract::<u64>()? as i64));
    }
    if dtype.is_integer() {
        let value: i64 = x.extract()?;
        let bits = 8 * dtype.size() as u32;
        let (low, high) = match dtype.kind() {
            syntonic_core::Kind::Unsigned => (0, 1i128 << bits),
            _ => (-(1i128 << (bits - 1)), 1i128 << (bits - 1)),
        };
        let fits = (low..high).contains(&i128::from(value));
        return Ok(fits.then_some(value));
    }
    let value: f64 = x.extract()?;
    Ok(match dtype {
        DType::F32 => Some(i64::from((value as f32).to_bits())),
        DType::F64 => Some(value.to_bits() as i64),
        DType::F16 => Some(i64::from(f16::from_f64(value).to_bits())),
        DType::BF16 => Some(i64::from(bf16::from_f64(value).to_bits())),
        _ => None,
    })
}

/// Three lengths of a grid or a block: an integer, or up to three of them.
fn lengths(what: &'static str, given: &Bound<'_, PyAny>) -> PyResult<[u32; 3]> {
    let refuse = || {
        parameter("kernel", what).refuse(Class::Argument, given, "one to three positive integers")
    };
    let given: Vec<u32> = match given.extract::<u32>() {
        Ok(one) => vec![one],
        Err(_) => given.extract().map_err(|_| refuse())?,
    };
    let mut all = [1; 3];
    if given.is_empty() || given.len() > 3 || given.contains(&0) {
        return Err(error(
            Class::Argument,
            format!("kernel: {what} is {given:?}; it must be one to three positive integers"),
        ));
    }
    all[..given.len()].copy_from_slice(&given);
    Ok(all)
}

#[pymethods]
impl KernelCode {
    /// `parameters` has for each its declaration, what it is ("in", "out" or "number") and its type.
    #[new]
    fn new(
        entry: String,
        text: String,
        is_source: bool,
        options: Vec<String>,
        parameters: Vec<(String, String, Option<PyRef<'_, PyDType>>)>,
    ) -> PyResult<KernelCode> {
        let kind = |(declared, role, dtype): (String, String, Option<PyRef<'_, PyDType>>)| {
            let dtype = dtype.map(|d| d.0);
            let kind = match (role.as_str(), dtype) {
                ("number", Some(dtype)) => Kind::Number(dtype),
                (role, dtype) => Kind::Pointer {
                    written: role == "out",
                    dtype,
                },
            };
            (declared, kind)
        };
        Ok(KernelCode {
            entry,
            text: match is_source {
                false => Text::Ptx(Code::from_text(text)),
                true => Text::Source {
                    source: text,
                    options,
                    compiled: Mutex::default(),
                },
            },
            parameters: parameters.into_iter().map(kind).collect(),
        })
    }

    /// Launches it on this thread's stream.
    fn launch(
        &self,
        py: Python<'_>,
        grid: &Bound<'_, PyAny>,
        block: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
        shared: u32,
    ) -> PyResult<()> {
        let spread = Spread {
            grid: lengths("grid", grid)?,
            block: lengths("block", block)?,
            shared,
        };
        let (given, wanted) = (args.len(), self.parameters.len());
        if given != wanted {
            let names: Vec<&str> = self.parameters.iter().map(|p| p.0.as_str()).collect();
            return Err(error(
                Class::ArgumentType,
                format!(
                    "{}: {given} arguments for the {wanted} parameters ({})",
                    self.entry,
                    names.join(", ")
                ),
            ));
        }
        let arguments = args.iter().enumerate().map(|(k, x)| self.read(k, &x));
        let arguments: Vec<Given> = arguments.collect::<PyResult<_>>()?;
        let tensors = arguments.iter().filter_map(|given| match given {
            Given::Read(x) | Given::Write(x) => Some(x),
            Given::Number(_) => None,
        });
        let tensors: Vec<&Tensor> = tensors.collect();
        let id = tensors
            .first()
            .map_or(DeviceId::Cuda(default_gpu()), |x| x.device_id());
        if tensors.iter().any(|x| x.device_id() != id) {
            return Err(raise(Error::Device {
                op: "kernel",
                operands: describe(&tensors),
            }));
        }
        usable(py, id)?;
        let DeviceId::Cuda(ordinal) = id else {
            return Err(error(
                Class::Device,
                format!(
                    "{}: runs on GPUs, and its operands are {}; hint: move them with .cuda()",
                    self.entry,
                    describe(&tensors)
                ),
            ));
        };
        enter(py, usize::MAX, || {
            let gpu = syntonic_cuda::open(ordinal)?;
            let module = self.on(&gpu)?;
            for x in &arguments {
                match x {
                    Given::Write(x) => {
                        x.check_writable("kernel")?;
                        x.buffer()?;
                    }
                    Given::Read(x) => {
                        x.buffer()?;
                    }
                    Given::Number(_) => {}
                }
            }
            let arguments = arguments.iter().map(|given| match given {
                Given::Read(x) => Argument::Read(x),
                Given::Write(x) => Argument::Write(x),
                Given::Number(bits) => Argument::I64(*bits),
            });
            let arguments: Vec<Argument<'_>> = arguments.collect();
            // SAFETY: as many arguments as the signature has, each of its type; that the signature is the kernel's, that the kernel stays inside the
            // memory of its arguments, and that nobody else uses what it writes, is the program's own care, as with any kernel of CUDA's.
            unsafe { module.launch(&self.entry, spread, &arguments) }
        })
    }
}
