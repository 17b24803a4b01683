"""Compile the catalogues of words (``*.po``) to what gettext reads (``*.mo``), where they are older."""

import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).parent.parent / "handlers" / "display" / "locales"


def compile_all(locales: Path = LOCALES) -> int:
    """Compile every catalogue that changed; how many that were."""
    compiled = 0
    for source in sorted(locales.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
        with target.open("wb") as file:
            write_mo(file, catalogue)
        compiled += 1
    return compiled


if __name__ == "__main__":
    print(f"{compile_all()} catalogues compiled", file=sys.stderr)
