"""Exudyn: a mass on a coordinate with its spring-damper with friction."""

from importlib.metadata import version

import exudyn as exu
import numpy as np
from exudyn.utilities import (
    CoordinateSpringDamperExt,
    LoadCoordinate,
    MarkerNodeCoordinate,
    Mass1D,
    Node1D,
    NodeGenericData,
    NodePointGround,
    SensorNode,
)

VERSION = f"Exudyn {version('exudyn')}"

# Step, bristle stiffness and damping per kilogram (none: regularised), width of the regularised zone.
SETTINGS = {
    "spring-damper with friction, regularised within 1e-3 m/s, generalised alpha, 1 ms": (1e-3, None, 1e-3),
    "spring-damper with friction, regularised within 1e-5 m/s, generalised alpha, 1 ms": (1e-3, None, 1e-5),
    "spring-damper with friction and a bristle of 1e5 N/m per kg, generalised alpha, 1 ms": (1e-3, (1e5, 300.0), 0.0),
}


def simulate(problem, setting):
    step, bristle, zone = SETTINGS[setting]
    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.AddNode(NodePointGround())
    node = system.AddNode(Node1D(referenceCoordinates=[0.0], initialCoordinates=[0.0], initialVelocities=[0.0]))
    system.AddObject(Mass1D(physicsMass=problem.mass, nodeNumber=node))
    marker = system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    fixed = system.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    words = {}
    if bristle:
        memory = system.AddNode(NodeGenericData(numberOfDataCoordinates=3, initialCoordinates=[0.0] * 3))
        words = {"stickingStiffness": bristle[0] * problem.mass, "stickingDamping": bristle[1] * problem.mass, "nodeNumber": memory}
        if problem.static != problem.kinetic:
            words["exponentialDecayStatic"] = 1e-3
    else:
        words = {"frictionProportionalZone": zone, "exponentialDecayStatic": 1e-3}
    system.AddObject(
        CoordinateSpringDamperExt(
            markerNumbers=[fixed, marker],
            fDynamicFriction=problem.kinetic * problem.load,
            fStaticFrictionOffset=(problem.static - problem.kinetic) * problem.load,
            **words,
        )
    )

    def push(mbs, t, load):
        return problem.force(t, mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates))

    system.AddLoad(LoadCoordinate(markerNumber=marker, load=1.0, loadUserFunction=push))
    sensor = system.AddSensor(SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=exu.OutputVariableType.Coordinates))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(problem.duration / step)
    settings.timeIntegration.endTime = problem.duration
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    settings.timeIntegration.verboseMode = 0
    settings.solution.sensors.writePeriod = 5 * step
    settings.solution.file.write = False
    system.SolveDynamic(settings)
    data = np.array(system.GetSensorStoredData(sensor))
    return data[:, 0], data[:, 1]
