"""The tasks of the exercises, one file for each: see AUTHORING.md in exercises' sources."""
