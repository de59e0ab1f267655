"""Every attack, by class; an honest student stands before each class, and after the last."""

import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from attacks.notebooks import Attack, hand_in

FEW = 2  # of each class, its first ones, are replayed with every run of the tests


@cache
def attacks() -> dict[str, tuple[Attack, ...]]:
    names = sorted(path.stem for path in (Path(__file__).parent / "hostile").glob("[!_]*.py"))
    return {name: importlib.import_module(f"attacks.hostile.{name}").ATTACKS for name in names}


def students() -> dict[str, Attack | None]:
    """Student → attack, in the order in which they are graded; the honest ones have none."""
    everyone: dict[str, Attack | None] = {}
    for kind, group in attacks().items():
        everyone[f"{kind}-00-honest"] = None
        everyone |= {f"{kind}-{number:02}": attack for number, attack in enumerate(group, 1)}
    return {**everyone, "zoe-honest": None}


def attackers(kind: str) -> list[str]:
    return [student for student, attack in students().items() if attack and student.rpartition("-")[0] == kind]


def hand_in_all(folder: Path, chosen: frozenset[str], words: Mapping[str, str]) -> None:
    """The chosen of those who attack; the first and the last of the honest, and those before a class that is whole."""
    whole = {kind for kind in attacks() if chosen.issuperset(attackers(kind))}
    everyone = students()
    ends = next(iter(everyone)), next(reversed(everyone))
    for student, attack in everyone.items():
        if student in chosen or student in ends or (attack is None and student.removesuffix("-00-honest") in whole):
            hand_in(attack, folder / student, words)
