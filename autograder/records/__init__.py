"""Plain data passed between processes: jobs, limits and verdicts."""
