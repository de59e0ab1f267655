"""The resources that reading or rendering one submission may use before it is stopped."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RequestLimits:
    """Limits in seconds and bytes on one request, which is handled by its own fork."""

    cpu_seconds: int = 10  # CPU time: what the submission itself costs, however busy the machine is
    wall_seconds: int = 60  # if this is exceeded before the CPU time, the machine is at fault
    address_space: int = 3 * 2**30
    answer: int = 256 * 2**20  # size of the returned data


READ = RequestLimits()
RENDER = RequestLimits(cpu_seconds=5)  # one page; texts that a class has in common are rendered only once
