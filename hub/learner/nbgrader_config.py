"""What nbgrader is told in a learner's server."""

import os
from pathlib import Path

load_subconfig("nbgrader_config.py", path=str(Path(__file__).resolve().parents[1]))  # noqa: F821
c = get_config()  # noqa: F821
c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]  # also where all servers run as one account
