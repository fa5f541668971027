"""Named tuples as `typing.NamedTuple` makes them, without the module `typing`, which takes longer to import than all of ours."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Record(type):
        """Makes a subclass of `NamedTuple` a named tuple of its annotations, with what else its body has."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = body.get("__annotations__", {})
            made = namedtuple(name, fields, defaults=[body[f] for f in fields if f in body], module=body["__module__"])
            made.__annotations__ = made.__new__.__annotations__ = dict(fields)
            for key, value in body.items():
                if key not in fields and key not in ("__annotations__", "__module__", "__classcell__"):
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Record):
        """What a class of named fields is derived from; it is a tuple of them then, and no subclass of this."""
