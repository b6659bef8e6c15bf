"""What faults of games are retold from, in the language of who reads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "retold_faults"
down_revision = "exercises"


def upgrade() -> None:
    op.add_column("game", sa.Column("fault_facts", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("game", "fault_facts")
