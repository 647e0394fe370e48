"""What `industry admin` asks of a running server. No client needs it."""

from typing import Annotated

from pydantic import Field, StringConstraints

from .base import Millis, Model, TableId


class Deletion(Model):
    """Delete tables; signed with the key in the server's database, for one minute."""

    tables: Annotated[list[TableId], Field(min_length=1, max_length=1000)]
    at: Millis
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class OperatorAction(Model):
    """What `industry admin` asks of a running server, signed with the key in its database."""

    what: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")]
    values: Annotated[str, StringConstraints(max_length=4000)]
    """JSON, exactly as it was signed."""
    at: Millis
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
