"""Every task against the catalogue: each wrong answer is told its mistake, each right one passes.

A test says of every answer to its task what goes wrong with it; what it says begins with the answer's name.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import starmap

import pytest
import torch

from autograder.checking import draw, equal
from autograder.checking.checker import examine
from autograder.checking.observation import Candidate
from autograder.checking.task import PLAIN, Task
from tests.catalogue import answers as catalogue
from tests.catalogue.lesson import edits, lesson, names, tasks

SEEDS = (*range(19), 20260731)
each_task = pytest.mark.parametrize(("name", "task"), tasks())
each_assignment = pytest.mark.parametrize("name", names())

# a wrong answer's, in a notebook too
pytestmark = pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad")


@pytest.fixture(autouse=True)
def _one_thread_seed_zero():
    torch.set_num_threads(1)
    draw.seed = 0
    yield
    draw.seed = 0


def misses(answer: catalogue.Answer, both: bool) -> Iterator[str]:
    """What the checks, at the seed that is set, get wrong about an answer; ``both``: each is asked of a wrong one."""
    torch.manual_seed(0)  # an answer that draws numbers is told the same, whichever tests ran before
    exercise = lesson(answer.assignment)
    space = exercise.run(answer)
    visible = exercise.finding(answer.task, "visible", space)
    hidden = exercise.finding(answer.task, "hidden", space) if both or answer.caught != "visible" else None
    if not answer.caught:
        yield from (f"is told {finding}" for finding in (visible, hidden) if finding)
        return
    if answer.caught == "hidden" and visible is not None:
        yield f"the visible check cannot tell it and says {visible}"
    finding = hidden if answer.caught == "hidden" else visible
    if finding is None:
        yield f"passes the {answer.caught} check"
    elif finding.mistake.partition(":")[0] not in answer.mistakes:
        yield f"is told {finding.mistake} ({finding}), expected {answer.mistakes}"
    if visible and hidden and visible.sure == hidden.sure == "values" and hidden.mistake != visible.mistake:
        yield f"the hidden check says {hidden.mistake}, the visible one {visible.mistake}"


@each_task
def test_wrong_answers_are_told_their_mistake_and_right_ones_pass(name, task):
    answers = [*catalogue.load(name, task), *edits(name, task)]
    assert [f"{answer}: {miss}" for answer in answers for miss in misses(answer, both=False)] == []


@pytest.mark.long("every seed")
@each_assignment
def test_right_answers_pass_at_every_seed_and_wrong_ones_are_told_alike_by_both_checks(name, monkeypatch):
    missed, usual = [], equal.TENSORS
    for answer in [*catalogue.load(name), *edits(name)]:
        # Each class has a seed of its own, so rounding has to stay well below the tolerance at these.
        monkeypatch.setattr(equal, "TENSORS", usual if answer.caught else tuple(bound / 3 for bound in usual))
        for draw.seed in SEEDS[:2] if answer.caught else SEEDS:
            missed += [f"{answer}, seed {draw.seed}: {miss}" for miss in misses(answer, both=True)]
    assert missed == []


def is_accepted(answer: catalogue.Answer) -> bool:
    """Whether its cell runs and both checks pass."""
    exercise = lesson(answer.assignment)
    try:
        space = exercise.run(answer)
    except Exception:
        return False
    return all(exercise.finding(answer.task, which, space) is None for which in ("visible", "hidden"))


def quick_for_every_fourth(name, *task):
    return pytest.param(name, *task, marks=[] if names().index(name) % 4 == 2 else pytest.mark.long("every seed"))


@pytest.mark.parametrize("name", [*map(quick_for_every_fourth, names())])
def test_wrong_answers_of_authors_who_saw_no_check_lose_points_but_for_those_accepted_from_the_first(name):
    accepted = {str(answer) for answer in catalogue.unseen(name) if is_accepted(answer)}
    assert accepted - catalogue.accepted_at_first() == set()


def variants_of(name: str, task: str) -> list[Task]:
    plain = lesson(name).task(task)
    return [plain.of(id) for id in (PLAIN, *(variant.id for variant in plain.variants)) if plain.variants]


@pytest.mark.parametrize(("name", "task"), [*starmap(quick_for_every_fourth, tasks())])
def test_every_variant_takes_its_own_reference_and_rejects_the_others(name, task):
    for variant in variants_of(name, task):
        assert examine(variant, Candidate(variant.definition.compiled(), variant.tools), hidden=False) is None
        for other in variant.others():
            finding = examine(variant, Candidate(other.definition.compiled(), variant.tools), hidden=False)
            assert finding is not None
            assert finding.mistake == "other_variant"


@pytest.mark.long("every mutant")
@each_assignment
def test_every_variant_keeps_its_mistakes(name):
    missed = []
    for task in lesson(name).tasks:
        for variant in variants_of(name, task):
            fitting = list(variant.fitting())
            if len(fitting) < len(lesson(name).task(task).mistakes) / 2:
                missed.append(
                    f"{variant.id} {variant.variant}: most of a task's mistakes fit its variants, not {len(fitting)}"
                )
            for mistake, wrong in fitting:
                if examine(variant, Candidate(wrong, variant.tools), hidden=mistake.caught == "hidden") is None:
                    missed.append(f"{variant.id} {variant.variant}: {mistake.id} passes")
            if finding := examine(variant, Candidate(variant.definition.compiled(), variant.tools), hidden=True):
                missed.append(
                    f"{variant.id} {variant.variant}: its own reference is told {finding} by the hidden check"
                )
            for other in variant.others():
                finding = examine(variant, Candidate(other.definition.compiled(), variant.tools), hidden=True)
                if finding is None or finding.mistake != "other_variant":
                    missed.append(
                        f"{variant.id} {variant.variant}: {other.variant} is told {finding} by the hidden check"
                    )
    assert missed == []


@each_assignment
def test_every_task_has_four_wrong_and_three_right_answers_beside_its_edits_and_no_name_twice(name):
    exercise, answers = lesson(name), catalogue.load(name)
    assert [task for assignment, task in tasks() if assignment == name] == exercise.tasks
    for task in exercise.tasks:
        caught = [bool(answer.caught) for answer in answers if answer.task == task]
        assert sum(caught) >= 4, task
        assert len(caught) - sum(caught) >= 3, task
        assert len(exercise.task(task).mistakes) >= 4, task
    counts = Counter(str(answer) for answer in [*answers, *edits(name)])
    assert [answer for answer, count in counts.items() if count > 1] == []


def test_where_a_level_is_a_share_that_draws_can_give_float32_holds_it_exactly():
    """Or a right answer that works in float32 would get another verdict at some seeds."""
    task = lesson("03_bottleneck").task("bootstrap")
    given = [{**task.sizes, **case.given} for case in task.cases]
    on_a_share = {g["level"] for g in given if (2 * g["draws"] * g["level"]).is_integer()}
    assert {level for level in on_a_share if float(torch.tensor(level)) != level} == set()
