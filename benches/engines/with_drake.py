"""Drake: a box on four points on a half space."""

from importlib.metadata import version

import numpy as np
from problems import GRAVITY
from pydrake.all import (
    AddMultibodyPlantSceneGraph,
    CoulombFriction,
    DiagramBuilder,
    DiscreteContactApproximation,
    HalfSpace,
    LeafSystem,
    RigidTransform,
    Simulator,
    SpatialInertia,
    Sphere,
    UnitInertia,
)

VERSION = f"Drake {version('drake')}"

# Discrete approximation, stiction tolerance (none: the default 1e-4 m/s).
SETTINGS = {
    "discrete 1 ms, lagged (default), stiction tolerance 1e-4 m/s (default)": (DiscreteContactApproximation.kLagged, None),
    "discrete 1 ms, lagged, stiction tolerance 1e-5 m/s": (DiscreteContactApproximation.kLagged, 1e-5),
    "discrete 1 ms, TAMSI, stiction tolerance 1e-5 m/s": (DiscreteContactApproximation.kTamsi, 1e-5),
    "discrete 1 ms, SAP": (DiscreteContactApproximation.kSap, None),
}
STEP = 1e-3


class Push(LeafSystem):
    """The force on the box."""

    def __init__(self, problem, states, speeds, place, axis):
        super().__init__()
        self.problem, self.speeds, self.place, self.axis, self.start, self.begin = problem, speeds, place, axis, 0.0, None
        self.DeclareVectorInputPort("state", states)
        self.DeclareVectorOutputPort("force", speeds, self.push)

    def push(self, context, output):
        force = np.zeros(self.speeds)
        if self.begin is not None:
            x = self.get_input_port(0).Eval(context)[self.place] - self.start
            force[self.axis] = self.problem.force(context.get_time() - self.begin, x)
        output.SetFromVector(force)


def simulate(problem, setting):
    approximation, stiction = SETTINGS[setting]
    if problem.static != problem.kinetic:
        raise NotImplementedError("the static coefficient is ignored")
    builder = DiagramBuilder()
    plant, scene = AddMultibodyPlantSceneGraph(builder, time_step=STEP)
    plant.set_discrete_contact_approximation(approximation)
    friction = CoulombFriction(problem.static, problem.kinetic)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "ground", friction)
    inertia = SpatialInertia(problem.mass, np.zeros(3), UnitInertia.SolidBox(0.4, 0.4, 0.2))
    box = plant.AddRigidBody("box", inertia)
    for i, (x, y) in enumerate([(-0.2, -0.2), (-0.2, 0.2), (0.2, -0.2), (0.2, 0.2)]):
        # At the height of the middle, so that a push does not tilt it.
        plant.RegisterCollisionGeometry(box, RigidTransform([x, y, 0.0]), Sphere(0.01), f"foot {i}", friction)
    if stiction:
        plant.set_stiction_tolerance(stiction)
    plant.Finalize()
    states = plant.num_positions() + plant.num_velocities()
    place = box.floating_positions_start() + 4
    axis = box.floating_velocities_start_in_v() + 3
    push = builder.AddSystem(Push(problem, states, plant.num_velocities(), place, axis))
    builder.Connect(plant.get_state_output_port(), push.get_input_port(0))
    builder.Connect(push.get_output_port(0), plant.get_applied_generalized_force_input_port())
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = simulator.get_mutable_context()
    own = plant.GetMyMutableContextFromRoot(context)
    plant.SetFreeBodyPose(own, box, RigidTransform([0.0, 0.0, 0.01]))
    simulator.Initialize()
    simulator.AdvanceTo(1.0)
    push.start, push.begin = plant.GetPositions(own)[place], 1.0
    times, places = [], []

    def watch(root):
        times.append(root.get_time() - 1.0)
        places.append(plant.GetPositions(plant.GetMyContextFromRoot(root))[place] - push.start)

    simulator.set_monitor(watch)
    simulator.AdvanceTo(1.0 + problem.duration)
    return np.array(times), np.array(places)


assert GRAVITY == 9.81
