"""Classes: tournaments to which entrants still come, students, and what they hand in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "classes"
down_revision = "tournaments"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("tournament", sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "classroom",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("tournament_id", NUMBER, sa.ForeignKey("tournament.id"), nullable=False, unique=True),
        sa.Column("sheet", sa.Text, nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "student",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("folded", sa.Text, nullable=False, unique=True),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "submission",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("student_id", NUMBER, sa.ForeignKey("student.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("handed_in", sa.BigInteger, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("wanted", sa.Text, nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("marking_tries", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=True),
        sa.Column("report", sa.Text, nullable=False),
        sa.Column("marks", sa.Text, nullable=False),
        sa.UniqueConstraint("student_id", "number"),
    )


def downgrade() -> None:
    for table in ("submission", "student", "classroom"):
        op.drop_table(table)
    op.drop_column("tournament", "is_open")
