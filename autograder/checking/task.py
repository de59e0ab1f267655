"""A task as data: its reference, cases, requirements beyond right values, mistakes and variants."""

import hashlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import torch

from autograder.checking.definition import Answer, Definition
from autograder.checking.edits import AnyEdit, EditError, edit
from autograder.checking.observation import Candidate, Play, Reading

PLAIN = "plain"  # the variant that changes nothing


@dataclass(frozen=True)
class Case:
    """One set of inputs. ``words`` describe it; messages about a hidden case show these words, never its numbers."""

    words: str
    hidden: bool
    given: Mapping[str, Any]  # sizes that override the task's, or other arguments of its ``inputs``
    dtype: torch.dtype = torch.float32
    gradients: bool | None = None  # None: in the first visible case and in every hidden one
    again: bool | None = None  # call with other inputs between two equal calls; None: in the first visible, two hidden
    raises: str = ""  # the exception that the task requires here

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
    """An edit of the reference, and why it is wrong. Checks compare with it compiled; printed, it is a wrong answer.

    caught: "hidden" if only hidden cases can tell it from a right answer.
    """

    id: str
    why: str
    edits: tuple[AnyEdit, ...]
    caught: str = "visible"


def mistake(id: str, why: str, *edits: AnyEdit, caught: str = "visible") -> Mistake:
    return Mistake(id, why, edits, caught)


Entry = tuple[str, *tuple[AnyEdit, ...]]  # why it is wrong, and the edits


def listed(entries: Mapping[str, Entry], *hides: str) -> list[Mistake]:
    """A mistake for each entry id → (why, edits…); ``hides``: ids that only hidden cases can catch."""
    return [mistake(id, *rest, caught="hidden" if id in hides else "visible") for id, rest in entries.items()]


def swaps(find: str, table: str, *hides: str) -> list[Mistake]:
    """A mistake for each line "id → why → replacement of ``find``"; ``hides`` as in :func:`listed`."""
    lines = [line.split(" → ") for line in table.strip().splitlines()]
    return listed({id: (why, edit(find, put)) for id, why, put in lines}, *hides)


@dataclass(frozen=True)
class Variant:
    """A similar task: edits of the reference and of the exercise's text."""

    id: str
    edits: tuple[AnyEdit, ...]
    text: Mapping[str, str]  # passage of the exercise's text or docstrings → the same passage in this variant


def variant(id: str, *edits: AnyEdit, text: Mapping[str, str]) -> Variant:
    return Variant(id, edits, text)


@dataclass(frozen=True)
class Task:
    """The data behind ``check("id", answer)``.

    reference: the right answer, a function or a class of ``seq2seq``.
    title: printed when the answer is right.
    cases: visible ones, then hidden ones.
    inputs: ``inputs(draw, **sizes)`` → the arguments by name; without it the case's own entries are the arguments.
    sizes: the default size of each axis, all different; a case overrides some. A class is built with those it takes.
    results: name of each result → its axes, such as "batch keys", in the order in which they are returned; "keys |
        batch keys" if their number differs between cases. Messages name places by them (``PLACES`` in ``wording.py``).
    play: ``play(answer, given, *tools)`` uses the answer and yields (name, result); for a class, ``answer()`` builds
        it with the case's weights. Without ``play`` the answer is called with all of its arguments.
    reading: ``reading(given, result)`` yields (name, result) of what the answer returns, or ``play``, as one value. It
        may know what no answer may see: it stays where the references are, and only plain data comes there.
    answers: the methods that learners write if the reference is a class, or the names of all functions of a cell.
    omit: methods of the class that learners do not see.
    uses: further definitions that edits may change.
    earlier: references of the exercise's earlier answers that a right answer may call.
    tools: objects that the exercise provides, such as a decoder; passed after the answer. They are made where it runs:
        plain functions, or classes of modules that the exercise gives.
    mistakes, variants: see :class:`Mistake` and :class:`Variant`.
    gradients, unchanged, again: check that gradients are right, arguments stay unchanged, and calls are independent.
    coarse: the results are truth values or one of a few names, so that many different mistakes give the same ones.
    tolerance: for float32 values, if rounding errors may add up.
    words: for each result, what to say if no better explanation is found.
    """

    reference: Answer
    title: str
    cases: Sequence[Case]
    inputs: Callable[..., dict[str, Any]] | None = None
    sizes: Mapping[str, Any] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=lambda: {"result": ""})
    play: Play | None = None
    reading: Reading | None = None
    answers: tuple[str, ...] = ()
    omit: tuple[str, ...] = ()
    uses: tuple[Answer, ...] = ()
    earlier: tuple[Answer, ...] = ()
    tools: tuple[Any, ...] = ()
    mistakes: Sequence[Mistake] = ()
    variants: Sequence[Variant] = ()
    gradients: bool = True
    unchanged: bool = True
    again: bool = True
    coarse: bool = False
    tolerance: float | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    id: str = ""  # file and name, such as "scorers.dot_scorer"; set by Checker
    variant: str = ""
    prepared: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)  # cases, by trial.py
    chosen_variants: dict[str, "Task"] = field(default_factory=dict, init=False, compare=False, repr=False)

    @cached_property
    def definition(self) -> Definition:
        return Definition(self.reference, self.uses, self.answers, self.omit, self.edits)

    @cached_property
    def right(self) -> Candidate:
        """The reference, in the current variant."""
        return Candidate(self.definition.compiled(), self.tools)

    @property
    def edits(self) -> tuple[AnyEdit, ...]:
        """The edits of the current variant."""
        return next((variant.edits for variant in self.variants if variant.id == self.variant), ())

    @property
    def text(self) -> Mapping[str, str]:
        """The current variant's replacements of the exercise's text."""
        return next((variant.text for variant in self.variants if variant.id == self.variant), {})

    @cached_property
    def is_class(self) -> bool:
        return inspect.isclass(self.reference)

    def of(self, variant_id: str) -> "Task":
        """The variant of this name; both "" and PLAIN are the task as the book teaches it."""
        if variant_id not in {"", PLAIN, *(variant.id for variant in self.variants)}:
            known = ", ".join(variant.id for variant in self.variants) or "none"
            raise ValueError(f"{self.id}: no variant {variant_id!r}, expected one of: {known}.")
        if variant_id not in self.chosen_variants:  # one object, to reuse its observations
            self.chosen_variants[variant_id] = replace(self, variant=variant_id)
        return self.chosen_variants[variant_id]

    def chosen_by(self, key: str) -> "Task":
        """The variant that a key selects, deterministically; without a key, the task as the book teaches it."""
        if not key:
            return self
        digest = hashlib.sha256(f"{key} {self.id}".encode()).digest()
        ids = [variant.id for variant in self.variants] or [PLAIN]
        return self.of(ids[int.from_bytes(digest[:8], "big") % len(ids)])

    def others(self) -> Iterator["Task"]:
        """The task in every other variant, including the plain one."""
        others = (id for id in (PLAIN, *(variant.id for variant in self.variants)) if id != (self.variant or PLAIN))
        return (replace(self, variant=id) for id in others)

    def fitting(self) -> Iterator[tuple[Mistake, Answer]]:
        """Each listed mistake, compiled; in a variant, only those whose edits fit."""
        for mistake in self.mistakes:
            try:
                yield mistake, self.definition.compiled(*mistake.edits)
            except EditError:
                if self.variant in ("", PLAIN):
                    raise

    def chosen(self, hidden: bool) -> list[Case]:
        """The visible or the hidden cases, with the defaults of ``gradients`` and ``again`` filled in."""
        plain = [case for case in self.cases if case.hidden == hidden and not case.raises]
        cases = []
        for case in self.cases:
            if case.hidden != hidden:
                continue
            is_plain = not case.raises
            gradients = (hidden or case in plain[:1]) if case.gradients is None else case.gradients
            # the first may have one row; an error that is required comes at every call
            again = case in plain[: 1 + hidden] or not is_plain if case.again is None else case.again
            cases.append(
                replace(
                    case,
                    gradients=self.gradients and is_plain and gradients,
                    again=self.again and again,
                )
            )
        return cases
