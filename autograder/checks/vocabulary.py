"""Checks of the vocabulary: one id per token, unknown words told apart, marks left out on the way back."""

from collections.abc import Callable
from typing import Any

import torch

from autograder.checks.lists import expect_equal, expect_list
from autograder.expect import CheckFailed, ask, check, generator
from seq2seq.vocab import BOS, EOS, PAD, SPECIALS, UNK, Vocabulary

Answer = Callable[[list[str]], Any]

WORDS = ["le", "la", "un", "chat", "chien", "noir", "petit", "dort", "mange", "court", "vite", "bien"]
STRANGE = ["zèbre", "xylophone"]


@check
def check_vocabulary(answer: Answer) -> None:
    """vocabulary: one id per token and back, unknown words as <unk>, nothing after <eos>"""
    vocabulary, reference, words = _tables(answer, "visible")
    one, two, three, four = words[:4]
    _compare_encode(vocabulary, reference, [one, two, two, three])
    _compare_encode(vocabulary, reference, [four, STRANGE[0], one, STRANGE[1]], what="ids with unknown words")
    ids = reference.encode([two, one, four])
    _compare_decode(vocabulary, reference, ids)
    _compare_decode(vocabulary, reference, [BOS, *ids, EOS, PAD, PAD], what="tokens of a padded sentence")
    _compare_decode(vocabulary, reference, [*ids, UNK, EOS, ids[0], EOS, ids[1]], what="tokens when words follow <eos>")


@check
def check_vocabulary_hidden(answer: Answer) -> None:
    """vocabulary, other cases: the empty sentence, nothing known, a row of a tensor, padding inside, foreign ids"""
    vocabulary, reference, words = _tables(answer, "hidden", len(WORDS))
    _compare_encode(vocabulary, reference, [], case="an empty sentence")
    _compare_encode(vocabulary, reference, STRANGE, case="unknown words alone")
    _compare_encode(vocabulary, reference, [*words, *words[:2]], case="every word")
    _compare_encode(vocabulary, reference, [SPECIALS[PAD], words[0], SPECIALS[UNK]], case="marks among the tokens")
    ids = reference.encode(words)
    _compare_decode(vocabulary, reference, [], case="no ids")
    _compare_decode(vocabulary, reference, [EOS], case="nothing but <eos>")
    _compare_decode(vocabulary, reference, [BOS, *ids], case="no <eos>")
    _compare_decode(vocabulary, reference, [ids[0], PAD, ids[1], EOS, PAD], case="padding between words")
    _compare_decode(vocabulary, reference, [BOS, *ids[:3], EOS, PAD, ids[4]], case="a row of a tensor", tensor=True)
    for id, case in ((len(reference), "an id past the end of the table"), (-1, "a negative id")):
        _expect_refusal(vocabulary, [ids[0], id], case)


def _tables(answer: Answer, name: str, size: int = 6) -> tuple[Any, Vocabulary, list[str]]:
    """The answer's table and the reference's, of the same words in an order of their own."""
    order = torch.randperm(len(WORDS), generator=generator(f"vocabulary {name}")).tolist()
    words = [WORDS[place] for place in order[:size]]
    shuffled = sorted(words)
    return ask("Vocabulary(…)", answer, tokens=shuffled), Vocabulary(shuffled), words


def _compare_encode(
    vocabulary: Any, reference: Vocabulary, tokens: list[str], what: str = "ids", case: str = ""
) -> None:
    ids = ask(what, vocabulary.encode, case=case, tokens=tokens)
    right = reference.encode(tokens)
    if isinstance(ids, list | tuple) and None in ids:
        why = "a token that is not in the table still needs an id: that of <unk>"
        raise CheckFailed(f"{what} ({case})" if case else what, "None among them", "a number for every token", why)
    expect_list(what, ids, int, case)

    def mistakes() -> dict[str, list[int]]:
        known = [id for id in right if id != UNK]
        return {
            "an unknown word is left out: the sentence has to keep its length, so it becomes <unk>": known,
            "an unknown word gets the id of padding, and padding is masked away; <unk> has an id of its own": [
                PAD if id == UNK else id for id in right
            ],
            "an unknown word gets the id of <eos>, which ends the sentence": [EOS if id == UNK else id for id in right],
            "an unknown word gets the id of <bos>": [BOS if id == UNK else id for id in right],
            "an unknown word gets an id past the end of the table": [
                len(reference) if id == UNK else id for id in right
            ],
            "the ids count from 0; the first four belong to the marks": [
                id if id == UNK else id - len(SPECIALS) for id in right
            ],
            "<bos> and <eos> are added; that is done later, on the target side alone": [BOS, *right, EOS],
            "<eos> is added; that is done later, on the target side alone": [*right, EOS],
            "<bos> is added; that is done later, on the target side alone": [BOS, *right],
            "every word counts once; a sentence may repeat a word": list(dict.fromkeys(right)),
            "only the first token is looked up": right[:1],
            "the last token is left out": right[:-1],
            "the ids come in order of size; they have to stand in the order of the words": sorted(right),
        }

    expect_equal(what, ids, right, mistakes, case)


def _compare_decode(
    vocabulary: Any,
    reference: Vocabulary,
    ids: list[int],
    what: str = "tokens",
    case: str = "",
    tensor: bool = False,
) -> None:
    tokens = ask(what, vocabulary.decode, case=case, ids=torch.tensor(ids) if tensor else list(ids))
    expect_list(what, tokens, str, case)
    right, names = reference.decode(ids), reference.tokens

    def mistakes() -> dict[str, list[str]]:
        upto = ids[: ids.index(EOS)] if EOS in ids else ids
        last = len(ids) - 1 - ids[::-1].index(EOS) if EOS in ids else len(ids)

        def said(chosen: list[int], without: tuple[int, ...] = (PAD, BOS)) -> list[str]:
            return [names[id] for id in chosen if id not in without]

        return {
            "<eos> itself is among them; it says that the sentence is over and is no word of it": [
                *right,
                SPECIALS[EOS],
            ],
            "what stands after <eos> is read as well; the sentence is over there": said(ids, (PAD, BOS, EOS)),
            "what stands after <eos> is read as well, and <eos> itself too": said(ids),
            "every mark is kept, and so is what stands after <eos>": said(ids, ()),
            "it goes on to the last <eos>; the first one ends the sentence": said(ids[:last], (PAD, BOS, EOS)),
            "it reads up to the last <eos>; the first one ends the sentence": said(ids[:last]),
            "<bos> is kept; it is a mark, no word": said(upto, (PAD,)),
            "padding is kept; it is a mark, no word": said(upto, (BOS,)),
            "<bos> and padding are kept; they are marks, no words": said(upto, ()),
            "<unk> is left out; a reader should see that a word stood there": said(upto, (PAD, BOS, UNK)),
            "all four marks are left out, and what follows <eos> is read; <unk> stays, <eos> ends": said(
                ids, (PAD, BOS, EOS, UNK)
            ),
            "padding ends it; only <eos> ends a sentence": said(upto[: upto.index(PAD)] if PAD in upto else upto),
            "the first token is always dropped; only <bos> goes": said(upto)[1:],
            "the last token is always dropped, whether it is <eos> or not": said(upto)[:-1],
            "nothing is read when there is no <eos>; the sentence was cut off, and its words still count": [],
            "the ids count from 0; the first four belong to the marks": [
                names[id + len(SPECIALS)] for id in upto if id + len(SPECIALS) < len(names)
            ],
        }

    expect_equal(what, tokens, right, mistakes, case)


def _expect_refusal(vocabulary: Any, ids: list[int], case: str) -> None:
    try:
        ask("tokens", vocabulary.decode, case=case, ids=ids)
    except CheckFailed:
        return
    why = "Python counts negative places from the end" if min(ids) < 0 else "no word has that id"
    raise CheckFailed(f"tokens ({case})", "read as if nothing were wrong", "an IndexError", why)
