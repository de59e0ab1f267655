import datetime

import pytest

from seq2seq.corpora.dates import FORMATS, dates, pair

DAY = datetime.date(2019, 3, 5)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("{day} {month} {year}", "5 March 2019"),
        ("{mon} {day}, {year}", "Mar 5, 2019"),
        ("{weekday} the {day}{th} of {month} {year}", "Tuesday the 5th of March 2019"),
        ("{two_digit_day}.{two_digit_month}.{year}", "05.03.2019"),
        ("{day}.{month_number}.{year}", "5.3.2019"),
    ],
)
def test_a_date_is_written_as_the_format_says(form, expected):
    assert "".join(pair(DAY, form).source) == expected


@pytest.mark.parametrize(
    ("day", "expected"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st")],
)
def test_ordinals_are_english(day, expected):
    assert "".join(pair(datetime.date(2019, 3, day), "{day}{th}").source) == expected


@pytest.mark.parametrize("form", FORMATS)
def test_the_target_is_the_iso_form_and_every_digit_of_it_has_a_link(form):
    example = pair(DAY, form)
    assert "".join(example.target) == "2019-03-05"
    assert {target for _, target in example.links} == {0, 1, 2, 3, 5, 6, 8, 9}


@pytest.mark.parametrize("form", FORMATS)
def test_a_digit_of_the_year_is_linked_to_the_digit_that_it_copies(form):
    example = pair(datetime.date(1987, 10, 24), form)
    years = {target: example.source[source] for source, target in example.links if target < 4}
    assert years == dict(enumerate("1987"))
    assert sum(target < 4 for _, target in example.links) == 4


def test_two_digits_of_a_day_are_copied_one_by_one():
    example = pair(datetime.date(1987, 10, 24), "{day}.{month_number}.{year}")
    assert {link for link in example.links if link[1] >= 5} == {(3, 5), (4, 6), (0, 8), (1, 9)}


def test_one_digit_of_a_day_becomes_two():
    assert {link for link in pair(DAY, "{day} {month} {year}").links if link[1] >= 8} == {(0, 8), (0, 9)}


def test_every_letter_of_a_month_is_linked_to_both_its_digits():
    links = pair(DAY, "{day} {mon} {year}").links
    assert {link for link in links if 5 <= link[1] < 7} == {(s, t) for s in (2, 3, 4) for t in (5, 6)}


def test_weekdays_and_ordinals_have_no_links():
    example = pair(DAY, "{weekday} {day}{th}")
    assert {source for source, _ in example.links} == {8}


def test_all_formats_and_years_appear():
    pairs = dates(2000, seed=1)
    assert len(pairs) == 2000
    years = {int("".join(example.target[:4])) for example in pairs}
    assert years == set(range(1900, 2100))
    assert any("Tuesday" in "".join(example.source) for example in pairs)
    assert all(datetime.date.fromisoformat("".join(example.target)) for example in pairs)


def test_a_seed_repeats_the_dates_and_another_does_not():
    assert dates(20, seed=3) == dates(20, seed=3)
    assert dates(20, seed=3) != dates(20, seed=4)


def test_an_unknown_field_is_refused():
    with pytest.raises(ValueError, match="got the field 'century'"):
        pair(DAY, "{century}")
