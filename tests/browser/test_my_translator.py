"""The capstone's page, as a learner's notebook writes it: it says what the learner's system says, from disk, alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from visits import DESKTOP, PHONE, Visit, violations

from seq2seq.attention import attend
from seq2seq.batch import length_mask, pad
from seq2seq.demos.capstone import ATTENTION_SIZE, EMBEDDING_SIZE, HALF, SIZE, part, unseen_pairs, words
from seq2seq.demos.capstone_page import write_page
from seq2seq.encoders import Encoder
from seq2seq.exercises.assembly import ContextDecoder, Translator, greedy
from seq2seq.scorers import AdditiveScorer
from seq2seq.vocab import BOS, EOS

ENGLISH, FRENCH = words()
SAID = """([sentences, first, last]) => liveTranslation.loadModel("model0").then(model => sentences.map(words => {
    const source = model.read(model.encodeWords(words));
    const ids = [];
    for (let [previous, state] = [first, source.first]; ids.length < 30 && previous !== last;) {
        const step = model.step(previous, state, source);
        state = step.state;
        previous = step.logits.indexOf(Math.max(...step.logits));
        ids.push(previous);
    }
    return ids;
}))"""


def trained() -> Translator:
    encoder = Encoder(len(ENGLISH), EMBEDDING_SIZE, HALF)
    scorer = AdditiveScorer(SIZE, 2 * HALF, ATTENTION_SIZE)
    decoder = ContextDecoder(len(FRENCH), EMBEDDING_SIZE, SIZE, 2 * HALF)
    for name, module in (("encoder", encoder), ("scorer", scorer), ("decoder", decoder)):
        module.load_state_dict(part(name))
    return Translator(encoder, scorer, attend, decoder)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("capstone") / "my_translator.html"
    first = ["the", "young", "teacher", "does", "not", "see", "the", "interesting", "letter", "."]
    return write_page(path, {"My system": trained()}, ENGLISH, FRENCH, [first, *(p.source for p in unseen_pairs()[:5])])


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (DESKTOP, True), (PHONE, False)])
def test_the_page_opens_from_disk_and_translates(browser: Browser, page: Path, size: dict[str, int], dark: bool):
    visit = Visit(browser.new_context(viewport=size, color_scheme="dark" if dark else "light").new_page())
    visit.load(page.as_uri())
    visit.page.wait_for_function("() => document.querySelector('live-translation .lt-said')")
    said = visit.page.locator(".lt-said").get_by_role("option").evaluate_all("all => all.map(one => one.textContent)")
    assert " ".join(said) == "le jeune professeur ne voit pas la lettre intéressante . <eos>"
    assert visit.complaints == visit.failures == []
    assert visit.addresses == [page.as_uri()] or all(address.startswith("data:") for address in visit.addresses[1:])
    assert visit.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert violations(visit.page) == []
    offered = visit.page.locator(".lt-examples button").all_inner_texts()
    assert offered == ["the old cat sleeps"]  # of the book's examples the one whose words are known
    visit.page.context.close()


def test_it_says_what_the_learners_system_says(browser: Browser, page: Path):
    sentences = [list(pair.source) for pair in unseen_pairs()]
    source = pad([ENGLISH.encode(sentence) for sentence in sentences])
    source_mask = length_mask(source.new_tensor([len(sentence) for sentence in sentences]), source.size(1))
    ids, _ = greedy(trained(), source, source_mask, 30)
    expected = [row[: row.index(EOS) + 1] if EOS in row else row for row in ids.tolist()]
    visit = Visit(browser.new_context(viewport=DESKTOP).new_page())
    visit.load(page.as_uri())
    visit.page.wait_for_function("() => document.querySelector('live-translation .lt-said')")
    got = visit.page.evaluate(SAID, [sentences, BOS, EOS])
    assert len(got) == len(expected) == 200
    assert sum(one == other for one, other in zip(got, expected, strict=True)) >= 199  # 16 bits may turn one near tie
    visit.page.context.close()
