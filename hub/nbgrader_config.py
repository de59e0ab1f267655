"""What nbgrader is told in every server of the hub: where work is handed in, and for which course."""

import os

c = get_config()  # noqa: F821
c.Exchange.root = os.environ["COURSE_EXCHANGE"]
c.CourseDirectory.course_id = os.environ["COURSE_ID"]
