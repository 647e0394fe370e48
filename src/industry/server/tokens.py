"""Names and secrets of tables and seats; a repeated request gets the same ones again.

Tokens are not stored. If a request with an unguessable id is repeated, its token is derived again
from that id and the server's key.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

UNGUESSABLE = 22
"""From this length on an id counts as random; a shorter one might be used by others too."""
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
TABLE_LETTERS = 12


class TokenKeys:
    """Derives everything from the key that all processes of a server share."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def _digest(self, *words: str) -> bytes:
        return hmac.digest(self._key, "/".join(words).encode(), "sha256")

    def seed(self, command: str) -> str:
        """Returns what a request's tokens are derived from: its id, or randomness if that is
        guessable.
        """
        return command if is_repeatable(command) else secrets.token_hex(32)

    def table(self, *words: str) -> str:
        """Derives a table's name."""
        number = int.from_bytes(self._digest("table", *words), "big")
        letters = []
        for _ in range(TABLE_LETTERS):
            number, place = divmod(number, len(LETTERS))
            letters.append(LETTERS[place])
        return "".join(letters)

    def token(self, table: str, place: int, seed: str) -> str:
        """Derives the secret of a place at a table: 256 bits."""
        digest = self._digest("token", table, str(place), seed)
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def person_token(self, table: str, place: int, person: str) -> str:
        """Derives the secret with which a person plays at a place from any device."""
        return self.token(table, place, f"person {person}")

    def push_seed(self) -> bytes:
        """Derives what the server's keys for Web Push are made from."""
        return self._digest("push")

    def unsubscribing(self, channel: str) -> str:
        """Derives what a mail contains by which its reader ends all mails to the same address."""
        return self._digest("unsubscribe", channel).hex()[:32]

    def deletion(self, tables: Sequence[str], at: int) -> str:
        """Signs a request to delete tables, as only somebody who can read the database can."""
        return self._digest("delete", str(at), *tables).hex()

    def action(self, what: str, values: str, at: int) -> str:
        """Signs an operator's action, as only somebody who can read the database can."""
        return self._digest("action", what, values, str(at)).hex()

    def maker(self, address: str) -> str:
        """Returns the digest that is stored of the address that creates a table."""
        return self._digest("maker", address).hex()[:32]

    def chance(self, *words: str) -> str:
        """Derives a seed for bots that nobody outside can predict."""
        return self._digest("bot", *words).hex()


def is_repeatable(command: str) -> bool:
    return len(command) >= UNGUESSABLE


def command_key(who: str, command: str) -> str:
    """Returns a command's key in the log: its author and a hash, because ids may be secrets."""
    return f"{who}/{hashlib.sha256(command.encode()).hexdigest()[:40]}"
