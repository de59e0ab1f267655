"""A function or class of the library as a syntax tree that can be edited, compiled and printed."""

import ast
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import torch
from torch.nn import functional

from autograder.checking.edits import AnyEdit, apply

Answer = Callable[..., Any]

# Imported in every learner's notebook, even where the library's module does not import it.
COMMON: dict[str, Any] = {"math": math, "torch": torch, "Tensor": torch.Tensor, "nn": torch.nn, "F": functional}


@dataclass(frozen=True)
class Definition:
    """The reference of a task, and the definitions it uses, which edits may change too.

    ``answers``: what learners write if not the whole reference: some of its methods, such as "score", or the
    reference and those functions of ``uses`` that its cell also defines.
    """

    reference: Answer
    uses: tuple[Answer, ...] = ()
    answers: tuple[str, ...] = ()
    omit: tuple[str, ...] = ()  # methods outside the task that would give its answer away
    edits: tuple[AnyEdit, ...] = ()
    _compiled: dict[tuple[AnyEdit, ...], Answer] = field(default_factory=dict, compare=False, repr=False)

    @property
    def name(self) -> str:
        return self.reference.__name__

    @cached_property
    def tree(self) -> ast.Module:
        """All definitions without docstrings; the reference comes last."""
        tree = ast.parse("\n\n".join(map(inspect.getsource, (*self.uses, self.reference))))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                body = [child for child in node.body if getattr(child, "name", "") not in self.omit]
                node.body = body[1:] if ast.get_docstring(node) is not None else body
                node.body = node.body or [ast.Pass()]
        return apply(ast.fix_missing_locations(tree), self.edits)

    def edited(self, *edits: AnyEdit) -> ast.Module:
        """The tree with further edits; raises EditError if one does not fit."""
        return apply(self.tree, edits)

    def compiled(self, *edits: AnyEdit) -> Answer:
        """The reference with edits, ready to run."""
        if not edits and not self.edits:
            return self.reference
        if edits not in self._compiled:
            self._compiled[edits] = self.run(self.edited(*edits))
        return self._compiled[edits]

    def calling(self, others: Mapping[str, Answer]) -> Answer:
        """The reference, which calls these in place of the library's functions of the same names."""
        body = [node for node in self.tree.body if getattr(node, "name", "") not in others]
        return self.run(ast.Module(body, []), others)

    def run(self, tree: ast.Module, others: Mapping[str, Answer] = MappingProxyType({})) -> Answer:
        """Executes an edited tree in the namespace of the reference's module and returns the reference it defines."""
        space = COMMON | vars(sys.modules[self.reference.__module__]) | {"__name__": "__reference__"} | dict(others)
        exec(compile(tree, "<edited reference>", "exec"), space)
        return space[self.name]

    def printed(self, *edits: AnyEdit) -> str:
        """The edited source, as a cell that can replace the answer."""
        return ast.unparse(self.edited(*edits))
