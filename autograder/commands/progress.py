"""Progress on stderr."""

import sys

from tqdm import tqdm

FORM = "{desc} {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt}, {rate_noinv_fmt}, {remaining} left"


class Bar:
    """Progress bars on stderr, one after another: the number done, the rate and the time left."""

    def __init__(self) -> None:
        self.bar: tqdm | None = None

    def step(self, name: str, done: int, of: int) -> None:
        if self.bar is None or self.bar.desc != name:
            self.close()
            # Work done before this run must not count in its rate.
            terminal = getattr(sys.stderr, "stream", sys.stderr)  # the bar needs control characters to redraw itself
            self.bar = tqdm(total=of, initial=done, desc=name, unit="", file=terminal, bar_format=FORM)
            self.bar.desc = name
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
