"""What each command does, says, and exits with: one file a command, each with its own help."""
