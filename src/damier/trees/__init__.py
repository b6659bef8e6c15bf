"""Explicit trees: searched step by step, told in words, played again, written, set as exercises and
marked.
"""
