"""What Alembic runs to bring a store up to date: on the connection that it is given, in that
connection's transaction.
"""

from __future__ import annotations

from alembic import context

VERSION_TABLE = "damier_version"

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    transactional_ddl=True,  # SQLite has it, once BEGIN is said (store.py)
)
context.run_migrations()
