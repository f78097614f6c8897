"""Friction dynamics from a scenario to numbers, figures and a report one can trust.

>>> import bristle
>>> m = bristle.Mechanism("A block comes to rest")
>>> block = m.mass("block", mass=1.0, v="1 m/s")
>>> floor = m.contact("floor", block, m.ground, load=10, law=bristle.laws.coulomb(mu_s=0.5, mu_d=0.5))
>>> run = m.simulate(1.0)
>>> round(float(run["block.q"][-1]), 9)
0.1
"""

from bristle import laws, parts, signals, studies
from bristle._bristle import BristleError, Scenario, System, __version__
from bristle._fit import Estimate, Fit, fit
from bristle._live import Live
from bristle._mechanism import Mechanism
from bristle._run import Certificate, Event, Fact, Run, Study, certify, run, scenario
from bristle._spec import Law, Part, Signal
from bristle.studies import (
    boundary,
    branch,
    limit,
    map,
    optimise,
    orbit,
    simulate,
    spectrum,
    stages,
    steady,
    sweep,
    vary,
    work_precision,
)

__all__ = [
    "BristleError",
    "Certificate",
    "Estimate",
    "Event",
    "Fact",
    "Fit",
    "Law",
    "Live",
    "Mechanism",
    "Part",
    "Run",
    "Scenario",
    "Signal",
    "Study",
    "System",
    "__version__",
    "boundary",
    "branch",
    "certify",
    "fit",
    "laws",
    "limit",
    "map",
    "optimise",
    "orbit",
    "parts",
    "run",
    "scenario",
    "signals",
    "simulate",
    "spectrum",
    "stages",
    "steady",
    "studies",
    "sweep",
    "vary",
    "work_precision",
]
