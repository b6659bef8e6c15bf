"""Choose by looking ahead: one algorithm a file."""
