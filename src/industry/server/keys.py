"""Names and secrets of tables and seats, made so that a repeated request gets the same answer.

Tokens are not stored. One that a request with an unguessable id asked for is computed again from
that id and the server's own key, when the same request comes again.
"""

import base64
import hashlib
import hmac
import secrets

UNGUESSABLE = 22
"""From this length on an id counts as random; a shorter one might be somebody else's too."""
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
TABLE_LETTERS = 12


class Keys:
    """Everything follows from the key that all processes of a server share."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def _digest(self, *words: str) -> bytes:
        return hmac.digest(self._key, "/".join(words).encode(), "sha256")

    def seed(self, command: str) -> str:
        """What tokens of a request are made from: its id, or chance where that is guessable."""
        return command if is_repeatable(command) else secrets.token_hex(32)

    def table(self, *words: str) -> str:
        """The name of a table."""
        number = int.from_bytes(self._digest("table", *words), "big")
        letters = []
        for _ in range(TABLE_LETTERS):
            number, place = divmod(number, len(LETTERS))
            letters.append(LETTERS[place])
        return "".join(letters)

    def token(self, table: str, place: int, seed: str) -> str:
        """The secret of a place at a table: 256 bits."""
        digest = self._digest("token", table, str(place), seed)
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def chance(self, *words: str) -> str:
        """Randomness for bots that nobody outside can foresee."""
        return self._digest("bot", *words).hex()


def is_repeatable(command: str) -> bool:
    return len(command) >= UNGUESSABLE


def command_key(who: str, command: str) -> str:
    """A command in the log: whose it is and its hash, because ids may be secrets themselves."""
    return f"{who}/{hashlib.sha256(command.encode()).hexdigest()[:40]}"
