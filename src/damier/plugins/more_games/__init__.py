"""Games that none of the documents names; each module is one."""
