"""Memory in huge pages: whoever forks copies a table of one entry for each page, and takes it apart at each end."""

import ctypes

MADV_COLLAPSE = 25  # Linux 6.1
HUGE = 2**21  # bytes of such a page
GATHER = b"gather"  # what a worker is told by whom it forks for
OWN = ("", "[heap]")  # what a mapping is called that no file is behind, and that is no stack


def gather() -> None:
    """Moves this process's memory into huge pages, where the kernel has them; costs a copy of it, once.

    A fork that writes splits a huge page again and copies the small one alone, as ever.
    """
    advise = ctypes.CDLL(None).madvise
    for start, end in mappings():
        start, end = -(-start // HUGE) * HUGE, end // HUGE * HUGE
        if start < end:
            advise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), MADV_COLLAPSE)  # if it fails, all is as it was


def mappings() -> list[tuple[int, int]]:
    """From where to where this process has memory of its own to write to."""
    found = []
    with open("/proc/self/maps") as file:
        for line in file.read().splitlines():
            place, rights, _, _, _, *name = line.split(maxsplit=5)
            if rights == "rw-p" and "".join(name) in OWN:
                start, _, end = place.partition("-")
                found.append((int(start, 16), int(end, 16)))
    return found
