"""FMUs in a foreign importer: FMPy validates and runs them, with its own integrator and with ours.

Run by hand: BRISTLE=target/debug/bristle python -m pytest crates/bristle-fmu/tests/python
"""

import csv
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

fmpy = pytest.importorskip("fmpy")
from fmpy.validation import validate_fmu  # noqa: E402

ROOT = Path(__file__).parents[4]
BRISTLE = os.environ.get("BRISTLE", "bristle")

BELT = """
title = "A block on a belt"
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.belt]
kind = "drive"
velocity = {{ kind = "input", value = "0.1 m/s" }}
[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "10 N/m"
[parts.pad]
kind = "contact"
between = ["block", "belt"]
load = "10 N"
law = {law}
[solver]
rtol = 1e-9
[studies.run]
kind = "simulate"
duration = "20 s"
"""
LAWS = {
    "coulomb": '{ kind = "coulomb", mu_s = 0.5, mu_d = 0.4 }',
    "lugre": '{ kind = "lugre", mu_s = 0.5, mu_d = 0.4, sigma0 = "1e4 N/m", sigma1 = "100 N s/m" }',
}
EXAMPLES = ["belt", "bench", "stack", "drill_string", "incline"]


def export(scenario: Path, folder: Path) -> Path:
    out = folder / (scenario.stem + ".fmu")
    subprocess.run([BRISTLE, "export", "fmu", str(scenario), "--out", str(out)], check=True, capture_output=True)
    return out


def columns(scenario: Path, folder: Path) -> dict[str, np.ndarray]:
    subprocess.run([BRISTLE, "run", str(scenario), "--out", str(folder)], check=True, capture_output=True)
    path = sorted(folder.rglob("*.csv"))[0]
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    names = [name.split(" [")[0].split(" (")[0].strip() for name in rows[0]]
    values = np.array([[float(cell) for cell in row] for row in rows[1:]])
    return {name: values[:, i] for i, name in enumerate(names)}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_belts(law, kind, tmp_path):
    scenario = tmp_path / "belt.toml"
    scenario.write_text(BELT.format(law=LAWS[law]))
    fmu = export(scenario, tmp_path)
    assert validate_fmu(str(fmu)) == []
    run = columns(scenario, tmp_path / "out")
    result = fmpy.simulate_fmu(
        str(fmu), fmi_type=kind, stop_time=20.0, output_interval=0.05, relative_tolerance=1e-8, output=["block.q"]
    )
    expected = np.interp(result["time"], run["time"], run["block.q"])
    span = np.ptp(run["block.q"])
    # The run is sampled, and interpolated here.
    assert np.max(np.abs(result["block.q"] - expected)) < 1e-3 * span


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_valid(name, tmp_path):
    fmu = export(ROOT / "examples" / f"{name}.toml", tmp_path)
    assert validate_fmu(str(fmu)) == []
