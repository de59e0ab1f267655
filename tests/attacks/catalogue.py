"""Every attack, by class; the honest stand before and after each class."""

import importlib
from functools import cache
from pathlib import Path

from attacks.attack import Attack
from attacks.notebooks import hand_in


@cache
def attacks() -> dict[str, tuple[Attack, ...]]:
    """Class → its attacks, the classes in the order of their names."""
    names = sorted(path.stem for path in (Path(__file__).parent / "hostile").glob("[!_]*.py"))
    return {name: importlib.import_module(f"attacks.hostile.{name}").ATTACKS for name in names}


def students() -> dict[str, Attack | None]:
    """Student → attack, in the order in which they are graded; the honest ones have none."""
    found: dict[str, Attack | None] = {}
    for kind, group in attacks().items():
        found[f"{kind}-00-honest"] = None
        for number, attack in enumerate(group, 1):
            found[f"{kind}-{number:02}"] = attack
        found[f"{kind}-99-honest"] = None
    return found


def hand_in_all(folder: Path, attackers: frozenset[str] | None = None) -> None:
    """All the honest, and of those who attack only ``attackers``, unless that is none."""
    for student, attack in students().items():
        if attack is None or attackers is None or student in attackers:
            hand_in(attack, folder / student)
