"""What one submission may use before it is stopped."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one submission may use; time in seconds, sizes in bytes."""

    cell_seconds: float = 10.0  # wall time of one cell, or of one call from a check
    total_seconds: float = 120.0  # wall time of the whole submission
    memory: int = 6 * 2**30  # address space: torch alone maps about 4 GiB
    file: int = 64 * 2**20  # one file, and all of /tmp
    output: int = 2**20  # printed text and pictures of one cell
    processes: int = 64
    open_files: int = 256
