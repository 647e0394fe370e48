"""The views that a client keeps: each is the one before with what a step changed."""

from typing import Any

Json = dict[str, Any]


def applied(view: Json, changed: Json) -> Json:
    """The view of a table after a step, as docs/protocol.md says."""
    game = changed.get("game")
    return {**view, **changed, "game": game_applied(view.get("game"), game)}


def game_applied(view: Json | None, changed: Json | None) -> Json | None:
    """The view of a game after a step."""
    if view is None or changed is None:
        return changed or view
    parts = {
        key: {name: value for name, value in (view.get(key, {}) | changed[key]).items() if value}
        for key in ("fields", "market")
        if key in changed
    }
    return view | changed | parts
