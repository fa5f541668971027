//! Numbers of the host beside tensors of another device: a tensor without axes is its value at that moment.

use super::{Arg, tensors};
use crate::device::DeviceId;
use crate::error::Result;
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// What `call` makes of the arguments on one device, where those that lie on the host have no axes and the others lie on one device; nothing
/// where that is not so. Tracked tensors stay where they are: a slope would have to come back.
#[cold]
pub(super) fn beside(
    args: &[Arg<'_>],
    call: impl FnOnce(&[Arg<'_>]) -> Result<Tensor>,
) -> Result<Option<Tensor>> {
    let all = tensors(args);
    let far = all.iter().find(|t| t.device_id() != DeviceId::Cpu);
    let Some(device) = far.map(|t| t.device()) else {
        return Ok(None);
    };
    let is_number = |t: &Tensor| t.device_id() == DeviceId::Cpu && t.ndim() == 0 && !t.is_tracked();
    if !all
        .iter()
        .all(|t| t.device_id() == device.id() || is_number(t))
    {
        return Ok(None);
    }
    let moved = args.iter().map(|arg| match arg {
        Arg::Tensor(t) if is_number(t) => {
            Tensor::full_on(&[], t.item()?, t.dtype(), device).map(Some)
        }
        _ => Ok(None),
    });
    let moved: SmallVec<[Option<Tensor>; 3]> = moved.collect::<Result<_>>()?;
    let args = args.iter().zip(&moved);
    let args: SmallVec<[Arg<'_>; 3]> = args
        .map(|(arg, moved)| moved.as_ref().map_or(*arg, Arg::Tensor))
        .collect();
    call(&args).map(Some)
}
