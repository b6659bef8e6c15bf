"""What workers answer, one room of the lab a file: a verb `room.verb` is the function `verb` of
`rooms/room.py`.
"""
