"""A task as data: its reference, its cases, what an answer must do beside the values, its mistakes, its variants."""

import hashlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import torch

from autograder.checking.definition import Answer, Definition
from autograder.checking.edits import AnyEdit, EditError

Play = Callable[..., Any]

PLAIN = "plain"  # the variant that changes nothing


@dataclass(frozen=True)
class Case:
    """One set of inputs. ``words`` announce it; a hidden case is told by them alone, never by its numbers."""

    words: str
    hidden: bool
    given: Mapping[str, Any]  # sizes that replace the task's own, or whatever its ``inputs`` ask for
    dtype: torch.dtype = torch.float32
    gradients: bool | None = None  # None: in the first visible and in every hidden case
    again: bool | None = None  # calls with other inputs between two equal ones; None: in the first case of either kind
    raises: str = ""  # the exception that the task asks for here

    def __str__(self) -> str:
        return self.words


def visible(words: str = "", /, **given: Any) -> Case:
    return _case(words, False, given)


def hidden(words: str, /, **given: Any) -> Case:
    return _case(words, True, given)


def _case(words: str, is_hidden: bool, given: dict[str, Any]) -> Case:
    options = {name: given.pop(name) for name in ("dtype", "gradients", "again", "raises") if name in given}
    return Case(words, is_hidden, given, **options)


@dataclass(frozen=True)
class Mistake:
    """An edit of the reference, and why it is wrong. Run, it is what the check compares with; printed, a wrong answer.

    caught: "hidden" where only hidden cases can tell it from a right answer.
    """

    id: str
    why: str
    edits: tuple[AnyEdit, ...]
    caught: str = "visible"


def mistake(id: str, why: str, *edits: AnyEdit, caught: str = "visible") -> Mistake:
    return Mistake(id, why, edits, caught)


@dataclass(frozen=True)
class Variant:
    """Another task of the same kind: edits of the reference, and of the texts that set the task."""

    id: str
    edits: tuple[AnyEdit, ...]
    text: Mapping[str, str]  # what stands in the exercise's text and docstrings → what stands there in this variant


def variant(id: str, *edits: AnyEdit, text: Mapping[str, str]) -> Variant:
    return Variant(id, edits, text)


@dataclass(frozen=True)
class Task:
    """What ``check("id", answer)`` looks at.

    reference: the answer, a function or a class of ``seq2seq``.
    title: what is printed when all is well.
    cases: visible ones, then hidden ones.
    inputs: ``inputs(draw, **sizes)`` → the arguments by name; without it the case's own entries are the arguments.
    sizes: the usual size of each axis, each another; a case replaces some. A class is built with those it asks for.
    results: name of each result → its axes, as "batch keys"; in the order in which they are returned.
    play: ``play(answer, given, *tools)`` uses the answer and yields (name, result); a class comes as ``answer()``,
        which builds it with the case's weights. Without it the answer is called with all of its arguments.
    answers: the methods that learners write, where the reference is a class; or the names of all functions of a cell.
    omit: methods of it that learners do not see.
    uses: definitions beside the reference that edits may reach.
    parts: earlier answers that a right answer may call, name → reference.
    tools: what the exercise gives and the answer is called with, such as a decoder; handed over after the answer.
    lent: whether tools stay with the judge, rather than being made where the answer lives, which is many times faster:
        "always" where they hide what the answer has to find out; "once" where they count calls: the first case of
        either check is then played with the judge's too, whose count is believed; else "never".
    mistakes, variants: see there.
    gradients, unchanged, again: whether gradients flow and are right, arguments stay, and calls are independent.
    coarse: the results are truth values or some of a few names, which many different faults give alike.
    tolerance: of float32 values, where rounding may add up.
    words: for a result, what to say when nothing better is known.
    """

    reference: Answer
    title: str
    cases: Sequence[Case]
    inputs: Callable[..., dict[str, Any]] | None = None
    sizes: Mapping[str, Any] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=lambda: {"result": ""})
    play: Play | None = None
    answers: tuple[str, ...] = ()
    omit: tuple[str, ...] = ()
    uses: tuple[Answer, ...] = ()
    parts: Mapping[str, Answer] = field(default_factory=dict)
    tools: tuple[Any, ...] = ()
    lent: Literal["always", "once", "never"] = "always"
    mistakes: Sequence[Mistake] = ()
    variants: Sequence[Variant] = ()
    gradients: bool = True
    unchanged: bool = True
    again: bool = True
    coarse: bool = False
    tolerance: float | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    id: str = ""  # "scorers.dot_scorer": file and name, set where the file lists its tasks
    variant: str = ""
    observed: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)  # of the reference
    chosen_variants: dict[str, "Task"] = field(default_factory=dict, init=False, compare=False, repr=False)

    @cached_property
    def definition(self) -> Definition:
        return Definition(self.reference, self.uses, self.answers, self.omit, self.edits)

    @property
    def edits(self) -> tuple[AnyEdit, ...]:
        """Those of the variant that this is."""
        return next((one.edits for one in self.variants if one.id == self.variant), ())

    @property
    def text(self) -> Mapping[str, str]:
        """What the variant says in the place of what the exercise says."""
        return next((one.text for one in self.variants if one.id == self.variant), {})

    @cached_property
    def is_class(self) -> bool:
        return inspect.isclass(self.reference)

    def of(self, variant_id: str) -> "Task":
        """The variant of this name; "" and PLAIN are the task as the book teaches it, without and with others."""
        if variant_id not in {"", PLAIN, *(one.id for one in self.variants)}:
            known = ", ".join(one.id for one in self.variants) or "none"
            raise ValueError(f"{self.id}: no variant {variant_id!r}, expected one of: {known}.")
        if variant_id not in self.chosen_variants:  # one object, so that what was observed of it is known
            self.chosen_variants[variant_id] = replace(self, variant=variant_id)
        return self.chosen_variants[variant_id]

    def chosen_by(self, key: str) -> "Task":
        """The variant that a key chooses, the same every time; without a key, the task as the book teaches it."""
        if not key:
            return self
        digest = hashlib.sha256(f"{key} {self.id}".encode()).digest()
        ids = [one.id for one in self.variants] or [PLAIN]
        return self.of(ids[int.from_bytes(digest[:8], "big") % len(ids)])

    def others(self) -> Iterator["Task"]:
        """The task in every other variant, the plain one included."""
        own = self.variant or PLAIN
        return (replace(self, variant=one) for one in (PLAIN, *(v.id for v in self.variants)) if one != own)

    def fitting(self) -> Iterator[tuple[Mistake, Answer]]:
        """Each listed mistake, compiled; in a variant, those whose edits find their place."""
        for one in self.mistakes:
            try:
                yield one, self.definition.compiled(*one.edits)
            except EditError:
                if self.variant in ("", PLAIN):
                    raise

    def chosen(self, hidden: bool) -> list[Case]:
        """The visible or the hidden cases; repeated calls belong to the first of them, gradients to all hidden ones."""
        first, cases = True, []
        for case in self.cases:
            if case.hidden != hidden:
                continue
            plain = not case.raises
            wanted = first and plain
            asked = wanted or hidden if case.gradients is None else case.gradients
            cases.append(
                replace(
                    case,
                    gradients=self.gradients and plain and asked,
                    again=self.again and plain and (wanted if case.again is None else case.again),
                )
            )
            first = first and not plain
        return cases
