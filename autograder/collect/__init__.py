"""What an LMS gives to download → a folder for each submission."""
