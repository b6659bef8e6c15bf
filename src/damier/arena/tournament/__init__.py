"""A class plays itself: who meets whom, the games that are left to play, where they are kept, and
what they say about the agents.
"""
