"""Every corpus that is drawn: as many as asked, the same for a seed, links inside; then what each task promises."""

import datetime
import hashlib
import importlib
import inspect
import pkgutil
from functools import cache
from itertools import chain

import pytest
import torch
from gpus import needs_cuda
from small_models import arguments_of

from seq2seq import corpora
from seq2seq.corpora.dates import FORMATS, dates, pair
from seq2seq.corpora.drawings import CELL, COLOURS, FORMS, SIDE, Shape, describe, drawings, paint
from seq2seq.corpora.headlines import headlines, held_out
from seq2seq.corpora.long_memory import adding, multiplication
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import copy, reverse
from seq2seq.vocab import UNK, Vocabulary

MODULES = [
    importlib.import_module(module.name) for module in pkgutil.iter_modules(corpora.__path__, "seq2seq.corpora.")
]
DRAWN = {
    f"{module.__name__.removeprefix('seq2seq.corpora.')}.{name}": function
    for module in MODULES
    for name, function in vars(module).items()
    if inspect.isfunction(function) and arguments_of(function, required=True) == ["size", "seed"]
}
# Of 40 examples of seed 7: the committed results are of these, so they must not change unnoticed.
FINGERPRINTS = {
    **{"dates.dates": "a9fdc745eb15", "drawings.drawings": "d841979dbcfc", "grammar.corpus": "5739a1aa5abe"},
    **{"headlines.headlines": "e7d2dc2ea998", "speech.utterances": "9bbd8cff7ec7"},
    **{"stories.where_is_the_person": "e72b348033d9", "stories.where_is_the_thing": "c39c19c904d2"},
    **{"toys.copy": "f65be2cb9ad5", "toys.reverse": "78e2b9c048d3"},
}
DAY = datetime.date(2019, 3, 5)
SHAPES = (Shape("red", "circle", 4, 0), Shape("blue", "square", 4, 2, 1, 0), Shape("green", "cross", 6, 5, 0, 1))
BATCH = 300


@pytest.mark.parametrize("name", DRAWN)
def test_a_corpus_is_as_large_as_asked_and_repeated_by_its_seed_alone(name):
    draw = DRAWN[name]
    examples = draw(40, 7)
    assert len(examples) == 40
    assert repr(draw(40, seed=7)) == repr(examples)
    assert repr(draw(40, seed=8)) != repr(examples)
    for example in examples:
        if isinstance(example, Pair):
            assert all(isinstance(word, str) and word for word in example.source + example.target)
            assert example.links
            Pair(example.source, example.target, example.links)  # refuses links outside
    assert fingerprint(examples) == FINGERPRINTS[name]


def fingerprint(examples):
    """Of all that is not a tensor, whose numbers may differ by machine."""
    parts = []
    for example in examples:
        fields = getattr(example, "__dataclass_fields__", None) or example._fields
        parts += [part for part in (getattr(example, field) for field in fields) if not torch.is_tensor(part)]
    text = repr([sorted(part) if isinstance(part, frozenset) else part for part in parts])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def test_copy_links_each_place_to_itself_and_reverse_from_both_ends():
    for task, step in ((copy, 1), (reverse, -1)):
        examples = task(500, seed=2, lengths=(3, 5), symbols=4)
        for example in examples:
            places = range(len(example.source))
            assert example.target == example.source[::step]
            assert example.links == set(zip(places[::step], places, strict=True))
        assert {len(example.source) for example in examples} == {3, 4, 5}
        assert {symbol for example in examples for symbol in example.source} == {"0", "1", "2", "3"}


@pytest.mark.parametrize(
    ("form", "day", "expected"),
    [
        *(("{day} {month} {year}", 5, "5 March 2019"), ("{mon} {day}, {year}", 5, "Mar 5, 2019")),
        ("{weekday} the {day}{th} of {month} {year}", 5, "Tuesday the 5th of March 2019"),
        ("{two_digit_day}.{two_digit_month}.{year}", 5, "05.03.2019"),
        ("{day}.{month_number}.{year}", 5, "5.3.2019"),
        *[("{day}{th}", int(nth[:-2]), nth) for nth in ("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st")],
    ],
)
def test_a_date_is_written_as_the_format_says(form, day, expected):
    assert "".join(pair(datetime.date(2019, 3, day), form).source) == expected


def test_the_target_is_the_iso_form_and_every_digit_is_linked_to_what_it_copies():
    for form in FORMATS:
        example, other = pair(DAY, form), pair(datetime.date(1987, 10, 24), form)
        assert "".join(example.target) == "2019-03-05"
        assert {target for _, target in example.links} == {0, 1, 2, 3, 5, 6, 8, 9}
        years = [(target, other.source[source]) for source, target in sorted(other.links) if target < 4]
        assert sorted(years) == list(enumerate("1987")), form


def test_links_of_days_and_months_by_hand():
    """Two digits are copied one by one; one digit becomes two; every letter of a month stands for both its digits."""
    copied = pair(datetime.date(1987, 10, 24), "{day}.{month_number}.{year}").links
    assert {link for link in copied if link[1] >= 5} == {(3, 5), (4, 6), (0, 8), (1, 9)}
    assert {link for link in pair(DAY, "{day} {month} {year}").links if link[1] >= 8} == {(0, 8), (0, 9)}
    named = pair(DAY, "{day} {mon} {year}").links
    assert {link for link in named if 5 <= link[1] < 7} == {(s, t) for s in (2, 3, 4) for t in (5, 6)}
    assert {source for source, _ in pair(DAY, "{weekday} {day}{th}").links} == {8}


def test_all_formats_and_years_appear():
    pairs = dates(2000, seed=1)
    assert {int("".join(example.target[:4])) for example in pairs} == set(range(1900, 2100))
    assert any("Tuesday" in "".join(example.source) for example in pairs)
    assert all(datetime.date.fromisoformat("".join(example.target)) for example in pairs)


@pytest.fixture(scope="module")
def drawn():
    return drawings(300, seed=5)


def test_the_caption_and_the_links_of_a_drawing_made_by_hand():
    drawing = describe(SHAPES)
    assert " ".join(drawing.caption) == "a red circle left of a blue square above a green cross"
    red, blue, green = 28, 30, 47
    names = {(red, 1), (red, 2), (blue, 6), (blue, 7), (green, 10), (green, 11)}
    relations = {(red, 3), (blue, 3), (red, 4), (blue, 4), (blue, 8), (green, 8)}
    assert drawing.names == names
    assert drawing.links == names | relations
    for rows, relation in (((3, 2), "below"), ((2, 3), "above")):
        assert relation in describe(tuple(Shape("red", "ring", row, 1 + i) for i, row in enumerate(rows))).caption


def test_every_colour_and_form_and_relation_occurs_and_as_many_shapes_as_asked_for(drawn):
    words = {word for drawing in drawn for word in drawing.caption}
    assert words == {"a", "left", "of", "above", "below", *COLOURS, *FORMS}
    assert {len(drawing.shapes) for drawing in drawn} == {2, 3, 4}
    assert {len(drawing.shapes) for drawing in drawings(50, 5, (6, 6))} == {6}


def test_a_named_region_holds_the_named_colour_and_all_else_is_white(drawn):
    for drawing in drawn[:50]:
        cells = paint(drawing).unfold(1, CELL, CELL).unfold(2, CELL, CELL).flatten(3).flatten(1, 2)
        for region, position in drawing.names:
            if drawing.caption[position] in COLOURS:
                colour = torch.tensor(COLOURS[drawing.caption[position]]).unsqueeze(1)
                assert (cells[:, region] == colour).all(0).sum() >= 9
        coloured = (cells < 1).any(0).any(-1).nonzero().flatten().tolist()
        assert set(coloured) == {shape.region for shape in drawing.shapes}


def test_no_two_forms_look_alike_and_a_picture_is_colours_by_rows_by_columns():
    pictures = {form: paint(describe((Shape("red", form, 1, 4),))) for form in FORMS}
    assert len({tuple(picture.flatten().tolist()) for picture in pictures.values()}) == len(FORMS)
    assert pictures["square"].shape == (3, SIDE, SIDE)
    assert pictures["square"][0, CELL, 4 * CELL].item() == pytest.approx(0.9)
    assert pictures["square"][0, 4 * CELL, CELL].item() == 1


@cache
def parts():
    return headlines(2000, seed=1), headlines(500, seed=1, part="test")


@cache
def known():
    return Vocabulary.build([example.source + example.target for example in parts()[0]], min_count=20)


def rare(words):
    return [word for word in words if known().encode([word]) == [UNK]]


def test_the_parts_share_all_words_but_names_and_numbers():
    in_train, in_test = ({word for example in pairs for word in rare(example.source)} for pairs in parts())
    assert len(in_test) > 1000
    assert in_train & in_test == set()
    assert all(held_out(word) for word in in_test)
    assert not any(held_out(word) for word in in_train)
    common = {word for example in parts()[1] for word in example.source + example.target if not rare([word])}
    assert common == set(known().tokens[4:])


def test_a_headline_is_shorter_and_names_rare_words_of_its_sentence_once():
    for example in chain(*parts()):
        words = rare(example.target)
        assert words
        assert set(words) <= set(example.source)
        assert len(set(words)) == len(words)
        assert len(example.target) < len(example.source)
    lengths = [len(example.source) for example in parts()[0]]
    assert 8 <= min(lengths) <= max(lengths) <= 40
    copied, copyable = (sum(len(rare(getattr(e, side))) for e in parts()[1]) for side in ("target", "source"))
    assert 0.5 < copied / copyable < 0.9


def test_headline_words_are_linked_to_what_they_copy_or_to_every_word_of_the_phrase():
    storms, unlinked = set(), set()
    for example in parts()[1]:
        for j, word in enumerate(example.target):
            sources = [example.source[i] for i, target in sorted(example.links) if target == j]
            if rare([word]):
                assert sources == [word]
            if word == "storm":
                storms.add(tuple(sources))
            if not sources:
                unlinked.add(word)
    assert storms == {("a", "heavy", "storm")}
    assert unlinked == {":"}


def test_lists_are_as_long_as_asked():
    for pairs, lengths in ((headlines(200, seed=3, places=(6, 8)), {6, 7, 8}), (parts()[0], {2, 3, 4})):
        assert {example.target.count(",") + 2 for example in pairs if "and" in example.target} == lengths


@pytest.fixture(params=[adding, multiplication])
def task(request):
    return request.param


def test_the_two_marked_values_are_asked_for_in_sequences_of_the_papers_form(task):
    inputs, mask, targets = task(BATCH, 40, torch.Generator().manual_seed(1))
    marked = [[value for value, marker in row if marker == 1] for row in inputs.tolist()]
    answers = [0.5 + (first + second) / 4 if task is adding else first * second for first, second in marked]
    torch.testing.assert_close(targets, torch.tensor(answers))
    lowest, values = -1 if task is adding else 0, inputs[..., 0][mask]
    assert lowest <= values.min() < lowest + 0.01
    assert 0.99 < values.max() <= 1
    lengths = mask.sum(1).tolist()
    assert set(lengths) == {40, 41, 42, 43, 44}
    assert inputs.shape == (BATCH, 44, 2)
    assert targets.shape == (BATCH,)
    assert inputs[~mask].eq(0).all()
    places = []
    for markers, length in zip(inputs[..., 1], lengths, strict=True):
        assert (markers == -1).nonzero().flatten().tolist() == [0, length - 1]
        places.append((markers == 1).nonzero().flatten().tolist())
        assert 0 < places[-1][0] < places[-1][1] < length // 2 - 1
    firsts, seconds = (set(column) for column in zip(*places, strict=True))
    assert firsts == set(range(1, 10))
    assert seconds >= set(range(2, 19))


def test_a_generator_s_seed_repeats_the_sequences_and_the_shortest_has_two_marked_steps(task):
    shortest, again, other = (task(BATCH, 22, torch.Generator().manual_seed(seed)) for seed in (3, 3, 4))
    torch.testing.assert_close(tuple(shortest), tuple(again), rtol=0, atol=0)
    assert not torch.equal(shortest.inputs, other.inputs)
    assert (shortest.inputs[..., 1] == 1).sum(1).eq(2).all()


@needs_cuda
def test_sequences_are_made_on_the_device_of_the_generator(task):
    assert all(part.is_cuda for part in task(BATCH, 40, torch.Generator("cuda")))
