"""Checks of what goes on and what has ended: every hypothesis is in one of the two, with its log-probability."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.expect import CheckFailed, ask, check, expect_shape, expect_tensor, expect_unchanged, generator, same
from autograder.wording import brief, labelled
from seq2seq.beam import steps as reference
from seq2seq.vocab import BOS, EOS, PAD, UNK

Function = Callable[..., tuple[Tensor, Tensor]]

WHAT = "alive and finished"
PARTS = ("alive", "finished")


@check
def check_set_finished_aside(answer: Function) -> None:
    """finished set aside: EOS ends a hypothesis, the last step ends all, -inf marks where a hypothesis is not"""
    _compare(answer, *_draw("visible", 3, 4), False)
    _compare(answer, *_draw("last", 2, 3), True, what="alive and finished at the last step")


@check
def check_set_finished_aside_hidden(answer: Function) -> None:
    """finished set aside, other cases: nobody ends, all end, one hypothesis, empty places, float64"""
    totals, tokens = _draw("nobody", 2, 5)
    _compare(answer, totals, tokens.masked_fill(tokens == EOS, 7), False, case="nobody ends")
    _compare(answer, totals, torch.full_like(tokens, EOS), False, case="all end by themselves")
    _compare(answer, totals, torch.full_like(tokens, EOS), True, case="all end by themselves at the last step")
    _compare(answer, totals[:1, :1], torch.tensor([[EOS]]), False, case="one hypothesis, which ends")
    totals = totals.clone()
    totals[0, 3:] = -torch.inf
    _compare(answer, totals, tokens, False, case="empty places")
    _compare(answer, totals, tokens, True, case="empty places at the last step")
    _compare(
        answer,
        *[part.double() if part.is_floating_point() else part for part in _draw("double", 3, 3)],
        False,
        case="float64",
    )


def _compare(answer: Function, totals: Tensor, tokens: Tensor, is_last: bool, what: str = WHAT, case: str = "") -> None:
    given = {"totals": totals.clone(), "tokens": tokens.clone(), "is_last": is_last}
    with torch.no_grad():
        got = ask(what, answer, case=case, **given)
    if not isinstance(got, tuple | list) or len(got) != 2:
        why = "is the `return` missing?" if got is None else "both, in this order"
        raise CheckFailed(labelled(what, case), brief(got), "a pair of tensors (alive, finished)", why)
    batch, beam_size = totals.shape
    for name, part in zip(PARTS, got, strict=True):
        expect_tensor(f"{name} of {what}" if what != WHAT else name, part, like=totals, case=case)
        expect_shape(name, part, case=case, batch=batch, beam_size=beam_size)
    for name, before in (("totals", totals), ("tokens", tokens)):
        expect_unchanged(name, given[name], before, case)
    expected = reference.set_finished_aside(totals, tokens, is_last)
    wrong = [name for name, ours, theirs in zip(PARTS, got, expected, strict=True) if not same(ours, theirs)]
    if not wrong:
        return
    name = wrong[0]
    ours, theirs = got[PARTS.index(name)], expected[PARTS.index(name)]
    shown = ("wrong values", "each hypothesis in one of the two")
    if not case:
        row, column = (ours != theirs).nonzero()[0].tolist()
        token = f"whose last word is {int(tokens[row, column])}"
        shown = (f"{ours[row, column]:.4g} at [{row}, {column}], {token}", f"{theirs[row, column]:.4g}")
    for why, pair in _mistakes(totals, tokens, is_last).items():
        if all(same(one, other) for one, other in zip(got, pair, strict=True)):
            raise CheckFailed(labelled(name, case), *shown, why)
    _expect_properties(what, got, totals, case)
    why = "the log-probability where the hypothesis belongs, -inf elsewhere"
    raise CheckFailed(labelled(name, case), *shown, why)


def _expect_properties(what: str, got: tuple[Tensor, Tensor], totals: Tensor, case: str) -> None:
    alive, finished = got
    label, real = labelled(what, case), totals > -torch.inf
    if alive.isnan().any() or finished.isnan().any():
        why = "-inf times 0 is NaN: fill places, do not multiply them"
        raise CheckFailed(label, "NaN", "log-probabilities, or -inf", why)
    if (real & (alive > -torch.inf) & (finished > -torch.inf)).any():
        why = "whoever has ended does not go on, and whoever goes on has not ended"
        raise CheckFailed(label, "a hypothesis is in both", "each in one of the two", why)
    if (real & (alive == -torch.inf) & (finished == -torch.inf)).any():
        raise CheckFailed(label, "a hypothesis is lost", "each in one of the two")


def _mistakes(totals: Tensor, tokens: Tensor, is_last: bool) -> dict[str, tuple[Tensor, Tensor]]:
    nowhere = torch.full_like(totals, -torch.inf)

    def split(ended: Tensor) -> tuple[Tensor, Tensor]:
        return torch.where(ended, nowhere, totals), torch.where(ended, totals, nowhere)

    spoken = tokens == EOS
    ended = spoken | is_last
    alive, finished = split(ended)
    zeroed = torch.where(ended, 0.0, totals), torch.where(ended, totals, 0.0)
    one = torch.where(ended, torch.finfo(totals.dtype).min, totals), finished
    return {
        "the two are in opposite order: alive first, then finished": (finished, alive),
        "at the last step all end, with or without EOS": split(spoken),
        "hypotheses end with EOS before the last step too": split(torch.full_like(spoken, is_last)),
        "PAD is taken for EOS; they are two marks": split((tokens == PAD) | is_last),
        "BOS is taken for EOS; they are two marks": split((tokens == BOS) | is_last),
        "UNK is taken for EOS; they are two marks": split((tokens == UNK) | is_last),
        "0 marks a place where a hypothesis is not; but 0 is the log-probability of certainty, the best": zeroed,
        "what has ended is left among those that go on, and is continued after its EOS": (totals, finished),
        "what goes on is among the finished too": (alive, totals),
        "one EOS ends all hypotheses of its sentence": split(spoken.any(1, keepdim=True).expand_as(spoken) | is_last),
        "one EOS ends the hypotheses of the whole batch": split(spoken.any().expand_as(spoken) | is_last),
        "only the best place is looked at": split(
            torch.cat([ended[:, :1], torch.zeros_like(ended[:, 1:])], dim=1) | is_last
        ),
        "a finite number marks a place where a hypothesis is not; the place is empty, -inf": one,
    }


def _draw(name: str, batch: int, beam_size: int) -> tuple[Tensor, Tensor]:
    """Falling log-probabilities; EOS in row 0 behind the best, and in the last row as the best."""
    draw = generator(f"finished {name}")
    totals = (-5 * torch.rand(batch, beam_size, generator=draw)).sort(1, descending=True).values - 0.1
    tokens = torch.randint(4, 12, (batch, beam_size), generator=draw)
    tokens[0, 1], tokens[-1, 0] = EOS, EOS
    tokens[0, 0], tokens[0, 2] = PAD, BOS  # marks that are not EOS
    tokens[-1, -1] = UNK
    return totals, tokens
