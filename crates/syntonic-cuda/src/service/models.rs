//! Linear models that a service keeps in the GPU's memory, and in shared memory while one is asked again and again.

use super::engine::STAGED;
use crate::context::gpu::Cuda;
use crate::foreign::address;
use crate::infer::{BeliefParams, SLICE, in_cluster};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use syntonic_core::{DType, Device, Error, Result, Tensor, describe, room};

/// A linear model of what is observed, `o = J mu + reference` with noise, and what is believed a priori. Real floats on any device; the
/// service has its own copies in `float64`.
#[derive(Clone, Copy, Debug)]
pub struct Linear<'a> {
    /// `J`, `[m, n]`.
    pub jacobian: &'a Tensor,
    /// One over the variances of the noise, `[m]`.
    pub precision: &'a Tensor,
    /// What is observed where all states are 0, `[m]`; zeros where there is none.
    pub reference: Option<&'a Tensor>,
    /// Mean and precision a priori, `[n]` each; flat where there are none.
    pub prior: Option<[&'a Tensor; 2]>,
}

/// A model that a service has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Of the service, since numbers are its own.
    pub(super) owner: u64,
    pub(super) number: u64,
    /// Observations.
    pub(super) m: usize,
    /// States.
    pub(super) n: usize,
}

impl Model {
    /// Observations and states.
    ///
    /// ```
    /// # use syntonic_cuda::service::{Linear, Service, Settings};
    /// # use syntonic_core::{DeviceId, Tensor};
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     let (jacobian, precision) = (Tensor::from([[1.0], [2.0], [3.0]]), Tensor::from([1.0; 3]));
    ///     let linear = Linear { jacobian: &jacobian, precision: &precision, reference: None, prior: None };
    ///     assert_eq!(service.register(linear)?.sizes(), [3, 1]);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn sizes(&self) -> [usize; 2] {
        [self.m, self.n]
    }

    /// The number that the first argument of [`Operation::BeliefUpdate`](super::Operation) names it by.
    ///
    /// ```
    /// # use syntonic_cuda::service::{Linear, Operation, Service, Settings};
    /// # use syntonic_core::{DeviceId, Tensor};
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     let (jacobian, precision) = (Tensor::from([[1.0]]), Tensor::from([1.0]));
    ///     let linear = Linear { jacobian: &jacobian, precision: &precision, reference: None, prior: None };
    ///     let model = service.register(linear)?;
    ///     // One step of rate 0.5 from the mean 0, where 4 is observed, by the numbers alone.
    ///     let [number, steps] = [model.number(), 1].map(f64::from_bits);
    ///     let mut answers = [0.0; 5];
    ///     service.call(Operation::BeliefUpdate, &[number, steps, 0.5, 0.0, 0.0, 4.0], &mut answers)?;
    ///     assert_eq!((answers[0], answers[1].to_bits()), (2.0, 1));
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// The models of one service.
#[derive(Debug)]
pub(super) struct Models {
    owner: u64,
    /// A row of [`WORDS`] words for each, and the same in the GPU's memory.
    rows: Vec<u64>,
    table: Option<Tensor>,
    /// What the rows point to.
    memory: Vec<Tensor>,
    /// Bytes of shared memory of the largest.
    shared: u32,
}

/// Words of a row.
const WORDS: usize = size_of::<BeliefParams>() / 8;
const OP: &str = "register";

impl Default for Models {
    fn default() -> Models {
        static OWNERS: AtomicU64 = AtomicU64::new(0);
        Models {
            owner: OWNERS.fetch_add(1, Ordering::Relaxed),
            rows: Vec::new(),
            table: None,
            memory: Vec::new(),
            shared: 0,
        }
    }
}

impl Models {
    pub(super) fn known(&self) -> u32 {
        (self.rows.len() / WORDS) as u32
    }

    pub(super) fn shared(&self) -> u32 {
        self.shared
    }

    /// The address of the table; 0 where there are no models.
    pub(super) fn address(&self) -> Result<u64> {
        Ok(self.table.as_ref().map(address).transpose()?.unwrap_or(0))
    }

    /// Whether a model is one of these.
    pub(super) fn has(&self, model: &Model) -> bool {
        model.owner == self.owner && model.number < u64::from(self.known())
    }

    /// Adds one, for clusters of `blocks` blocks that have `room` bytes of shared memory each, and slots of `most` doubles. No lease
    /// runs meanwhile.
    pub(super) fn add(
        &mut self,
        gpu: &Arc<Cuda>,
        linear: Linear<'_>,
        (blocks, room): (u32, u64),
        most: usize,
    ) -> Result<Model> {
        let [m, n] = sizes(linear)?;
        let cut = in_cluster([m as u64, n as u64], blocks.into(), room);
        let Some((cut, packets)) = cut.filter(|_| m <= STAGED && 4 + n + m <= most) else {
            let text = format!(
                "a Jacobian [{m}, {n}] in float64 does not fit into the shared memory of {blocks} blocks, which have {room} bytes each, or \
                 a request for it needs {} doubles, of which the service has {most}, with at most {STAGED} rows; hint: \
                 infer::belief_update takes any size, and a graph replays it",
                4 + n + m,
            );
            return Err(Error::value(OP, text));
        };
        let device: Arc<dyn Device> = gpu.clone();
        let own =
            |x: &Tensor| -> Result<Tensor> { x.to(&device)?.cast(DType::F64)?.copy()?.eval() };
        let scratch =
            |bytes: u64| Tensor::zeros_on(&[bytes as usize / 8 + 2], DType::F64, &device)?.eval();
        // The places of a row that point to memory, in its order.
        let prior = linear.prior;
        let given = [
            Some(linear.jacobian),
            Some(linear.precision),
            linear.reference,
            prior.map(|p| p[0]),
            prior.map(|p| p[1]),
        ];
        let [jacobian, precision, reference, prior_mean, prior_precision] =
            given.map(|x| x.map(own));
        let mut memory: Vec<Tensor> = Vec::new(); // few: seven.
        let mut keep = |x: Option<Result<Tensor>>| -> Result<u64> {
            match x.transpose()? {
                None => Ok(0),
                Some(x) => {
                    let at = address(&x)?;
                    memory.push(x);
                    Ok(at)
                }
            }
        };
        let params = BeliefParams {
            jacobian: keep(jacobian)?,
            precision: keep(precision)?,
            reference: keep(reference)?,
            prior_mean: keep(prior_mean)?,
            prior_precision: keep(prior_precision)?,
            packets: keep(Some(scratch(packets[0])))?,
            energies: keep(Some(scratch(packets[1])))?,
            each: cut.shared,
            m: m as u64,
            n: n as u64,
            agents: 1,
            slices: (n as u64).div_ceil(SLICE),
            lead: cut.lead,
            teams: 1,
            blocks,
            kept: cut.kept as u32,
            all_held: cut.all_held.into(),
            clustered: cut.clustered.into(),
            in_cluster: cut.in_cluster.into(),
            ..BeliefParams::default()
        };
        let mut rows = room::copied(&self.rows)?;
        room::grow(&mut rows, WORDS)?;
        rows.extend(params.words());
        let table = Tensor::from_slice(&rows, &[rows.len()])?.to(&device)?;
        // Leases run on another stream, which sees what is complete.
        gpu.context().synchronize(OP)?;
        let number = u64::from(self.known());
        room::grow(&mut self.memory, memory.len())?;
        self.memory.append(&mut memory);
        (self.rows, self.table) = (rows, Some(table));
        self.shared = self.shared.max(cut.shared as u32);
        Ok(Model {
            owner: self.owner,
            number,
            m,
            n,
        })
    }
}

/// Observations and states, where everything fits.
fn sizes(linear: Linear<'_>) -> Result<[usize; 2]> {
    let mut all = vec![linear.jacobian, linear.precision]; // few: five.
    all.extend(linear.reference);
    all.extend(linear.prior.iter().flatten());
    if all.iter().any(|x| !x.dtype().is_float()) {
        return Err(Error::DType {
            op: OP,
            operands: describe(&all),
            hint: "a model has real floats; convert with .cast(dtype)".to_owned(),
        });
    }
    let refuse = || {
        Error::Shape {
        op: OP,
        operands: describe(&all),
        hint: "the Jacobian is [m, n] with at least one of each, precision and reference are [m], and the prior has [n] twice"
            .to_owned(),
    }
    };
    let &[m, n] = linear.jacobian.shape() else {
        return Err(refuse());
    };
    let rows = [Some(linear.precision), linear.reference];
    let states = linear.prior.iter().flatten();
    let fits = rows.into_iter().flatten().all(|x| x.shape() == [m]);
    if m == 0 || n == 0 || !fits || !states.into_iter().all(|x| x.shape() == [n]) {
        return Err(refuse());
    }
    Ok([m, n])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_holds_a_model_of_900_states_and_one_block_does_not() {
        let cut = |sizes, blocks, room: u64| in_cluster(sizes, blocks, room << 10);
        // 29 slices, four a block: rows of 34 doubles, five numbers of each state, four of each observation beside the rows' own, four
        // predictions of each row, two sums of slices, and packets.
        let columns = 4 * 128 * 34;
        let vectors = 5 * 128 + 128 + 300 + 400 + 4 * 2;
        let packets = 2 * (2 * 8 * 100 + 4 * 8 + 6);
        let bytes = 8 * (columns + vectors + packets);
        assert_eq!(
            cut([100, 900], 8, 190).map(|(cut, _)| cut.shared),
            Some(bytes)
        );
        let elsewhere = cut([100, 900], 8, 170).map(|(cut, packets)| (cut.in_cluster, packets));
        // With a place for sums of all rows.
        assert_eq!(
            elsewhere,
            Some((false, [2 * 9 * 100 * 16, (4 * 9 + 6) * 16]))
        );
        assert_eq!(cut([100, 900], 8, 140), None);
        assert_eq!(cut([100, 900], 1, 227), None);
        assert_eq!(cut([u64::MAX / 2, u64::MAX], 1, 227), None);
    }

    #[test]
    fn shapes_and_types_that_do_not_fit_are_refused_with_the_way_out() -> Result<()> {
        let x = |shape: &[usize]| Tensor::zeros(shape, DType::F64);
        let (jacobian, three, two) = (x(&[3, 2])?, x(&[3])?, x(&[2])?);
        let whole = Linear {
            jacobian: &jacobian,
            precision: &three,
            reference: Some(&three),
            prior: Some([&two, &two]),
        };
        assert_eq!(sizes(whole)?, [3, 2]);
        let (none, integers) = (x(&[0, 2])?, Tensor::zeros(&[3], DType::I64)?);
        let wrong = [
            Linear {
                precision: &two,
                ..whole
            },
            Linear {
                reference: Some(&two),
                ..whole
            },
            Linear {
                prior: Some([&two, &three]),
                ..whole
            },
            Linear {
                jacobian: &three,
                ..whole
            },
            Linear {
                jacobian: &none,
                precision: &x(&[0])?,
                reference: None,
                ..whole
            },
            Linear {
                reference: Some(&integers),
                ..whole
            },
        ];
        for linear in wrong {
            let text = sizes(linear).err().map(|e| e.to_string());
            let text = text.unwrap_or_default();
            assert!(text.starts_with("register: "), "{text}");
            assert!(text.contains("hint"), "{text}");
        }
        Ok(())
    }
}
