"""Where the exercises are as they were released: in the installed package, or in a checkout of the course."""

from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
INSTALLED, CHECKOUT = TOP / "learn" / "exercises", TOP / "exercises"


def released() -> list[Path]:
    """The released notebooks, in the order of the course."""
    folder = INSTALLED if INSTALLED.is_dir() else CHECKOUT
    found = (path for path in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
    return sorted(found, key=lambda path: path.name)
