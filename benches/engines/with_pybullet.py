"""PyBullet: a box on a plane, and a slider whose motor holds it with a limited force."""

import numpy as np
import pybullet as bullet
from problems import GRAVITY

VERSION = f"PyBullet {bullet.getAPIVersion()}"
try:
    from importlib.metadata import version

    VERSION = f"PyBullet {version('pybullet')}"
except Exception:  # noqa: BLE001
    pass

# Step, iterations (0: the default), linear damping (none: the default 0.04), whether a slider instead of a contact.
SETTINGS = {
    "contact, all defaults (1/240 s, 50 iterations, damping 0.04)": (1 / 240, 0, None, False),
    "contact, defaults without damping": (1 / 240, 0, 0.0, False),
    "contact, 1 ms, 200 iterations, residual 0, no damping": (1e-3, 200, 0.0, False),
    "slider joint, velocity motor at 0 with the friction as its largest force": (1 / 240, 0, 0.0, True),
}


def simulate(problem, setting):
    step, iterations, damping, is_slider = SETTINGS[setting]
    if problem.static != problem.kinetic:
        raise NotImplementedError("one coefficient only")
    client = bullet.connect(bullet.DIRECT)
    try:
        bullet.setTimeStep(step)
        bullet.setGravity(0, 0, 0 if is_slider else -GRAVITY)
        if iterations:
            bullet.setPhysicsEngineParameter(numSolverIterations=iterations, solverResidualThreshold=0.0)
        box = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[0.2, 0.2, 0.1])
        if is_slider:
            body = bullet.createMultiBody(
                0.0,
                linkMasses=[problem.mass],
                linkCollisionShapeIndices=[-1],
                linkVisualShapeIndices=[-1],
                linkPositions=[[0, 0, 0]],
                linkOrientations=[[0, 0, 0, 1]],
                linkInertialFramePositions=[[0, 0, 0]],
                linkInertialFrameOrientations=[[0, 0, 0, 1]],
                linkParentIndices=[0],
                linkJointTypes=[bullet.JOINT_PRISMATIC],
                linkJointAxis=[[1, 0, 0]],
            )
            limit = problem.kinetic * problem.load
            bullet.setJointMotorControl2(body, 0, bullet.VELOCITY_CONTROL, targetVelocity=0.0, force=limit)
        else:
            ground = bullet.createCollisionShape(bullet.GEOM_PLANE)
            plane = bullet.createMultiBody(0, ground)
            body = bullet.createMultiBody(problem.mass, box, basePosition=[0, 0, 0.1])
            # Friction of a pair is the product of both.
            bullet.changeDynamics(plane, -1, lateralFriction=1.0)
            bullet.changeDynamics(body, -1, lateralFriction=problem.kinetic)
        if damping is not None:
            for link in range(-1, bullet.getNumJoints(body)):
                bullet.changeDynamics(body, link, linearDamping=damping, angularDamping=damping, jointDamping=0.0)
        place = (lambda: bullet.getJointState(body, 0)[0]) if is_slider else (lambda: bullet.getBasePositionAndOrientation(body)[0][0])
        for _ in range(0 if is_slider else round(1.0 / step)):
            bullet.stepSimulation()
        start = place()
        count = round(problem.duration / step)
        times, places = step * np.arange(count + 1), np.empty(count + 1)
        for i in range(count + 1):
            places[i] = place() - start
            force = [problem.force(times[i], places[i]), 0, 0]
            if is_slider:
                bullet.applyExternalForce(body, 0, force, [0, 0, 0], bullet.LINK_FRAME)
            else:
                middle = bullet.getBasePositionAndOrientation(body)[0]
                bullet.applyExternalForce(body, -1, force, [middle[0], middle[1], 0.0], bullet.WORLD_FRAME)
            bullet.stepSimulation()
        return times, places
    finally:
        bullet.disconnect(client)
