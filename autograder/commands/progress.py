"""Progress on stderr."""

import sys

from tqdm import tqdm

FORM = "{desc} {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt}, {rate_noinv_fmt}, {remaining} left"


class Bar:
    """One progress bar after the other, on stderr: how many are done, how many a second, how long it will take."""

    def __init__(self) -> None:
        self.bar: tqdm | None = None

    def step(self, name: str, done: int, of: int) -> None:
        if self.bar is None or self.bar.desc != name:
            self.close()
            # What was done before this run says nothing about its rate.
            terminal = getattr(sys.stderr, "stream", sys.stderr)  # a bar does command it: it draws over itself
            self.bar = tqdm(total=of, initial=done, desc=name, unit="", file=terminal, bar_format=FORM)
            self.bar.desc = name
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
