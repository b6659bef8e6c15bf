"""The figures of the guided sheets."""
