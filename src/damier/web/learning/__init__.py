"""The learning room: trainings in processes of their own, and what is shown of them."""
