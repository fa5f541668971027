//! A queue of requests for user-defined programs, answered by a persistent kernel.
//!
//! Programs are plans of stages, and functions of small tensors; they are registered before the kernel is made, and assembled into it. The
//! kernel has some lanes, thread blocks that each take every so many'th request from the host's memory, run its program, and write the
//! results back, without a launch for each. Any number of threads may ask at once, and wait for results in any order. A request may read
//! results of earlier ones: it waits for those on the device, without the host in between.
//!
//! What holds of leases holds here too, see [`service`](super): the kernel ends by itself, and the next request begins another.
//!
//! ```
//! use syntonic_core::{DType, Tensor, stages};
//! use syntonic_cuda::service::{Operand, Programs, Queue, Argument, Settings};
//!
//! stages! {
//!     /// How far a prediction is off, squared.
//!     struct Miss(a: [m, n], x: [n], seen: [m]) -> (e) {
//!         #[stage(1)] y: [m] = product(a, x);
//!         #[stage(2, reduction = sum)] e: [] = |y, seen| (seen - y) * (seen - y);
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! if syntonic_cuda::is_available() {
//!     let gpu = syntonic_cuda::open(0)?;
//!     let mut programs = Programs::new(&gpu);
//!     // The matrix stays on the GPU; the vectors come with each request.
//!     let a = Tensor::from([[1.0, 0.0], [1.0, 1.0]]);
//!     let vector = Operand::Spec(&[2], DType::F64);
//!     let miss = programs.plan(Miss::plan(), &[Operand::Kept(&a), vector, vector])?;
//!     match Queue::start(programs, 2, Settings::default()) {
//!         Ok(queue) => {
//!             let (x, seen) = (Tensor::from([1.0, 2.0]), Tensor::from([1.0, 5.0]));
//!             let request = queue.submit(&miss, &[Argument::Tensor(&x), Argument::Tensor(&seen)])?;
//!             assert_eq!(request.wait()?[0].to_scalar::<f64>()?, 4.0);
//!         }
//!         // A GPU with a display.
//!         Err(refused) => println!("{refused}"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod engine;
mod programs;
mod request;
mod ring;
mod shared;

pub use programs::{Operand, Program, Programs};
pub use request::{Argument, Queue, Request};
