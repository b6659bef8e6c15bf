"""Runs of exercises that students have finished."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "exercises"
down_revision = "classes"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "exercise_run",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("student_id", NUMBER, sa.ForeignKey("student.id"), nullable=False),
        sa.Column("run", sa.String(200), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("of", sa.Integer, nullable=False),
        sa.Column("finished", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("exercise_run")
