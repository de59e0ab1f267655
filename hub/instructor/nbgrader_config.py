"""What nbgrader is told in the instructor's server: all that the course says, then what the hub says."""

import os
from pathlib import Path

load_subconfig("nbgrader_config.py", path=os.path.expanduser(os.environ["COURSE_FOLDER"]))  # noqa: F821
load_subconfig("nbgrader_config.py", path=str(Path(__file__).resolve().parents[1]))  # noqa: F821
