"""Agents that people bring: a class or a function of their own, a process in any language."""
