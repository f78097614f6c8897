"""The same FMU in other importers: libcosim (through libcosimpy) and ecos (through ecospy), each left out where it is not installed."""

import numpy as np
import pytest
from test_fmpy import compared, prepared

H, COUNT, AT, CASE = 0.01, 1200, 500, "belt, step"
SPEED, PLACE = "inputs.belt.velocity", "block.q"


def loaded(module):
    """A module; the reason for leaving out is told where it, or a library it needs, is missing."""
    try:
        return __import__(module)
    except (ImportError, OSError) as reason:
        pytest.skip(f"{module}: {reason}")


def in_libcosim(fmu, references):
    loaded("libcosimpy")
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimManipulator import CosimManipulator
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    execution = CosimExecution.from_step_size(step_size=round(H * 1e9))
    slave = execution.add_local_slave(CosimLocalSlave(fmu_path=str(fmu), instance_name="belt"))
    observer, manipulator = CosimObserver.create_last_value(), CosimManipulator.create_override()
    execution.add_observer(observer=observer)
    execution.add_manipulator(manipulator=manipulator)
    places = []
    for k in range(COUNT):
        manipulator.slave_real_values(slave, [references[SPEED]], [0.1 if k < AT else -0.2])
        assert execution.step()
        places.append(observer.last_real_values(slave, [references[PLACE]])[0])
    return places


def in_ecos(fmu, references):
    ecospy = loaded("ecospy")
    places = []
    structure = ecospy.EcosSimulationStructure()
    structure.add_model("belt", str(fmu))
    with ecospy.EcosSimulation(structure=structure, step_size=H) as simulation:
        simulation.init()
        for k in range(COUNT):
            simulation.set_real(f"belt::{SPEED}", 0.1 if k < AT else -0.2)
            simulation.step()
            places.append(simulation.get_real(f"belt::{PLACE}"))
    return places


@pytest.mark.parametrize("host", [in_libcosim, in_ecos])
def test_other_importers_run_the_same(host, tmp_path_factory):
    fmu, run, _ = prepared(CASE, tmp_path_factory)
    fmpy = pytest.importorskip("fmpy")
    variables = {v.name: v.valueReference for v in fmpy.read_model_description(str(fmu)).modelVariables}
    places = np.array(host(fmu, variables))
    compared({PLACE: places}, H * np.arange(1, COUNT + 1), run, 1e-9, CASE)
