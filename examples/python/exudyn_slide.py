"""Friction in Exudyn by a law of bristle, as a user force of a spring-damper.

A block is pushed with less than friction holds: Exudyn integrates, the law is stepped once per time step and keeps its
states where Newton's method asks again.
"""

import bristle
import exudyn as exu
from exudyn.utilities import (
    CoordinateSpringDamper,
    LoadCoordinate,
    MarkerNodeCoordinate,
    Mass1D,
    Node1D,
    NodePointGround,
)


def hold(share, law, limit=5.0, time=10.0, h=1e-3):
    """How far a block of 1 kg has moved, and how fast it moves in the end, pushed with this share of the limit."""
    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.AddNode(NodePointGround())
    node = system.AddNode(Node1D(referenceCoordinates=[0.0], initialCoordinates=[0.0], initialVelocities=[0.0]))
    system.AddObject(Mass1D(mass=1.0, nodeNumber=node))
    marker = system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    fixed = system.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    memory = {"z": law.initial(), "t": 0.0, "start": law.initial()}

    def friction(mbs, t, item, u, v, k, d, offset, *unused):
        # Newton iterations ask again at the same time: each begins where the last step ended.
        if t > memory["t"]:
            memory["start"], memory["t"] = memory["z"], t
        force, memory["z"] = law.step(v, 1.0, memory["start"], h)
        return force

    system.AddObject(
        CoordinateSpringDamper(markerNumbers=[fixed, marker], springForceUserFunction=friction)
    )
    system.AddLoad(LoadCoordinate(markerNumber=marker, load=share * limit))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = int(round(time / h))
    settings.timeIntegration.endTime = time
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.timeIntegration.newton.useModifiedNewton = False
    system.SolveDynamic(settings)
    position = system.GetNodeOutput(node, exu.OutputVariableType.Coordinates)
    velocity = system.GetNodeOutput(node, exu.OutputVariableType.Coordinates_t)
    return float(position), float(velocity)


if __name__ == "__main__":
    law = bristle.laws.elasto_plastic(F_s=5.0, F_d=5.0, sigma0=1e5, sigma1=600.0)
    for share in (0.5, 0.9):
        moved, speed = hold(share, law)
        print(f"{100 * share:.0f} %: moved {moved:.2e} m, then {speed:.1e} m/s")
