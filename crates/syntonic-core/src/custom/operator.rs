//! An operator as a value, and its application.

use super::call::{self, Body, Call, CpuFunction};
use super::{Form, broken, guarded};
use crate::device::{Device, DeviceId, Kernel, Launch};
use crate::error::{Error, Result, way_out};
use crate::float8;
use crate::grad;
use crate::graph::is_capturing;
use crate::ops::moves::arg;
use crate::profile;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, same_device};
use std::fmt;
use std::sync::Arc;

type Shapes = dyn Fn(&[Form], &[Scalar]) -> Result<Vec<Form>> + Send + Sync;
type DeviceFunction = dyn Fn(&[Tensor], &[Tensor], &[Scalar]) -> Result<()> + Send + Sync;
pub(crate) type Gradient = dyn Fn(&Step<'_>) -> Result<Vec<Option<Tensor>>> + Send + Sync;

/// What computes the results.
#[derive(Clone)]
enum Work {
    /// Functions of the operator's own, as far as it has them.
    Own {
        cpu: Option<Arc<CpuFunction>>,
        gpu: Option<Arc<DeviceFunction>>,
    },
    /// A kernel, which devices find by name.
    Kernel(Kernel),
}

/// An operator of one's own, see [the module](super).
///
/// It has a name, for errors and profiles, and a function from the forms of the operands to those of the results; what else it can do is
/// added: [`cpu`](Operator::cpu), [`gpu`](Operator::gpu), [`gradient`](Operator::gradient). Clones share these functions.
#[derive(Clone)]
pub struct Operator {
    name: &'static str,
    shapes: Arc<Shapes>,
    work: Work,
    gradient: Option<Arc<Gradient>>,
}

/// One step back over an operator: what its gradient may read.
#[derive(Debug)]
pub struct Step<'a> {
    /// The operands.
    pub inputs: &'a [Tensor],
    /// The results.
    pub outputs: &'a [Tensor],
    /// The slope of the loss by each result, of its shape. Zeros for all but one: the function is called for each result that leads to the loss.
    pub gradients: &'a [Tensor],
    /// The numbers of the call.
    pub numbers: &'a [Scalar],
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operator({})", self.name)
    }
}

impl Operator {
    /// An operator that nothing computes yet. `shapes` gives the forms of the results from those of the operands and the numbers of the call; it
    /// refuses what the operator does not take.
    ///
    /// ```
    /// use syntonic_core::custom::{Form, Operator};
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::Error;
    ///
    /// let first = Operator::new("first", |operands, _| match operands {
    ///     [x] if x.shape.len() == 1 => Ok(vec![Form::new([], x.dtype)]),
    ///     _ => Err(Error::value("first", "takes one vector")),
    /// });
    /// let error = first.apply(&[&Tensor::from([[1.0]])], &[]).unwrap_err();
    /// assert_eq!(error.to_string(), "first: takes one vector");
    /// ```
    pub fn new(
        name: &'static str,
        shapes: impl Fn(&[Form], &[Scalar]) -> Result<Vec<Form>> + Send + Sync + 'static,
    ) -> Operator {
        Operator {
            name,
            shapes: Arc::new(shapes),
            work: Work::Own {
                cpu: None,
                gpu: None,
            },
            gradient: None,
        }
    }

    /// An operator that a kernel computes: on the CPU by its function, on another device by what is registered there under its name.
    ///
    /// # Safety
    /// The kernel, wherever it runs, keeps to row-major operands and results of the forms that `shapes` takes and gives, and writes every result.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::device::{Kernel, Launch};
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::Result;
    ///
    /// static NOT: Kernel = Kernel { name: "not_of_bytes", cpu: not };
    ///
    /// unsafe fn not(launch: &Launch) -> Result<()> {
    ///     let (x, y) = (&launch.inputs[0], &launch.outputs[0]);
    ///     for k in 0..x.layout.numel() {
    ///         // SAFETY: both have so many bytes.
    ///         unsafe { y.address().add(k).write(!*x.address().add(k)) };
    ///     }
    ///     Ok(())
    /// }
    ///
    /// // SAFETY: the kernel writes as many bytes as it reads, and both are of this form.
    /// let not = unsafe { Operator::of_kernel(&NOT, |x, _| Ok(vec![syntonic_core::custom::Form::new(x[0].shape.clone(), DType::U8)])) };
    /// assert_eq!(not.apply(&[&Tensor::from([1_u8])], &[])?[0].to_vec::<u8>()?, [254]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub unsafe fn of_kernel(
        kernel: &Kernel,
        shapes: impl Fn(&[Form], &[Scalar]) -> Result<Vec<Form>> + Send + Sync + 'static,
    ) -> Operator {
        let mut made = Operator::new(kernel.name, shapes);
        made.work = Work::Kernel(kernel.clone());
        made
    }

    /// With a function for the CPU. It may be called from any thread, again at each replay of a graph, and may not write its operands.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::prelude::*;
    ///
    /// let negated = Operator::new("negated", |x, _| Ok(vec![x[0].clone()])).cpu(|call| {
    ///     let pairs = call.output::<f32>(0)?.iter_mut().zip(call.input::<f32>(0)?);
    ///     pairs.for_each(|(y, x)| *y = -x);
    ///     Ok(())
    /// });
    /// let x = Tensor::from([[1f32, 2.0], [3.0, 4.0]]).t()?; // operands come row-major
    /// assert_eq!(negated.apply(&[&x], &[])?[0].to_vec::<f32>()?, [-1.0, -3.0, -2.0, -4.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn cpu(mut self, f: impl Fn(&Call<'_>) -> Result<()> + Send + Sync + 'static) -> Operator {
        let gpu = match self.work {
            Work::Own { gpu, .. } => gpu,
            Work::Kernel(_) => None,
        };
        let cpu = Some(Arc::new(f) as _);
        self.work = Work::Own { cpu, gpu };
        self
    }

    /// With a function for GPUs, from operands and numbers to results that are there and have to be written: by a launch of `syntonic_cuda`'s
    /// `foreign::Module`, or by writes of tensors. All are row-major on one device. In a graph its launches are captured, and it is
    /// not called at a replay.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::prelude::*;
    ///
    /// let twice = Operator::new("twice", |x, _| Ok(vec![x[0].clone()]))
    ///     .cpu(|call| call.give(0, &(call.tensor(0)? * 2)))
    ///     // A kernel of one's own is in example 09 of syntonic-cuda; this writes by an operation that exists.
    ///     // SAFETY: nobody else has the result.
    ///     .gpu(|inputs, outputs, _| unsafe { outputs[0].assign_aliased(&(&inputs[0] * 2)) });
    /// assert_eq!(twice.apply(&[&Tensor::from([1, 2])], &[])?[0].to_vec::<i32>()?, [2, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn gpu(
        mut self,
        f: impl Fn(&[Tensor], &[Tensor], &[Scalar]) -> Result<()> + Send + Sync + 'static,
    ) -> Operator {
        let cpu = match self.work {
            Work::Own { cpu, .. } => cpu,
            Work::Kernel(_) => None,
        };
        let gpu = Some(Arc::new(f) as _);
        self.work = Work::Own { cpu, gpu };
        self
    }

    /// With a gradient: a function from operands, results and slopes of the results to a slope for each operand, of its shape; none where
    /// nothing flows. Written with operations that have gradients, it has one itself. Until the gradient is taken, a tape keeps operands and results.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::grad::grad;
    /// use syntonic_core::prelude::*;
    ///
    /// let exp = Operator::new("my_exp", |x, _| Ok(vec![x[0].clone()]))
    ///     .cpu(|call| call.give(0, &call.tensor(0)?.exp()?))
    ///     .gradient(|step| Ok(vec![Some(step.gradients[0].try_mul(&step.outputs[0])?)]));
    /// let of = |x: &Tensor| Ok(exp.apply(&[x], &[])?.remove(0));
    /// let slope = |x: &Tensor| Ok(grad(|v| of(&v[0]), &[x])?.remove(0));
    /// let second = grad(|v| slope(&v[0]), &[&Tensor::from([0.0])])?;
    /// assert_eq!(second[0].to_vec::<f64>()?, [1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn gradient(
        mut self,
        f: impl Fn(&Step<'_>) -> Result<Vec<Option<Tensor>>> + Send + Sync + 'static,
    ) -> Operator {
        self.gradient = Some(Arc::new(f));
        self
    }

    /// The name.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    ///
    /// assert_eq!(Operator::new("mine", |x, _| Ok(x.to_vec())).name(), "mine");
    /// ```
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The results over these operands, in new memory of their device.
    ///
    /// # Errors
    /// [`Error::Device`] for operands on several devices, [`Error::DType`] for types of storage, [`Error::Gradient`] for operands that depend on a
    /// variable where the operator has no gradient, [`Error::Operator`] for what its functions did not keep and where it has none for the
    /// device, and errors of these functions.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::prelude::*;
    ///
    /// let scaled = Operator::new("scaled", |x, _| Ok(vec![x[0].clone()]))
    ///     .cpu(|call| call.give(0, &(call.tensor(0)? * call.numbers()[0].to_f64())));
    /// assert_eq!(scaled.apply(&[&Tensor::from([1.0, 2.0])], &[2.5.into()])?[0].to_vec::<f64>()?, [2.5, 5.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn apply(&self, inputs: &[&Tensor], numbers: &[Scalar]) -> Result<Vec<Tensor>> {
        let device = same_device(self.name, inputs)?;
        float8::check(self.name, inputs)?;
        if !grad::tracks(inputs) {
            return self.run(&device, inputs, numbers);
        }
        let Some(gradient) = &self.gradient else {
            grad::refuse(self.name, inputs)?;
            return self.run(&device, inputs, numbers);
        };
        // few: the operands of one call.
        let plain: Vec<Tensor> = inputs.iter().map(|x| x.stop_gradient()).collect();
        let plain: Vec<&Tensor> = plain.iter().collect();
        let made = self.run(&device, &plain, numbers)?;
        grad::custom(self, gradient, inputs, numbers, made)
    }

    fn run(
        &self,
        device: &Arc<dyn Device>,
        inputs: &[&Tensor],
        numbers: &[Scalar],
    ) -> Result<Vec<Tensor>> {
        let outputs = self.results(device, inputs, numbers)?;
        // few: the operands of one call.
        let operands = inputs.iter().map(|x| x.to_read()?.contiguous()?.eval());
        let operands: Vec<Tensor> = operands.collect::<Result<_>>()?;
        if outputs.iter().all(|y| y.numel() == 0) {
            return Ok(outputs);
        }
        let mut launch = Launch {
            inputs: operands.iter().map(arg).collect::<Result<_>>()?,
            outputs: outputs.iter().map(arg).collect::<Result<_>>()?,
            params: numbers.to_vec(), // few: numbers of one call.
            ..Launch::default()
        };
        match &self.work {
            Work::Kernel(kernel) => self.launch(device, kernel, &launch)?,
            Work::Own { cpu, .. } if device.id() == DeviceId::Cpu => {
                let Some(cpu) = cpu else {
                    return Err(self.missing(device, way_out::CPU_FUNCTION));
                };
                let at_once = !is_capturing(DeviceId::Cpu);
                launch.body = Some(Body {
                    op: self.name,
                    cpu: cpu.clone(),
                    operands: at_once.then(|| operands.into()),
                });
                let kernel = Kernel {
                    name: self.name,
                    cpu: call::run,
                };
                self.launch(device, &kernel, &launch)?;
            }
            Work::Own { gpu, .. } => {
                let Some(gpu) = gpu else {
                    return Err(self.missing(device, way_out::GPU_FUNCTION));
                };
                self.on_device(device, &**gpu, &launch, [&operands, &outputs])?;
            }
        }
        Ok(outputs)
    }

    /// Memory for the results.
    fn results(
        &self,
        device: &Arc<dyn Device>,
        inputs: &[&Tensor],
        numbers: &[Scalar],
    ) -> Result<Vec<Tensor>> {
        // few: the operands of one call.
        let forms: Vec<Form> = inputs.iter().map(|x| Form::of(x)).collect();
        let asked = guarded(self.name, "shapes", || (self.shapes)(&forms, numbers))?;
        if asked.is_empty() {
            return Err(broken(
                self.name,
                "its shapes give no result; hint: an operator has at least one",
            ));
        }
        if let Some(form) = asked.iter().find(|form| form.dtype.is_stored()) {
            let what = format!(
                "its shapes give a result of {form}; hint: 8-bit floats are storage, cast what a float16 result has"
            );
            return Err(broken(self.name, what));
        }
        let make = |form: &Form| Tensor::uninit(self.name, &form.shape, form.dtype, device);
        asked.iter().map(make).collect()
    }

    fn launch(&self, device: &Arc<dyn Device>, kernel: &Kernel, launch: &Launch) -> Result<()> {
        // SAFETY: operands and results are row-major and live until this returns, the latter are new; that the kernel keeps to them is the promise
        // of `of_kernel`, or `call::run` does.
        let work = || unsafe { device.launch(kernel, launch) };
        profile::kernel(device, kernel, launch, work)
    }

    /// Has a function of the operator's own write the results, on another device than the CPU.
    fn on_device(
        &self,
        device: &Arc<dyn Device>,
        f: &DeviceFunction,
        launch: &Launch,
        [inputs, outputs]: [&[Tensor]; 2],
    ) -> Result<()> {
        let kernel = Kernel {
            name: self.name,
            cpu: call::run,
        };
        profile::kernel(device, &kernel, launch, || {
            guarded(self.name, "GPU function", || {
                f(inputs, outputs, &launch.params)
            })
        })?;
        let mut all = outputs.iter();
        match all.position(|y| y.numel() > 0 && y.writes() == 0) {
            Some(k) => {
                let what = format!(
                    "its GPU function did not write result {k}; hint: {}",
                    way_out::WRITE
                );
                Err(broken(self.name, what))
            }
            None => Ok(()),
        }
    }

    /// What there is no function for.
    fn missing(&self, device: &Arc<dyn Device>, hint: &str) -> Error {
        broken(
            self.name,
            format!("it has no function for {}; hint: {hint}", device.id()),
        )
    }
}
