"""Examples with simulators of others, where they are installed."""

import sys

import bristle
import numpy as np
import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "examples" / "python"))


def test_scipy_finds_the_same_switches():
    pytest.importorskip("scipy")
    import scipy_belt

    ours, theirs, largest = scipy_belt.compare(40.0)
    assert len(theirs) == len(ours) >= 3
    assert np.abs(ours - theirs).max() < 1e-6
    assert largest == pytest.approx(11.8955320664, rel=1e-6)


def test_a_joint_of_mujoco_holds_without_creep():
    pytest.importorskip("mujoco")
    import mujoco_joint

    for share, own, ours in mujoco_joint.table((0.5, 0.9)):
        print(f"{share}: {own} {ours}")
        assert own > 1.0, "frictionloss creeps by metres per hour at its defaults"
        assert abs(ours) < 1e-9
    # Beyond the limit it lets go.
    assert mujoco_joint.creep(1.2, mujoco_joint.law(), time=2.0) > 1.0


def test_a_slide_of_exudyn_holds():
    pytest.importorskip("exudyn")
    import exudyn_slide

    law = bristle.laws.elasto_plastic(F_s=5.0, F_d=5.0, sigma0=1e5, sigma1=600.0)
    moved, speed = exudyn_slide.hold(0.5, law, time=2.0)
    assert 0.0 < moved < 1e-4 and abs(speed) < 1e-9
    moved, _ = exudyn_slide.hold(1.2, law, time=2.0)
    assert moved > 0.5
