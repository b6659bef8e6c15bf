"""What the processes of the web lab and its pages say to one another, as types: one schema.

    page      a question (HTTP)          ->  hub, which hands it to a worker: `WorkerQuestion`
    worker    HTML, PDF or an answer     ->  hub  ->  page: `rooms.py`, made of `parts.py` and
              what one room says: `board.py`, `tree.py`, `exercise.py`, `matchboxes.py`
    page      a message (socket)         ->  hub, which answers, and publishes what goes on:
              `hub.py`
    hub       orders                     ->  training, which tells how it goes: `training.py`

What a page sends is JSON that anybody may have written: `damier.web.params` reads it with care. All
else is one of these types.
"""
