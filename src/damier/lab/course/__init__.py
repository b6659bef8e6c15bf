"""The guided sheets of the five documents: their questions, whose answers damier computes, and their
texts in both languages.
"""
