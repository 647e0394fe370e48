"""Writing values into a board file keeps what its owner wrote around them."""

import tomllib
from typing import Any

from industry.boards import board_text
from industry.boards.write import derived_board_text, rewritten


def data_in(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def field(data: dict[str, Any], name: str) -> dict[str, Any]:
    table: dict[str, Any] = next(table for table in data["field"] if table["id"] == name)
    return table


def test_a_file_without_changes_stays_letter_by_letter() -> None:
    for name in ("industry", "industria"):
        text = board_text(name)
        assert rewritten(text, data_in(text)) == text


def test_values_that_are_new_or_gone_get_or_lose_their_line() -> None:
    text = board_text("industry")
    data = data_in(text)
    table = field(data, "1F")
    del table["needs"]
    table["makes"] = "wood"
    new = rewritten(text, data)
    assert data_in(new) == data
    block = new[new.index('id     = "1F"') :].split("\n\n")[0].splitlines()
    assert 'makes  = "wood"' in block
    assert block.index("cost   = 2") + 1 == block.index('makes  = "wood"')
    assert not any(line.startswith("needs") for line in block)


def test_a_comment_behind_a_changed_value_stays() -> None:
    text = board_text("industry").replace("cost   = 2\n", "cost   = 2  # see the tile # twice\n", 1)
    data = data_in(text)
    name = next(table["id"] for table in data["field"] if table.get("cost") == 2)
    field(data, name)["cost"] = 7
    assert "cost   = 7  # see the tile # twice\n" in rewritten(text, data)


def test_a_list_over_several_lines_is_replaced_and_the_rest_stays() -> None:
    plain = board_text("industry")
    text = plain.replace('needs  = ["wood"]\n', 'needs  = [\n  "wood",  # planks\n]\n', 1)
    data = data_in(text)
    name = next(table["id"] for table in data["field"] if table.get("needs") == ["wood"])
    field(data, name)["needs"] = ["stone"]
    new = rewritten(text, data)
    assert data_in(new) == data
    assert new.count("\n") < text.count("\n")
    assert new.startswith(text[: text.index("[[field]]")])


def test_fields_may_stand_in_any_order_and_missing_ones_are_added() -> None:
    text = board_text("industry")
    first, second, *_ = text.split("\n[[field]]\n")[1:]
    turned = text.replace(first, "FIRST", 1).replace(second, first, 1).replace("FIRST", second, 1)
    data = data_in(text)
    new = rewritten(turned, data)
    assert new == turned
    shorter = text.replace(f"\n[[field]]\n{first}", "", 1)
    added = data_in(rewritten(shorter, data))
    assert sorted(table["id"] for table in added["field"]) == sorted(
        table["id"] for table in data["field"]
    )


def test_links_come_and_go_and_headings_between_them_stay() -> None:
    text = board_text("industry")
    data = data_in(text)
    roads = text.count("[[link]]", 0, text.index("Lines between technologies"))
    del data["link"][roads - 1]
    data["link"].append({"ends": ["1E", "1H"], "note": "new"})
    new = rewritten(text, data)
    assert data_in(new)["link"] == data["link"]
    assert "# -------------------- Lines between technologies\n" in new
    assert '\n\n[[link]]\nends = ["1E", "1H"]\nnote = "new"\n' in new


def test_a_heading_stays_where_the_first_link_goes() -> None:
    heading = "# -------------------- the other links\n"
    second = '\n[[link]]\nends = ["1G", "1J"]\n'
    text = board_text("industry").replace(second, f"\n{heading}{second}", 1)
    data = data_in(text)
    del data["link"][0]
    new = rewritten(text, data)
    assert data_in(new) == data
    assert new.index("[[field]]") < new.index(heading) < new.index("[[link]]")


def test_a_board_without_links_loses_their_tables_and_can_have_new_ones() -> None:
    text = board_text("industry")
    data = data_in(text)
    gone = rewritten(text, data | {"link": []})
    assert data_in(gone) == {key: value for key, value in data.items() if key != "link"}
    assert "# -------------------- Lines between technologies\n" in gone
    assert data_in(rewritten(gone, data)) == data


def test_links_in_brackets_become_tables_and_the_rest_stays() -> None:
    text = board_text("industry")
    start = text[: text.index("[[link]]")].replace("coin_columns", "link = [\n]\ncoin_columns", 1)
    text = start.replace("link = [\n]", 'link = [\n  { ends = ["1E", "1H"] },\n]')
    new = rewritten(text, data_in(text))
    assert new == start.replace("link = [\n]\n", "") + '[[link]]\nends = ["1E", "1H"]\n'


def test_a_table_with_dotted_keys_is_written_whole_only_when_it_changes() -> None:
    name = 'name   = { en = "Coal mine", de = "Kohlebergwerk", fr = "Mine de charbon" }\n'
    dotted = """name.en = "Coal mine"
name.de = "Kohlebergwerk"  # or Zeche
name.fr = "Mine de charbon"
"""
    text = board_text("industry").replace(name, dotted, 1)
    data = data_in(text)
    field(data, "1F")["cost"] = 7
    new = rewritten(text, data)
    assert new == text.replace("cost   = 2\n", "cost   = 7\n", 1)
    field(data, "1G")["cost"] = 7
    assert rewritten(new, data) == new.replace(f"{dotted}cost   = 3\n", f"{name}cost   = 7\n")


def test_a_note_can_have_any_letters_and_the_file_stays_readable() -> None:
    text = board_text("industry")
    data = data_in(text)
    data["link"][0]["note"] = "“a” # b \x00\x7f\r\n\"'''"
    assert data_in(rewritten(text, data)) == data


def test_statements_are_written_with_one_line_for_each() -> None:
    text = board_text("industry")
    data = data_in(text)
    data["source"].append({"id": "mine", "kind": "print", "title": "German edition"})
    field(data, "1G")["provenance"] = [
        {"source": "mine", "values": ["cost", "points"]},
        {"source": "katz2019", "confidence": "low", "note": "coal"},
    ]
    new = rewritten(text, data)
    assert data_in(new) == data
    assert (
        """networks = ["rail"]
provenance = [
  { source = "mine", values = ["cost", "points"] },
  { source = "katz2019", confidence = "low", note = "coal" },
]
"""
        in new
    )
    assert new.endswith(
        '\n\n[[source]]\nid    = "mine"\nkind  = "print"\ntitle = "German edition"\n'
    )


def test_a_last_line_without_an_end_gets_one_before_more_is_written() -> None:
    text = board_text("industry").rstrip("\n")
    data = data_in(text)
    data["source"].append({"id": "mine", "kind": "print", "title": "mine"})
    new = rewritten(text, data)
    assert new == f'{text}\n\n[[source]]\nid    = "mine"\nkind  = "print"\ntitle = "mine"\n'


def test_a_text_that_cannot_be_changed_line_by_line_is_written_whole() -> None:
    text = board_text("industry")
    data = data_in(text)
    assert data_in(rewritten("", data)) == data


def test_a_copy_does_not_repeat_what_the_first_lines_say_of_the_original() -> None:
    copy = derived_board_text(board_text("industry"), "industry")
    assert "could not be consulted" not in copy
    assert copy.startswith("# A board of your own, started from “industry”.\n")
    assert data_in(copy) == data_in(board_text("industry"))
