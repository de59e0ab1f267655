"""Pages that the course writes for single readers: feedback, a class's report, a learner's own translator."""

import re
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from playwright.sync_api import Page
from visits import DESKTOP, PHONE, ROOT, TRANSLATED, NewPage, Visit, violations

from autograder.assignments.assignment import is_check, load
from autograder.finding import Finding
from autograder.gradebook.feedback import to_page
from autograder.gradebook.learner_report import CheckReport, Report
from autograder.records.verdict import CheckVerdict, Verdict
from autograder.report.class_page import page as class_page
from autograder.report.class_report import class_report
from autograder.report.classwork import Classwork, GradedWork, Score
from autograder.store.verdicts import Provenance
from seq2seq.attention import attend
from seq2seq.batch import length_mask, pad
from seq2seq.demos.capstone import ATTENTION_SIZE, EMBEDDING_SIZE, HALF, SIZE, part, unseen_pairs, words
from seq2seq.demos.capstone_page import write_page
from seq2seq.encoders import Encoder
from seq2seq.exercises.capstone import ContextDecoder, Translator, greedy
from seq2seq.scorers import AdditiveScorer
from seq2seq.vocab import EOS

SCREENS = {
    "dark desktop": {"viewport": DESKTOP, "color_scheme": "dark"},
    "light phone": {"viewport": PHONE, "color_scheme": "light"},
}
SQUEEZED = {"mistake": "squeezed", "got": "shape (3,)", "expected": "(batch=1, keys=3)", "why": "`.squeeze()`"}
FINDING = Finding(case="a batch of one sentence", what="weights", **SQUEEZED)
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PICTURE = {"image/png": PIXEL}
HOSTILE = f"""<script>document.title = "changed"</script> <img src="https://example.org/x"> <img src=x onerror="e()">
# A heading of the learner's own, $\\alpha_j = \\frac{{1}}{{2}}$, and averylongwordwithoutanybreak{"x" * 200}"""
WHY = Finding("t", "", "axis", "scores", "3 at [1]", "4", "`<script>alert(1)</script>` runs over `batch`", "values")
CHECKS = ("weighted_sum_visible", "weighted_sum_hidden", "averages_visible", "a_check_with_quite_a_long_name_visible")
ENGLISH, FRENCH = words()
OPEN = "() => document.querySelectorAll('details').forEach(element => element.open = true)"
HEIGHTS = "kind => [...document.querySelectorAll(kind)].map(element => element.getBoundingClientRect().height)"
LINES = """kind => [...document.querySelectorAll(kind)].map(element => {
    const range = new Range(); range.selectNodeContents(element); return range.getClientRects().length; })"""
SAID = """([sentences]) => liveTranslation.loadModel("model0").then(model => sentences.map(words =>
    liveTranslation.greedy(model, model.read(model.encodeWords(words))).slice(0, 30).map(step => step.wordId)))"""


def write_feedback(path: Path) -> None:
    """With everything on it: each kind of status, comments, a penalty, outputs, and hostile text."""
    notebook = load(ROOT, "00_attention").notebook
    checks, statuses = [], ("passed", "partial", "failed", "not run", "by hand", "to be graded")
    for number, cell in enumerate(cell for cell in notebook.cells if is_check(cell)):
        status = statuses[number % len(statuses)]
        finding = FINDING if status in ("partial", "failed") else Finding()
        checks.append(CheckReport(cell.id, 0.5, 1.0, status, "Other sizes.", finding))
    trace = new_output("error", ename="E", evalue="x", traceback=["\x1b[31mE\x1b[0m: " + "long " * 80])
    fails = new_code_cell("%matplotlib inline\nx = 1 / 0", outputs=[trace, new_output("display_data", data=PICTURE)])
    notebook.cells += [new_markdown_cell(HOSTILE), fails]
    comments, notes = {"weighted_sum": "Read <b>chapter 4</b> again."}, ["The cell `x` was missing."]
    report = Report("ada", "05_scorers", "failed", 10.0, 20.0, 1.5, 90_000.0, checks, comments, notes)
    path.write_text(to_page(notebook, report), encoding="utf-8")


def work(number: int) -> GradedWork:
    """One of a class whose last check is passed by those who fail the others."""
    good = number % 3 > 0
    points = [1.0, float(good), 0.5 if number % 5 == 0 else 1.0, float(not good)]
    ends = {1.0: ("passed", Finding()), 0.0: ("failed", WHY), 0.5: ("failed", WHY)}
    checks = [CheckVerdict(name, got, 1.0, *ends[got]) for name, got in zip(CHECKS, points, strict=True)]
    status = "tampered" if number == 7 else "failed"
    verdict = Verdict(status, 1, checks, [], ["The file began with a byte order mark; it was left out."])
    name = f"student-with-a-very-long-name-that-goes-on-{number}@university.example.org"
    score = Score(sum(points), 4, sum(points), 0, False)
    return GradedWork(name, verdict, Provenance(seconds=0.1 * number + 0.1), score)


def write_report(path: Path) -> None:
    classwork = Classwork("05_scorers", tuple(work(number) for number in range(24)), ("max",), {"max": "Max Weber"})
    path.write_text(class_page(class_report(classwork), path.parent), encoding="utf-8")


def trained() -> Translator:
    encoder = Encoder(len(ENGLISH), EMBEDDING_SIZE, HALF)
    scorer = AdditiveScorer(SIZE, 2 * HALF, ATTENTION_SIZE)
    decoder = ContextDecoder(len(FRENCH), EMBEDDING_SIZE, SIZE, 2 * HALF)
    for name, module in (("encoder", encoder), ("scorer", scorer), ("decoder", decoder)):
        module.load_state_dict(part(name))
    return Translator(encoder, scorer, attend, decoder)


def write_translator(path: Path) -> None:
    first = ["the", "young", "teacher", "does", "not", "see", "the", "interesting", "letter", "."]
    examples = [first, *(pair.source for pair in unseen_pairs()[:5])]
    write_page(path, {"My system": trained()}, ENGLISH, FRENCH, examples)


def feedback_is_whole(page: Page, screen: str) -> None:
    assert page.title().startswith("05_scorers: 8.5 of 20 points"), "what a learner wrote has run"
    heights = page.evaluate(HEIGHTS, "math")
    assert len(heights) > 10
    assert min(heights) > 5
    targets = page.evaluate("() => [...document.querySelectorAll('.checks a')].map(link => link.hash.slice(1))")
    assert len(targets) == 20
    assert page.evaluate("ids => ids.filter(id => !document.getElementById(id))", targets) == []


def report_is_whole(page: Page, screen: str) -> None:
    page.evaluate(OPEN)
    ink = page.evaluate("() => getComputedStyle(document.querySelector('figure svg text')).fill")
    assert (brightness(ink) > 128) == screen.startswith("dark")
    assert min(page.evaluate(HEIGHTS, "figure svg text")) >= 9
    page.set_viewport_size({"width": 800, "height": 900})
    assert set(page.evaluate(LINES, "th:has(~ [data-label=reached])")) == {1}, "a mark is on a line of its own"


def translator_translates(page: Page, screen: str) -> None:
    page.wait_for_function(TRANSLATED)
    texts = page.locator(".lt-said").get_by_role("option").all_text_contents()
    assert " ".join(texts) == "le jeune professeur ne voit pas la lettre intéressante . <eos>"
    offered = page.locator(".lt-examples button:not(.lt-longer)").all_inner_texts()
    assert offered == ["the old cat sleeps", "i am a student"]  # of the book's examples those whose words are known
    sentences = [list(pair.source) for pair in unseen_pairs()]
    source = pad([ENGLISH.encode(sentence) for sentence in sentences])
    source_mask = length_mask(source.new_tensor([len(sentence) for sentence in sentences]), source.size(1))
    ids, _ = greedy(trained(), source, source_mask, 30)
    expected = [row[: row.index(EOS) + 1] if EOS in row else row for row in ids.tolist()]
    answers = page.evaluate(SAID, [sentences])
    assert len(answers) == len(expected) == 200
    equal = sum(answer == row for answer, row in zip(answers, expected, strict=True))
    assert equal >= 199  # 16 bits may turn one near tie


def brightness(colour: str) -> float:
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3


PAGES = {
    "feedback": (write_feedback, feedback_is_whole, ("minor", "moderate", "serious", "critical")),
    "class report": (write_report, report_is_whole, ("serious", "critical")),
    "translator": (write_translator, translator_translates, ("serious", "critical")),
}


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", PAGES)
def test_it_is_whole_asks_nobody_and_axe_finds_nothing(new_page: NewPage, tmp_path: Path, name: str, screen: str):
    write, is_whole, impacts = PAGES[name]
    path = tmp_path / "page.html"
    write(path)
    visit = Visit(new_page(**SCREENS[screen])).load(path.as_uri())
    is_whole(visit.page, screen)
    assert visit.complaints == visit.failures == []
    assert [address for address in visit.addresses if not address.startswith((path.as_uri(), "data:"))] == []
    for width in (700, SCREENS[screen]["viewport"]["width"]):
        visit.page.set_viewport_size({"width": width, "height": 900})
        assert visit.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), width
    ground = visit.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert (brightness(ground) < 60) == screen.startswith("dark")
    unguarded = Visit(new_page(**SCREENS[screen], bypass_csp=True)).load(path.as_uri()).page
    unguarded.evaluate(OPEN)
    assert violations(unguarded, impacts) == []


def test_a_script_that_got_into_feedback_would_not_run(new_page: NewPage, tmp_path: Path):
    path = tmp_path / "feedback.html"
    write_feedback(path)
    evil = '<script>document.title = "changed"</script><body onload="document.title = 1">'
    path.write_text(path.read_text(encoding="utf-8").replace("<body>", evil), encoding="utf-8")
    page = new_page()
    page.goto(path.as_uri())
    assert page.title().startswith("05_scorers")
