"""bristle: the same problems as scenarios, under several laws."""

import csv
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

PROGRAM = os.environ.get("BRISTLE", "bristle")
VERSION = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout.strip()

# Laws with their numbers but for the levels; stiffness and damping per kilogram where they have them.
SETTINGS = {
    "coulomb": lambda problem: "",
    "lugre": lambda problem: f', sigma0 = "{1e5 * problem.mass} N/m", sigma1 = "{300 * problem.mass} N s/m", v_s = "1 mm/s"',
    "elasto_plastic": lambda problem: f', sigma0 = "{1e5 * problem.mass} N/m", sigma1 = "{300 * problem.mass} N s/m", v_s = "1 mm/s"',
    "regularised": lambda problem: "",
}


def simulate(problem, setting):
    numbers = SETTINGS[setting](problem)
    text = f"""
[parts.block]
kind = "mass"
mass = "{problem.mass} kg"
[parts.floor]
kind = "contact"
between = ["block", "ground"]
load = "{problem.load} N"
law = {{ kind = "{setting}", mu_s = {problem.static}, mu_d = {problem.kinetic}{numbers} }}
{problem.parts}
[studies.run]
kind = "simulate"
duration = "{problem.duration} s"
step = "10 ms"
"""
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder) / "problem.toml"
        scenario.write_text(text)
        done = subprocess.run(
            [PROGRAM, "run", str(scenario), "--out", str(Path(folder) / "out")], capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        path = sorted(Path(folder, "out").rglob("*.csv"))[0]
        with open(path, newline="") as file:
            rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    names = [name.split(" [")[0].split(" (")[0].strip() for name in rows[0]]
    values = np.array([[float(cell) for cell in row] for row in rows[1:]])
    return values[:, names.index("time")], values[:, names.index("block.q")]
