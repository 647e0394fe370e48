"""Describes a board for clients: its values, and the layout of its picture."""

from industry.boards import BoardSpec, FieldSpec
from industry.boards.picture.layout import CARD_HEIGHT, CARD_WIDTH, MARGIN, TOP, Layout, Line, Way
from industry.boards.picture.lines import badge_points
from industry.boards.picture.routes import is_member
from industry.boards.picture.symbols import network_glyph, picture_of

from .protocol.http import BoardInfo, BonusInfo, FieldInfo, LayoutInfo, WayInfo

HEADROOM = 56
"""Space above the first gutter for the column letters; clients show the title elsewhere."""


def board_info(board: BoardSpec) -> BoardInfo:
    """Returns everything a client needs to show a board."""
    return BoardInfo(
        id=board.id,
        hash=board.hash,
        edition=board.edition,
        status="verified" if board.status == "verified" else "reconstruction",
        coin_columns=list(board.coin_columns),
        resources=list(board.resources),
        networks=list(board.networks),
        fields=[_field(field) for field in board.fields],
        links=list(board.links),
        layout=_layout(board),
        signs={network: network_glyph(network) for network in board.networks},
    )


def _field(field: FieldSpec) -> FieldInfo:
    bonus = field.bonus
    return FieldInfo.model_validate(
        {
            "id": field.id,
            "kind": field.kind,
            "name": field.name,
            "cost": field.cost,
            "needs": list(field.needs),
            "makes": field.makes,
            "points": field.points,
            "discount": field.discount,
            "networks": list(field.networks),
            "joker": field.joker,
            "bonus": BonusInfo(network=bonus.network, points=bonus.points) if bonus else None,
            "attested": list(field.attested),
            "source": field.source,
            "picture": "" if field.joker else picture_of(field),
        }
    )


def _layout(board: BoardSpec) -> LayoutInfo:
    layout = Layout(board)
    return LayoutInfo(
        width=layout.width,
        height=_lifted(layout.bottom) + MARGIN,
        card_width=CARD_WIDTH,
        card_height=CARD_HEIGHT,
        card_x=layout.card_x,
        card_y=[_lifted(y) for y in layout.card_y],
        ways=[_way(board, layout.way(route)) for route in layout.routes],
    )


def _way(board: BoardSpec, way: Way) -> WayInfo:
    route = way.route
    members = [field.id for field in board.fields if is_member(field, route.name)]
    return WayInfo(
        name=route.name,
        ends=list(route.ends) if route.ends else members,
        lines=[_points(line) for line in way.lines + way.stubs],
        badges=_points(badge_points(way)),
    )


def _points(line: Line) -> Line:
    return [(x, _lifted(y)) for x, y in line]


def _lifted(y: float) -> float:
    return y - TOP + HEADROOM
