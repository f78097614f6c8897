"""Runs: files, texts, dictionaries, and what comes back."""

import math
import pickle

import bristle
import numpy as np
import pytest


def test_the_belt_keeps_its_closed_form(examples):
    run = bristle.run(examples / "belt.toml")
    # Sticks until the spring bears the static friction, then slides under the kinetic one.
    k, m, v, fs, fd = 10.0, 20.0, 0.5, 117.72, 98.1
    largest = fd / k + math.sqrt(((fs - fd) / k) ** 2 + m * v**2 / k)
    q = run["block.q"]
    assert abs(q.max() - largest) < 1e-4 * largest
    assert run.events and run.events[0].name == "pad"
    assert abs(run.events[0].time - fs / k / v) < 1e-8
    assert str(examples / "belt.toml") == run.scenario.name


def test_columns_are_views_that_cannot_be_written(block):
    run = bristle.run(block)
    q = run["block.q"]
    assert q.dtype == np.float64 and not q.flags.writeable and not q.flags.owndata
    assert run["block.q"] is q
    with pytest.raises(ValueError):
        q[0] = 1.0
    keep = q[-1]
    del run
    assert q[-1] == keep == pytest.approx(0.1, abs=1e-9)


def test_numbers_are_changed_by_their_paths(block):
    slow = bristle.run(block, set={"floor.law.mu_d": 0.25, "floor.law.mu_s": 0.25})
    assert slow["block.q"][-1] == pytest.approx(0.2, abs=1e-9)
    units = bristle.run(block, set={"block.v": "2000 mm/s"})
    assert units["block.q"][-1] == pytest.approx(0.4, abs=1e-9)


def test_a_dictionary_has_bare_numbers_in_si(block):
    table = {
        "title": "the same",
        "parts": {
            "block": {"kind": "mass", "mass": 1, "v": np.float64(1.0)},
            "floor": {
                "kind": "contact",
                "between": ("block", "ground"),
                "load": "0.01 kN",
                "law": bristle.laws.coulomb(mu_s=0.5, mu_d=0.5),
            },
        },
        "studies": {"run": {"kind": "simulate", "duration": 1.0}},
    }
    run = bristle.run(table)
    assert np.array_equal(run["block.q"], bristle.run(block)["block.q"])
    # What is kept is a file, with units.
    assert np.array_equal(bristle.run(run.scenario.text)["block.q"], run["block.q"])


def test_facts_have_identifiers_numbers_and_studies(block):
    run = bristle.run(block)
    assert run.facts and all(id == fact.id for id, fact in run.facts.items())
    numbers = [f for f in run.facts.values() if f.value is not None]
    assert numbers and all(isinstance(f.value, float) and f.unit for f in numbers)
    study = run.studies["run"]
    assert study.kind == "simulate" and study.state == "complete"
    assert set(study.facts) <= set(run.facts)
    assert study.units["block.v"] == "m/s"


def test_frames(block):
    run = bristle.run(block)
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = run.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "time"
    assert isinstance(run.to_polars(), polars.DataFrame)
    assert np.array_equal(frame["block.q"].to_numpy(), run["block.q"])


def test_reports_and_figures(block, tmp_path):
    run = bristle.run(block)
    path = run.report(tmp_path / "report.html")
    text = open(path, encoding="utf-8").read()
    assert text.startswith("<!DOCTYPE html>") or text.lower().startswith("<!doctype html>")
    assert "<svg" in text and list(tmp_path.iterdir()) == [tmp_path / "report.html"]
    assert run.figures and run.figure(run.figures[0]).svg.lstrip().startswith("<svg")
    assert run._repr_svg_().lstrip().startswith("<svg") and "<table>" in run._repr_html_()
    assert "A block comes to rest" in run.text()


def test_runs_and_scenarios_are_pickled(block):
    scenario = bristle.scenario(block, set={"floor.law.mu_d": 0.25, "floor.law.mu_s": 0.25})
    again = pickle.loads(pickle.dumps(scenario))
    run = bristle.run(again)
    assert run["block.q"][-1] == pytest.approx(0.2, abs=1e-9)
    copy = pickle.loads(pickle.dumps(run))
    assert np.array_equal(copy["block.q"], run["block.q"]) and not copy["block.q"].flags.writeable
    assert copy.html() == run.html() and copy.figures == run.figures and copy.facts == run.facts
    law = pickle.loads(pickle.dumps(bristle.laws.lugre(mu_s=0.45)))
    assert law == bristle.laws.lugre(mu_s=0.45)
    changed = pickle.loads(pickle.dumps(scenario.with_law("lugre")))
    assert "lugre" in repr(changed)


def test_questions_are_functions(examples):
    steady = bristle.steady(examples / "squeal.toml")
    assert steady.kind == "steady" and steady.facts
    branch = bristle.branch(examples / "squeal.toml", parameter="guide.v", from_=0.005, to="200 mm/s")
    assert len(branch) and branch.state == "complete"
    map = bristle.map(
        examples / "squeal.toml",
        x="guide.v", x_from=0.005, x_to=0.2, y="loss.d", y_from=1.0, y_to=300.0, columns=20, rows=20,
    )
    assert map.state == "complete" and len(map)


def test_certificates():
    certificate = bristle.certify("coulomb")
    assert certificate["coulomb"]["law"] == "coulomb"


def test_progress_is_told(block):
    told = []
    bristle.run(block, progress=lambda what, fraction: told.append((what, fraction)))
    assert told and told[-1] == ("run", 1.0)

    def refuse(what, fraction):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        bristle.run(block, progress=refuse)
