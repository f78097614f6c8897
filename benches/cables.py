"""Exudyn on a problem like the motorised pulley, timed beside bristle-cable.

python benches/cables.py OURS.json

OURS.json is written by the example `pulley_race` of bristle-cable. The problems are alike, not equal: Exudyn's contact
is linear in the penetration and acts at points of segments, its friction is regularised by a velocity or by bristles,
and it starts from the unstretched shape. So the travel of the masses is shown beside the time.
"""

import json
import math
import sys
import time

import exudyn as exu
from exudyn.itemInterface import (
    CoordinateConstraint,
    MarkerBodyCable2DShape,
    MarkerBodyMass,
    MarkerNodeCoordinate,
    MarkerNodeRigid,
    LoadMassProportional,
    NodeGenericData,
    NodePoint2D,
    NodePoint2DSlope1,
    NodePointGround,
    NodeRigidBody2D,
    ObjectANCFCable2D,
    ObjectContactFrictionCircleCable2D,
    ObjectMassPoint2D,
    ObjectRigidBody2D,
)

LENGTH, ELEMENTS, RADIUS, MASS = 2.0, 40, 0.25, 10.0
AXIAL, BENDING, DENSITY = 9.2e6, 0.7, 5.8e3 * math.pi * 0.25e-4
TRAVEL, DURATION = math.pi / 4, 10.0


def place(s):
    """Place and slope of the unstretched cable at arc length s from its middle."""
    quarter = 0.5 * math.pi * RADIUS
    if abs(s) <= quarter:
        angle = s / RADIUS
        return [RADIUS * math.sin(angle), RADIUS * math.cos(angle), math.cos(angle), -math.sin(angle)]
    side = math.copysign(1.0, s)
    return [side * RADIUS, quarter - abs(s), 0.0, -side]


def angle(mbs, t, item, offset):
    """The cycloid; the surface goes with the cable, clockwise."""
    s = min(t / DURATION, 1.0)
    return -TRAVEL * (s - math.sin(2 * math.pi * s) / (2 * math.pi))


def run(step, segments, bristle):
    """Seconds, and how far the right and the left mass went."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    h = LENGTH / ELEMENTS
    gravity = [0, -9.81, 0]
    nodes = [
        mbs.AddNode(NodePoint2DSlope1(referenceCoordinates=place(i * h - 0.5 * LENGTH)))
        for i in range(ELEMENTS + 1)
    ]
    ground = mbs.AddNode(NodePointGround())
    fixed = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    drum_node = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[0, 0, 0]))
    mbs.AddObject(ObjectRigidBody2D(mass=1, inertia=1, nodeNumber=drum_node))
    for coordinate in (0, 1, 2):
        marker = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=drum_node, coordinate=coordinate))
        turn = {"offsetUserFunction": angle} if coordinate == 2 else {}
        mbs.AddObject(CoordinateConstraint(markerNumbers=[fixed, marker], **turn))
    drum = mbs.AddMarker(MarkerNodeRigid(nodeNumber=drum_node))
    for i in range(ELEMENTS):
        cable = mbs.AddObject(
            ObjectANCFCable2D(
                length=h,
                massPerLength=DENSITY,
                bendingStiffness=BENDING,
                axialStiffness=AXIAL,
                axialDamping=1.0,
                nodeNumbers=[nodes[i], nodes[i + 1]],
            )
        )
        body = mbs.AddMarker(MarkerBodyMass(bodyNumber=cable))
        mbs.AddLoad(LoadMassProportional(markerNumber=body, loadVector=gravity))
        data = mbs.AddNode(
            NodeGenericData(
                initialCoordinates=[0.1] * segments + [-2] * segments + [0] * segments,
                numberOfDataCoordinates=3 * segments,
            )
        )
        shape = mbs.AddMarker(MarkerBodyCable2DShape(bodyNumber=cable, numberOfSegments=segments))
        mbs.AddObject(
            ObjectContactFrictionCircleCable2D(
                markerNumbers=[drum, shape],
                nodeNumber=data,
                numberOfContactSegments=segments,
                contactStiffness=1.2e5 / segments,
                contactDamping=120 / segments,
                frictionVelocityPenalty=2e3 / segments,
                frictionStiffness=2e6 / segments if bristle else 0.0,
                frictionCoefficient=0.25,
                circleRadius=RADIUS,
                useSegmentNormals=False,
            )
        )
    for node, s in ((nodes[0], -0.5 * LENGTH), (nodes[-1], 0.5 * LENGTH)):
        mass_node = mbs.AddNode(NodePoint2D(referenceCoordinates=place(s)[:2]))
        mass = mbs.AddObject(ObjectMassPoint2D(mass=MASS, nodeNumber=mass_node))
        body = mbs.AddMarker(MarkerBodyMass(bodyNumber=mass))
        mbs.AddLoad(LoadMassProportional(markerNumber=body, loadVector=gravity))
        for coordinate in (0, 1):
            pair = [
                mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=n, coordinate=coordinate)) for n in (node, mass_node)
            ]
            mbs.AddObject(CoordinateConstraint(markerNumbers=pair))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = DURATION
    settings.timeIntegration.numberOfSteps = round(DURATION / step)
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.6
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    settings.show.statistics = False

    def heights():
        return [
            mbs.GetNodeOutput(node, exu.OutputVariableType.Position)[1] for node in (nodes[-1], nodes[0])
        ]

    before = heights()
    start = time.process_time()
    if not mbs.SolveDynamic(settings):
        return None
    seconds = time.process_time() - start
    after = heights()
    return seconds, after[0] - before[0], after[1] - before[1]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        ours = json.load(file)
    exu.config.printToConsole = False
    print("10 s of the motorised pulley, 40 elements, processor seconds")
    for row in ours:
        print(
            f"  bristle {row['law']:8} step {row['step']:<6} {row['seconds']:7.3f} s"
            f"  error {row['error']:.0e} m  right {row['right']:+.4f} m, left {row['left']:+.4f} m"
        )
    # The slowest law of ours, each at its cheapest step with an error below 1e-6 m.
    laws = {row["law"] for row in ours}
    best = max(min(r["seconds"] for r in ours if r["law"] == law and r["error"] < 1e-6) for law in laws)
    for step, segments, bristle in ((5e-3, 4, False), (1e-3, 4, False), (1e-3, 4, True)):
        friction = "bristles" if bristle else "velocity"
        found = run(step, segments, bristle)
        words = f"  exudyn  {friction} step {step:<6} {segments} points an element"
        if found is None:
            print(f"{words}: it gave up")
            continue
        seconds, right, left = found
        print(
            f"{words} {seconds:7.3f} s  right {right:+.4f} m, left {left:+.4f} m,"
            f"  {seconds / best:.0f} times our slowest law at 1e-6 m"
        )


main()
