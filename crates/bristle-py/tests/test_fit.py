"""Numbers of a law from a record, as arrays."""

import math

import bristle
import numpy as np
import pytest

SCENARIO = """
[parts.stage]
kind = "drive"
[parts.pad]
kind = "contact"
between = ["stage", "ground"]
law = { kind = "dahl", F_d = "1 N", sigma0 = "4e4 N/m" }
[measurements.loops]
file = "loops.csv"
inputs = { "stage.position" = "position" }
outputs = { "pad.force" = "force" }
[studies.identify]
kind = "fit"
unknowns = [
  { path = "pad.F_d", from = "0.5 N", to = "8 N" },
  { path = "pad.sigma0", from = "1e4 N/m", to = "1e6 N/m" },
]
"""


@pytest.fixture
def loops(tmp_path):
    """A loop of Dahl's bristles, in closed form between reversals, with a small disturbance."""
    rows = "time [s],position [um],force [N]\n"
    force = before = 0.0
    for i in range(400):
        t = i * 5e-3
        x = 2e-4 * math.sin(3 * t)
        level = 2 * math.copysign(1, x - before)
        force = level + (force - level) * math.exp(-2e4 * abs(x - before))
        before = x
        rows += f"{t},{x * 1e6},{force + 0.01 * math.sin(997.0 * i * i)}\n"
    (tmp_path / "loops.csv").write_text(rows)
    file = tmp_path / "identify.toml"
    file.write_text(SCENARIO)
    return file


def test_estimates_covariance_and_residuals_are_arrays(loops):
    found = bristle.fit(loops)
    assert found.law == "dahl" and list(found.estimates) == ["pad.F_d", "pad.sigma0"]
    assert found["pad.F_d"] == pytest.approx(2.0, abs=0.01)
    assert found["pad.sigma0"] == pytest.approx(4e4, rel=0.01)
    estimate = found.estimates["pad.F_d"]
    assert estimate.is_known and estimate.unit == "N" and estimate.at_bound is None
    assert estimate.interval[0] < estimate.value < estimate.interval[1]
    assert found.covariance.shape == (2, 2)
    assert math.sqrt(found.covariance[0, 0]) == pytest.approx(estimate.error)
    assert found.residuals.shape == found.time.shape == (400,)
    assert np.allclose(found.residuals, found.fitted - found.measured)
    assert "F_d" in found.scenario and found.simulations > 10


def test_a_study_that_is_not_there_is_told(loops):
    with pytest.raises(bristle.BristleError, match="called `other`"):
        bristle.fit(loops, "other")
