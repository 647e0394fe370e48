"""Measures text and breaks it into lines without loading a font."""

import re
import unicodedata

_WIDTHS = {
    278: " Iijl,.'’‘/\\·|",
    333: "!()-:;[]ft`",
    389: "*r{}",
    474: '"',
    500: "z“”„",
    556: "Jaceksvxy0123456789$#_«»–",
    584: "+<=>^~×−",
    611: "FLTZbdghnopqußð?",
    667: "EPSVXY",
    722: "ABCDHKNRU&",
    778: "GOQw",
    833: "M",
    889: "m%æ",
    944: "Wœ",
    1000: "—…Æ",
}
"""Arial bold, in thousandths of the size; any other character counts as a full square."""
_WIDTH_OF = {character: width for width, some in _WIDTHS.items() for character in some}


def text_width(text: str, size: float) -> float:
    """Returns the width of a text in Arial bold."""
    return sum(_character_width(character) for character in text) * size / 1000


def _character_width(character: str) -> int:
    if character.isspace():
        return _WIDTH_OF[" "]
    return _WIDTH_OF.get(unicodedata.normalize("NFD", character)[0], 1000)


def fitted(
    text: str, width: float, sizes: tuple[tuple[float, int], ...]
) -> tuple[float, list[str]]:
    """Returns the largest size at which the text fits, with its lines; nothing is ever cut off.

    `sizes` pairs a size with the number of lines it may take, from the best to the last resort, at
    which words are broken too; a text that is still too long becomes as small as it must.
    """
    words = re.findall("[^ \t\r\n]+", text) or [text]
    for size, most in sizes:
        lines = _wrapped(words, width, size)
        if len(lines) <= most and all(text_width(line, size) <= width for line in lines):
            return size, lines
    size, most = sizes[-1]
    while len(lines := _wrapped(_broken(words, width, size), width, size)) > most:
        size *= 0.94
    return size, lines


def _wrapped(words: list[str], width: float, size: float) -> list[str]:
    """Breaks the text into as few lines as possible, as even as possible."""
    lines = _filled(words, width, size)
    narrow = width
    while len(lines) > 1:
        narrow -= width / 40
        closer = _filled(words, narrow, size)
        if len(closer) > len(lines) or any(text_width(line, size) > narrow for line in closer):
            break
        lines = closer
    return lines


def _filled(words: list[str], width: float, size: float) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _broken(words: list[str], width: float, size: float) -> list[str]:
    """Words no wider than a line: longer ones are hyphenated where the line ends."""
    parts: list[str] = []
    for word in words:
        rest = word
        while len(rest) > 1 and text_width(rest, size) > width:
            end = len(rest) - 1
            while end > 1 and text_width(rest[:end] + "-", size) > width:
                end -= 1
            parts.append(rest[:end] + "-")
            rest = rest[end:]
        parts.append(rest)
    return parts
