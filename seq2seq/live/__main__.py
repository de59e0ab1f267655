"""Packs the trained models for the book's pages: ``python -m seq2seq.live`` writes book/_static/live/."""

import argparse
from collections.abc import Sequence

from seq2seq.live.models import FOLDER, MODELS, packed, script_file


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m seq2seq.live", description=__doc__)
    parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in MODELS:
        script_file(name).write_text(packed(name).script(name), encoding="utf-8")
        print(f"{script_file(name)}: {script_file(name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
