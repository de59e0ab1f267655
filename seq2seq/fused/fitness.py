"""Whether a fused loop may replace a module: only if the module computes what the loop was written for."""

from functools import cache

from torch import nn


def computes_as(module: nn.Module, *kinds: type) -> bool:
    """Whether the module computes what one of these classes does.

    A subclass does, unless it overrides a method that computes; a module with hooks or with methods set on the instance
    does not, because a fused loop would bypass them.
    """
    kind = next((kind for kind in kinds if isinstance(module, kind) and not _overridden(type(module), kind)), None)
    return kind is not None and not (
        _methods(kind) & set(vars(module)) or module._forward_hooks or module._forward_pre_hooks
    )


@cache
def _methods(kind: type) -> frozenset[str]:
    """Those that compute: all that the class and its bases below nn.Module define, except ``__init__``."""
    above = kind.__mro__[: kind.__mro__.index(nn.Module)]
    return frozenset({name for one in above for name, value in vars(one).items() if callable(value)} - {"__init__"})


def _overridden(own: type, kind: type) -> bool:
    below = own.__mro__[: own.__mro__.index(kind)]
    return any(name in vars(one) for one in below for name in (*_methods(kind), "__call__"))
