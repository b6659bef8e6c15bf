"""Commands as the five documents print them, understood: a parser for each way of writing, and what
damier does with them.
"""
