"""Friction of a MuJoCo joint by a law of bristle, beside MuJoCo's own `frictionloss`.

A slide of 1 kg is pushed with half, nine tenths and 99 % of what friction holds. MuJoCo's friction is a soft
constraint and creeps; a law with bristles, stepped at the joint through the passive-force callback, holds.
"""

import bristle
import mujoco
import numpy as np

LIMIT = 5.0
MODEL = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body>
      <joint name="slide" type="slide" axis="1 0 0" frictionloss="{own}"/>
      <geom type="box" size="0.1 0.1 0.1" mass="1"/>
    </body>
  </worldbody>
</mujoco>
"""


class JointFriction:
    """A law at one degree of freedom, stepped with the simulation."""

    def __init__(self, law, dof, load, model):
        self.law, self.dof, self.load, self.h = law, dof, load, model.opt.timestep
        self.z, self.force, self.last = law.initial(), 0.0, -1.0

    def __call__(self, model, data):
        # The callback may be called more than once per step; the states move on once.
        if data.time != self.last:
            self.force, self.z = self.law.step(data.qvel[self.dof], self.load, self.z, self.h)
            self.last = data.time
        data.qfrc_passive[self.dof] -= self.force


def creep(share, law=None, time=60.0):
    """Metres per hour over the second half of the time, pushed with this share of the limit."""
    model = mujoco.MjModel.from_xml_string(MODEL.format(own=0.0 if law else LIMIT))
    data = mujoco.MjData(model)
    if law:
        mujoco.set_mjcb_passive(JointFriction(law, 0, 1.0, model))
    try:
        data.qfrc_applied[0] = share * LIMIT
        half = None
        while data.time < time:
            mujoco.mj_step(model, data)
            if half is None and data.time >= time / 2:
                half = (data.time, data.qpos[0])
        return (data.qpos[0] - half[1]) / (data.time - half[0]) * 3600.0
    finally:
        mujoco.set_mjcb_passive(None)


def law():
    """Elasto-plastic bristles: elastic up to nine tenths of the limit, so that nothing drifts below it."""
    return bristle.laws.elasto_plastic(F_s=LIMIT, F_d=LIMIT, sigma0=1e4, sigma1=200.0)


def table(shares=(0.5, 0.9, 0.99)):
    """Creep per hour of MuJoCo's own friction and of the law, m."""
    return [(share, creep(share), creep(share, law())) for share in shares]


def draw(rows, path):
    """The creep of both as a figure."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(6.4, 3.6))
    places = np.arange(len(rows))
    for offset, column, label in [(-0.2, 1, "frictionloss, defaults"), (0.2, 2, "elasto_plastic, bristle")]:
        bars = ax.bar(places + offset, [row[column] for row in rows], 0.36, label=label)
        texts = [f"{row[column]:.3g}" for row in rows]
        ax.bar_label(bars, texts, padding=2)
    ax.set(ylim=(0, 26), ylabel="creep / (m/h)", xlabel="push, part of what friction holds")
    ax.set_xticks(places, [f"{100 * row[0]:.0f} %" for row in rows])
    ax.legend(loc="upper left")
    fig.tight_layout()
    plt.rcParams["svg.hashsalt"] = "bristle"
    fig.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    import sys

    rows = table()
    if len(sys.argv) > 1:
        draw(rows, sys.argv[1])
    for share, own, ours in rows:
        print(f"{100 * share:3.0f} %: frictionloss {own:10.3e} m/h, elasto_plastic {ours:10.3e} m/h")
