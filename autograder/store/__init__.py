"""What a class's grading keeps: verdicts, copies of what was graded, and the seed; nothing of it is lost by a crash."""
