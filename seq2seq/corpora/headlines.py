"""Headlines from sentences: a small summarisation task in which rare words must be copied.

The source is an invented news sentence, the target its headline: the names and the number that matter are copied, the
speaker and the time are dropped, and a few phrases are reworded ("were damaged by a storm" → "storm damages").
It is a toy version of the task of Rush et al. (2015), who generate a headline from the first sentence of an article.

Names are built from syllables, so there are some hundred thousand, and numbers have three or four digits.
One name in five, and one number in five, is held out for testing: a model sees none of them in training, so no output
layer over the training vocabulary can produce them.
"""

import zlib
from dataclasses import dataclass
from random import Random

from seq2seq.corpora.pair import Pair
from seq2seq.corpora.ranges import check_range
from seq2seq.guards import check_at_least

PARTS = ("train", "test")
_ONSETS = (*"bdfghklmnprstvz", "br", "dr", "gr", "kl", "pr", "st", "tr")
_NUCLEI = "aeiou"
_CODAS = ("", "", "", *"lnrs")
_HELD_OUT = 5  # one name in this many is held out for testing

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")
_TIMES = (*(f"on {day}" for day in _DAYS), "late last night", "this morning", "last week")
_SPEAKERS = ("a spokesman", "a spokeswoman", "an official", "a witness", "the police chief", "a local reporter")
_FRAMES = (
    "{story} .",
    "{story} {time} .",
    "{time} , {story} .",
    "{speaker} said {time} that {story} .",
    "according to {speaker} , {witness} , {story} {time} .",
    "{witness} , {speaker} , reported that {story} .",
    "{story} , {speaker} said {time} .",
    "{story} , said {speaker} , {witness} .",
    "{story} {time} , according to {witness} .",
)


@dataclass(frozen=True)
class _Story:
    """Several wordings of an event, and its headline.

    A slot in braces is a name, a number or a list of names, copied word by word; one in brackets is a phrase of
    `phrases`, given as (wording in the sentence, wording in the headline); a word as ``word=tag`` is linked to the
    words with the same tag on the other side.
    """

    tellings: tuple[str, ...]
    headline: str
    phrases: dict[str, tuple[tuple[str, str], ...]]


_STORIES = (
    _Story(
        (
            "[cause] [harm] {number} [thing] in=in {places}",
            "{number} [thing] in=in {places} were [harm] by [cause]",
            "in=in {places} , [cause] [harm] {number} [thing]",
        ),
        "[cause] [harm] {number} [thing] in=in {places}",
        {
            "cause": (
                ("a heavy storm", "storm"), ("a great fire", "fire"), ("a river in flood", "flood"),
                ("a strong earthquake", "quake"), ("an explosion", "blast"), ("a sudden landslide", "slide"),
            ),
            "harm": (("damaged", "damages"), ("destroyed", "destroys"), ("hit", "hits"), ("cut off", "isolates")),
            "thing": (("houses", "homes"), ("farms", "farms"), ("shops", "shops"), ("motor cars", "cars")),
        },
    ),
    _Story(
        (
            "the [title] of {country} , {person} , [came] {town} for talks with {host}",
            "{host} received {person} , the [title] of {country} , who [came] {town}",
            "{person} , who is the [title] of {country} , [came] {town} with a delegation",
        ),
        "{country} [title] {person} [came] {town}",
        {
            "title": (
                ("prime minister", "premier"), ("president", "president"), ("foreign minister", "diplomat"),
                ("queen", "queen"), ("minister of finance", "treasurer"),
            ),
            "came": (("arrived in", "visits"), ("set out for", "leaves for"), ("came back from", "returns from")),
        },
    ),
    _Story(
        (
            "the company {firm} [will] [cut] {number} [job] at its plants in=in {places}",
            "at its plants in=in {places} , the company {firm} [will] [cut] {number} [job]",
            "{number} [job] are to go in=in {places} because {firm} [will] [cut] staff",
        ),
        "{firm} [will] [cut] {number} [job] in=in {places}",
        {
            "will": (("has decided to", "to"), ("may have to", "may"), ("wants to", "to")),
            "cut": (("do away with", "cut"), ("give up", "cut"), ("lay off", "shed")),
            "job": (("posts", "jobs"), ("places of work", "jobs"), ("members of staff", "workers")),
        },
    ),
    _Story(
        (
            "{winner} [beat] {loser} in [game] in {town}",
            "{loser} lost to {winner} , whose players [beat] the home side in [game]",
            "in [game] against {loser} , the players of {winner} [beat] their hosts",
        ),
        "[game] : {winner} [beat] {loser}",
        {
            "beat": (("won narrowly over", "edges"), ("easily defeated", "routs"), ("defeated", "beats")),
            "game": (("the cup final", "cup"), ("a league match", "league"), ("a friendly match", "friendly")),
        },
    ),
)  # fmt: skip


def headlines(size: int, seed: int, part: str = "train", places: tuple[int, int] = (1, 4)) -> list[Pair]:
    """``size`` sentences of 8 to 40 words with their headlines; the same seed gives the same ones.

    ``places`` is the range, both included, of the number of places in a story that lists some; more than 4 make longer
    sentences.

    A link joins a word of the headline to the source word that it copies, or to each word of the phrase that it
    rephrases; the colon of a sports headline has none.
    Names and numbers of "train" and of "test" are disjoint, all other words are shared.

    Raises:
        ValueError: the size is below 0, the part is not "train" or "test", or the range of places is empty.
    """
    check_at_least("size", size, 0)
    if part not in PARTS:
        raise ValueError(f"part: got {part!r}, expected one of {list(PARTS)}.")
    check_range("places", places, 1, "because a list cannot be empty")
    random = Random(f"{part} {seed}")
    return [_pair(random, part, places) for _ in range(size)]


def held_out(word: str) -> bool:
    """Whether a name or number is held out for testing."""
    return zlib.crc32(word.encode()) % _HELD_OUT == 0


def _pair(random: Random, part: str, places: tuple[int, int]) -> Pair:
    story = random.choice(_STORIES)
    copied = _copied(random, part, random.randint(*places))
    phrases = {slot: random.choice(choices) for slot, choices in story.phrases.items()}
    telling = random.choice(_FRAMES).replace("{story}", random.choice(story.tellings))
    source = _fill(telling, copied, {slot: before for slot, (before, _) in phrases.items()})
    target = _fill(story.headline, copied, {slot: after for slot, (_, after) in phrases.items()})
    links = frozenset(
        (i, j) for j, (_, ours) in enumerate(target) for i, (_, theirs) in enumerate(source) if ours and ours == theirs
    )
    return Pair(tuple(word for word, _ in source), tuple(word for word, _ in target), links)


def _copied(random: Random, part: str, number: int) -> dict[str, list[str]]:
    *towns, last = (_draw_name(random, part) for _ in range(number))
    listed = [*" , ".join(towns).split(), "and", last] if towns else [last]
    slots = {slot: [_draw_name(random, part)] for slot in ("country", "town", "firm", "winner", "loser")}
    people = {slot: [_draw_name(random, part) for _ in range(2)] for slot in ("person", "host", "witness")}
    phrases = {"time": random.choice(_TIMES).split(), "speaker": random.choice(_SPEAKERS).split()}
    return {"places": listed, "number": [_draw_number(random, part)], **slots, **people, **phrases}


def _fill(template: str, copied: dict[str, list[str]], phrases: dict[str, str]) -> list[tuple[str, str]]:
    """The words of a template, each with its tag, empty if it has none."""
    words: list[tuple[str, str]] = []
    for token in template.split():
        slot = token[1:-1]
        if token.startswith("{"):
            words += [(word, f"{slot} {position}") for position, word in enumerate(copied[slot])]
        elif token.startswith("["):
            words += [(word, slot) for word in phrases[slot].split()]
        else:
            word, _, tag = token.partition("=")
            words.append((word, tag))
    return words


def _draw_name(random: Random, part: str) -> str:
    while True:
        name = "".join(
            random.choice(_ONSETS) + random.choice(_NUCLEI) + random.choice(_CODAS)
            for _ in range(random.choice((2, 3)))
        )
        if len(name) > 4 and held_out(name) == (part == "test"):  # a shorter one could be a word
            return name


def _draw_number(random: Random, part: str) -> str:
    while True:
        number = str(random.randint(101, 9999))
        if held_out(number) == (part == "test"):
            return number
