"""The tasks of ``03_bottleneck``: BLEU from counted words to a decision, and two means against the bottleneck."""

from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, result, start
from autograder.checking.task import Entry, Task, hidden, listed, variant, visible
from seq2seq.decoders.fixed import beside_every_word
from seq2seq.exercises.bottleneck import bleu_by_bucket, bleu_of_counts, bootstrap, ngram_matches, reverse_source
from seq2seq.vocab import PAD

WORDS = ["le", "Le", "chat", "noir", "et", "chien", "dort", "petite"]
HYPOTHESIS = ["le", "le", "le", "chat", "voit", "le", "noir", "chien", "Le", "noir", "noir"]
MEANT = ["le", "chat", "voit", "le", "chien", "noir", "et", "voit", "voit", "Noir", "ici"]
SOURCES = [8, 4, 15, 6, 7, 12, 5, 3, 6, 8, 11, 16]

MARKS = [*map(chr, range(256)), *"\u200b\u2028\u241f\u2581\ue000\uffff", "<sep>", "</s>", "</w>", "<|>", " | ", ", "]

Listed = dict[str, tuple[str, str]]  # id → why it is wrong, and what stands in the place of what


def instead(of: str, edits_by_id: Listed) -> dict[str, Entry]:
    return {id: (why, edit(of, put)) for id, (why, put) in edits_by_id.items()}


def words(draw: Draw, count: int) -> list[str]:
    return [WORDS[index] for index in draw.whole(0, len(WORDS), count).tolist()]


def sentences(draw: Draw, text: int | list[str], meant: int | list[str], n: int) -> dict[str, Any]:
    texts = [words(draw, side) if isinstance(side, int) else list(side) for side in (text, meant)]
    return {"hypothesis": texts[0], "reference": texts[1], "n": n}


MATCHES, TOTAL = "sum(min(count, theirs[ngram]) for ngram, count in ours.items())", "sum(ours.values())"
RUN, PLACES = "tuple({words}[start : start + n])", "range(len({words}) - n + 1)"
BY_INDEX = "sum(a == b for a, b in zip(*([tuple(w[i : i + n]) for i in range(len(w) - n + 1)] for w in (hypothesis, reference))))"  # noqa: E501
NGRAMS: dict[str, Entry] = {
    **instead(MATCHES, {
        "not_clipped": ("an n-gram matches more often than it occurs in the reference: clip each count",
                        "sum(count for ngram, count in ours.items() if ngram in theirs)"),
        "distinct": ("each different n-gram counts once; one that occurs twice in both matches twice",
                     "len(ours.keys() & theirs.keys())"),
        "theirs": ("the reference's counts are summed; an n-gram matches no more often than it was said",
                   "sum(theirs[ngram] for ngram in ours)"),
        "placed": ("only n-grams at the same position are compared; a match may be anywhere", BY_INDEX),
    }),
    **instead(TOTAL, {
        "recall": ("the total counts the n-grams of the reference; it should count those of the translation",
                   "sum(theirs.values())"),
        "words": ("the total is the number of words; a sentence has n − 1 fewer n-grams", "len(hypothesis)"),
        "negative": ("a sentence shorter than n has no n-gram; no count falls below 0", "len(hypothesis) - n + 1"),
        "distinct_total": ("the total counts different n-grams; a repeated one counts again", "len(ours)"),
    }),
    "distinct_both": ("each different n-gram counts once, in the total as well",
                      edit(MATCHES, "len(ours.keys() & theirs.keys())"), edit(TOTAL, "len(ours)")),
    "order": ("the two numbers are in the wrong order: matches first, then the total",
              edit(f"matches, {TOTAL}", f"{TOTAL}, matches")),
    "last_run": ("the last n-gram is left out: an n-gram can begin at len − n + 1 positions",
                 edit(PLACES, "range(len({words}) - n)", "all")),
    "apart": ("the n-grams do not overlap; each word but the last n − 1 begins one",
              edit(PLACES, "range(0, len({words}) - n + 1, n)", "all")),
    "single": ("single words are counted, whatever n is", start("n = 1")),
    "sorted": ("the order of the words within an n-gram is lost", edit(RUN, f"tuple(sorted({RUN}))", "all")),
    "lower": ("capitals are ignored: `Le` and `le` are different words here",
              start("hypothesis, reference = ([w.lower() for w in one] for one in (hypothesis, reference))")),
    "letters": ("letters are counted; the sentences are lists of words",
                start("hypothesis, reference = ''.join(hypothesis), ''.join(reference)")),
    **{f"joined{n}": ("the words of an n-gram are joined into one string, so that different ones look alike",
                      edit(RUN, f"{mark!r}.join({RUN})", "all")) for n, mark in enumerate(("", " "))},
    "all_lengths": ("runs of all lengths up to n are counted; only those of n words should be", body("""
        ours, theirs = (Counter(tuple(one[i : i + k]) for k in range(1, n + 1) for i in range(len(one) - k + 1))
                        for one in (hypothesis, reference))
        return sum((ours & theirs).values()), sum(ours.values())""")),
}  # fmt: skip

BREVITY, MEAN = "min(1.0, math.exp(1 - reference_length / hypothesis_length))", "math.exp(sum(logs) / len(logs))"
LOGS = "[math.log(match / total) for match, total in zip(matches, totals, strict=True)]"
ZERO, ALL_ZERO = (f"if {test}(matches) == 0:\n    return 0.0" for test in ("min", "max"))
BLEU: dict[str, Entry] = {
    **instead(BREVITY, {
        "no_brevity": ("the brevity penalty is missing: half a translation may be all right", "1.0"),
        "lengths_swapped": ("lengths are swapped in the brevity penalty: it is for translations that are too short",
                            "min(1.0, math.exp(1 - hypothesis_length / reference_length))"),
        "long_rewarded": ("long translations are rewarded: the brevity penalty is at most 1",
                          "math.exp(1 - reference_length / hypothesis_length)"),
        "long_punished": ("long translations get the penalty meant for short ones",
                          "math.exp(-abs(1 - reference_length / hypothesis_length))"),
        "ratio": ("the penalty is the ratio of the lengths; it should be an exponential",
                  "min(1.0, hypothesis_length / reference_length)"),
        "no_one": ("the brevity penalty lacks its 1: at equal lengths it has to be 1",
                   "math.exp(-reference_length / hypothesis_length)"),
    }),
    **instead(MEAN, {
        "arithmetic": ("this is the arithmetic mean of the shares; BLEU takes the root of their product",
                       "sum(math.exp(one) for one in logs) / len(logs)"),
        "no_root": ("the root is missing: with every further n, the product would fall", "math.exp(sum(logs))"),
        "divided": ("the product is divided by the number of shares: `x ** 1 / n` is `(x ** 1) / n`; the root is "
                    "`x ** (1 / n)`", "math.exp(sum(logs)) / len(logs)"),
        "thrown_together": ("the counts of all n are added up; each n has a share of its own",
                            "sum(matches) / sum(totals)"),
        "longest_only": ("only the longest n-grams are scored", "math.exp(logs[-1])"),
        "words_only": ("only single words are scored", "math.exp(logs[0])"),
        "turned": ("the shares are upside down: divide matches by total", "math.exp(-sum(logs) / len(logs))"),
    }),
    "short_unpunished": ("short translations get no penalty, and long ones are rewarded; only short ones should get a "
                         "factor other than 1", edit("min(1.0, {x})", "max(1.0, {x})")),
    "share": ("this is a share from 0 to 1; BLEU is given from 0 to 100", result("({x}) / 100")),
    "fourth_root": ("the root is always the fourth; there are as many factors as counts", edit("len(logs)", "4")),
    "under_the_root": ("the penalty is under the root; it should be a factor of its own",
                       edit(f"100 * brevity * {MEAN}", "100 * (brevity * math.exp(sum(logs))) ** (1 / len(logs))")),
    "zeros_left_out": ("each n without matches is left out; where one share is 0, so is the product",
                       edit(ZERO, ALL_ZERO), edit(LOGS, "[math.log(m / t) for m, t in zip(matches, totals) if m]")),
    "zeros_as_ones": ("each n without matches counts as a share of 1; where one share is 0, so is the product",
                      edit(ZERO, ALL_ZERO),
                      edit(LOGS, "[math.log(m / t) if m else 0.0 for m, t in zip(matches, totals)]")),
    "smoothed": ("1 is added to each count: nothing is smoothed here",
                 edit(ZERO, "pass"), edit("match / total", "(match + 1) / (total + 1)")),
    "smoothed_above_one": ("1 is added to the counts of each n but the first: nothing is smoothed here",
                           edit(ZERO, "if matches[0] == 0:\n    return 0.0"),
                           edit(LOGS, "[math.log((m + (n > 0)) / (t + (n > 0))) "
                                "for n, (m, t) in enumerate(zip(matches, totals))]")),
    "tiny": ("a tiny number replaces matches of 0; where one share is 0, so is the product",
             edit(ZERO, "pass"), edit("match / total", "max(match, 1e-9) / max(total, 1)")),
    "no_ngrams_left_out": ("an n without any n-grams is left out; it has no matches, and if one n has none, BLEU is 0",
                           edit(ZERO, "if not hypothesis_length or any(t and not m for m, t in zip(matches, totals)):\n"
                                "    return 0.0"),
                           edit(LOGS, "[math.log(m / t) for m, t in zip(matches, totals) if t]")),
}  # fmt: skip


def counts(draw: Draw, matches: list[int], totals: list[int], length: int, meant: int, upto: int) -> dict[str, Any]:
    if upto:
        totals = [400 - 50 * n for n in range(upto)]
        matches = [int(total * draw.number(0.2, 0.8)) for total in totals]
    return {"matches": matches, "totals": totals, "hypothesis_length": length, "reference_length": meant}


def corpus(
    draw: Draw, lengths: list[int], buckets: list[tuple[int, int]], fewest: int, silent: int = -1, twice: int = -1
) -> dict[str, Any]:
    """Translations with a wrong word here and there, of references that are longer or shorter than their sources.

    ``silent``: the row whose translation is empty; ``twice``: the row that comes again, then with another reference.
    """
    meant = [words(draw, max(2, length + (1, -2, 3)[row % 3])) for row, length in enumerate(lengths)]
    chance = draw.uniform(len(lengths), max([*lengths, 0]) + 3).tolist()
    hypotheses = [
        ["le" if luck < 0.15 else word for word, luck in zip(reference, chance[row], strict=False)][row % 2 :]
        for row, reference in enumerate(meant)
    ]
    hypotheses = [[] if row == silent else hypothesis for row, hypothesis in enumerate(hypotheses)]
    if twice >= 0:
        hypotheses, lengths = ([*rows, *rows[twice : twice + 1] * 2] for rows in (hypotheses, lengths))
        meant = [*meant, meant[twice], meant[twice][::-1]]
    names = ("hypotheses", "references", "source_lengths", "buckets", "fewest")
    return dict(zip(names, (hypotheses, meant, lengths, buckets, fewest), strict=True))


HOLDS, FOUR = "shortest <= length <= longest", "range(1, 5)"
ROWS = "rows = [row for row, length in enumerate(source_lengths) if shortest <= length <= longest]"
SCORE = "scores.append(bleu_of_counts(matches, totals, hypothesis_words, reference_words))"
OF_EACH = "[bleu_of_counts(*zip(*(ngram_matches(*pair, n) for n in (1, 2, 3, 4))), *map(len, pair)) for pair in pairs]"
PAIRS = "[(hypotheses[row], references[row]) for row in rows]"
WORDS_OF = "reference_words = sum(len(reference) for _, reference in pairs)"
BUCKETS: dict[str, Entry] = {
    **instead(HOLDS, {
        "upper_excluded": ("the upper end of a bucket belongs to it", "shortest <= length < longest"),
        "lower_excluded": ("the lower end of a bucket belongs to it", "shortest < length <= longest"),
        "ends_excluded": ("both ends of a bucket belong to it", "shortest < length < longest"),
        "no_upper_end": ("sentences that are too long are in the bucket too; it has an upper end",
                         "shortest <= length"),
        "no_lower_end": ("sentences that are too short are in the bucket too; it has a lower end", "length <= longest"),
        "by_reference": ("the length of the reference decides; the buckets are of source lengths",
                         "shortest <= len(references[row]) <= longest"),
        "by_hypothesis": ("the length of the translation decides; the buckets are of source lengths",
                          "shortest <= len(hypotheses[row]) <= longest"),
        "first_bucket": ("a sentence is counted only in the first of its buckets; they may overlap",
                         f"{HOLDS} and not any(a <= length <= b for a, b in buckets[: len(scores)])"),
    }),
    "mean": ("the scores of the sentences are averaged; the counts of the bucket are summed first",
             edit(f"{WORDS_OF}\n{SCORE}", f"each = {OF_EACH}\nscores.append(sum(each) / len(each))")),
    "zero": ("too few sentences get 0, which is a score; None says that there is none",
             edit("scores.append(None)", "scores.append(0.0)")),
    "zero_as_none": ("a score of 0 becomes None, perhaps by `or`; 0 is false in Python, but it is a score",
                     edit(SCORE, SCORE.replace("reference_words))", "reference_words) or None)"))),
    "left_out": ("a bucket of too few sentences is left out, so that scores and buckets no longer pair",
                 edit("scores.append(None)\ncontinue", "continue")),
    "kept": ("sentences of an earlier bucket are still counted: begin anew for each",
             start("rows = []"), edit(ROWS, ROWS.replace("= [", "= rows + ["))),
    "sums_kept": ("the counts of earlier buckets are still in the sums: begin anew for each",
                  start("before = []"), edit(f"pairs = {PAIRS}", f"pairs = before = before + {PAIRS}")),
    "joined": ("the sentences are joined into one text, so that n-grams match across the ends of sentences",
               edit(PAIRS, "[[sum(map(list, (side[row] for row in rows)), []) for side in (hypotheses, references)]]")),
    "too_few": ("a bucket of exactly `fewest` sentences has enough: only fewer are too few",
                edit("len(rows) < fewest", "len(rows) <= fewest")),
    "all_lengths": ("the brevity penalty counts the words of the whole corpus; it should count those of the bucket",
                    edit("(len(hypothesis) for hypothesis, _ in pairs)", "map(len, hypotheses)"),
                    edit("(len(reference) for _, reference in pairs)", "map(len, references)")),
    "source_words": ("the brevity penalty counts the words of the sources; it should count those of the references",
                     edit(WORDS_OF, "reference_words = sum(source_lengths[row] for row in rows)")),
    "longest_only": ("only runs of four words are counted; BLEU counts those of 1, 2 and 3 too", edit(FOUR, "(4,)")),
    "sorted": ("the buckets are sorted; the scores should be in the order in which the buckets were given",
               start("buckets = sorted(buckets)")),
}  # fmt: skip


def systems(
    draw: Draw, sentences: int, draws: int, better: float, level: float, equal: int, wins: int | None,
    zeros: int = 0, near: int = 0,
) -> dict[str, Any]:
    """Counts of two systems; of the first ``equal`` sentences they say the same.

    ``wins``: two sentences, of which each system wins one, and four draws of one sentence each, which we win so often;
    with n-grams up to 2 alone, the others would win these and we the rest.
    ``zeros``: more draws, in which both score 0; ``near``: more, which we win by a thousandth.
    """
    if wins is not None:
        few, many = [6, 5, 4, 3, 6, 6], [60_000, 50_000, 40_000, 30_000, 60_000, 60_000]
        rows = torch.tensor([[5, 4, 3, 2, *few], [6, 5, 1, 1, *few], [5, 4, 3, 0, *few], [6, 5, 0, 0, *few],
                             *([50_000, 40_000, 30_000, last, *many] for last in (20_001, 20_000))])  # fmt: skip
        drawn = torch.tensor([[0]] * wins + [[1]] * (4 - wins) + [[2]] * zeros + [[4]] * near)
        return {"ours": rows, "theirs": rows[[1, 0, 3, 2, 5, 4]], "draws": drawn, "level": level}
    meant = 9 + draw.whole(0, 14, sentences, 1)
    both = []
    for quality in (0.75 + better, 0.75):
        hypothesis_lengths = meant + draw.whole(-2, 3, sentences, 1)
        totals = hypothesis_lengths - torch.arange(4)
        shares = (quality + draw.uniform(sentences, 1, low=-0.2, high=0.2)).clamp(0.3, 1) ** torch.arange(1, 5)
        both.append(torch.cat([(totals * shares).ceil().long(), totals, hypothesis_lengths, meant], 1))
    both[1][:equal] = both[0][:equal]
    return {"ours": both[0], "theirs": both[1], "draws": draw.whole(0, sentences, draws, sentences), "level": level}


WIN, SUMMED = "(scores[0] > scores[1]) + 0.5 * (scores[0] == scores[1])", "table[rows].sum(0).tolist()"
COUNTS = "counts = table[rows].sum(0).tolist()"
SCORES = "scores.append(bleu_of_counts(counts[:4], counts[4:8], counts[8], counts[9]))"
BOOTSTRAP: dict[str, Entry] = {
    **instead(WIN, {
        "ties_won": ("equal scores count as a win; they should count as half a win", "scores[0] >= scores[1]"),
        "ties_lost": ("equal scores count as a loss; they should count as half a win", "scores[0] > scores[1]"),
        "lower_wins": ("the lower score wins; a high BLEU is a good one",
                       "(scores[0] < scores[1]) + 0.5 * (scores[0] == scores[1])"),
    }),
    **instead(SUMMED, {
        "once": ("a sentence that was drawn several times counts once", "table[rows.unique()].sum(0).tolist()"),
        "not_drawn": ("the whole test set is scored each time; a draw has its own sentences", "table.sum(0).tolist()"),
        "unpaired": ("the systems are scored on different draws, which adds chance to the difference",
                     "(table if table is ours else table.flip(0))[rows].sum(0).tolist()"),
    }),
    **instead("1 - share >= level", {
        "never_theirs": ("the other system never wins: a small share of ours is a large one of theirs", "False"),
        "theirs_from_half": ("a share of ours below one half is enough for theirs, which needs the level too",
                             "share < 0.5"),
    }),
    "always": ("the level is not used: there is always a verdict; a share near one half allows none",
               edit("share >= level", "share > 0.5"), edit("1 - share >= level", "share < 0.5")),
    "winner": ("the share is the winner's; it should be ours, whoever wins",
               edit('return share, "theirs" if 1 - share >= level else "neither"',
                    'return (1 - share, "theirs") if 1 - share >= level else (share, "neither")')),
    "theirs_without_ties": ("their share counts only the draws that they win; half of the equal ones are theirs too",
                            edit("wins = 0.0", "wins, losses = 0.0, 0"),
                            edit(f"wins += {WIN}", f"wins += {WIN}\nlosses += scores[0] < scores[1]"),
                            edit("1 - share >= level", "losses / len(draws) >= level")),
    "above": ("a share of exactly the level is enough", edit("{x} >= level", "{x} > level", "all")),
    "capped": ("only the first 1000 draws are scored; the share is that of all", start("draws = draws[:1000]")),
    "no_share": ("this is the number of wins; divide it by the number of draws", edit("wins / len(draws)", "wins")),
    "mean": ("the scores of the drawn sentences are averaged; their counts are summed first", edit(
        f"{COUNTS}\n{SCORES}",
        "each = [bleu_of_counts(one[:4], one[4:8], one[8], one[9]) for one in table[rows].tolist()]\n"
        "scores.append(sum(each) / len(each))")),
}  # fmt: skip


def padded(
    draw: Draw, lengths: list[int], width: int, pad_at: int | None, kind: torch.dtype = torch.int64
) -> dict[str, Tensor]:
    """Ids that differ within a row, PAD after the end; ``pad_at``: a word of sentence 0 that has the id of padding."""
    rows = torch.stack([4 + torch.tensor(draw.order(3 * width)[:width]) for _ in lengths])
    rows = rows.masked_fill(~draw.mask(lengths, width), PAD)
    if pad_at is not None:
        rows[0, pad_at] = PAD
    return {"source": rows.to(kind), "source_lengths": torch.tensor(lengths)}


MIRRORED, CHOSEN = "source_lengths.unsqueeze(1) - 1 - positions", "torch.where(mirrored >= 0, mirrored, positions)"
LENGTH = "source_lengths = {}.expand_as(source_lengths)"
TURNED: dict[str, Entry] = {
    "whole_row": ("the whole row is reversed, so that the padding comes first", body("return source.flip(1)")),
    "batch": ("the sentences of the batch are reversed, not the words of each", body("return source.flip(0)")),
    "both": ("words and sentences are both reversed", body("return source.flip(0, 1)")),
    "nothing": ("nothing is reversed", body("return source.clone()")),
    "sorted": ("the words are sorted by their ids", body("return source.sort(1, descending=True).values")),
    "ring": ("the words are rotated, not reversed", body("return source.roll(1, 1)")),
    "sentence_0": ("every sentence is reversed within the length of sentence 0",
                   start(LENGTH.format("source_lengths[:1]"))),
    "longest": ("every sentence is reversed within the length of the longest",
                start(LENGTH.format("source_lengths.max()"))),
    "shortest": ("every sentence is reversed within the length of the shortest",
                 start(LENGTH.format("source_lengths.min()"))),
    "last_stays": ("the last word stays where it is: a sentence of n words ends at position n − 1",
                   start("source_lengths = source_lengths - 1")),
    "one_too_many": ("one word too many is reversed: a sentence of n words ends at position n − 1",
                     start("source_lengths = (source_lengths + 1).clamp(max=source.size(1))")),
    "first_stays": ("the first word stays where it is; it should come last", edit(
        CHOSEN, "torch.where((positions > 0) & (mirrored >= 0), mirrored + 1, positions)")),
    "from_n": ("positions count from 0: the first word comes from n − 1, not from n",
               edit(MIRRORED, "(source_lengths.unsqueeze(1) - positions).clamp(max=source.size(1) - 1)"),
               edit("mirrored >= 0", "mirrored > 0")),
    "clamped": ("padding is overwritten with the first word: it keeps its own id", edit(CHOSEN, "mirrored.clamp(0)")),
    "strict": ("position 0 counts too: the last position of a sentence gets its first word",
               edit("mirrored >= 0", "mirrored > 0")),
    "sentence_0_only": ("only sentence 0 is reversed", edit(
        "mirrored >= 0", "(mirrored >= 0) & (torch.arange(len(source)) == 0).unsqueeze(1)")),
    "guessed": ("the lengths are guessed from the id of padding: take them from `source_lengths`",
                start("source_lengths = (source != 0).sum(1)")),
    "padding_dropped": ("the id of padding is left out wherever it stands; the words are those within `source_lengths`",
                        body("""
        kept = [row[row != 0].flip(0) for row in source]
        return torch.stack([torch.cat([row, row.new_zeros(source.size(1) - len(row))]) for row in kept])""")),
}  # fmt: skip


def vectors(draw: Draw, batch: int, steps: int, embedding: int, size: int) -> dict[str, Tensor]:
    return {"embedded": draw.normal(batch, steps, embedding), "vector": draw.normal(batch, size)}


BESIDE, STEPS = "vector.unsqueeze(1).expand(-1, embedded.size(1), -1)", "torch.arange(embedded.size(1)).unsqueeze(1)"
BOTH = f"[embedded, {BESIDE}]"
EVERY = {
    **instead(BESIDE, {
        "mixed": ("the words are joined with another sentence's vector: `repeat` and `view` mix the rows",
                  "vector.repeat(embedded.size(1), 1).view(len(vector), embedded.size(1), -1)"),
        "first_only": ("the vector is beside the first word only; later steps should see it too",
                       f"{BESIDE} * ({STEPS} == 0)"),
        "last_only": ("the vector is beside the last word only; every step should see it",
                      f"{BESIDE} * ({STEPS} == embedded.size(1) - 1)"),
        "averaged": ("the vectors are averaged over the batch; each sentence has its own",
                     f"{BESIDE}.mean(0).expand(len(vector), -1, -1)"),
        "shared_out": ("the vector is shared out among the steps; each gets all of it", f"{BESIDE} / embedded.size(1)"),
    }),
    "sentence_0": ("every sentence gets the vector of sentence 0", start("vector = vector[:1].expand_as(vector)")),
    "words_moved": ("the words are shifted by one: each step has its own", start("embedded = embedded.roll(1, 1)")),
    "first_word": ("every step gets the first word", start("embedded = embedded[:, :1].expand_as(embedded)")),
    "no_words": ("the words are missing: join them with the vector", edit(BOTH, f"[{BESIDE}]")),
    "no_vector": ("the vector is not put beside the words", edit(BOTH, "[embedded]")),
    "one_step": ("only one step is returned", result("({x})[:, 0]")),
    "order": ("the vector comes first; the equation has the word first", edit(BOTH, f"[{BESIDE}, embedded]")),
    "squeezed": ("a bare `.squeeze()` drops every axis of size 1, the batch too", result("({x}).squeeze()")),
}  # fmt: skip

# fmt: off
check = Checker(
    __name__,
    {
        "ngram_matches": Task(
            ngram_matches, "n-gram matches: none counts more often than it occurs in the reference",
            [
                *(visible(n=n) for n in (1, 2, 3)), visible("a translation shorter than n", text=HYPOTHESIS[:2], n=4),
                *(hidden("random sentences", text=7 + n, meant=12 - n, n=n) for n in (1, 2, 3, 4, 6)),
                hidden("sentences that end alike", text=["chat", "noir", "dort"], meant=["petite", "noir", "dort"]),
                hidden("the same words in reverse", text=["le", "chat"], meant=["chat", "le"]),
                hidden("capitals, accents", text=["Le", "chat", "lève"], meant=["le", "chat", "le\u0300ve"]),
                hidden("words that occur more than once", text=["le", "le", "un", "un"], meant=["le", "le", "un"], n=1),
                hidden("an empty translation", text=[], meant=5), hidden("an empty reference", text=5, meant=[], n=1),
                hidden("a translation shorter than n", text=2, meant=5, n=4),
                hidden("words that look alike when they are joined",
                       text=[word for mark in MARKS for word in (f"a{mark}", "b")],
                       meant=[word for mark in MARKS for word in ("a", f"{mark}b")]),
            ],
            sentences, {"text": HYPOTHESIS, "meant": MEANT, "n": 2}, {"matches": "", "total": ""},
            mistakes=listed(NGRAMS, *(id for id in NGRAMS if id.startswith("joined"))),
        ),
        "bleu_of_counts": Task(
            bleu_of_counts,
            "BLEU of counts: geometric mean of the shares, a penalty for brevity, 0 where nothing matches",
            [
                visible(), visible("a long translation", meant=17), visible("a short translation", meant=27),
                visible("other counts", matches=[9, 6, 4, 2], totals=[10, 9, 8, 7], length=10, meant=10),
                visible("no run of four words", matches=[9, 4, 1, 0], totals=[10, 8, 6, 4], length=10, meant=11),
                *(hidden(f"n-grams up to {n}", upto=n, length=400, meant=meant)
                  for n in (1, 2, 3, 6) for meant in (310, 400, 401, 520)),
                hidden("too short for any run of four", matches=[2, 1, 0, 0], totals=[3, 2, 1, 0], length=3),
                hidden("too short for any run of four", matches=[3, 2, 1, 0], totals=[3, 2, 1, 0], length=3, meant=3),
                hidden("not a word said", matches=[0, 0, 0, 0], totals=[0, 0, 0, 0], length=0, meant=9),
                hidden("not a word right", matches=[0, 0], totals=[5, 4], length=5, meant=5),
                hidden("all right", matches=[30, 26, 22, 18], totals=[30, 26, 22, 18], length=30, meant=30),
                hidden("a large corpus", matches=[68_000, 41_000, 26_000, 17_000],
                       totals=[99_000, 96_000, 93_000, 90_000], length=99_000, meant=98_000),
                hidden("next to nothing right", matches=[1, 1], totals=[60_000, 55_000], length=60_000, meant=61_000),
            ],
            counts, {"matches": [18, 11, 7, 3], "totals": [20, 16, 12, 8], "length": 20, "meant": 20, "upto": 0},
            {"BLEU": ""}, mistakes=listed(BLEU, "fourth_root", "no_ngrams_left_out"),
        ),
        "bleu_by_bucket": Task(
            bleu_by_bucket,
            "BLEU of each bucket: counts summed within it, both ends included, None where sentences are too few",
            [
                visible(), visible("buckets that overlap, out of order", buckets=[(6, 12), (3, 8)], fewest=1),
                visible("a bucket that scores 0", lengths=[2, 2, 9, 8], buckets=[(1, 3), (7, 9)], silent=0),
                hidden("many sentences", lengths=[3 + 7 * n % 13 for n in range(20)], buckets=[(3, 9), (10, 15)]),
                hidden("buckets of one length, one of them twice", buckets=[(8, 8), (6, 6), (5, 5), (8, 8)]),
                hidden("an empty translation", silent=4), hidden("a translation that comes more than once", twice=5),
                hidden("a bucket that scores 0", lengths=[12, 2, 8, 2, 9], buckets=[(6, 20), (1, 5)]),
                hidden("one bucket for all", buckets=[(1, 40)], fewest=12), hidden("no sentence", lengths=[], fewest=1),
            ],
            corpus, {"lengths": SOURCES, "buckets": [(4, 6), (7, 12), (20, 25), (14, 16)], "fewest": 2}, {"scores": ""},
            earlier=(ngram_matches, bleu_of_counts), mistakes=listed(BUCKETS),
            variants=[
                variant("half_open", start("buckets = [(shortest, longest - 1) for shortest, longest in buckets]"),
                        text={"both included": "the first included, the second not"}),
                variant("bigrams", edit(FOUR, "range(1, 3)"), text={"n-grams of 1 to 4": "n-grams of 1 and 2"}),
            ],
        ),
        "bootstrap": Task(
            bootstrap,
            "paired bootstrap: both systems on the same draws, ties as half a win, a verdict where the share allows it",
            [
                visible(), visible("systems that mostly say the same", sentences=5, equal=4, better=0.3),
                visible("four draws, none of them won", wins=0),
                *(visible("four draws, some of them won", wins=n) for n in (1, 3, 4)),
                visible("another test set", sentences=7, better=0.02, level=0.6),
                hidden("systems that mostly say the same", sentences=4, equal=3, better=-0.3),
                hidden("a system against itself", equal=9), hidden("a share of just the level", wins=3, level=0.75),
                hidden("a share of theirs of just the level", wins=1, level=0.75),
                *(hidden("a share of a little less than the level", wins=n, level=0.750001) for n in (1, 3)),
                hidden("draws in which both score 0", wins=1, zeros=3), hidden("draws won by little", wins=2, near=5),
                hidden("more than a thousand draws", wins=0, zeros=996, near=8, level=0.501),
                # a share of these draws is never just the level: in float32, rounding would decide the verdict
                hidden("many sentences", sentences=23, draws=150, better=0.0, level=0.603),
                hidden("many draws", sentences=10, draws=150, better=0.0, equal=5, level=0.903),
                hidden("draws that they win, and one in which both score 0", wins=0, zeros=1, level=0.85),
                hidden("a test set that they win", better=-0.15, level=0.8), hidden("one draw", draws=1),
            ],
            systems, {"sentences": 9, "draws": 12, "better": 0.04, "level": 0.9, "equal": 2, "wins": None},
            {"share": "", "verdict": ""}, earlier=(bleu_of_counts,),
            mistakes=listed(BOOTSTRAP, "above", "theirs_without_ties", "capped"),
            variants=[
                variant("untied", edit("wins = 0.0", "wins, draws_left = 0.0, 0"),
                        edit(f"wins += {WIN}", "draws_left += scores[0] != scores[1]\nwins += scores[0] > scores[1]"),
                        edit("wins / len(draws)", "wins / draws_left if draws_left else 0.5"),
                        text={"counts as half a win": "is left out of the share (which is 0.5 if all of them are)"}),
                variant("bigrams", edit("counts[:4]", "counts[:2]"), edit("counts[4:8]", "counts[4:6]"),
                        text={"n-grams of 1 to 4": "n-grams of 1 and 2"}),
            ],
        ),
        "reverse_source": Task(
            reverse_source, "reversed source: each sentence within its own length, padding left at the end",
            [
                visible(), visible("a batch without padding", lengths=[5, 5], width=5),
                visible("the id of padding within a sentence", lengths=[3, 5, 2], pad_at=1),
                hidden("a batch of one sentence", lengths=[4], width=7),
                hidden("sentences of one word", lengths=[1, 1, 1], width=1),
                hidden("much padding", lengths=[2, 1, 3], width=12),
                hidden("a large batch", lengths=[1 + 7 * n % 17 for n in range(30)], width=18),
                hidden("ids in int32", kind=torch.int32),
                *(hidden("the id of padding within a sentence", lengths=[4, 2, 5], pad_at=at) for at in (0, 1, 3)),
            ],
            padded, {"lengths": [3, 5, 2, 4], "width": 6, "pad_at": None}, {"reversed source": "batch source_len"},
            mistakes=listed(TURNED),
            variants=[
                variant(
                    "stop_stays", edit(MIRRORED, "source_lengths.unsqueeze(1) - 2 - positions"),
                    text={
                        "from its last word to its first": "from its last word but one to its first, then the last",
                        "| c | b | a | – | – |": "| b | a | c | – | – |",
                        "is $n - 1 - i$: below 0 exactly where": "is $n - 2 - i$: below 0 at the full stop and where",
                        "a b c – – → c b a – –": "a b c – – → b a c – –",
                    },
                )
            ],
        ),
        "beside_every_word": Task(
            beside_every_word,
            "vector beside every word: the word first, then the sentence's own vector, with gradients",
            [
                visible(), hidden("other sizes", batch=2, steps=4, embedding=3, size=6),
                hidden("a batch of one sentence", batch=1), hidden("one step", steps=1),
                hidden("all sizes equal", batch=4, steps=4, embedding=4, size=4),
                hidden("a vector of size one", size=1), hidden("float64", dtype=torch.float64),
                hidden("half precision", dtype=torch.float16, gradients=False),  # sums of halves are too rough
            ],
            vectors, {"batch": 3, "steps": 5, "embedding": 4, "size": 2},
            {"inputs of the steps": "batch target_len features"}, mistakes=listed(EVERY, "squeezed"),
            variants=[
                variant(
                    "vector_first", edit(BOTH, f"[{BESIDE}, embedded]"),
                    text={
                        "[E y_{i-1}; c]": "[c; E y_{i-1}]",
                        "the word first": "the vector first",
                        "the same vector after each word": "the same vector before each word",
                    },
                )
            ],
        ),
    },
)
