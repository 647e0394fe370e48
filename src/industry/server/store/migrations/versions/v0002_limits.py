"""Who made a table, and when an open one last had a socket: for limits, never shown."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("maker", sa.String(32)))
    op.add_column("tables", sa.Column("seen", sa.BigInteger))
    op.create_index("ix_tables_maker", "tables", ["maker"])
