"""A model without its dropout, for whatever measures it."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn


@contextmanager
def without_dropout(model: nn.Module) -> Iterator[None]:
    """Evaluation mode within the block; the mode before is restored, that of each part."""
    were_training = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for part, was_training in were_training:
            part.training = was_training
