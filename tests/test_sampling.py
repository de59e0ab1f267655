"""`--sample` leaves out what is long, and of many alike those that have passed with everything as it is now."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests import conftest
from tests.conftest import verified


class Item:
    def __init__(self, nodeid, **marks):
        self.nodeid, self.user_properties = nodeid, []
        self.marks = {name: SimpleNamespace(args=args, kwargs={}) for name, args in marks.items()}

    def get_closest_marker(self, name):
        return self.marks.get(name)

    def add_marker(self, mark):
        self.marks[mark.name] = mark


def chosen(items, sample):
    gone = []
    hook = SimpleNamespace(pytest_deselected=lambda items: gone.extend(items))
    conftest.pytest_collection_modifyitems(SimpleNamespace(getoption=lambda name: sample, hook=hook), items)
    return [item.nodeid for item in items], [item.nodeid for item in gone]


@pytest.fixture
def record(monkeypatch, tmp_path):
    """In the place of the project's own, with `a.py` verified as it is, and `b.py` as it was."""
    monkeypatch.setattr(verified, "RECORD", tmp_path / "verified.json")
    monkeypatch.setattr(verified, "digest", lambda group: f"digest of {group}")
    monkeypatch.setattr(conftest, "VERIFIED", {})
    verified.write({"a.py": "digest of a.py", "b.py": "older"})


@pytest.fixture
def items(record):
    made = [Item(f"{file}.py::many[{number}]", sampled=(3,)) for file in "ab" for number in range(4)]
    return [Item("a.py::plain"), *made, Item("a.py::slow", long=())]


def test_without_it_every_test_runs(items):
    assert chosen(items, sample=False) == ([item.nodeid for item in items], [])


def test_with_it_one_in_n_of_what_is_verified_runs_and_all_of_what_is_not(items):
    kept, gone = chosen(items, sample=True)
    assert kept == ["a.py::plain", "a.py::many[0]", "a.py::many[3]", *(f"b.py::many[{number}]" for number in range(4))]
    assert gone == ["a.py::many[1]", "a.py::many[2]", "a.py::slow"]


def test_what_is_long_never_runs_and_in_some_folders_a_file_is_many_alike(record):
    items = [Item(f"tests/seq2seq/c.py::{name}") for name in "abcdefghijklmnopqrstuvwxyz"]
    verified.write({"tests/seq2seq/c.py": "digest of tests/seq2seq/c.py"})
    slow = Item("tests/seq2seq/c.py::slow", long=())
    assert chosen([*items, slow], sample=True)[0] == ["tests/seq2seq/c.py::a", "tests/seq2seq/c.py::y"]


def test_what_is_costly_runs_only_if_something_has_changed(record):
    items = [Item(f"{file}.py::{name}", sampled=(3,), costly=()) for file in "ab" for name in "xy"]
    assert chosen(items, sample=True) == (["b.py::x", "b.py::y"], ["a.py::x", "a.py::y"])


@pytest.mark.parametrize("worst", ["passed", "failed", "skipped"])
@pytest.mark.parametrize("whole", [True, False])
def test_a_group_is_written_down_when_a_whole_run_has_passed_it_all(items, worst, whole):
    chosen(items, sample=True)
    for item in items:
        said = worst if item.nodeid == "b.py::many[2]" else "passed"
        report = SimpleNamespace(user_properties=item.user_properties, passed=said == "passed")
        conftest.pytest_runtest_logreport(report)
    options = SimpleNamespace(keyword="", markexpr="")
    config = SimpleNamespace(args=["tests"] if whole else ["b.py"], getini=lambda name: ["tests"], option=options)
    conftest.pytest_sessionfinish(SimpleNamespace(config=config), pytest.ExitCode.TESTS_FAILED)
    as_it_is = verified.read().get("b.py") == "digest of b.py"
    assert as_it_is == (whole and worst == "passed")
    assert verified.read()["a.py"] == "digest of a.py"


@pytest.mark.parametrize("there", [True, False])
def test_what_needs_cuda_is_left_out_without_it_and_does_not_stop_the_others_from_being_written_down(
    record, monkeypatch, there
):
    monkeypatch.setattr(conftest.torch.cuda, "is_available", lambda: there)
    items = [Item("tests/seq2seq/d.py::on_cuda", cuda=()), Item("tests/seq2seq/d.py::plain")]
    assert len(chosen(items, sample=True)[0]) == 2
    assert ["skip" in item.marks for item in items] == [not there, False]
    assert [bool(item.user_properties) for item in items] == [there, True]


@pytest.mark.parametrize("known", [["b.py"], None])
def test_a_worker_hears_from_the_first_process_what_has_not_changed(items, known):
    config = SimpleNamespace(getoption=lambda name: True, hook=SimpleNamespace(pytest_deselected=lambda items: None))
    node = SimpleNamespace(config=config, workerinput={})
    conftest.pytest_configure_node(node)
    assert node.workerinput["unchanged"] == {"a.py": "digest of a.py"}
    config.workerinput = {"unchanged": known}
    conftest.pytest_collection_modifyitems(config, items)
    assert ("b.py::many[1]" in [item.nodeid for item in items]) == (known is None)


CATALOGUE = "tests/autograder/test_tasks_catalogue.py"


def test_tests_are_verified_by_file_and_exercise():
    assert verified.group(f"{CATALOGUE}::test_it[05_scorers-additive-summed]") == f"{CATALOGUE} 05_scorers"
    assert (
        verified.group(f"{CATALOGUE}::test_it[99_nothing-a]") == verified.group(f"{CATALOGUE}::test_that") == CATALOGUE
    )


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ("tests/autograder/test_tasks_catalogue.py", True),
        ("tests/conftest.py", True),
        ("constraints.txt", True),
        ("tests/catalogue/lesson.py", True),
        ("tests/answers/05_scorers", True),
        ("tests/answers/07_bahdanau", False),
        ("solutions/05_scorers.py", True),
        ("solutions/07_bahdanau.py", False),
        ("autograder/tasks/scorers.py", True),
        ("autograder/tasks/bahdanau.py", False),
        ("autograder/checking/compare.py", True),
        ("autograder/exports/canvas.py", False),
        ("seq2seq/scorers.py", True),
        ("seq2seq/exercises/toy_parts.py", False),
    ],
)
def test_it_uses_what_is_reached_by_imports_and_nothing_else(changed, counts, monkeypatch):
    group = f"{CATALOGUE} 05_scorers"
    before = verified.digest(group)
    verified._digest.cache_clear()
    real = verified._content
    marked = lambda path: f"{real(path)}{str(path.relative_to(verified.ROOT)).startswith(changed)}"  # noqa: E731
    monkeypatch.setattr(verified, "_content", lambda path: marked(path).removesuffix("False"))
    try:
        assert (verified.digest(group) != before) == counts
    finally:
        verified._digest.cache_clear()


@pytest.mark.parametrize(
    ("test", "starts"),
    [
        ("tests/attacks/test_replay.py", "autograder/sandbox/worker.py"),
        ("tests/attacks/test_replay.py", "autograder/judging/judge_server.py"),
        ("tests/mutation/test_mutation.py", "tests/mutation/equivalent/05_scorers.toml"),
        ("tests/autograder/test_main.py", "autograder/commands/cli.py"),
    ],
)
def test_what_is_started_or_read_is_used_too(test, starts):
    assert verified.ROOT / starts in verified.reached([verified.ROOT / test])


@pytest.mark.parametrize(
    ("test", "counts"),
    [("tests/sandbox/test_limits.py", True), ("tests/attacks/test_replay.py", True), (CATALOGUE, False)],
)
def test_of_what_isolates_submissions_the_machine_is_a_part(test, counts, monkeypatch):
    monkeypatch.setattr(verified, "_content", lambda path: "")
    verified._digest.cache_clear()
    try:
        before = verified.digest(test)
        verified._digest.cache_clear()
        monkeypatch.setattr(verified, "_isolation", lambda: ("another kernel",))
        assert (verified.digest(test) != before) == counts
    finally:
        verified._digest.cache_clear()


@pytest.mark.parametrize(
    ("test", "pages"),
    [
        ("test_feedback", set()),
        ("test_widget_window", {"09_local"}),
        ("test_wiring_figure", {"07_bahdanau", "08_luong"}),
        ("test_widgets", None),  # takes them in turn
        ("test_learner_journey", None),  # names none
    ],
)
def test_a_browser_test_uses_the_pages_that_it_names(test, pages, monkeypatch, tmp_path):
    monkeypatch.setattr(verified, "HTML", tmp_path)
    everything = {tmp_path / "index.html", tmp_path / "book" / "terms.html"}
    for path in everything:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    used = verified.pages_of(verified.ROOT / "tests" / "browser" / f"{test}.py")
    assert used == (everything if pages is None else {tmp_path / "book" / f"{page}.html" for page in pages})


@pytest.mark.parametrize(
    ("test", "counts"),
    [("tests/seq2seq/test_centres.py", True), ("tests/seq2seq/test_experiments.py", True), (CATALOGUE, False)],
)
def test_the_results_that_it_names_are_used(test, counts, monkeypatch):
    used = set()
    monkeypatch.setattr(verified, "_content", lambda path: f"{used.add(path)}")
    verified._digest.cache_clear()
    try:
        verified.digest(test)
    finally:
        verified._digest.cache_clear()
    assert (verified.RESULTS / "local_p.json" in used) == counts


def test_ids_that_each_build_draws_anew_are_not_the_page(monkeypatch, tmp_path):
    monkeypatch.setattr(verified, "HTML", tmp_path)

    def page(name, first, second, text="words"):
        states = [f'"{one}": {{"name": "{kind}"}}' for one, kind in (first, second)]
        widgets = f'<script type="widget-state+json">{{"state": {{{", ".join(states)}}}}}</script>'
        path = tmp_path / name
        path.write_text(f'<link href="a.css?v=8cd3d715">{widgets}{text}<script src="{first[0]}">')
        return verified._content(path)

    one, other = ("3a17dd2cb92c4e319eb8ac56926cc2b3", "Layout"), ("0222be9d234a4990a310330c93c1f1d2", "Model")
    assert page("a", one, other) == page("b", ("c" * 32, "Model"), ("d" * 32, "Layout"))
    assert page("c", one, other) != page("d", one, other, "other words")
