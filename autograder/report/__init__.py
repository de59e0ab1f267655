"""What a grading run says of the class as a whole, and of the checks themselves."""
