"""Small changes to a good board text, and what the loader says about them."""

from pathlib import Path

from industry.boards import BoardError, BoardSpec, Problem, board_text, parse_board


def blocks(text: str) -> list[str]:
    """The head of the file, then one piece for each field and link."""
    first, *rest = text.split("\n[[")
    return [first, *(f"\n[[{piece}" for piece in rest)]


def replaced(text: str, old: str, new: str) -> str:
    """The text with the only occurrence of `old` changed."""
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the text"
    return text.replace(old, new)


def field_block(text: str, field: str) -> str:
    (block,) = (piece for piece in blocks(text) if f'\nid     = "{field}"' in piece)
    return block


def in_field(text: str, field: str, old: str, new: str) -> str:
    """Changes something that occurs once in the block of a field."""
    block = field_block(text, field)
    return replaced(text, block, replaced(block, old, new))


def added(text: str, field: str, line: str) -> str:
    """One more line in the block of a field."""
    head = f'id     = "{field}"\n'
    return in_field(text, field, head, f"{head}{line}\n")


def without(text: str, field: str, key: str) -> str:
    """The block of a field without the line of a key."""
    block = field_block(text, field)
    lines = block.splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith((f"{key} ", f"{key}="))]
    assert len(kept) == len(lines) - 1
    return replaced(text, block, "".join(kept))


def renewed(text: str, field: str, line: str) -> str:
    """The block of a field with another line for the same key."""
    return added(without(text, field, line.split(" ")[0]), field, line)


def good(name: str = "industry") -> str:
    return board_text(name)


def format_1(name: str = "industry") -> str:
    """The board of this name as its file was before format 2."""
    return (Path(__file__).parent / "format_1" / f"{name}.toml").read_text("utf-8")


def problems(text: str, expected_id: str | None = None) -> list[Problem]:
    """All that the loader finds wrong with a text."""
    try:
        parse_board(text, "test", expected_id)
    except BoardError as error:
        assert error.problems
        return error.problems
    return []


def board(text: str) -> BoardSpec:
    return parse_board(text, "test")
