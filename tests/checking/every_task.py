"""Every task of every exercise, as the checks have it."""

import importlib
import pkgutil

from autograder import tasks
from autograder.checking.checker import Checker

MODULES = [
    importlib.import_module(f"autograder.tasks.{module.name}") for module in pkgutil.iter_modules(tasks.__path__)
]
CHECKERS = [value for module in MODULES for value in vars(module).values() if isinstance(value, Checker)]
TASKS = [task for checker in CHECKERS for task in checker.tasks.values()]
