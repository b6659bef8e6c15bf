"""Many independent pieces of work, done in this process, by processes of this machine, or by a cluster."""
