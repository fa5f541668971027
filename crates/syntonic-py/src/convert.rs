//! Elements as Python numbers, and States as other types.

use crate::arguments::parameter;
use crate::copies::Host;
use crate::device;
use crate::dtype;
use crate::enter::{Turns, enter};
use crate::errors::{Class, error, raise};
use crate::memory::made;
use crate::state::State;
use crate::views::Order;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;
use syntonic_core::{DType, Device, DeviceId, Element, Kind, Scalar, Tensor, cpu, with_element};

/// The elements in row-major order, in the widest type of their kind.
pub(crate) fn scalars(t: &Tensor) -> PyResult<Vec<Scalar>> {
    with_element!(t.dtype(), T => {
        let values = t.host_slice::<T>().map_err(raise)?;
        made::vector(values.iter().map(|x| x.to_scalar()))
    })
}

/// Nested lists of shape `shape` from elements in row-major order.
fn nest<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    values: &[T],
    turns: &mut Turns,
) -> PyResult<Bound<'py, PyAny>> {
    let Some((&len, inner)) = shape.split_first() else {
        return made::number(py, values[0].to_scalar());
    };
    let step = values.len().checked_div(len).unwrap_or(0);
    let item =
        |i: usize, turns: &mut Turns| nest(py, inner, &values[i * step..(i + 1) * step], turns);
    Ok(made::list(py, len, turns, item)?.into_any())
}

#[pymethods]
impl State {
    /// The single element as a Python number; with a position in row-major order, or one for each axis, the element there.
    #[pyo3(signature = (*position))]
    fn item<'py>(
        slf: &Bound<'py, Self>,
        position: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let first = match position.len() {
            0 => return made::number(py, slf.get().one(py)?),
            1 => Some(position.get_item(0)?),
            _ => None,
        };
        let one = match first {
            Some(first) if !first.is_instance_of::<PyTuple>() => {
                State::ravel(slf.get(), py, None)?.get_item(first)?
            }
            Some(places) => slf.get_item(places)?,
            None => slf.get_item(position)?,
        };
        let one = one.cast_into::<State>()?;
        made::number(py, one.get().one(py)?)
    }

    /// The elements as nested lists of Python numbers.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let t = &self.tensor.stop_gradient();
        let work = t.numel().max(t.waiting());
        let here = enter(py, work, || t.to(&cpu())?.contiguous()?.eval())?;
        with_element!(here.dtype(), T => {
            let values = here.host_slice::<T>().map_err(raise)?;
            nest::<T>(py, here.shape(), &values, &mut Turns::new())
        })
    }

    /// The same values as another type; a copy unless `copy=False` and the type is the same. `casting` says which conversions
    /// are allowed, in NumPy's words; `order` and `subok` change no value, and are accepted.
    #[pyo3(
        signature = (dtype, copy=None, *, order=None, casting=None, subok=None),
        text_signature = "($self, dtype, copy=True, *, order='K', casting='unsafe', subok=True)"
    )]
    fn astype(
        &self,
        py: Python<'_>,
        dtype: &Bound<'_, PyAny>,
        copy: Option<&Bound<'_, PyAny>>,
        order: Option<&Bound<'_, PyAny>>,
        casting: Option<&Bound<'_, PyAny>>,
        subok: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<State> {
        let copy = copy.map_or(Ok(true), |c| parameter("astype", "copy").flag(c))?;
        Order::read("astype", order)?;
        if let Some(subok) = subok {
            parameter("astype", "subok").flag(subok)?;
        }
        let wanted = dtype::parse(dtype)?;
        let t = &self.tensor;
        if let Some(casting) = casting {
            Casting::read("astype", casting)?.check("astype", t.dtype(), wanted)?;
        }
        let same = wanted == t.dtype();
        enter(py, t.numel(), || {
            if same && copy {
                t.copy()
            } else {
                t.cast(wanted)
            }
        })
        .map(State::from)
    }

    /// A copy in memory of its own, row-major whatever `order` says.
    #[pyo3(signature = (order=None), text_signature = "($self, order='C')")]
    fn copy(&self, py: Python<'_>, order: Option<&Bound<'_, PyAny>>) -> PyResult<State> {
        Order::read("copy", order)?;
        Ok(enter(py, self.tensor.numel(), || self.tensor.copy())?.into())
    }

    /// The same values on another device, as another type, or both as those of another State; itself if it is
    /// there already and `copy` is false.
    /// With `non_blocking` the host does not wait for a copy from or to page-locked memory.
    #[pyo3(
        signature = (target, dtype=None, *, copy=None, non_blocking=None),
        text_signature = "($self, target, dtype=None, *, copy=False, non_blocking=False)"
    )]
    fn to<'py>(
        slf: &Bound<'py, Self>,
        target: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<&Bound<'py, PyAny>>,
        non_blocking: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, State>> {
        let copy = copy.map_or(Ok(false), |c| parameter("to", "copy").flag(c))?;
        let host = Host::read("to", non_blocking)?;
        let py = slf.py();
        let (device, named) = Target::read(target)?.parts();
        let device = match device {
            Some(id) => device::usable(py, id)?,
            None => slf.get().tensor.device().clone(),
        };
        let wanted = dtype::parse_optional(dtype)?.or(named);
        moved(slf, &device, wanted, copy, host)
    }

    /// The same values on another device, as the Array API names it.
    #[pyo3(signature = (device, /, *, stream=None))]
    fn to_device<'py>(
        slf: &Bound<'py, Self>,
        device: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, State>> {
        if stream.is_some_and(|s| !s.is_none()) {
            return Err(error(
                Class::Argument,
                "to_device: a copy goes to the current stream; hint: `with stream:` around the call",
            ));
        }
        let device = device::parse(slf.py(), Some(device))?;
        moved(slf, &device, None, false, Host::Waits)
    }

    /// The State on the CPU.
    fn cpu<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, State>> {
        moved(slf, &cpu(), None, false, Host::Waits)
    }

    /// The State on a GPU: of this number, or of the default device, or the first. With `non_blocking` the host does not wait for
    /// a copy from page-locked memory.
    #[pyo3(signature = (device=None, non_blocking=None), text_signature = "($self, device=None, non_blocking=False)")]
    fn cuda<'py>(
        slf: &Bound<'py, Self>,
        device: Option<&Bound<'py, PyAny>>,
        non_blocking: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, State>> {
        let host = Host::read("cuda", non_blocking)?;
        let id = match device.filter(|d| !d.is_none()) {
            None => DeviceId::Cuda(device::default_gpu()),
            Some(named) => device::read(named)?,
        };
        if id == DeviceId::Cpu {
            return Err(error(
                Class::Argument,
                "cuda: the CPU is no GPU; hint: .cpu()",
            ));
        }
        moved(slf, &device::usable(slf.py(), id)?, None, false, host)
    }
}

/// Which conversions are allowed, in NumPy's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Casting {
    /// None.
    No,
    /// Those that keep every value.
    Safe,
    /// Those that keep the kind of number.
    SameKind,
    /// All.
    Unsafe,
}

impl Casting {
    fn read(op: &'static str, casting: &Bound<'_, PyAny>) -> PyResult<Casting> {
        let words = [
            ("no", Casting::No),
            ("equiv", Casting::No),
            ("safe", Casting::Safe),
            ("same_kind", Casting::SameKind),
            ("unsafe", Casting::Unsafe),
        ];
        parameter(op, "casting").word(casting, &words)
    }

    fn check(self, op: &str, from: DType, to: DType) -> PyResult<()> {
        // From the narrowest kind of number to the widest; of integers the unsigned ones have fewer.
        let rank = |d: DType| match d.kind() {
            Kind::Bool => 0,
            Kind::Unsigned => 1,
            Kind::Signed => 2,
            Kind::Float | Kind::Stored => 3,
            Kind::Complex => 4,
        };
        // Floats of twice their bytes hold all integers, and NumPy says so of float64 for those of its own size, too.
        let holds = to.real() == DType::F64 || from.size() < to.real().size();
        let keeps = from.promote(to) == to
            && !from.is_stored()
            && (!from.is_integer() || to.is_integer() || holds);
        let allowed = match self {
            Casting::No => from == to,
            Casting::Safe => from == to || keeps,
            Casting::SameKind => rank(from) <= rank(to),
            Casting::Unsafe => true,
        };
        match allowed {
            true => Ok(()),
            false => Err(error(
                Class::DType,
                format!(
                    "{op}: {from} to {to} is no conversion that this casting allows; hint: casting=\"unsafe\""
                ),
            )),
        }
    }
}

/// What [`State::to`] was asked for.
enum Target {
    Device(DeviceId),
    Type(DType),
    As(DeviceId, DType),
}

impl Target {
    fn read(obj: &Bound<'_, PyAny>) -> PyResult<Target> {
        if let Ok(state) = obj.cast::<State>() {
            let t = &state.get().tensor;
            return Ok(Target::As(t.device_id(), t.dtype()));
        }
        // A string that names no device may name a type; if it names neither, the complaint is about devices.
        let is_name = obj.is_instance_of::<pyo3::types::PyString>();
        match device::read(obj) {
            Ok(id) => Ok(Target::Device(id)),
            Err(complaint) => match dtype::parse(obj) {
                Ok(dtype) => Ok(Target::Type(dtype)),
                Err(_) if is_name => Err(complaint),
                Err(other) => Err(other),
            },
        }
    }

    fn parts(self) -> (Option<DeviceId>, Option<DType>) {
        match self {
            Target::Device(id) => (Some(id), None),
            Target::Type(dtype) => (None, Some(dtype)),
            Target::As(id, dtype) => (Some(id), Some(dtype)),
        }
    }
}

/// The values on `device` as `dtype`: the State itself where it is that already, unless a copy was asked for. What
/// travels is the narrower of the two types, unless the host is not to wait: then the values travel as they lie.
fn moved<'py>(
    slf: &Bound<'py, State>,
    device: &Arc<dyn Device>,
    dtype: Option<DType>,
    copy: bool,
    host: Host,
) -> PyResult<Bound<'py, State>> {
    let (py, t) = (slf.py(), &slf.get().tensor);
    let dtype = dtype.unwrap_or(t.dtype());
    let (same_place, same_type) = (t.device_id() == device.id(), t.dtype() == dtype);
    if same_place && same_type && !copy {
        return Ok(slf.clone());
    }
    let out = enter(py, t.numel(), || match (same_place, same_type) {
        (true, true) => t.copy(),
        (true, false) => t.cast(dtype),
        (false, _) if host == Host::Waits && dtype.size() < t.dtype().size() => {
            t.cast(dtype)?.to(device)
        }
        (false, _) => host.bring(t, device)?.cast(dtype),
    })?;
    Bound::new(py, State::from(out))
}
