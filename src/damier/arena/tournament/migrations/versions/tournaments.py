"""The first tables: tournaments, entrants, pairings and games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "tournaments"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "tournament",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("game_sha256", sa.String(64), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("games", sa.BigInteger, nullable=False),
        sa.Column("max_plies", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "entrant",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("tournament_id", NUMBER, sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.UniqueConstraint("tournament_id", "place"),
        sa.UniqueConstraint("tournament_id", "name"),
    )
    op.create_table(
        "pairing",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("tournament_id", NUMBER, sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("second", sa.Integer, nullable=False),
        sa.UniqueConstraint("tournament_id", "round", "first", "second"),
    )
    op.create_table(
        "game",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("pairing_id", NUMBER, sa.ForeignKey("pairing.id"), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("payoff_first", sa.BigInteger, nullable=False),
        sa.Column("payoff_second", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.Boolean, nullable=False),
        sa.Column("resigned", sa.Boolean, nullable=False),
        sa.Column("fault", sa.Text, nullable=False),
        sa.UniqueConstraint("pairing_id", "number"),
    )


def downgrade() -> None:
    for table in ("game", "pairing", "entrant", "tournament"):
        op.drop_table(table)
