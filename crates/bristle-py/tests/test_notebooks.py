"""The notebooks of the book run as they stand."""

import pytest
from conftest import ROOT

nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
FOLDER = ROOT / "docs" / "notebooks"


@pytest.mark.parametrize("name", ["first_stick_slip", "squeal_in_ten_lines", "compare_laws"])
def test_a_notebook_runs(name):
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"image/svg+xml", "image/png"} & kinds
