"""What many submissions import is imported once, before the fork; what cannot be imported is told to who does."""

import pytest
from learners import GIVEN, ROOT, Learner

from autograder.authoring.assignment import load
from autograder.records.job import Limits
from autograder.sandbox.sandboxes import Sandbox

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(ROOT, GIVEN, Limits()) as sandbox:
        yield sandbox


def has(sandbox, module):
    learner = Learner(sandbox)
    try:
        return learner(f"import sys; print({module!r} in sys.modules)")
    finally:
        learner.end()


def test_given_modules_are_there(sandbox):
    assert has(sandbox, "seq2seq.scorer") == "True"


def test_what_is_asked_for_is_there_from_then_on(sandbox):
    assert has(sandbox, "wave") == "False"
    sandbox.make_imports(["wave", "no_such_module"])
    assert has(sandbox, "wave") == "True"


def test_an_exercise_that_trains_has_the_optimisers_module_imported():
    assert load(ROOT, "16_capstone").slow_imports == ("torch._dynamo",)
    assert load(ROOT, "04_lookup").slow_imports == ()
