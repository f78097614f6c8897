"""Systems as equations, and runs by the caller's clock."""

import bristle
import numpy as np
import pytest


def belt():
    m = bristle.Mechanism("Belt")
    block = m.mass("block", mass=1.0)
    belt = m.drive("belt", velocity=bristle.signals.input(value=0.1))
    m.spring("tie", block, m.ground, k=10.0)
    m.contact("pad", block, belt, load=10, law=bristle.laws.coulomb(mu_s=0.5, mu_d=0.4))
    return m


def test_the_jacobian_is_that_of_the_rates():
    m = bristle.Mechanism()
    block = m.mass("block", mass=2.0, q=0.01)
    m.spring("tie", block, m.ground, k=50.0)
    m.damper("loss", block, m.ground, d=0.3)
    m.contact("pad", block, m.ground, load=10, law=bristle.laws.lugre())
    system = m.scenario().system()
    x, mode = system.initial()
    x = x + 1e-6 * np.arange(1, system.dim + 1)
    exact = system.jacobian(0.0, x, mode)
    assert exact.shape == (system.dim, system.dim)
    for i in range(system.dim - system.quadratures):
        h = 1e-8 * max(1.0, abs(x[i]))
        up, down = x.copy(), x.copy()
        up[i] += h
        down[i] -= h
        slope = (system.rates(0.0, up, mode) - system.rates(0.0, down, mode)) / (2 * h)
        assert np.allclose(slope, exact[:, i], rtol=1e-4, atol=1e-3 * np.abs(exact).max())
    assert system.state_names[:2] == ["block.q", "block.v"]


def test_guards_and_switches():
    system = bristle.scenario(belt()).system()
    x, mode = system.initial()
    assert system.mode_count == 1 and system.guard_names == ["pad"]
    q = system.state_names.index("block.q")
    x[q] = 0.6
    x, mode = x, np.zeros(1, dtype=np.int8)
    v = system.state_names.index("block.v")
    x[v] = 0.1
    assert system.guards(0.0, x, mode)[0] < 0, "the spring pulls harder than friction holds"
    x, mode = system.switch(0, 0.0, x, mode)
    assert mode[0] == -1


def test_a_belt_goes_on_from_where_it_is():
    live = belt().live()
    live.advance(1.0)
    assert live["belt.q"] == pytest.approx(0.1)
    live["belt.velocity"] = -0.3
    live.settle()
    assert live["belt.q"] == pytest.approx(0.1)
    live.step(1.0)
    assert live["belt.q"] == pytest.approx(-0.2)
    assert live.time == 2.0 and live.inputs[0].unit == "m/s" and "pad.force" in live.outputs


def test_saved_runs_and_copies_go_on_to_the_last_bit():
    live = belt().live()
    live.advance(1.3)
    saved = live.save()

    def drive(live):
        for k in range(30):
            live.set_inputs([0.1 * np.sin(0.7 * k)])
            live.step(0.2)
        return live.observe().tobytes()

    copy = live.copy()
    first = drive(live)
    assert drive(copy) == first
    live.restore(saved)
    assert drive(live) == first
    other = belt().live()
    other.restore(saved)
    assert drive(other) == first
