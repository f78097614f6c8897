"""Laws alone: forces, states, steps, derivatives."""

import json

import bristle
import numpy as np
import pytest
from bristle import _bristle

NAMES = [card["name"] for card in json.loads(_bristle.cards("laws"))]


@pytest.mark.parametrize("name", NAMES)
def test_every_law_has_a_function_with_its_card(name):
    function = getattr(bristle.laws, name)
    assert function.__doc__ and "Parameters" in function.__doc__
    law = function()
    force = law.force([0.1, -0.1], 10.0)
    assert force.shape == (2,) and np.isfinite(force).all()
    assert law.jacobian(0.1, 10.0).shape == (law.states + 1, law.states + 2)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_those_of_differences(name):
    law = getattr(bristle.laws, name)()
    rng = np.random.default_rng(1)
    v, n = 0.137, 11.3
    z = law.initial() + 1e-7 * rng.random(law.states)
    exact = law.jacobian(v, n, z)
    both = lambda v, n, z: np.concatenate([[law.force(v, n, z)], law.rates(v, n, z)])
    for column in range(law.states + 2):
        at = np.concatenate([[v, n], z])
        h = 1e-6 * max(abs(at[column]), 1e-6)
        up, down = at.copy(), at.copy()
        up[column] += h
        down[column] -= h
        slope = (both(up[0], up[1], up[2:]) - both(down[0], down[1], down[2:])) / (2 * h)
        scale = np.abs(exact).max(axis=1) + 1e-9
        assert (np.abs(slope - exact[:, column]) < 1e-3 * scale + 1e-6 * np.abs(slope)).all(), column


def test_lugre_slides_on_its_curve():
    law = bristle.laws.lugre(mu_s=0.45, mu_d=0.3)
    v = np.array([[1e-4, 1e-2], [0.1, -1.0]])
    force = law.steady(v, 10.0)
    assert force.shape == v.shape and np.sign(force).tolist() == np.sign(v).tolist()
    z = law.steady_states(v, 10.0)
    assert z.shape == (2, 2, 1)
    assert np.allclose(law.force(v, 10.0, z), force, rtol=1e-9)
    assert np.abs(law.rates(v, 10.0, z)).max() < 1e-9


def test_a_record_is_its_steps():
    law = bristle.laws.lugre()
    t = np.arange(0, 0.2, 1e-3)
    v = 0.01 * np.sin(20 * t)
    forces = law.scan(v, 10.0, 1e-3)
    z, single = None, []
    for rate in v:
        force, z = law.step(rate, 10.0, z, 1e-3)
        single.append(force)
    assert forces.tolist() == single
    assert law.step_order == 2


def test_coulomb_bears_forces_up_to_a_limit():
    law = bristle.laws.coulomb(mu_s=0.6, mu_d=0.5)
    assert law.is_set_valued and law.limit(10.0) == pytest.approx(6.0)
    assert law.force([0.1, -0.1], 10.0).tolist() == [5.0, -5.0]
    assert not bristle.laws.lugre().is_set_valued and bristle.laws.lugre().limit(10.0) is None
    newtons = bristle.laws.coulomb(F_s="0.12 kN", F_d=98.1)
    assert newtons.limit(1.0) == pytest.approx(120.0)


def test_units_are_read():
    assert bristle.laws.lugre(v_s="2 mm/s") == bristle.laws.lugre(v_s="2 mm/s")
    a, b = bristle.laws.lugre(v_s="2 mm/s"), bristle.laws.lugre(v_s=0.002)
    assert a.steady(1e-3, 1.0) == b.steady(1e-3, 1.0)


@pytest.mark.parametrize("name", NAMES)
def test_every_law_comes_to_steady_sliding(name):
    law = getattr(bristle.laws, name)()
    v = np.array([-0.5, -1e-3, 1e-3, 0.1, 0.5])
    force, z = law.steady(v, 10.0), law.steady_states(v, 10.0)
    assert (np.sign(force) == np.sign(v)).all()
    if name in ("maxwell_slip", "gms"):
        # Elements that have come to their limits slip, which their deflections alone do not tell.
        return
    assert np.allclose(law.force(v, 10.0, z), force, rtol=1e-6)
    rates = law.rates(v, 10.0, z)
    assert (np.abs(rates) <= 1e-5 * (np.abs(v)[:, None] + np.abs(z))).all()
