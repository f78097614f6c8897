"""Threads and processes give the same bits."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import bristle

SPEEDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def bits(job):
    path, speed = job
    run = bristle.run(path, set={"belt.v": speed, "block.v": speed})
    return b"".join(run[name].tobytes() for name in run.columns)


def test_pools_give_identical_bits(examples):
    jobs = [(str(examples / "belt.toml"), speed) for speed in SPEEDS]
    alone = [bits(job) for job in jobs]
    assert len(set(alone)) == len(jobs)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(bits, jobs)) == alone
    with ProcessPoolExecutor(4, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(bits, jobs)) == alone
