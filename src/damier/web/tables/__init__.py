"""Tables at which several people play: they live in the hub."""
