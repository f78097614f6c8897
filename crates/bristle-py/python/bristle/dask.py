"""Many variants of a scenario on workers of somebody else: a Dask cluster, or an executor of `concurrent.futures`.

>>> import bristle.dask
>>> found = bristle.dask.vary("belt.toml", client, set=["belt.v=0.2:0.6:41"], shards=16)  # doctest: +SKIP

Every worker makes the runs of one shard and hands them back, so that no folder has to be shared. A shard whose worker dies is made
again by another: runs depend on their index and the seed alone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from typing import Any, Union

from bristle._bristle import BristleError, command

Words = Union[str, Sequence[str]]

__all__ = ["vary"]


def _list(values: Words) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _words(
    set: Words,
    responses: Words,
    events: Words,
    bands: Words,
    design: str | None,
    runs: int | None,
    seed: int | None,
    study: str | None,
) -> list[str]:
    words: list[str] = []
    for option, values in (("set", set), ("response", responses), ("event", events), ("band", bands)):
        for value in _list(values):
            words += [f"--{option}", value]
    for option, one in (("design", design), ("runs", runs), ("seed", seed), ("study", study)):
        if one is not None:
            words += [f"--{option}", str(one)]
    return words


def _shard(text: str, name: str, words: list[str], number: int, count: int) -> dict[str, bytes]:
    """Makes the runs of one shard in a folder of its own; gives the files of its store."""
    folder = tempfile.mkdtemp(prefix="bristle-shard-")
    try:
        path, store = os.path.join(folder, name), os.path.join(folder, "runs")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        code = command(["bristle", "vary", path, *words, "--store", store, "--shard", f"{number}/{count}"])
        if code != 0:
            raise BristleError(f"shard {number}/{count} ended with code {code}")
        files = {}
        for entry in sorted(os.listdir(store)):
            with open(os.path.join(store, entry), "rb") as stored:
                files[entry] = stored.read()
        return files
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _finished(pool: Any, jobs: list[tuple[Any, ...]]) -> Iterator[dict[str, bytes]]:
    if isinstance(pool, Executor):
        for done in as_completed([pool.submit(_shard, *job) for job in jobs]):
            yield done.result()
        return
    from distributed import as_completed as as_they_come

    # A worker may die of something else than the shard it has.
    futures = [pool.submit(_shard, *job, pure=False, retries=3) for job in jobs]
    for future in as_they_come(futures):
        yield future.result()


def vary(
    scenario: str | os.PathLike[str],
    client: Any,
    *,
    set: Words = (),
    responses: Words = (),
    events: Words = (),
    bands: Words = (),
    design: str | None = None,
    runs: int | None = None,
    seed: int | None = None,
    study: str | None = None,
    shards: int = 16,
    store: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
) -> str:
    """Runs many variants of a scenario on `client`: a `distributed.Client`, or an executor of `concurrent.futures`.

    What varies is said as on the command line; where nothing is set, the scenario's own study of kind ``vary`` is meant. Finished
    shards are kept in `store`, which `bristle gather` reads; the report goes to `out`, whose path is returned.
    """
    path = os.fspath(scenario)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name = os.path.basename(path)
    stem = os.path.splitext(name)[0]
    words = _words(set, responses, events, bands, design, runs, seed, study)
    folder = os.fspath(store) if store is not None else tempfile.mkdtemp(prefix="bristle-runs-")
    os.makedirs(folder, exist_ok=True)
    target = os.fspath(out) if out is not None else os.path.join("out", f"{stem}-vary")
    jobs = [(text, name, words, number + 1, shards) for number in range(shards)]
    try:
        for files in _finished(client, jobs):
            _keep(folder, files.items())
        code = command(["bristle", "gather", folder, "--out", target])
        if code != 0:
            raise BristleError(f"the runs in {folder} could not be joined (code {code})")
    finally:
        if store is None:
            shutil.rmtree(folder, ignore_errors=True)
    return target


def _keep(folder: str, files: Iterable[tuple[str, bytes]]) -> None:
    for entry, content in files:
        aside = os.path.join(folder, f".{entry}.part")
        with open(aside, "wb") as file:
            file.write(content)
        os.replace(aside, os.path.join(folder, entry))
