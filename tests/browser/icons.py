"""Draws the icons of the installed page from its sign; `python -m tests.browser.icons` writes them.

They are files of the repository, because a build has no browser.
"""

from pathlib import Path

from .chromium import browser_running

PUBLIC = Path(__file__).parents[2] / "web" / "public"
GROUND = "#18242b"
ICONS = {"icon-192.png": (192, 76), "icon-512.png": (512, 76), "icon-maskable-512.png": (512, 54)}
"""Width of each in pixels, and of the sign in percent: some systems cut icons to a circle."""


def main() -> None:
    sign = (PUBLIC / "favicon.svg").read_text(encoding="utf-8")
    with browser_running() as browser:
        for name, (width, part) in ICONS.items():
            page = browser.new_page(viewport={"width": width, "height": width})
            page.set_content(
                f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center;"
                f" background: {GROUND} }} svg {{ width: {part}vw }}</style>{sign}"
            )
            page.screenshot(path=PUBLIC / name)
            page.close()


if __name__ == "__main__":
    main()
