"""Work of a class that was begun and broken off, in place of the tries of files; turns of students."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "begun_work"
down_revision = "retold_faults"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TRIES = ("tries", "marking_tries")


def upgrade() -> None:
    op.create_table(
        "begun_work",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("is_running", sa.Boolean, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.UniqueConstraint("kind", "number"),
    )
    op.add_column("student", sa.Column("turn", sa.BigInteger, nullable=False, server_default="0"))
    for tries in TRIES:
        op.drop_column("submission", tries)


def downgrade() -> None:
    for tries in TRIES:
        op.add_column("submission", sa.Column(tries, sa.Integer, nullable=False, server_default="0"))
    op.drop_column("student", "turn")
    op.drop_table("begun_work")
