"""Marking a class: a sheet of items, the processes of submissions, findings and reports."""
