"""The first database: logs, index of tables, secrets, tokens, webhooks, boards."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Creates all tables; longer than 40 lines, because it is one list that is never edited."""
    op.create_table(
        "logs",
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("version", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("command", sa.String(80)),
        sa.PrimaryKeyConstraint("table_id", "version", name="pk_logs"),
        sa.UniqueConstraint("table_id", "command", name="uq_logs_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("summary", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_due", "tables", ["due"])
    op.create_index("ix_tables_status", "tables", ["status", "listed", "changed"])
    op.create_table(
        "secrets",
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("bag", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_secrets"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("hash", "table_id", name="pk_tokens"),
    )
    op.create_index("ix_tokens_table_id", "tokens", ["table_id"])
    op.create_table(
        "hooks",
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("place", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "place", name="pk_hooks"),
    )
    op.create_table(
        "hook_calls",
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("place", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("next_at", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "place", name="pk_hook_calls"),
    )
    op.create_index("ix_hook_calls_next_at", "hook_calls", ["next_at"])
    op.create_table(
        "boards",
        sa.Column("hash", sa.String(80), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_boards"),
    )
    op.create_table(
        "server",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_server"),
    )


def downgrade() -> None:
    for name in ("server", "boards", "hook_calls", "hooks", "tokens", "secrets", "tables", "logs"):
        op.drop_table(name)
