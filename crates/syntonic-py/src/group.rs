//! Groups of ranks: threads of this process, or processes.

use crate::arguments::parameter;
use crate::cuda::gpu;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use syntonic_core::fork::lock;
use syntonic_core::group::{self, Alone, Group, Meeting, SECRET, Secret, Tcp};

const OP: &str = "Group";
/// A wait may take long.
const LONG: usize = usize::MAX;

/// One rank among several that make the same calls in the same order.
#[pyclass(frozen, name = "Group", module = "syntonic.distributed")]
pub(crate) struct PyGroup {
    rank: usize,
    size: usize,
    /// Nothing once it was closed.
    group: Mutex<Option<Arc<dyn Group>>>,
}

impl From<Arc<dyn Group>> for PyGroup {
    fn from(group: Arc<dyn Group>) -> PyGroup {
        PyGroup {
            rank: group.rank(),
            size: group.size(),
            group: Mutex::new(Some(group)),
        }
    }
}

impl PyGroup {
    fn take(&self) -> Option<Arc<dyn Group>> {
        lock(&self.group).take()
    }

    pub(crate) fn open(&self) -> PyResult<Arc<dyn Group>> {
        let group = lock(&self.group);
        group.clone().ok_or_else(|| {
            error(
                Class::Group,
                "Group: it is closed; hint: make another one on every rank",
            )
        })
    }
}

/// Seconds as an argument gives them.
fn timeout(seconds: Option<&Bound<'_, PyAny>>) -> PyResult<Duration> {
    let Some(seconds) = seconds.filter(|s| !s.is_none()) else {
        return Ok(group::TIMEOUT);
    };
    let seconds = parameter(OP, "timeout").real(seconds)?;
    let found = Duration::try_from_secs_f64(seconds).ok();
    found.filter(|t| !t.is_zero()).ok_or_else(|| {
        let text = format!("Group: a timeout of {seconds} seconds; hint: a positive number");
        error(Class::Argument, text)
    })
}

/// The secret that an argument or, without one, the environment gives.
fn secret(py: Python<'_>, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Secret>> {
    let environment;
    let given = match given.filter(|given| !given.is_none()) {
        Some(given) => given,
        None => {
            environment = py
                .import("os")?
                .getattr("environ")?
                .call_method1("get", (SECRET,))?;
            &environment
        }
    };
    if given.is_none() {
        return Ok(None);
    }
    let made = match given.cast::<PyBytes>() {
        Ok(bytes) => Secret::new(bytes.as_bytes()),
        Err(_) => Secret::new(parameter(OP, "secret").text(given)?.trim()),
    };
    made.map(Some).map_err(raise)
}

#[pymethods]
impl PyGroup {
    /// The group that the environment describes.
    #[staticmethod]
    #[pyo3(signature = (timeout=None))]
    fn from_env(py: Python<'_>, timeout: Option<&Bound<'_, PyAny>>) -> PyResult<PyGroup> {
        let patience = self::timeout(timeout)?;
        Ok(enter(py, LONG, || group::from_env(patience))?.into())
    }

    /// A rank among processes that meet at an address.
    #[staticmethod]
    #[pyo3(signature = (rank, size, address, port, timeout=None, secret=None))]
    fn connect(
        py: Python<'_>,
        rank: &Bound<'_, PyAny>,
        size: &Bound<'_, PyAny>,
        address: &Bound<'_, PyAny>,
        port: &Bound<'_, PyAny>,
        timeout: Option<&Bound<'_, PyAny>>,
        secret: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGroup> {
        let meeting = Meeting {
            rank: parameter(OP, "rank").size(rank)?,
            size: parameter(OP, "size").size(size)?,
            address: parameter(OP, "address").text(address)?,
            port: parameter(OP, "port").integer(port)?,
            timeout: self::timeout(timeout)?,
            secret: self::secret(py, secret)?,
        };
        let met: Arc<dyn Group> = Arc::new(enter(py, LONG, || Tcp::meet(&meeting))?);
        Ok(met.into())
    }

    /// A rank for each of so many threads of this process.
    #[staticmethod]
    #[pyo3(signature = (size, timeout=None))]
    fn threads(
        size: &Bound<'_, PyAny>,
        timeout: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<PyGroup>> {
        const MOST: usize = 4096;
        let size = parameter(OP, "size").size(size)?;
        if size > MOST {
            let text = format!("Group: {size} threads; hint: {MOST} at most");
            return Err(error(Class::Argument, text));
        }
        let ranks = group::threads(size, self::timeout(timeout)?).into_iter();
        Ok(ranks
            .map(|rank| PyGroup::from(Arc::new(rank) as Arc<dyn Group>))
            .collect())
    }

    /// The only rank of its group.
    #[staticmethod]
    fn alone() -> PyGroup {
        PyGroup::from(Arc::new(Alone) as Arc<dyn Group>)
    }

    /// The same ranks, whose States on the GPU are gathered by NCCL, without the host.
    #[pyo3(signature = (device=None, timeout=None))]
    fn with_nccl(
        &self,
        py: Python<'_>,
        device: Option<&Bound<'_, PyAny>>,
        timeout: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGroup> {
        let (group, gpu, patience) = (self.open()?, gpu(py, device)?, self::timeout(timeout)?);
        // NVLink multicast is off unless somebody has turned it on: not every host allows it.
        let environment = py.import("os")?.getattr("environ")?;
        environment.call_method1("setdefault", ("NCCL_NVLS_ENABLE", "0"))?;
        let made = enter(py, LONG, || {
            syntonic_cuda::nccl::Ranks::new(group, gpu, patience)
        })?;
        Ok(PyGroup::from(Arc::new(made) as Arc<dyn Group>))
    }

    #[getter]
    fn rank(&self) -> usize {
        self.rank
    }

    #[getter]
    fn size(&self) -> usize {
        self.size
    }

    /// The States of all ranks, of any types and shapes.
    fn all_gather(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<Vec<State>> {
        let (group, x) = (self.open()?, operand::tensor(x)?);
        let all = enter(py, LONG, || group::gather(&*group, &x))?;
        Ok(all.into_iter().map(State::from).collect())
    }

    /// The bytes of all ranks.
    fn all_gather_bytes<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyBytes>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (group, data) = (self.open()?, data.as_bytes());
        let all = enter(py, LONG, || group.all_gather(data))?;
        Ok(all.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
    }

    /// The shares of all ranks, one behind the other.
    fn concat(
        &self,
        py: Python<'_>,
        part: &Bound<'_, PyAny>,
        total: &Bound<'_, PyAny>,
    ) -> PyResult<State> {
        let (group, part) = (self.open()?, operand::tensor(part)?);
        let total = parameter("concat", "total").size(total)?;
        let lengths = group::lengths(total, self.size);
        Ok(enter(py, LONG, || group.concat(&part, &lengths))?.into())
    }

    /// From which of so many items up to which are this rank's.
    fn share(&self, total: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
        let total = parameter("share", "total").size(total)?;
        let share = group::share(total, self.rank, self.size);
        Ok((share.start, share.end))
    }

    fn barrier(&self, py: Python<'_>) -> PyResult<()> {
        let group = self.open()?;
        enter(py, LONG, || group.barrier())
    }

    /// Tells the others that this rank gives up, and why.
    fn abort(&self, py: Python<'_>, why: &Bound<'_, PyAny>) -> PyResult<()> {
        let (group, why) = (self.open()?, parameter("abort", "why").text(why)?);
        enter(py, LONG, || {
            group.abort(&why);
            Ok(())
        })
    }

    /// Leaves the group.
    fn close(&self, py: Python<'_>) {
        let group = self.take();
        py.detach(|| drop(group));
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (kind, raised, trace, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        raised: &Bound<'_, PyAny>,
        trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = trace;
        let why = match raised.is_none() {
            true => None,
            false => Some(format!("raised {}: {raised}", kind.getattr("__name__")?)),
        };
        let group = self.take();
        py.detach(|| {
            if let (Some(group), Some(why)) = (&group, why) {
                group.abort(&why);
            }
            drop(group);
        });
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Group(rank={}, size={})", self.rank, self.size)
    }
}
