"""MuJoCo: a box on a plane, and a slide joint with friction loss."""

import mujoco
import numpy as np
from problems import GRAVITY

VERSION = f"MuJoCo {mujoco.__version__}"

CONTACT = """
<mujoco>
  <option timestep="{step}" gravity="0 0 -9.81" {options}/>
  <worldbody>
    <geom type="plane" size="100 100 1" friction="{mu} 0.005 0.0001" {soft}/>
    <body pos="0 0 0.1">
      <joint name="x" type="slide" axis="1 0 0"/>
      <!-- NoSlip leaves contacts alone one of whose directions cannot move. -->
      <joint name="y" type="slide" axis="0 1 0"/>
      <joint name="z" type="slide" axis="0 0 1"/>
      <geom type="box" size="0.1 0.1 0.1" mass="{mass}" friction="{mu} 0.005 0.0001" {soft}/>
    </body>
  </worldbody>
</mujoco>
"""
JOINT = """
<mujoco>
  <option timestep="{step}" gravity="0 0 0" {options}/>
  <worldbody>
    <body>
      <joint name="x" type="slide" axis="1 0 0" frictionloss="{loss}" {soft}/>
      <geom type="box" size="0.1 0.1 0.1" mass="{mass}"/>
    </body>
  </worldbody>
</mujoco>
"""
TUNED = 'cone="elliptic" impratio="10" integrator="implicitfast"'
SETTINGS = {
    "contact, all defaults (Euler, 2 ms, pyramidal cone)": (CONTACT, 0.002, "", ""),
    "contact, manual on slip: elliptic cone, impratio 10, implicitfast": (CONTACT, 0.002, TUNED, ""),
    "contact, manual on slip, with 3 NoSlip iterations": (CONTACT, 0.002, TUNED + ' noslip_iterations="3"', ""),
    "slide joint with frictionloss, defaults": (JOINT, 0.002, "", ""),
    "slide joint with frictionloss, 3 NoSlip iterations": (JOINT, 0.002, 'noslip_iterations="3"', ""),
}


def simulate(problem, setting):
    text, step, options, soft = SETTINGS[setting]
    if problem.static != problem.kinetic:
        raise NotImplementedError("one coefficient only")
    mu = problem.kinetic
    loss = mu * problem.mass * GRAVITY
    model = mujoco.MjModel.from_xml_string(
        text.format(step=step, options=options, soft=soft, mu=mu, mass=problem.mass, loss=loss)
    )
    data = mujoco.MjData(model)
    # The box settles into its soft ground first.
    if text is CONTACT:
        while data.time < 1.0:
            mujoco.mj_step(model, data)
        data.time, data.qpos[0], data.qvel[0] = 0.0, 0.0, 0.0
    count = round(problem.duration / step)
    times, places = np.empty(count + 1), np.empty(count + 1)
    for i in range(count + 1):
        times[i], places[i] = data.time, data.qpos[0]
        data.qfrc_applied[0] = problem.force(data.time, data.qpos[0])
        mujoco.mj_step(model, data)
    return times, places
