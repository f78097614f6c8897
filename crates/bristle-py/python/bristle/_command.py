"""The program `bristle`, as the wheel installs it."""

import sys

from bristle._bristle import command


def main() -> int:
    """Does what the command line says; gives the exit code."""
    return command(["bristle", *sys.argv[1:]])
