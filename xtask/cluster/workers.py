"""Four workers of Dask make the shards of a study, one of them is killed on the way, and the table is that of one process."""

import filecmp
import os
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

try:
    from distributed import Client, LocalCluster
except ImportError:
    print("skipped: there is no Dask; pip install distributed")
    sys.exit(0)

import bristle
import bristle.dask

QUESTION = {
    "set": ["pad.law.F_s=normal(117.72, 4)", "belt.v=uniform(0.4, 0.6)"],
    "responses": ["slips(pad)", "max(block.q)"],
    "runs": int(os.environ.get("RUNS", "4000")),
}


def main(scenario: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(2) as pool:
            alone = bristle.dask.vary(scenario, pool, **QUESTION, shards=2, out=os.path.join(folder, "alone"))
        with LocalCluster(n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                workers = client.run(os.getpid)

                def kill() -> None:
                    # Once shards are under way.
                    while not any(client.processing().values()):
                        time.sleep(0.02)
                    time.sleep(0.3)
                    busy = [address for address, tasks in client.processing().items() if tasks]
                    victim = (busy or list(workers))[0]
                    os.kill(workers[victim], signal.SIGKILL)
                    print(f"killed worker {victim}")

                threading.Thread(target=kill, daemon=True).start()
                joined = bristle.dask.vary(scenario, client, **QUESTION, shards=16, out=os.path.join(folder, "joined"))
        tables = [os.path.join(where, "data.csv") for where in (alone, joined)]
        if not filecmp.cmp(*tables, shallow=False):
            sys.exit("FAILED: the tables differ")
        with open(tables[1], encoding="utf-8") as table:
            print(f"complete: {sum(1 for _ in table) - 1} runs, the table of one process byte by byte")


if __name__ == "__main__":
    main(sys.argv[1])
