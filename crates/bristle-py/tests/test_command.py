"""The command that the wheel installs."""

import subprocess
import sys
from pathlib import Path


def bristle(*words, **options):
    program = Path(sys.executable).with_name("bristle")
    return subprocess.run([program, *words], capture_output=True, text=True, **options)


def test_the_command_is_installed(examples, tmp_path):
    listed = bristle("list", "laws")
    assert listed.returncode == 0 and "lugre" in listed.stdout
    run = bristle("run", examples / "belt.toml", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "out" / "report.html").is_file()
    assert bristle("run", "nowhere.toml").returncode == 2
    assert bristle("--version").stdout.startswith("bristle ")
