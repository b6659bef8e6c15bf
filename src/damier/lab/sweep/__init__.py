"""Sweeps: many trainings of learners, over their parameters and seeds, each graded exactly."""
