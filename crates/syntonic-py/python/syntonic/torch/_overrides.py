"""What tensors that are none of PyTorch's own, modes and tracers of graphs are asked: PyTorch's protocol `__torch_function__`."""

from __future__ import annotations

from functools import wraps

import torch
from torch.overrides import handle_torch_function, has_torch_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])


def overridable(function: F) -> F:
    """The function, of which every argument with `__torch_function__` is asked first, as for PyTorch's own functions: a node of
    `torch.fx`, a subclass of tensors, a mode."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not torch.compiler.is_compiling():
            asked = (*args, *kwargs.values()) if kwargs else args
            if has_torch_function(asked):
                return handle_torch_function(call, asked, *args, **kwargs)
        return function(*args, **kwargs)

    return call  # type: ignore[return-value]


def one_node(forward: F) -> F:
    """The `forward` of a module that `torch.fx` takes as one node, as it does modules of PyTorch: what the module is at the call, such as
    whether it trains, is not written into the graph."""

    @wraps(forward)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        for given in (*args, *kwargs.values()):
            if isinstance(given, torch.fx.Proxy) and given.tracer.root is not self:
                path = given.tracer.path_of_module(self)
                return given.tracer.create_proxy("call_module", path, args, kwargs)
        return forward(self, *args, **kwargs)

    return call  # type: ignore[return-value]
