"""A checkout of any version can be compared: its package is described as if it were installed."""

from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest

from tools.compare_versions import describe_package


def described(folder: Path, bots: str) -> Distribution:
    source = folder / "src" / "industry"
    source.mkdir(parents=True)
    (source / "__init__.py").write_text('__version__ = "1.2.3"\n', "utf-8")
    (folder / "pyproject.toml").write_text(f'[project]\nname = "industry"\n{bots}', "utf-8")
    describe_package(folder)
    (found,) = distributions(name="industry", path=[str(folder / "src")])
    return found


@pytest.mark.parametrize(
    ("bots", "names"),
    [
        ('[project.entry-points."industry.bots"]\nold = "industry.bots.old:Old"\n', ["old"]),
        ("", []),
    ],
    ids=["0.1.0 names its bots there", "later versions do not"],
)
def test_a_checkout_is_found_with_its_version_and_the_bots_it_names(
    tmp_path: Path, bots: str, names: list[str]
) -> None:
    package = described(tmp_path, bots)
    assert package.version == "1.2.3"
    assert [point.name for point in package.entry_points] == names
