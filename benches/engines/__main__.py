"""Measures engines and our laws on the same friction problems; writes the page of the book and its figure.

    python benches/engines results.json docs/src/engines.md docs/src/figures/engines.svg

An engine that is not installed is left out and named. `cargo xtask engines` runs this in an environment of its own.
"""

import importlib
import json
import sys
import time

from page import draw, write
from problems import score

ENGINES = ["bristle", "mujoco", "pybullet", "drake", "exudyn", "scipy"]


def main(results, page, figure, only=None):
    rows, skipped = [], ["Rapier: it has no Python package; a crate is not built for this page"]
    for name in only or ENGINES:
        try:
            engine = importlib.import_module(f"with_{name}")
        except ImportError as error:
            skipped.append(f"{name}: {error}")
            continue
        for setting in engine.SETTINGS:
            begun = time.perf_counter()
            try:
                row = {"engine": engine.VERSION, "setting": setting, **score(engine.simulate, setting)}
            except Exception as error:  # noqa: BLE001
                # One engine that fails leaves the others.
                skipped.append(f"{engine.VERSION}, {setting}: {error}")
                continue
            rows.append(row)
            print(f"{engine.VERSION}, {setting}: {time.perf_counter() - begun:.1f} s", flush=True)
            # Whatever comes next, what was measured is kept.
            with open(results, "w") as file:
                json.dump({"rows": rows, "skipped": skipped}, file, indent=1)
    for reason in skipped:
        print(f"left out: {reason}")
    draw(rows, figure)
    write(rows, skipped, page)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: python benches/engines RESULTS.json PAGE.md FIGURE.svg [ENGINE …]")
    main(*sys.argv[1:4], only=sys.argv[4:] or None)
