"""Settings: where they come from, which wins, and a sentence for every value that cannot be."""

import re
from pathlib import Path
from typing import Any

import pytest

from industry.server.limits import Limits
from industry.server.settings import (
    Settings,
    SettingsError,
    load_settings,
    unknown_variables,
)

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"


def written(folder: Path, text: str) -> Path:
    path = folder / "industry.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_anything_set_the_defaults_hold() -> None:
    settings = load_settings({})
    assert settings == Settings()
    assert settings.workers >= 1
    assert settings.database_url.startswith("sqlite:///")
    assert settings.database_url.endswith("tables.db")


def test_the_command_line_outranks_the_environment_and_that_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, 'port = 1\nbot_seconds = 2\nhost = "::"\norigins = ["https://a.org"]')
    environment = {"INDUSTRY_PORT": "2", "INDUSTRY_BOT_SECONDS": "0.5"}
    settings = load_settings(environment, file, port=3, host=None)
    assert (settings.port, settings.bot_seconds, settings.host) == (3, 0.5, "::")
    assert settings.origins == ("https://a.org",)


def test_the_environment_can_name_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, "bot_workers = 3")
    assert load_settings({"INDUSTRY_CONFIG": str(file)}).workers == 3


def test_every_setting_can_be_set_by_the_environment() -> None:
    texts = {
        "host": ("0.0.0.0", "0.0.0.0"),
        "port": ("80", 80),
        "database": ("postgresql://bo@db/games", "postgresql://bo@db/games"),
        "public_url": ("https://games.example.org", "https://games.example.org"),
        "origins": ("https://a.org, http://b.org:81", ("https://a.org", "http://b.org:81")),
        "hosts": ("games.lan, club", ("games.lan", "club")),
        "trusted_proxies": ("10.0.0.1", ("10.0.0.1",)),
        "bot_workers": ("2", 2),
        "bot_seconds": ("0.5", 0.5),
        "bot_patience": ("3", 3.0),
        "max_tables": ("7", 7),
        "retention_days": ("90", 90),
        "max_messages": ("500", 500),
        "address_connections": ("1", 1),
        "address_sockets": ("2", 2),
        "address_seated": ("3", 3),
        "address_messages": ("4", 4),
        "address_requests": ("5", 5),
        "address_tables": ("6", 6),
        "address_new_tables": ("7", 7),
        "address_seats": ("8", 8),
        "address_replays": ("9", 9),
        "address_reviews": ("9", 9),
        "address_hints": ("9", 9),
        "address_table_seats": ("11", 11),
        "address_hooks": ("10", 10),
        "address_notices": ("10", 10),
        "address_persons": ("10", 10),
        "address_sign_ins": ("10", 10),
        "address_cups": ("10", 10),
        "address_pause": ("2.5", 2.5),
        "engines": ("mine=./mine --fast", ("mine=./mine --fast",)),
        "boards": ("mine.toml, yours.toml", ("mine.toml", "yours.toml")),
        "private_hooks": ("on", True),
        "persons": ("invitation", "invitation"),
        "contact": ("host@example.org", "host@example.org"),
        "mail_host": ("mail.example.org", "mail.example.org"),
        "mail_port": ("465", 465),
        "mail_tls": ("tls", "tls"),
        "mail_user": ("games", "games"),
        "mail_password": ("secret", "secret"),
        "mail_from": ("games@example.org", "games@example.org"),
        "cups": ("persons", "persons"),
        "log_level": ("debug", "debug"),
    }
    assert set(texts) == set(Settings.model_fields)
    environment = {f"INDUSTRY_{name.upper()}": text for name, (text, _) in texts.items()}
    settings = load_settings(environment)
    for name, (_, value) in texts.items():
        assert getattr(settings, name) == value


def test_what_an_address_may_do_is_what_the_operator_has_set() -> None:
    names = [name for name in Limits.__slots__ if name.startswith("address_")]
    given = {name: 7 + place for place, name in enumerate(names) if name != "address_watchers"}
    limits = Settings(**given).limits  # type: ignore[arg-type]
    assert {name: getattr(limits, name) for name in given} == given
    assert 0 < limits.address_watchers < limits.address_sockets


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("PORT", "http", "INDUSTRY_PORT must be a whole number, not “http”."),
        ("PORT", "70000", "port must be from 0 to 65535, not 70000."),
        ("BOT_SECONDS", "nan", "bot_seconds must be from 0.01 to 60"),
        ("MAX_MESSAGES", "3", "max_messages must be from 20 to 1"),
        ("BOT_WORKERS", "0", "bot_workers must be from 1 to 256"),
        ("PRIVATE_HOOKS", "maybe", "INDUSTRY_PRIVATE_HOOKS is on or off, not “maybe”."),
        ("LOG_LEVEL", "loud", "log_level is one of debug, info, warning, error"),
        ("DATABASE", "mysql://x", "database must be a URL such as"),
        ("DATABASE", "/var/lib/tables.db", "database must be a URL such as"),
        ("DATABASE", "sqlite:///", "database must be a URL such as"),
        ("DATABASE", "sqlite:///:memory:", "database must be a URL such as"),
        ("DATABASE", "postgresql://db:port/games", "database must be a URL such as"),
        ("PUBLIC_URL", "games.example.org", "public_url must be an origin"),
        ("PUBLIC_URL", "https://games.example.org/", "public_url must be an origin"),
        ("ORIGINS", "https://a.org,https://A.org", "origins must be an origin"),
        ("ORIGINS", "https://a.org:x", "origins must be an origin"),
        ("ORIGINS", "null", "origins must be an origin"),
        ("HOSTS", "http://games.lan", "hosts must be names such as games.lan"),
        ("HOSTS", "games.lan:80", "hosts must be names such as games.lan"),
        ("CONTACT", "host", "contact must be a mail address, or a site"),
        ("MAIL_FROM", "games", "mail_from must be an address such as games@example.org"),
        ("MAIL_TLS", "ssl", "mail_tls is one of starttls, tls, off"),
        ("ADDRESS_TABLES", "0", "address_tables must be from 1 to 1"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_what_could_be(
    name: str, text: str, said: str
) -> None:
    with pytest.raises(SettingsError, match=re.escape(said)):
        load_settings({f"INDUSTRY_{name}": text})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = '80'", "port must be a whole number."),
        ("port = true", "port must be a whole number."),
        ("host = 1", "host must be a text."),
        ("origins = 'https://a.org'", "origins must be a list of texts."),
        ("private_hooks = 1", "private_hooks must be true or false."),
        ("prot = 80", "sets prot, which is none of host, port"),
        ("port =", "are not valid TOML"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_the_key(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=re.escape(said)):
        load_settings({}, written(tmp_path, text))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings({"INDUSTRY_CONFIG": str(tmp_path / "none.toml")})


def test_misspelt_variables_are_found_and_those_of_other_parts_are_not() -> None:
    environment = {"INDUSTRY_PROT": "1", "INDUSTRY_PORT": "1", "INDUSTRY_CACHE_DIR": "/x", "A": ""}
    assert unknown_variables(environment) == ["INDUSTRY_PROT"]


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(value)
    return value if isinstance(value, str) else f"{value:g}"


def test_the_page_for_operators_lists_every_setting_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [name for name, _ in rows] == list(Settings.model_fields)
    defaults = Settings()
    for name, stated in rows:
        value = getattr(defaults, name)
        if value not in (None, "", ()):
            assert stated.strip("`").replace("` `", ", ") == shown(value), name
