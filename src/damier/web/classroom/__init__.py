"""The class in the hub: who may see it, the process behind it, and what all who watch are told."""
