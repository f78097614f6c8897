"""SciPy: the sign of the velocity smoothed, as many write it, and integrated by Radau's method."""

import numpy as np
import scipy
from scipy.integrate import solve_ivp

VERSION = f"SciPy {scipy.__version__}"
SETTINGS = {
    "tanh(v / 1 mm/s), Radau, rtol 1e-8": 1e-3,
    "tanh(v / 0.01 mm/s), Radau, rtol 1e-8": 1e-5,
}


def simulate(problem, setting):
    width = SETTINGS[setting]
    if problem.static != problem.kinetic:
        raise NotImplementedError("one coefficient only")
    limit = problem.kinetic * problem.load

    def rates(t, y):
        return [y[1], (problem.force(t, y[0]) - limit * np.tanh(y[1] / width)) / problem.mass]

    times = np.arange(0.0, problem.duration + 5e-3, 0.01)
    options = dict(method="Radau", rtol=1e-8, atol=1e-10, max_step=0.05)
    result = solve_ivp(rates, (0.0, times[-1]), [0.0, 0.0], t_eval=times, **options)
    return result.t, result.y[0]
