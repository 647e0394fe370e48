"""The board for the rules: numbers only. Names, sources and files belong to `boards`."""

from typing import Annotated

from .constants import (
    COLUMNS,
    FIELDS,
    NO_FIELD,
    NO_NETWORK,
    NO_RESOURCE,
    RESOURCES,
    Kind,
)
from .record_layout import (
    FieldList,
    FieldsPerResource,
    Int8,
    Int32,
    PerColumn,
    PerField,
    RecordType,
)

MAX_LINKS = FIELDS * (FIELDS - 1) // 2

LinkEnds = Annotated[list[int], "i1", (MAX_LINKS,)]


class Board(RecordType):
    """Board values for the rules; `need_1`, `need_2`, `makes` and `joker` are resources."""

    edition: Int8
    kind: PerField
    cost: Annotated[list[int], "i4", (FIELDS,)]
    points: Annotated[list[int], "i4", (FIELDS,)]
    need_1: PerField
    need_2: PerField
    makes: PerField
    joker: PerField
    discount: PerField
    bonus_network: PerField
    bonus_points: PerField
    networks: PerField
    """One bit per network that the factory is connected to."""
    coin: PerColumn
    link_count: Int32
    link_from: LinkEnds
    link_to: LinkEnds
    maker_count: Annotated[list[int], "i1", (RESOURCES,)]
    makers: FieldsPerResource
    """The factories that make a resource; the first `maker_count` entries count."""
    joker_count: Int8
    jokers: FieldList
    discount_count: Int8
    discounts: FieldList

    def __init__(self) -> None:
        super().__init__()
        for values in (self.need_1, self.need_2, self.makes, self.joker):
            values[:] = [NO_RESOURCE] * FIELDS
        self.bonus_network[:] = [NO_NETWORK] * FIELDS

    def build_lookups(self) -> None:
        """Builds the lists in which the rules look fields up."""
        for resource in range(RESOURCES):
            _fill(
                self.makers[resource],
                [f for f in range(FIELDS) if self.makes[f] == resource],
            )
            self.maker_count[resource] = self.makes.count(resource)
        self.joker_count = self.kind.count(Kind.JOKER)
        _fill(self.jokers, [f for f in range(FIELDS) if self.kind[f] == Kind.JOKER])
        self.discount_count = sum(1 for d in self.discount if d)
        _fill(self.discounts, [f for f in range(FIELDS) if self.discount[f]])

    def needs(self, field: int) -> tuple[int, ...]:
        """Returns the resources that developing the field takes, in the order of the file."""
        pair = (self.need_1[field], self.need_2[field])
        return tuple(resource for resource in pair if resource != NO_RESOURCE)

    def links(self) -> list[tuple[int, int]]:
        """Pairs of directly linked fields."""
        count = self.link_count
        return list(zip(self.link_from[:count], self.link_to[:count], strict=True))

    def coin_columns(self) -> list[int]:
        return [column for column in range(COLUMNS) if self.coin[column]]


def _fill(target: list[int], fields: list[int]) -> None:
    target[:] = fields + [NO_FIELD] * (len(target) - len(fields))
