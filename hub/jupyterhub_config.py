"""What JupyterHub is told of the course: who teaches, who learns, and what their servers find.

A hub's own configuration loads this file and goes on, with its users, its authenticator and its spawner:

    load_subconfig("jupyterhub_config.py", path="/opt/course/hub")
    c = get_config()
    c.JupyterHub.load_groups = {"formgrade-attention": {"users": ["grace"]}, "nbgrader-attention": {"users": ["ada"]}}
"""

import os
from pathlib import Path

COURSE = os.environ.get("COURSE_ID", "attention")
HERE = os.environ.get("COURSE_HUB", str(Path(__file__).resolve().parent))  # this folder, where users' servers see it
INSTRUCTORS, LEARNERS = f"formgrade-{COURSE}", f"nbgrader-{COURSE}"  # as nbgrader calls a course's groups

c = get_config()  # noqa: F821
c.JupyterHub.load_groups = {INSTRUCTORS: {"users": []}, LEARNERS: {"users": []}}
c.Spawner.environment = {
    "COURSE_ID": COURSE,
    "COURSE_EXCHANGE": "/srv/nbgrader/exchange",
    "COURSE_FOLDER": "~/course",  # the instructor's, below the folder in which the server starts
    "JUPYTER_CONFIG_PATH": f"{HERE}/learner",  # goes before what users and machines configure
}
c.Spawner.group_overrides = {
    "instructors": {
        "groups": [INSTRUCTORS],
        "spawner_override": {"environment": {"JUPYTER_CONFIG_PATH": f"{HERE}/instructor"}},
    }
}
