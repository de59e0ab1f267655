"""The commands: one file each, with its help, output and exit statuses."""
