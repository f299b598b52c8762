"""What the check scripts share: the files of the tree, C text without comments, reporting.

A check prints one line per finding, `path:line: what is wrong`, and exits with 1 when there is any. Each takes
--root DIR, so that its self-test can point it at a tree made to fail.
"""
import argparse
import os
import re
import sys

# Never part of the project's text: build trees, results, packages fetched by tools, version control.
SKIPPED_AT_ROOT = {"build", "results", "node_modules", ".git"}
SKIPPED_ANYWHERE = {"__pycache__", "node_modules"}


def arguments(description, extra=None):
    parser = argparse.ArgumentParser(description=description)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--root", default=os.path.dirname(here), help="the tree to check (default: this repository)")
    if extra:
        extra(parser)
    args = parser.parse_args()
    args.root = os.path.abspath(args.root)
    return args


def tree_files(root, under="", suffixes=None):
    """Paths relative to root, sorted, of all files that belong to the project, below `under`, with a suffix."""
    found = []
    for folder, folders, names in os.walk(os.path.join(root, under)):
        at_root = os.path.samefile(folder, root)
        folders[:] = sorted(d for d in folders if d not in SKIPPED_ANYWHERE and not (at_root and d in SKIPPED_AT_ROOT))
        for name in names:
            if name != ".git" and (suffixes is None or name.endswith(suffixes)):  # a file in further working trees
                found.append(os.path.relpath(os.path.join(folder, name), root))
    return sorted(found)


def read_text(root, path):
    """The file as text, or None when it is binary."""
    with open(os.path.join(root, path), "rb") as file:
        data = file.read()
    return None if b"\0" in data else data.decode("utf-8", errors="replace")


def without_comments(text):
    """C source with comments blanked, line numbers kept; strings stay."""
    def blank(match):
        piece = match.group(0)
        return piece if piece[0] in "\"'" else re.sub(r"[^\n]", " ", piece)
    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', blank, text, flags=re.S)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def finish(name, findings, looked_at):
    """Prints the findings and ends the program accordingly."""
    for finding in findings:
        print(finding)
    if findings:
        print(f"{name}: {len(findings)} finding(s) in {looked_at}", file=sys.stderr)
        sys.exit(1)
    print(f"{name}: {looked_at}, nothing to object")
    sys.exit(0)
