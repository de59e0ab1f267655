import fcntl
import pickle
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from attacks.replay import Replay
from attacks.replay import replay as replay_in


@pytest.fixture(scope="session")
def replay(tmp_path_factory, request) -> Replay:
    """One run of those whose tests were chosen, however many processes share these: the first one grades."""
    chosen = (getattr(item, "callspec", None) for item in request.session.items)
    attackers = frozenset().union(*(test.params["attackers"] for test in chosen if test and "attackers" in test.params))
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        folder = folder.parent
    with open(folder / "attacks.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = folder / "attacks.replay"
        if not result.exists():
            (folder / "attacks").mkdir()
            result.write_bytes(pickle.dumps(replay_in(folder / "attacks", attackers)))
        return pickle.loads(result.read_bytes())
