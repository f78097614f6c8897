"""The same models as FMUs of FMI 3.0, in FMPy: valid, stepped and integrated, saved and restored."""

import shutil

import numpy as np
import pytest
from test_fmpy import CASES, EXAMPLES, LAWS, ROOT, by_cvode, compared, export, fmpy, motions, prepared
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu


def third(case, folders):
    """The FMU of the other version beside the one that was made already."""
    fmu, run, inputs = prepared(case, folders)
    return export(str(fmu.parent / "fmu.toml"), fmu.parent, 3), run, inputs


def begun(fmu):
    """An instance that has been initialised, the references of its variables, and the folder to be removed."""
    description = fmpy.read_model_description(str(fmu))
    folder = fmpy.extract(str(fmu))
    slave = FMU3Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="slave",
    )
    slave.instantiate()
    slave.enterInitializationMode(startTime=0.0)
    slave.exitInitializationMode()
    return slave, {v.name: v.valueReference for v in description.modelVariables}, folder


@pytest.mark.parametrize("what", EXAMPLES + LAWS)
def test_validity(what, tmp_path):
    path = what if what in LAWS else str(ROOT / "examples" / f"{what}.toml")
    assert validate_fmu(str(export(path, tmp_path, 3))) == []


# Inputs have no derivatives in this version: those that jump are followed exactly.
@pytest.mark.parametrize("case", [case for case in CASES if case.endswith("step")])
def test_co_simulation(case, tmp_path_factory):
    fmu, run, inputs = third(case, tmp_path_factory)
    slave, variables, folder = begun(fmu)
    names = motions(run)
    references = [variables[name] for name in names]
    h = run["time"][1] - run["time"][0]
    count = round(run["time"][-1] / h)
    rows = [slave.getFloat64(references)]
    saved = None
    for k in range(count):
        for name, signal in inputs.items():
            slave.setFloat64([variables[name]], [signal.after(k * h)])
        if k == count // 2:
            saved = slave.getFMUState()
        slave.doStep(k * h, h)
        rows.append(slave.getFloat64(references))
    compared(dict(zip(names, np.array(rows).T)), h * np.arange(count + 1), run, 1e-9, case)
    # From the saved state all goes on as it did, to the last bit.
    slave.setFMUState(saved)
    slave.freeFMUState(saved)
    slave.doStep(count // 2 * h, h)
    assert list(slave.getFloat64(references)) == list(rows[count // 2 + 1])
    slave.terminate()
    slave.freeInstance()
    shutil.rmtree(folder)


# The equations are those of the other version, for which all cases are run.
@pytest.mark.parametrize("case", ["belt, reversing", "lugre, step", "stack, ramp", "clutch, ramp"])
def test_model_exchange(case, tmp_path_factory):
    by_cvode(case, *third(case, tmp_path_factory))
