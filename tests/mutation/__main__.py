"""Which mistakes in the library's answers would the checks let pass, and which in the project's code its tests?

python -m tests.mutation 05_scorers                 every task of an assignment
python -m tests.mutation 05_scorers dot_scorer      one task
python -m tests.mutation 05_scorers --killed        and what killed the others
python -m tests.mutation --library 200 --seed 0     random changes of the project, each against the tests of its room
"""

import argparse
import sys
from pathlib import Path

from tests.catalogue.lesson import lesson, names
from tests.mutation import library
from tests.mutation.library_trial import try_all
from tests.mutation.report import report

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m tests.mutation", description=__doc__, formatter_class=form)
    parser.add_argument("assignment", nargs="?", choices=names())
    parser.add_argument("task", nargs="*")
    parser.add_argument("--killed", action="store_true", help="show each killed mutant and what was said of it")
    parser.add_argument("--library", type=int, metavar="N", help="try N random changes of the project itself")
    parser.add_argument("--seed", type=int, default=0, help="of the random changes")
    parser.add_argument("--room", default="", help="changes of this folder alone, such as seq2seq/decoders")
    parser.add_argument("--long", action="store_true", help="against all tests, not only those of `make test`")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--list", type=Path, help="the mutants; made where it is not there, else tried again")
    options = parser.parse_args()
    if options.library:
        return of_the_library(options)
    if not options.assignment:
        parser.error("name an assignment, or --library N.")
    return of_answers(parser, options)


def of_the_library(options: argparse.Namespace) -> int:
    """Fails where a mutant lives that the list says was killed."""
    path = options.list or Path(__file__).parent / f"library_{options.library}_{options.seed}.json"
    before = {str(mutant): mutant.killed_by for mutant in library.read(path)} if path.exists() else {}
    folders = (options.room,) if options.room else library.FOLDERS
    mutants = library.read(path) if before else library.sample(ROOT, options.library, options.seed, folders)

    def tell(mutant: library.LibraryMutant) -> None:
        if mutant.killed_by is None:
            verdict = "not tried: its lines are not there any more"
        elif mutant.killed_by:
            verdict = f"killed by {mutant.killed_by}"
        else:
            verdict = "LIVES, and was killed" if before.get(str(mutant)) else "LIVES"
        print(f"{mutant}\n  {verdict}", flush=True)

    try_all(ROOT, mutants, [] if options.long else ["-m", "not long"], options.workers, tell)
    faults = [mutant for mutant in mutants if before.get(str(mutant)) and mutant.killed_by == ""]
    killed = sum(bool(mutant.killed_by) for mutant in mutants)
    print(f"\n{killed} of {len(mutants)} killed; before: {sum(map(bool, before.values()))}; lost: {len(faults)}")
    if not faults:
        command = f"python -m tests.mutation --library {options.library} --seed {options.seed}"
        library.write(path, command, mutants)
    return 1 if faults else 0


def of_answers(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    tasks, faults = lesson(options.assignment).tasks, 0
    unknown = [task for task in options.task if task not in tasks]
    if unknown:
        parser.error(f"no task {unknown[0]!r}; there is {', '.join(tasks)}.")
    for task in options.task or tasks:
        result = report(options.assignment, task)
        print(f"{result}\n")
        for diff, verdict in result.killed if options.killed else ():
            print(f"killed: {verdict}\n{diff}\n")
        faults += len(result.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
