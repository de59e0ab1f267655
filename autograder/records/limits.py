"""The resources that one submission may use before it is stopped."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits in seconds and bytes, for all processes of a submission together unless stated otherwise."""

    cell_seconds: float = 10.0  # wall time of one cell or of one call from a check, excluding delays of a busy machine
    total_seconds: float = 120.0  # of the whole submission, counted likewise
    cpu_seconds: float = 120.0  # CPU time
    memory: int = 2 * 2**30  # resident
    address_space: int = 6 * 2**30  # of one process, of which torch maps about 4 GiB; 0: any (CUDA maps terabytes)
    file: int = 64 * 2**20  # one file
    disk: int = 64 * 2**20  # all files, in /tmp and /dev/shm
    files: int = 4096  # number of files and folders there
    output: int = 2**20  # printed text and pictures of one cell
    processes: int = 64  # including threads
    open_files: int = 256  # of one process
