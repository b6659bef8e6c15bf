"""What goes on behind a class: files are looked at, marked and played, each in a sandbox."""
