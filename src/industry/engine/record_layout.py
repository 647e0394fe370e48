"""One declaration per class for two representations: a plain Python object and a flat numpy record.

A class that derives from `RecordType` annotates each attribute with one of the types below. Its
comparison, its canonical form and (in `compiled`) its numpy dtype all follow from that list.
"""

from typing import Annotated, Any, ClassVar, get_type_hints

from .constants import COLUMNS, FIELDS, KINDS, MAX_SEATS, RESOURCES

Shape = tuple[int, ...]

Int8 = Annotated[int, "i1", ()]
Int32 = Annotated[int, "i4", ()]
PerSeat = Annotated[list[int], "i4", (MAX_SEATS,)]
PerKind = Annotated[list[int], "i4", (KINDS,)]
PerColumn = Annotated[list[int], "i1", (COLUMNS,)]
PerField = Annotated[list[int], "i1", (FIELDS,)]
FieldList = Annotated[list[int], "i1", (FIELDS,)]
FieldsPerResource = Annotated[list[list[int]], "i1", (RESOURCES, FIELDS)]


def _empty(shape: Shape) -> Any:
    if not shape:
        return 0
    return [_empty(shape[1:]) for _ in range(shape[0])]


class RecordType:
    """An object whose attributes are integers or lists of integers, all listed in `layout`."""

    layout: ClassVar[tuple[tuple[str, str, Shape], ...]]

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        cls.layout = tuple(
            (name, *hint.__metadata__)
            for name, hint in hints.items()
            if hasattr(hint, "__metadata__")
        )

    def __init__(self) -> None:
        for name, _, shape in self.layout:
            setattr(self, name, _empty(shape))

    def values(self) -> dict[str, Any]:
        """Returns plain integers and lists by attribute name, in the order of declaration."""
        return {name: _plain(getattr(self, name)) for name, _, _ in self.layout}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.values() == other.values()

    __hash__ = None  # type: ignore[assignment]


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, list) else int(value)
