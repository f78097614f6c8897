"""What the tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def examples() -> Path:
    return ROOT / "examples"


BLOCK = """
title = "A block comes to rest"
[parts.block]
kind = "mass"
mass = "1 kg"
v = "1 m/s"
[parts.floor]
kind = "contact"
between = ["block", "ground"]
load = "10 N"
law = { kind = "coulomb", mu_s = 0.5, mu_d = 0.5 }
[studies.run]
kind = "simulate"
duration = "1 s"
"""


@pytest.fixture
def block() -> str:
    return BLOCK
