"""Answers of workers, a room of the lab a file: `worker.function_of` says which function a verb
`room.verb` is.
"""
