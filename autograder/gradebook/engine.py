"""How nbgrader's looks into a gradebook, of which it takes half a dozen a submission, share what they need."""

from collections.abc import Callable
from functools import cache
from typing import Any

from nbgrader import api
from sqlalchemy import Engine
from sqlalchemy.pool import NullPool


def share_engines() -> None:
    """Lets all of nbgrader's looks into a gradebook, in this process and from now on, share one engine.

    nbgrader opens the gradebook half a dozen times a submission, each time by an engine of its own; what SQLAlchemy
    compiles is kept in the engine, and would be compiled anew each time: 0.04 s a submission.
    """
    if not hasattr(api.create_engine, "cache_info"):
        api.create_engine = cache(api.create_engine)


def close_connections() -> None:
    """Lets nbgrader, in this process and from now on, close a connection to a server when it is done with it.

    It closes no engine, and a server allows only so many connections.
    """
    if not isinstance(api.create_engine, _Closing):
        api.create_engine = _Closing(api.create_engine)


class _Closing:
    def __init__(self, create: Callable[..., Engine]) -> None:
        self.create = create

    def __call__(self, url: str, **options: Any) -> Engine:
        return self.create(url, **options if url.startswith("sqlite") else options | {"poolclass": NullPool})
