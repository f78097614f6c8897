"""The page of the book: a table, a figure, and how to read them."""

HEAD = """# Friction in other engines

Physics engines are made for robots, games and mechanisms of many bodies; friction is one of many things they do, and each says in its
manual what its friction is meant for. This page puts four problems with known answers to them, at their defaults and at settings that
their manuals recommend for less creep, beside laws of bristle.

![How fast a block creeps that friction should hold, and how far the break-away is off, by engine and setting](figures/engines.svg)

- **Hold**: a block of 1 kg on a plane, μ = 0.5, is pushed with 50, 90 and 99 % of what friction holds. Shown is how fast it moves over the last
  30 of 60 s, and how far that would be in an hour at 90 %.
- **Break-away**: the push grows by 1 N/s; shown is the push at which 1 mm is passed. Rigid friction: 5.0867 N.
- **Belt**: a block of 20 kg on a spring of 10 N/m and a belt of 0.5 m/s, over 100 s; errors of period and largest stretch against the closed
  form, with one coefficient (0.5: 8.885766 s, 10.517107 m) and with two (0.6 at rest, 0.5 sliding: 13.269266 s, 11.895532 m). With one
  coefficient the motion only grazes the speed of the belt, so that it shows numerical damping.
- **Pulses**: forty pushes with half of what friction holds, 0.1 s each; how far the block has moved in the end.

"""

TAIL = """
How to read it:

- Creep comes from smoothing: where friction grows with speed around rest, a held block moves as fast as the formula says. Engines that
  hold by a constraint, a motor or a bristle do so to rounding, as set-valued and bristle laws do here: holding is no peculiarity of bristle.
- Stick–slip with static above kinetic friction needs both coefficients; most engines have one.
- Bristle laws (`lugre`, `elasto_plastic`) miss the cycle of the *rigid* belt by what they are, not by how they are integrated, and LuGre walks under
  pulses more than tuned engines do: it is a model of presliding, not of rigid friction.
- Settings beyond the defaults are those of the manuals: MuJoCo's chapter on modelling says how contacts slip less (elliptic cone, larger
  `impratio`, NoSlip iterations), PyBullet's quickstart guide names step, iterations and residual, Drake's documentation of `MultibodyPlant` the
  contact approximations and the stiction tolerance, Exudyn's reference manual the spring-damper with friction.
- An engine at a smaller step, or tuned for this very problem, may do better than shown.
"""


def number(value):
    return "0" if value == 0 else f"{value:.2g}" if abs(value) >= 0.01 else f"{value:.1e}"


def cells(row):
    drift = " / ".join(number(v) for v, _ in row["drift"]) if "drift" in row else "–"
    belts = [", ".join(number(v) for v in row[f"belt {s}"]) if f"belt {s}" in row else "–" for s in (0.5, 0.6)]
    away = f"{row['break_away']:.4f}" if "break_away" in row else "–"
    pulses = number(row["pulses"]) if "pulses" in row else "–"
    hour = f"{3600 * row['drift'][1][0]:.2g}" if "drift" in row else "–"
    return [row["engine"], row["setting"], drift, hour, away, *belts, pulses]


MEASURED = "`cargo xtask engines` has measured this and written this page; it can be called again, wherever the engines can be installed.\n"


def write(rows, skipped, path, measured=MEASURED):
    heads = [
        "engine",
        "setting",
        "hold: speed at 50 / 90 / 99 %, m/s",
        "at 90 %, m an hour",
        "break-away, N",
        "belt 0.5: errors s, m",
        "belt 0.6 / 0.5: errors s, m",
        "pulses, m",
    ]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += [f"| {' | '.join(cells(row))} |" for row in rows]
    missing = sorted({m.split(": ", 1)[1] for row in rows for m in row["missing"]})
    tail = f"\nA dash: {', '.join(missing)}.\n" if missing else ""
    left = f"\nNot measured: {'; '.join(skipped)}.\n" if skipped else ""
    with open(path, "w") as file:
        file.write(HEAD + measured + "\n" + "\n".join(lines) + "\n" + tail + left + TAIL)


def draw(rows, path):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "bristle", "font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
    names = [f"{row['engine'].split(' ')[0]}: {shortened(row['setting'])}" for row in rows]
    places = range(len(rows))
    fig, (left, right) = plt.subplots(1, 2, figsize=(9, 0.24 * len(rows) + 0.9), sharey=True)
    ours = [row["engine"].startswith("bristle") for row in rows]
    colours = ["#1f77b4" if own else "#888888" for own in ours]
    floor = 1e-13
    for share, marker in ((0, "o"), (1, "s"), (2, "^")):
        speeds = [max(abs(row["drift"][share][0]), floor) for row in rows]
        left.scatter(speeds, places, marker=marker, s=16, c=colours, label=f"{('50', '90', '99')[share]} %")
    left.set(xscale="log", xlabel="creep of a held block / (m/s)", xlim=(floor / 3, 0.1))
    left.set_xticks([1e-12, 1e-9, 1e-6, 1e-3])
    left.axvline(floor, color="#cccccc", lw=0.6, zorder=0)
    left.text(floor * 1.3, -0.25, "rounding", color="#888888", fontsize=7)
    left.set_yticks(list(places), names)
    left.set_ylim(len(rows) - 0.3, -0.7)
    left.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, frameon=False, handletextpad=0.1, columnspacing=0.8)
    off = [row["break_away"] - 5.0867 if "break_away" in row else float("nan") for row in rows]
    bars = right.barh(list(places), off, color=colours, height=0.6)
    right.bar_label(bars, [f"{value:+.3f}" for value in off], padding=2, fontsize=6)
    right.margins(x=0.22)
    right.axvline(0.0, color="black", lw=0.6)
    right.set(xlabel="push at which 1 mm is passed − 5.0867 N")
    for axis in (left, right):
        axis.grid(axis="y", color="#eeeeee", lw=0.6)
        axis.set_axisbelow(True)
    fig.tight_layout()
    fig.savefig(path, metadata={"Date": None})


def shortened(setting):
    return setting if len(setting) < 58 else setting[:57].rsplit(" ", 1)[0] + " …"
