"""A judge that is killed while it starts is no missing bubblewrap."""

import sys

import pytest

from autograder.judging.judge import Judge
from autograder.sandbox.errors import SandboxUnavailable


@pytest.mark.parametrize(("ends", "how"), [("kill -KILL $$", "SIGKILL"), ("exit 3", "exit status 3")])
def test_it_is_told_as_what_it_is(tmp_path, monkeypatch, ends, how):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{ends}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(
        SandboxUnavailable, match=f"the judge's own process was ended while it started .*{how}"
    ) as caught:
        Judge((), tmp_path).__enter__()
    assert "bubblewrap" not in str(caught.value)
    assert "memory" in str(caught.value)
