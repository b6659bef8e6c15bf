"""What a sheet can ask of a submission: one kind of item a file."""
