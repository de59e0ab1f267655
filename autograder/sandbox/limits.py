"""What one submission may use before it is stopped."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one submission may use, all its processes taken together unless said otherwise; seconds and bytes."""

    cell_seconds: float = 10.0  # wall time of one cell or of one call from a check, less what a busy machine took
    total_seconds: float = 120.0  # of the whole submission, counted alike
    cpu_seconds: float = 120.0  # CPU time
    memory: int = 2 * 2**30  # resident
    address_space: int = 6 * 2**30  # of one process, of which torch maps about 4 GiB; 0: any (CUDA maps terabytes)
    file: int = 64 * 2**20  # one file
    disk: int = 64 * 2**20  # all files, in /tmp and /dev/shm
    files: int = 4096  # how many files and folders there
    output: int = 2**20  # printed text and pictures of one cell
    processes: int = 64  # threads counted too
    open_files: int = 256  # of one process
