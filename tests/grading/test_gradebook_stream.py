import signal

import pytest

from autograder.grading.gradebook_stream import deferred_interrupts


def test_an_interrupt_inside_comes_when_the_block_is_left():
    reached = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end of the block")
        reached.append("never")
    assert reached == ["the end of the block"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_an_interrupt_nothing_happens():
    before = signal.getsignal(signal.SIGTERM)
    with deferred_interrupts():
        pass
    assert signal.getsignal(signal.SIGTERM) is before
