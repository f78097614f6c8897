"""Bad input at every function: one clear error with a way out, never a crash."""

import bristle
import numpy as np
import pytest
from bristle import BristleError


def fails(words, call):
    with pytest.raises(BristleError) as caught:
        call()
    for word in words:
        assert word in str(caught.value), str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_scenarios(block, tmp_path):
    fails(["nowhere.toml"], lambda: bristle.run(tmp_path / "nowhere.toml"))
    fails(["nowhere.toml"], lambda: bristle.run("nowhere.toml"))
    # Place, value and way out.
    fails(["vv", "6:1", "mass", "did you mean `v`"], lambda: bristle.run(block.replace('v = "1 m/s"', 'vv = "1 m/s"')))
    fails(["lugree", "lugre"], lambda: bristle.run(block.replace("coulomb", "lugree")))
    fails(["mass"], lambda: bristle.run(block.replace("1 kg", "-1 kg")))
    fails(["title"], lambda: bristle.run('title = "half\n[parts'))
    fails(["scenario"], lambda: bristle.run(3))
    fails(["empty"], lambda: bristle.run({}))
    fails(["studies"], lambda: bristle.run({"parts": {"block": {"kind": "mass", "mass": 1}}}))
    fails(["parts.block.mass"], lambda: bristle.run({"parts": {"block": {"kind": "mass", "mass": object()}}}))
    fails(["nan"], lambda: bristle.run({"parts": {"block": {"kind": "mass", "mass": float("nan")}}}))


def test_changes(block):
    fails(["floor.law.mu_z", "floor.law.mu_"], lambda: bristle.run(block, set={"floor.law.mu_z": 1.0}))
    fails(["floor.load", "-3"], lambda: bristle.run(block, set={"floor.load": -3.0}))
    fails(["block.mass"], lambda: bristle.run(block, set={"block.mass": float("nan")}))
    fails(["furlong"], lambda: bristle.run(block, set={"block.v": "1 furlong"}))
    fails(["lugre"], lambda: bristle.scenario(block).with_law("lugree"))


def test_laws():
    with pytest.raises(TypeError, match="mu_z"):
        bristle.laws.lugre(mu_z=1.0)
    with pytest.raises(AttributeError):
        bristle.laws.lugree
    fails(["mu_s", "-1"], lambda: bristle.laws.lugre(mu_s=-1.0).force(0.1))
    fails(["mu_s", "NaN"], lambda: bristle.laws.lugre(mu_s=float("nan")).force(0.1))
    law = bristle.laws.lugre()
    fails(["v[1]", "NaN"], lambda: law.force([0.1, float("nan")]))
    fails(["n[0]", "-1"], lambda: law.force(0.1, -1.0))
    fails(["1 states, not 2"], lambda: law.force(0.1, 1.0, [0.0, 0.0]))
    fails(["shapes"], lambda: law.force(np.zeros(3), np.zeros(2)))
    fails(["h is"], lambda: law.scan([0.1], 1.0, 0.0))
    fails(["2 axes"], lambda: law.scan(np.zeros((2, 2)), 1.0, 1e-3))
    fails(["loads"], lambda: law.scan(np.zeros(4), np.ones(3), 1e-3))
    fails(["step of fixed length"], lambda: bristle.laws.stick_slip().scan([0.1], 1.0, 1e-3))
    fails(["signal"], lambda: bristle.laws.lugre(mu_s=bristle.signals.input()).force(0.1))


def test_mechanisms():
    m = bristle.Mechanism()
    block = m.mass("block", mass=1.0)
    fails(["block"], lambda: m.mass("block", mass=1.0))
    fails(["parts"], lambda: m.add("x", 3))
    fails(["added"], lambda: m.spring("s", block, bristle.parts.mass(mass=1.0), k=1.0) and m.scenario())
    with pytest.raises(TypeError):
        m.mass("other")


def test_systems_and_live_runs(block):
    system = bristle.scenario(block).system()
    x, mode = system.initial()
    fails(["states"], lambda: system.rates(0.0, np.zeros(1)))
    fails(["modes"], lambda: system.rates(0.0, x, np.zeros(9, dtype=np.int8)))
    fails(["mode"], lambda: system.rates(0.0, x, np.full_like(mode, 7)))
    fails(["guard"], lambda: system.switch(99, 0.0, x, mode))
    live = bristle.Live(block)
    fails(["input"], lambda: live.set_inputs({"push": 1.0}))
    fails(["saved"], lambda: live.restore(b"nothing"))
    fails(["output"], lambda: live["block.z"])
    live.advance(0.5)
    fails(["0.1"], lambda: live.advance(0.1))


def test_questions(block):
    fails(["pad.v"], lambda: bristle.branch(block, parameter="pad.v", from_=0.0, to=1.0))
    fails(["catalogue"], lambda: __import__("bristle")._bristle.cards("lawz"))
    fails(["lugre"], lambda: bristle.certify("lugree"))
