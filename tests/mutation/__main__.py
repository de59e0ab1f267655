"""Which mistakes in the library's answers would the checks let pass?

python -m tests.mutation 05_scorers                 every task of an assignment
python -m tests.mutation 05_scorers dot_scorer      one task
python -m tests.mutation 05_scorers --killed        and what killed the others
"""

import argparse
import sys

from tests.catalogue.lesson import lesson, names

from .argued import arguments
from .report import report, stale


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.mutation", description=__doc__.splitlines()[0])
    parser.add_argument("assignment", choices=names())
    parser.add_argument("task", nargs="*")
    parser.add_argument("--killed", action="store_true", help="show each killed mutant and what was said of it")
    options = parser.parse_args()
    tasks, left = lesson(options.assignment).tasks, 0
    unknown = [task for task in options.task if task not in tasks]
    if unknown:
        parser.error(f"no task {unknown[0]!r}; there is {', '.join(tasks)}.")
    for task in options.task or tasks:
        result = report(options.assignment, task)
        print(result)
        for diff, said in result.killed if options.killed else ():
            print(f"\nkilled: {said}\n{diff}")
        old = stale(options.assignment, task)
        for one in old:
            print(f"\nargued, but no survivor:\n{one}")
        left += len(result.survivors) + len(result.broken) + len(old)
        print()
    for one in arguments(options.assignment):
        if one.task not in tasks:
            print(f"argued, but no such task: {one.task}")
            left += 1
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
