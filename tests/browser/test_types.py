"""The client's types are those of the server's models."""

from .typescript import TARGET, written


def test_the_types_of_the_client_are_made_from_the_models_of_the_protocol() -> None:
    assert TARGET.read_text(encoding="utf-8") == written(), "run `npm run types` in web/"
