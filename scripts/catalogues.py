"""Compile catalogues (``*.po``) that are newer than their compiled files (``*.mo``), which gettext reads.

Usage: python scripts/catalogues.py [FOLDER OF LOCALES]
       python scripts/catalogues.py --missing      list the texts that each language lacks
"""

import os
import sys
import tempfile
from pathlib import Path
from string import Formatter

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).parent.parent / "bot" / "display" / "locales"


def compile_all(locales: Path = LOCALES) -> int:
    """Compile all catalogues that changed; return their number."""
    compiled = 0
    for source in sorted(locales.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        made_of = max(path.stat().st_mtime for path in (source, Path(__file__)))
        if target.exists() and target.stat().st_mtime >= made_of:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
        _add_formats(catalogue)
        # Write another file and rename it, because tests run in parallel and must not read half a file.
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".part", delete=False) as part:
            write_mo(part, catalogue)
        os.chmod(part.name, 0o644)
        Path(part.name).replace(target)
        compiled += 1
    return compiled


def _add_formats(catalogue: Catalog) -> None:
    """Add ``babel.clock``: the format of a time of day, with ``{hour}`` and ``{minute}``.

    So the bot does not need Babel.
    """
    locale = catalogue.locale or Locale("en")
    clock = locale.datetime_skeletons["Hm"].pattern
    for field, filled in (("HH", "{hour:02}"), ("H", "{hour}"), ("mm", "{minute:02}")):
        clock = clock.replace(field, filled)
    catalogue.add("babel.clock", clock)


def missing(locales: Path = LOCALES) -> dict[str, list[str]]:
    """Return the incomplete keys of each catalogue, by a name such as ``de/weimar``.

    A key is incomplete if it is missing, has too few plural forms, or names other values than in English.
    Every language needs all themes that English has.
    """
    gaps: dict[str, list[str]] = {}
    for source in sorted((locales / "en" / "LC_MESSAGES").glob("*.po")):
        english = read_catalogue(source)
        for folder in sorted(path for path in locales.iterdir() if path.is_dir()):
            theirs = read_catalogue(folder / "LC_MESSAGES" / source.name)
            lacking = [key for key, said in english.items() if not _says(theirs.get(key), said)]
            gaps[f"{folder.name}/{source.stem}"] = lacking
    return gaps


def read_catalogue(source: Path) -> dict[str, tuple[str, ...]]:
    """Return the texts of a catalogue by key: one text, or one for each plural form of the language."""
    if not source.exists():
        return {}
    with source.open("rb") as file:
        catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
    said: dict[str, tuple[str, ...]] = {}
    for message in catalogue:
        if isinstance(message.id, str):
            if message.id:
                said[message.id] = (str(message.string or ""),)
        else:
            forms = tuple(str(form) for form in message.string or ())
            said[str(message.id[0])] = forms if len(forms) == catalogue.num_plurals else ()
    return said


def _says(theirs: tuple[str, ...] | None, english: tuple[str, ...]) -> bool:
    """Return True if a translation is complete and names the same values as the English text."""
    if not theirs or not all(theirs):
        return False
    wanted = {name for _, name, _, _ in Formatter().parse(english[-1]) if name}
    return all({name for _, name, _, _ in Formatter().parse(text) if name} == wanted for text in theirs[-1:])


if __name__ == "__main__":
    if sys.argv[1:] == ["--missing"]:
        gaps = missing()
        for catalogue, keys in gaps.items():
            print(f"{catalogue}: {len(keys)} missing {' '.join(keys)}".rstrip())
        sys.exit(int(any(gaps.values())))
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else LOCALES
    if compiled := compile_all(where):
        print(f"{compiled} catalogues compiled", file=sys.stderr)
