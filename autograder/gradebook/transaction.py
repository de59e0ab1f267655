"""One transaction over nbgrader's functions, each of which would commit."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import scoped_session

# nbgrader logs database errors here with a traceback, then raises what is reported in one line.
LOG = logging.getLogger("tornado.application")


@contextmanager
def transaction(session: scoped_session) -> Iterator[None]:
    """One transaction: commits inside it only flush, and an error rolls everything back."""
    session.commit = session.flush  # type: ignore[method-assign]
    LOG.disabled = True
    try:
        yield
        del session.commit
        session.commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        LOG.disabled = False
        session.__dict__.pop("commit", None)
