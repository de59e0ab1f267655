"""What the reading or rendering of one submission may use before it is stopped."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Seconds and bytes of one request, which a fork of its own answers."""

    cpu_seconds: int = 10  # processor time: what the submission itself costs, however busy the machine is
    wall_seconds: int = 60  # passed before the processor time is, the machine was at fault
    address_space: int = 3 * 2**30
    answer: int = 256 * 2**20  # of plain data that comes back


READ = Limits()
RENDER = Limits(cpu_seconds=5)  # one page; a class has most of its texts in common, and those are rendered once
