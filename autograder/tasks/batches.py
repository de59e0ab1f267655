"""The tasks of ``01_batches``.

Lengths are such that no typical mistake gives the right rectangle by accident: the first sentence is not the longest,
they do not stand in order, and batch and width differ.
"""

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, start
from autograder.checking.task import Mistake, Task, hidden, mistake, variant, visible
from autograder.checking.values import named
from seq2seq.batch import cut_by_tokens, length_mask
from seq2seq.exercises import batches as answers
from seq2seq.vocab import BOS, EOS, PAD, SPECIALS, UNK, Vocabulary

WORDS = ["Chat", "bien", "chat", "court", "dort", "le", "noir", "un"]
NETWORKS = tuple(vars(answers)[name] for name in (
    "mean_of_words", "mean_of_row", "pooled", "nearly_masked", "backward", "centred"))  # fmt: skip
COMPANY = {f"rows of {network.__name__}": "" for network in NETWORKS}
TWICE = "rows of one sentence twice, in a network that divides by how many have its length"
LARGE = "rows of a network whose numbers lie near 1000 and change by 0.004"
RECTANGLES = {"source": "batch source_len", "source_mask": "batch source_len"} | {
    name: "batch target_len" for name in ("target_in", "target_out", "target_mask")
}


def encoded_and_decoded(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    table = answer()
    if hasattr(given, "sentence"):
        yield "ids", table.encode(given.sentence)
    if hasattr(given, "ids"):
        yield "tokens", table.decode(given.ids)


def pairs(draw: Draw, lengths: list[int], targets: list[int]) -> dict[str, Any]:
    """Pairs of sentences, in which each second word is an unknown one, which is no padding."""
    sides = {"sources": lengths, "targets": targets}
    words = {side: [draw.whole(4, 60, length).tolist() for length in sizes] for side, sizes in sides.items()}
    return {side: [[*ids[:1], *[UNK] * len(ids[1:2]), *ids[2:]] for ids in rows] for side, rows in words.items()}


def with_dtypes(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    results = answer(given.sources, given.targets)
    yield from named(results, *RECTANGLES)
    yield "dtypes", [str(tensor.dtype).removeprefix("torch.") for tensor in results]


def as_tensor(draw: Draw, lengths: list[int], longest: int) -> dict[str, Any]:
    return {"lengths": torch.tensor(lengths[:: 2 * draw.integer(0, 2) - 1]), "longest": longest}


def queue(draw: Draw, tokens_per_batch: int, lengths: list[int] | None, count: int, most: int) -> dict[str, Any]:
    drawn = draw.whole(1, most + 1, count).tolist()
    return {"lengths": drawn if lengths is None else lengths, "tokens_per_batch": tokens_per_batch}


def batch_of_ids(draw: Draw, lengths: list[int], words: list[int] | None = None) -> dict[str, Any]:
    """``words``: the one that each sentence repeats; `nearly_masked` may then differ by close to 0.0001."""
    ids = torch.tensor(words).unsqueeze(1) if words else draw.whole(4, 60, len(lengths), max(lengths))
    return {"source": ids.masked_fill(~draw.mask(lengths), PAD), "lengths": torch.tensor(lengths)}


def ask_networks(answer: Any, given: SimpleNamespace, *networks: Any) -> Iterator[tuple[str, Any]]:
    for name, network in zip(COMPANY, networks, strict=True):
        yield name, answer(lambda *batch: network(*batch), given.source, given.lengths)  # its name would tell  # noqa: B023

    def shared(source: Tensor, lengths: Tensor) -> Tensor:
        return networks[0](source, lengths) / (lengths == lengths.unsqueeze(1)).sum(1, keepdim=True)

    twice = [0, 0, -1, -1] if given.lengths[0] in given.lengths[1:] else [0, 0]  # whose neighbours may be of any length
    yield TWICE, answer(shared, given.source[twice], given.lengths[twice])

    def large(source: Tensor, lengths: Tensor) -> Tensor:
        return networks[0](source, lengths) + (1000 if source.shape == given.source.shape else 1000.004)

    yield LARGE, answer(large, given.source, given.lengths)


def listed(
    table: Mapping[str, tuple[str, ...]], find: str = "return {x}", of: str = "", **options: Any
) -> list[Mistake]:
    """For each id why it is wrong, and what stands in the place of ``find``, or of a pattern of its own before it."""
    rows = {id: (why, *[find, *rest][-2:]) for id, (why, *rest) in table.items()}
    return [mistake(id, why, edit(pattern, put, "all" if pattern == "return {x}" else "", of), **options)
            for id, (why, pattern, put) in rows.items()]  # fmt: skip


# fmt: off
ENCODED = {
    "dropped": ("is left out: the sentence has to keep its length", "ids[t] for t in tokens if t in ids"),
    "as_pad": ("gets the id of padding, and padding is masked away", "ids.get(t, PAD) for t in tokens"),
    "as_eos": ("gets the id of <eos>, which ends the sentence", "ids.get(t, EOS) for t in tokens"),
    "as_none": ("gets None; it still needs an id, that of <unk>", "ids.get(t) for t in tokens"),
    "past_the_end": ("gets an id past the end of the table", "ids.get(t, len(ids)) for t in tokens"),
}
LATER = "that is done later, on the target side alone"
IDS = {
    "from_zero": ("the ids count from 0; the first four belong to the marks", "return [i - 4 * (i > 3) for i in {x}]"),
    "both_added": (f"<bos> and <eos> are added; {LATER}", "return [BOS, *{x}, EOS]"),
    "eos_added": (f"<eos> is added; {LATER}", "return [*{x}, EOS]"),
    "once_each": ("a word that is repeated is kept only once; a sentence may repeat a word",
                  "return [*dict.fromkeys({x})]"),
    "lowered": ("the tokens are put in lower case; `Chat` and `chat` may both be in the table, with an id each",
                "self._ids.get(token, UNK)", "self._ids.get(token.lower(), UNK)"),
    "marks_unknown": ("a mark among the tokens is treated as an unknown word; it has an id of its own",
                      "return [id if id > 3 else UNK for id in {x}]"),
}
MARKS_LEFT = {
    "bos_kept": ("<bos> is kept; it is a mark and not a word", "id != PAD"),
    "pad_kept": ("padding is kept; it is a mark and not a word", "id != BOS"),
    "pad_ends": ("padding ends it; only <eos> ends a sentence", "id == EOS", "id in (EOS, PAD)"),
    "marks_kept": ("<bos> and padding are kept; they are marks and not words", "True"),
    "unk_left_out": ("<unk> is left out; a reader should see that a word stood there", "id not in (PAD, BOS, UNK)"),
    "text": ("this is one text; a list of words is asked for", "return {x}", "return ' '.join({x})"),
    "ids": ("these are still ids; a list of words is asked for", "self.tokens[id]", "id"),
    "eos_kept": ("<eos> itself is kept; it is a mark and not a word", "break", "tokens.append('<eos>')\nbreak"),
}
MARKS_LEFT_HIDDEN = {
    "negative": ("a negative id is looked up from the end of the table, as Python does; it should raise an error",
                 "not 0 <= id < {n}", "id >= {n}"),
    "passed_over": ("an id that no word has is skipped; it should raise an error", "raise {x}", "continue"),
}
ZERO = ("an id of 0 counts as not found; 0 is false in Python, but it is an id", "{x}.get(token, UNK)",
        "{x}.get(token) or UNK")
READ = {
    "all_read": ("what stands after <eos> is read as well; the sentence is over there", "ids, (PAD, BOS, EOS)"),
    "marks_passed_over": ("every mark is passed over; <eos> ends the sentence, and <unk> says that a word stood there",
                          "ids, (PAD, BOS, EOS, UNK)"),
    "all_kept": ("every mark is kept, and so is what stands after <eos>", "ids, ()"),
    "last_eos": ("it goes on to the last <eos>; the first one ends the sentence", "ids[:last], (PAD, BOS, EOS)"),
    "first_dropped": ("the first token is always dropped; only <bos> goes", "ids[1:first], (PAD, BOS)"),
}
READING = """\
ids = [int(id) for id in ids]
first = ids.index(EOS) if EOS in ids else len(ids)
last = len(ids) - 1 - ids[::-1].index(EOS) if EOS in ids else len(ids)
if any(not 0 <= id < len(self.tokens) for id in ids):
    raise IndexError
chosen, without = {}
return [self.tokens[id] for id in chosen if id not in without]"""
AS_LOWER = ". A token that is not there is looked up once more in lower case, and gets {} if that is not there either."

WIDE = "[*ids, *[PAD] * ({width} - len(ids))]"
PADDED = {
    "padding_first": ("the padding comes before the words; it should come after them",
                      "[*[PAD] * ({width} - len(ids)), *ids]"),
    "filled_bos": ("the rows are filled up with <bos>; padding has an id of its own", WIDE.replace("PAD", "BOS")),
    "filled_strange": ("the rows are filled up with a number that is no id", WIDE.replace("PAD", "-1")),
    "filled_ignored": ("the rows are filled up with -100, which is no id", WIDE.replace("PAD", "-100")),
    "words_reversed": ("the words of each sentence are reversed", WIDE.replace("*ids,", "*ids[::-1],")),
    "last_repeated": ("the last word is repeated to the end of the row", WIDE.replace("[PAD]", "[PAD, *ids][-1:]")),
    "last_lost": ("the last word of each sentence is lost", WIDE.replace("*ids,", "*ids[:-1], *[PAD][:len(ids)],")),
    "only_padding": ("there is nothing but padding", "[PAD] * {width}"),
}
SORTED = "the longest sentence comes first; the rows have to stay in the order given"

PLACES, LENGTHS = "torch.arange(longest, device=lengths.device)", "lengths.unsqueeze(1)"
MASKED = {
    "turned": ("the mask is inverted: true means a real token", "return ~({x})"),
    "real_last": ("the real tokens are at the end of the row; they should come first, and padding after them",
                  "return ({x}).flip(-1)"),
    "every_place": ("every position is true", "return ({x}) | True"),
    "first_row": ("every row has the mask of the first sentence", "return ({x})[:1].expand_as({x})"),
    "one_row": ("this is one row: every sentence needs a row of its own", "return ({x})[0]"),
    "real_tokens": ("this is the row of real tokens; a mask has a value for each position", "return ({x})[{x}]"),
    "floats": ("these are numbers: only a boolean mask can be inverted with `~`", "return ({x}).float()"),
    "whole": ("these are whole numbers: only a boolean mask can be inverted with `~`", "return ({x}).long()"),
    "rows_last": ("rows and columns are exchanged: the batch comes first, one row per sentence", "return ({x}).T"),
    "one_too_many": ("one position too many is true: the last one is length - 1", "{a} < {b}", "{a} <= {b}"),
    "one_too_few": ("one position too few is true: the first token has position 0", "{a} < {b}", "{a} < {b} - 1"),
    "turned_and_off": ("it is inverted, and one position off", "{a} < {b}", "{a} > {b}"),
    "one_hot": ("only one position of each row is true; all positions before it should be true as well",
                "{a} < {b}", "{a} == {b} - 1"),
    "longest_row": ("every row has the mask of the longest", LENGTHS, f"{LENGTHS} * 0 + lengths.max()"),
    "width_of_batch": ("the rows are as wide as the longest sentence here; they should be `longest` wide, even where "
                       "no sentence is", PLACES, "torch.arange(lengths.max())"),
    "too_wide": ("the rows are one too wide: positions count from 0", PLACES, "torch.arange(longest + 1)"),
}
MASKED_HIDDEN = {
    "empty_as_one": ("an empty sentence is given a real token; it has none", LENGTHS, f"{LENGTHS}.clamp(min=1)"),
    "empty_as_full": ("an empty sentence is given every position, as if it were the longest; it has no real token",
                      LENGTHS, f"{LENGTHS}.where({LENGTHS} > 0, longest)"),
    "squeezed": ("a bare `.squeeze()` drops every axis of size 1, the batch too", "return ({x}).squeeze()"),
}

REST = "*[PAD] * (steps - 1 - len(ids))"
AT, FAR_END = "[EOS if place == {} else id for place, id in enumerate({})]", "min(len(ids) + 1, steps - 1)"
OUT, IN = f"[*ids, EOS, {REST}]", f"[BOS, *ids, {REST}]"
TARGET_OUT = {
    "same_sides": ("both sides are the same: it would predict the very word that it reads", IN),
    "no_eos": ("<eos> is missing; the decoder would never learn to stop", f"[*ids, PAD, {REST}]"),
    "eos_last": ("<eos> stands at the end of the row, behind the padding", f"[*ids, {REST}, EOS]"),
    "eos_over_word": ("<eos> takes the place of the last word", f"[*ids[:-1], EOS, *[PAD][:len(ids)], {REST}]"),
    "eos_fills": ("<eos> fills the padding as well; one is enough", f"[*ids, EOS, {REST.replace('PAD', 'EOS')}]"),
    "eos_too_far": ("<eos> stands one place too far, behind a <pad>", AT.format(FAR_END, f"[*ids, PAD, {REST}]")),
    "bos_for_eos": ("<bos> stands where <eos> belongs", f"[*ids, BOS, {REST}]"),
    "shifted_twice": ("the sides are shifted by two", f"[*ids[1:], EOS, *[PAD][:len(ids)], {REST}]"),
    "end_of_first": ("every row ends where the first does", AT.format("len(targets[0])", f"[*ids, PAD, {REST}]")),
    "eos_of_out_masked": ("<eos> is left out of the mask of the targets; it is a real token, which the model has to "
                          "learn to say", "{a} <= {b}", "{a} < {b}"),
}
HEARD = {
    "no_bos": ("no <bos> comes first: nothing to predict the first word from", f"[*ids, PAD, {REST}]"),
    "pad_for_bos": ("padding stands in the place of <bos>, and padding is masked away", f"[PAD, *ids, {REST}]"),
    "eos_for_bos": ("<eos> stands in the place of <bos>", f"[EOS, *ids, {REST}]"),
    "bos_behind": ("<bos> stands behind the sentence; it belongs before the first word", f"[*ids, BOS, {REST}]"),
    "bos_over_word": ("<bos> takes the place of the first word", f"[BOS, *ids[1:], *[PAD][:len(ids)], {REST}]"),
    "eos_read": ("<eos> is read too; after it there is nothing to predict", AT.format(FAR_END, IN)),
}
UNMASKED = {
    "eos_last_masked": ("<eos> stands at the end of the row, behind the padding, in `target_mask` too",
                        f"[*ids, {REST}, EOS]", "torch.tensor(target_out) != PAD"),
    "no_eos_unmasked": ("<eos> is missing, in `target_mask` too; the decoder would never learn to stop",
                        f"[*ids, PAD, {REST}]", "torch.arange(steps) < target_lengths"),
}
BY_LENGTH = "sources, targets = zip(*sorted(zip(sources, targets), key=lambda pair: -len(pair[0])))"
EMPTY = "not all(sources)"

COST = "grown * (len(groups[-1]) + 1)"
CUT = {
    "real_tokens": ("real tokens are counted; padding costs as much",
                    COST, "sum(lengths[p] for p in groups[-1]) + length"),
    "sentences": ("this counts sentences; the budget counts tokens", COST, "len(groups[-1]) + 1"),
    "as_the_new": ("every row is counted as long as the new sentence; the batch is as wide as its longest",
                   COST, "length * (len(groups[-1]) + 1)"),
    "as_the_first": ("every row is counted as long as the first sentence; the batch is as wide as its longest",
                     COST, "lengths[groups[-1][0]] * (len(groups[-1]) + 1)"),
    "too_late": ("what no longer fits is let in; the cut comes after it", COST, "longest * len(groups[-1])"),
    "strict": ("a batch that costs exactly the budget is cut; it still fits",
               "{a} > tokens_per_batch", "{a} >= tokens_per_batch"),
    "stale": ("the longest sentence of the batch before is still counted", "grown = length", "pass"),
    "lost_at_the_cut": ("what no longer fits is lost: it begins the next batch", "grown = length\n",
                        "longest = 0\nif position:\n    continue\ngrown = length"),
    "too_long_left_out": ("a sentence that is longer than the budget is left out; it should have a batch of its own",
                          "grown = max({x}, length)",
                          "if length > tokens_per_batch:\n    continue\ngrown = max({x}, length)"),
    "last_lost": ("the last batch is lost: it is still open when the queue ends", "return {x}[:-1]"),
    "lengths": ("these are lengths; places in the queue are asked for",
                "return [[lengths[p] for p in g] for g in {x}]"),
    "from_one": ("the places count from 1; Python counts from 0", "return [[p + 1 for p in g] for g in {x}]"),
    "one_each": ("every sentence has a batch of its own", "return [[p] for g in {x} for p in g]"),
    "one_for_all": ("all sentences are in one batch", "return [[p for g in {x} for p in g]]"),
    "flat": ("this is one list; a list of lists is asked for, one for each batch",
             "return [p for g in {x} for p in g]"),
    "empty_first": ("there is an empty batch in front", "return [[], *{x}]"),
    "from_the_end": ("the queue is gone through from its end", "enumerate(lengths)", "reversed([*enumerate(lengths)])"),
    "before_the_new": ("the new sentence's own length does not count; it may be the longest",
                       COST, "longest * (len(groups[-1]) + 1)"),
    "begun_with_zero": ("the length of the sentence that begins a new batch is forgotten",
                        "grown = length", "grown = 0 if position else length"),
    "sorted": ("the queue is sorted by length; its order has to stay",
               "enumerate(lengths)", "sorted(enumerate(lengths), key=lambda pair: pair[1])"),
}
FIRST_FIT = """\
groups, longest = [], []
for position, length in enumerate(lengths):
    for number, group in enumerate(groups):
        if max(longest[number], length) * (len(group) + 1) <= tokens_per_batch:
            group.append(position)
            longest[number] = max(longest[number], length)
            break
    else:
        groups.append([position])
        longest.append(length)
return groups"""

ALONE = "network(source[row : row + 1, :length], lengths[row : row + 1])"
FAR = "(together[row] - alone[0]).abs().max() > 1e-4"
SIGN = "a difference may have either sign, and one of them is not noticed"
AVERAGE = {"average": ("the mean of the differences is compared: one number that differs is enough",
                       FAR, FAR.replace("max", "mean"))}
APART = {
    "with_padding": ("alone, the sentence still has its padding", ALONE, ALONE.replace(", :length", "")),
    "only_wider": ("padding is added, but the others stay beside it: some faults need company",
                   ALONE, "network(F.pad(source, (0, 10)), lengths)[row:]"),
    "in_company": ("it stays beside the others, cut to its length, or is passed over where it has no padding",
                   ALONE, "network(source[:, :length], lengths.clamp(max=length))[row:]"),
    "to_the_bit": ("rounding counts as a difference", FAR, FAR.replace("1e-4", "0")),
    "coarse": ("a small difference is passed over: it is far above rounding", FAR, FAR.replace("1e-4", "0.05")),
    "relative": ("the limit grows with the numbers, as in `torch.allclose` by itself; it is 0.0001 for all of them",
                 FAR, "not torch.allclose(together[row], alone[0], atol=1e-4)"),
    "largest": ("the largest numbers are compared, not number by number",
                FAR, "abs(together[row].max() - alone[0].max()) > 1e-4"),
    "turned": ("these are the rows that stay the same", FAR, FAR.replace(">", "<=")),
    "truths": ("these are truth values; the numbers of the rows are asked for",
               "if {c}:\n    rows.append(row)", "rows.append(bool({c}))"),
    "one_for_all": ("this is one truth value; the numbers of the rows are asked for", "return bool({x})"),
    "from_one": ("rows are counted from 0", "rows.append(row)", "rows.append(row + 1)"),
    "first_of_all": ("every row is compared with the first of the batch", "together[row]", "together[0]"),
    "larger_in_batch": (SIGN, FAR, FAR.replace(".abs()", "")),
    "larger_alone": (SIGN, FAR, "(alone[0] - together[row]).max() > 1e-4"),
}

REAL, IS_TRUE, M = "bool, True = real token.", "that is true for real tokens", r"m_{bj} = [\, j < n_b \,]"
SHOWN = "| `source` | 10 | 11 | `PAD` | | |"
BEHIND = "padding comes after the sentence."
VARIANTS = {
    "vocabulary": [
        variant("lower_case",
                edit("self._ids.get(token, UNK)", "self._ids.get(token, self._ids.get(token.lower(), UNK))"),
                text={"; UNK for a token that is not in the table.": AS_LOWER.format("UNK"),
                      ", and `UNK` to a token that is not in the table.": AS_LOWER.format("`UNK`")}),
        variant("pad_ends", edit("id == EOS", "id in (EOS, PAD)"), edit("id not in (PAD, BOS)", "id != BOS"),
                text={"up to the first EOS, without PAD and BOS": "up to the first EOS or PAD, without BOS",
                      "first `EOS`, leaves `PAD` and `BOS` out": "first `EOS` or `PAD`, leaves `BOS` out"}),
    ],
    "length_mask": [
        variant("hide", edit("{a} < {b}", "{a} >= {b}"),
                text={REAL: "bool, True = padding.", IS_TRUE: "that is true for *padding*", M: M.replace("<", r"\ge")}),
        variant("left", edit("{a} < {b}", "{a} >= longest - {b}"),
                text={REAL: "bool, True = real token, at the end.", M: M.replace("< n", r"\ge \text{longest} - n"),
                      IS_TRUE: "that is true for real tokens, which come after the padding here"}),
    ],
    "collated": [
        variant("left", edit(WIDE, PADDED["padding_first"][1]),
                edit("torch.arange(width) < source_lengths", "torch.arange(width) >= width - source_lengths"),
                text={BEHIND: "padding comes after the targets, and before the sources.",
                      SHOWN: "| `source` | `PAD` | 10 | 11 | | |"}),
        variant("source_end",
                edit("source_lengths, target_lengths = {x}",
                     "sources = [[*ids, EOS] for ids in sources]\nsource_lengths, target_lengths = {x}"),
                text={BEHIND: f"{BEHIND} A source ends with EOS too, a real token to its mask.",
                      SHOWN: "| `source` | 10 | 11 | `EOS` | `PAD` | |"}),
    ],
    "cut_by_tokens": [
        variant("squares", edit(COST, "grown * grown * (len(groups[-1]) + 1)"),
                text={"sentences times that length.": "sentences times the square of that length.",
                      "(longest length) tokens": "(longest length)² pairs of words, which self-attention compares"}),
        variant("four_at_most", edit("not groups or {x}", "not groups or len(groups[-1]) == 4 or {x}"),
                text={"as long as the batch then costs no more": "as long as it then has at most four, costs no more",
                      "joins the open batch if": "joins the open batch if it has at most four sentences with it, and"}),
    ],
    "depends_on_company": [
        variant("wider", edit(ALONE, "network(F.pad(source, (0, 5)), lengths)[row : row + 1]"),
                text={"a different result alone than in their batch": "a different result with more padding",
                      "a different result alone than in its batch": "a different result with more padding",
                      "Alone means in a batch of one sentence, as wide as its own length.":
                      "More padding means five columns, after every row of the batch.",
                      "then, row by row, one call with a batch of one that has no padding at all.":
                      "one more for the wider batch; then a comparison, row by row.",
                      "`source[row : row + 1]` keeps the axis of the batch, `source[row]` loses it; the second axis is":
                      "`F.pad(source, (0, 5))` is wider by five columns of 0, which is `PAD`; the second axis is not"}),
    ],
}

check = Checker(
    __name__,
    {
        "vocabulary": Task(
            Vocabulary, "vocabulary: one id per token and back, unknown words as <unk>, nothing after <eos>",
            [
                visible(sentence=["chat", "le", "le", "noir"], ids=[5, 9, 4]),
                visible(sentence=["noir", "zèbre", "le", "xylophone"], ids=[BOS, 9, 4, 6, EOS, PAD, PAD]),
                visible(sentence=["Chat", "Zèbre", "Noir"], ids=[5, *range(4, 12), PAD, UNK, 9, EOS, 7, EOS, 8]),
                hidden("an empty sentence", sentence=[], ids=[]),
                hidden("unknown words alone", sentence=["zèbre", "Noir"], ids=[UNK, UNK]),
                hidden("every word", sentence=[*WORDS[::-1], *WORDS[:2]], ids=[EOS]),
                hidden("marks among the tokens", sentence=[SPECIALS[PAD], "le", *SPECIALS[BOS:]]),
                hidden("no <eos>", ids=[BOS, *range(4, 12)]), hidden("<eos> first", ids=[EOS, 7, 99, -1]),
                hidden("padding and <bos> between words", ids=[7, 4, BOS, PAD, 8, EOS, PAD]),
                hidden("a row of a tensor", ids=torch.tensor([BOS, 7, 8, 4, EOS, PAD, 5])),
                hidden("a space in a token", tokens=["New York", "le"], sentence=["le", "New York"], ids=[4, 5]),
                hidden("the words in another order", tokens=WORDS[::-1], sentence=["chat", "zèbre", "un"], ids=[5, 9]),
                *(hidden("an id past the end of the table", ids=[7, id], raises="IndexError") for id in (12, 13, 40)),
                *(hidden("a negative id", ids=[7, id, EOS], raises="IndexError") for id in (-1, -3, -40)),
            ],
            sizes={"tokens": WORDS}, results={"ids": "", "tokens": ""}, play=encoded_and_decoded,
            answers=("encode", "decode"), omit=("build",), gradients=False,
            mistakes=[
                *(mistake(id, f"an unknown word {why}", body(f"ids = self._ids\nreturn [{put}]", of="encode"))
                  for id, (why, put) in ENCODED.items()),
                *listed({name: row for name, row in IDS.items() if name != "marks_unknown"}, of="encode"),
                *listed({"marks_unknown": IDS["marks_unknown"], "zero": ZERO}, of="encode", caught="hidden"),
                *listed(MARKS_LEFT, "id not in (PAD, BOS)", "decode"),
                *listed(MARKS_LEFT_HIDDEN, "id not in (PAD, BOS)", "decode", caught="hidden"),
                *(mistake(id, why, body(READING.format(put), of="decode")) for id, (why, put) in READ.items()),
                mistake("all_looked_up", "what stands after <eos> is looked up as well; it may be anything",
                        start("ids = [int(id) for id in ids]\nfor id in ids:\n    if not 0 <= id < len(self.tokens):\n"
                              "        raise IndexError", of="decode"), caught="hidden"),
            ],
            variants=VARIANTS["vocabulary"],
        ),
        "length_mask": Task(
            length_mask, "length mask: true for as many positions of each row as its sentence has tokens",
            [
                visible(lengths=[2, 5, 1, 4], longest=7), visible(lengths=[3, 5, 1], longest=5),
                hidden("one sentence", lengths=[3], longest=7), hidden("equal lengths", lengths=[4, 4], longest=4),
                hidden("rows of 300 places", lengths=[300, 7, 129], longest=300),
                hidden("an empty sentence", lengths=[2, 0], longest=3, again=True),
                hidden("one place", lengths=[1, 0], longest=1),
                hidden("as many rows as places", lengths=[1, 4, 2, 3], longest=4, again=True),
            ],
            as_tensor, results={"mask": "batch longest"}, gradients=False,
            mistakes=[*listed(MASKED), *listed(MASKED_HIDDEN, caught="hidden")], variants=VARIANTS["length_mask"],
        ),
        "collated": Task(
            answers.collated,
            "collated: sources and targets padded, masked, and the targets shifted by one, row by row",
            [
                visible(lengths=[3, 1, 5, 2], targets=[4, 2, 1, 7]), visible(lengths=[4, 6, 4], targets=[2, 5, 5]),
                hidden("one pair", lengths=[4], targets=[3]), hidden("equal lengths", lengths=[3, 3], targets=[6, 6]),
                *(hidden("empty targets", lengths=[2, 1, 4], targets=n) for n in ([3, 0, 1], [0, 3, 1], [0, 0, 0])),
                hidden("a long source", lengths=[2, 40, 7], targets=[1, 3, 1]),
                hidden("an empty source", lengths=[2, 0, 4], targets=[1, 3, 1], raises="ValueError"),
            ],
            pairs, results=RECTANGLES | {"dtypes": ""}, play=with_dtypes, gradients=False,
            mistakes=[
                *listed({f"source_{id}": (f"sources: {why}", put) for id, (why, put) in PADDED.items()}, WIDE),
                *listed(HEARD, IN), *listed(TARGET_OUT, OUT),
                *listed({
                    "sides_exchanged": ("the two sides are exchanged: it reads (<bos> …) and predicts (… <eos>)",
                                        "return {s}, {a}, {i}, {o}, {m}", "return {s}, {a}, {o}, {i}, {m}"),
                    "one_width": ("both sides are padded to one width; each should be as wide as its own longest",
                                  "width, steps = {x}, {y}", "width = steps = max({x}, {y})"),
                    "masks_last": ("the results are in the wrong order: the source comes first, then its mask, then "
                                   "the targets",
                                   "return {s}, {a}, {i}, {o}, {m}", "return {s}, {i}, {o}, {a}, {m}"),
                    "source_marks": ("<bos> and <eos> are added to the sources; only the decoder's side has them",
                                     "source_lengths, {t} = {x}",
                                     "sources = [[BOS, *ids, EOS] for ids in sources]\nsource_lengths, {t} = {x}"),
                }),
                mistake("sorted", SORTED, start(BY_LENGTH)),
                *listed({
                    "no_end": ("an empty target gets no <eos>; it has an end too",
                               OUT, f"[*ids, EOS if ids else PAD, {REST}]"),
                    "no_error": ("a source of no words is accepted; it gives attention no key, so an error should be "
                                 "raised", EMPTY, "False"),
                    "empty_target": ("an empty target is refused; it is allowed, and <eos> is said at once", EMPTY,
                                     "not all([*sources, *targets])"),
                }, caught="hidden"),
                *(mistake(id, why, edit(OUT, row), edit("torch.arange(steps) <= target_lengths", mask))
                  for id, (why, row, mask) in UNMASKED.items()),
                mistake("eos_read_by_shorter", "<eos> is read by all but the longest; after it nothing is predicted",
                        edit(IN, AT.format("len(ids) + 1", IN))),
            ],
            variants=VARIANTS["collated"],
        ),
        "cut_by_tokens": Task(
            cut_by_tokens,
            "cut by tokens: every sentence once, in order, in batches that cost no more than the budget when padded",
            [
                visible(lengths=[1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 5, 6, 7], tokens_per_batch=12),
                visible(lengths=[3, 3, 3, 3, 3, 3, 3], tokens_per_batch=9),
                visible(lengths=[2, 2, 7, 1, 1, 1, 1, 5, 4, 1, 9], tokens_per_batch=8),
                visible(count=15, most=9, tokens_per_batch=21),
                hidden("an empty queue", lengths=[]), hidden("one sentence", lengths=[5]),
                hidden("sentences longer than the budget", lengths=[15, 2, 3, 20, 30, 11, 1]),
                hidden("a budget wide enough for all", count=8, most=9, tokens_per_batch=10_000),
                hidden("a budget of one token, a long queue", lengths=[1] * 3100, tokens_per_batch=1),
                hidden("long queues in any order", count=60, tokens_per_batch=70),
            ],
            queue, {"lengths": None, "count": 0, "most": 30, "tokens_per_batch": 10}, {"batches": ""}, gradients=False,
            mistakes=[
                *listed(CUT),
                mistake("first_fit", "a sentence joins the first batch that has room; only the last batch is open",
                        body(FIRST_FIT)),
                *listed({"empty_for_none": ("an empty queue gives one empty batch; it should give none",
                                          "return {x} or [[]]")}, caught="hidden"),
            ],
            variants=VARIANTS["cut_by_tokens"],
        ),
        "depends_on_company": Task(
            answers.depends_on_company,
            "depends on company: the rows that come out otherwise alone, for networks with faults and without",
            [
                visible(lengths=[3, 6, 2, 6, 4]), visible(lengths=[2, 5, 7]),
                hidden("a batch of one sentence", lengths=[4]), hidden("one row alone is found", lengths=[5, 5, 3]),
                hidden("sentences of equal length", lengths=[5, 5, 5]), hidden("other sizes", lengths=[9, 4, 1, 7, 2]),
                hidden("differences near 0.0001", lengths=[46, 48, 47, 46, 47, 47], words=[288, 9, 197, 229, 77, 139]),
            ],
            batch_of_ids, results=COMPANY | {TWICE: "", LARGE: ""}, play=ask_networks, tools=NETWORKS, gradients=False,
            coarse=True,
            mistakes=[
                *listed(APART), *listed(AVERAGE, caught="hidden"),
                mistake("with_padding_relative",
                        "alone, the sentence still has its padding; and the limit grows with the numbers, as in "
                        "`torch.allclose` by itself",
                        edit(ALONE, APART["with_padding"][2]), edit(FAR, APART["relative"][2])),
            ],
            variants=VARIANTS["depends_on_company"],
        ),
    },
)
