"""The class report: how the class did, and how good the checks are."""
