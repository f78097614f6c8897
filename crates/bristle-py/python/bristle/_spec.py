"""What laws, signals and parts are told, and laws on their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from bristle import _bristle

#: A number in SI units, or a text with its unit, such as ``"5 mm/s"``.
Number = Union[float, int, str, np.floating[Any], np.integer[Any]]

Floats = npt.NDArray[np.float64]


class Spec:
    """A kind with its values, those that are left as they are left out."""

    __slots__ = ("kind", "values")

    def __init__(
        self, kind: str, values: Mapping[str, object], defaults: Mapping[str, object] | None = None
    ) -> None:
        self.kind = kind
        usual = defaults or {}
        self.values = {
            key: value
            for key, value in values.items()
            if value is not None and not (key in usual and is_same(value, usual[key]))
        }

    def to_dict(self) -> dict[str, object]:
        """As a table of a scenario."""
        return {"kind": self.kind, **{key: plain(value) for key, value in self.values.items()}}

    def __repr__(self) -> str:
        values = ", ".join(f"{key}={value!r}" for key, value in self.values.items())
        return f"{type(self).__name__.lower()}s.{self.kind}({values})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Spec) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> tuple[str, dict[str, object]]:
        return self.kind, self.values

    def __setstate__(self, state: tuple[str, dict[str, object]]) -> None:
        self.kind, self.values = state


def is_same(value: object, default: object) -> bool:
    """Whether a value is what is taken without it."""
    if isinstance(value, (bool, str)) or isinstance(default, (bool, str)):
        return type(value) is type(default) and value == default
    return isinstance(value, (int, float)) and value == default


def plain(value: object) -> object:
    """Parts by their names, everything else as it is."""
    if isinstance(value, Part):
        if value.name is None:
            raise _bristle.BristleError(
                f"a part of kind `{value.kind}` is named before it was added\n"
                "  help: add it first: `body = m.add(\"name\", part)`"
            )
        return value.name
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value


class Signal(Spec):
    """A function of time; the functions in :mod:`bristle.signals` make them."""

    __slots__ = ()


class Part(Spec):
    """A part of a mechanism; it has a name once it is added to one."""

    __slots__ = ("name",)

    def __init__(
        self, kind: str, values: Mapping[str, object], defaults: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(kind, values, defaults)
        self.name: str | None = None

    def __getitem__(self, output: str) -> str:
        """The name of one of its outputs: ``run[block["q"]]``."""
        return f"{self.name}.{output}"

    def __getstate__(self) -> Any:
        return self.kind, self.values, self.name

    def __setstate__(self, state: Any) -> None:
        self.kind, self.values, self.name = state


class Law(Spec):
    """A friction law with its numbers; the functions in :mod:`bristle.laws` make them.

    Forces are positive against positive sliding. Arrays of slip rates, loads and states are broadcast
    against one another; states have one more axis, the last.

    >>> from bristle import laws
    >>> law = laws.lugre(mu_s=0.45)
    >>> float(law.steady(0.1, 10.0)) > 0
    True
    """

    __slots__ = ("_native",)

    def __init__(
        self, kind: str, values: Mapping[str, object], defaults: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(kind, values, defaults)
        self._native: _bristle.Law | None = None

    def __setstate__(self, state: Any) -> None:
        self.kind, self.values = state
        self._native = None

    @property
    def native(self) -> _bristle.Law:
        """The compiled law."""
        if self._native is None:
            numbers: list[tuple[str, float]] = []
            words: list[tuple[str, str]] = []
            fields = _fields(self.kind)
            for key, value in self.values.items():
                if isinstance(value, Signal):
                    raise _bristle.BristleError(
                        f"`{key}` of law `{self.kind}` follows a signal\n"
                        "  help: a law alone has constant numbers; put it into a mechanism"
                    )
                kind = fields.get(key)
                if kind is None and not isinstance(value, str):
                    numbers.append((key, float(value)))  # type: ignore[arg-type]
                elif isinstance(value, str) and kind is not None and kind != "choice":
                    numbers.append((key, _bristle.quantity(value, kind)))
                elif isinstance(value, str):
                    words.append((key, value))
                else:
                    numbers.append((key, float(value)))  # type: ignore[arg-type]
            self._native = _bristle.Law(self.kind, numbers, words)
        return self._native

    @property
    def states(self) -> int:
        """How many states it has."""
        return self.native.state_count

    @property
    def is_set_valued(self) -> bool:
        """Whether a resting contact bears any force up to a limit."""
        return self.native.is_set_valued

    @property
    def step_order(self) -> int | None:
        """Order of accuracy of its step of fixed length, if it has one."""
        return self.native.step_order

    def initial(self) -> Floats:
        """The states before anything has happened."""
        return self.native.initial()

    def force(self, v: npt.ArrayLike, n: npt.ArrayLike = 1.0, z: npt.ArrayLike | None = None) -> Floats:
        """The friction force at slip rate `v`, load `n` and states `z`."""
        shape, flat = self._flat(v, n, z)
        return self.native.force(*flat)[0].reshape(shape)

    def rates(self, v: npt.ArrayLike, n: npt.ArrayLike = 1.0, z: npt.ArrayLike | None = None) -> Floats:
        """The rates of the states; the last axis counts the states."""
        shape, flat = self._flat(v, n, z)
        return self.native.force(*flat)[1].reshape((*shape, self.states))

    def limit(self, n: npt.ArrayLike = 1.0, z: npt.ArrayLike | None = None) -> Floats | None:
        """The largest force borne at rest; none for a law that is not set-valued."""
        shape, (_, loads, states) = self._flat(0.0, n, z)
        limit = self.native.limit(loads, states)
        return None if limit is None else limit.reshape(shape)

    def jacobian(self, v: npt.ArrayLike, n: npt.ArrayLike = 1.0, z: npt.ArrayLike | None = None) -> Floats:
        """Exact derivatives of force and rates (rows) by slip rate, load and states (columns)."""
        shape, flat = self._flat(v, n, z)
        return self.native.jacobian(*flat).reshape((*shape, self.states + 1, self.states + 2))

    def steady(self, v: npt.ArrayLike, n: npt.ArrayLike = 1.0) -> Floats:
        """The friction force of steady sliding."""
        return self._steady(v, n)[0]

    def steady_states(self, v: npt.ArrayLike, n: npt.ArrayLike = 1.0) -> Floats:
        """The states in steady sliding; the last axis counts the states."""
        return self._steady(v, n)[1]

    def step(
        self, v: float, n: float, z: npt.ArrayLike | None, h: float
    ) -> tuple[float, Floats]:
        """One step of length `h` at the mean slip rate `v`: the force at its end and the states there."""
        forces, states = self._scan(v, n, h, z)
        return float(forces[0]), states

    def scan(
        self, v: npt.ArrayLike, n: npt.ArrayLike, h: float, z: npt.ArrayLike | None = None
    ) -> Floats:
        """The friction forces along a record of slip rates and loads, `h` apart, at compiled speed."""
        return self._scan(v, n, h, z)[0]

    def _scan(
        self, v: npt.ArrayLike, n: npt.ArrayLike, h: float, z: npt.ArrayLike | None
    ) -> tuple[Floats, Floats]:
        rates, loads = _line("v", v), _line("n", n)
        states = self.initial() if z is None else _line("z", z)
        return self.native.scan(rates, loads, h, states)

    def _steady(self, v: npt.ArrayLike, n: npt.ArrayLike) -> tuple[Floats, Floats]:
        rates, loads = _broadcast(np.asarray(v, dtype=float), np.asarray(n, dtype=float))
        forces, states = self.native.steady(_ravel(rates), _ravel(loads))
        return forces.reshape(rates.shape), states.reshape((*rates.shape, self.states))

    def _flat(
        self, v: npt.ArrayLike, n: npt.ArrayLike, z: npt.ArrayLike | None
    ) -> tuple[tuple[int, ...], tuple[Floats, Floats, Floats]]:
        states = self.initial() if z is None else np.asarray(z, dtype=float)
        if states.ndim == 0:
            states = states.reshape(1)
        if states.shape[-1] != self.states:
            raise _bristle.BristleError(
                f"law `{self.kind}` has {self.states} states, not {states.shape[-1]}\n"
                "  help: the last axis of `z` counts the states"
            )
        rates, loads, marks = _broadcast(
            np.asarray(v, dtype=float), np.asarray(n, dtype=float), np.empty(states.shape[:-1])
        )
        shape = rates.shape
        wide = np.broadcast_to(states, (*marks.shape, self.states))
        return shape, (_ravel(rates), _ravel(loads), _ravel(wide))


def _broadcast(*arrays: Floats) -> list[Floats]:
    try:
        return list(np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise _bristle.BristleError(
            f"arrays of shapes {shapes} do not go together\n  help: they are broadcast as NumPy does it"
        ) from None


def _ravel(array: Floats) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float64).reshape(-1)


def _line(name: str, values: npt.ArrayLike) -> Floats:
    line = np.atleast_1d(np.ascontiguousarray(values, dtype=np.float64))
    if line.ndim != 1:
        raise _bristle.BristleError(
            f"`{name}` has {line.ndim} axes\n  help: a record has one, time; call it for each row"
        )
    return line


_FIELDS: dict[str, dict[str, str]] = {}


def _fields(law: str) -> dict[str, str]:
    """Units of the numbers of a law, and which fields are choices."""
    if not _FIELDS:
        import json

        for card in json.loads(_bristle.cards("laws")):
            units: dict[str, str] = {}
            for field in card["fields"]:
                number = field["kind"].get("number")
                units[field["name"]] = number["unit"] if number else "choice"
                if number and number["force"]:
                    units[number["force"]] = "N"
            _FIELDS[card["name"]] = units
    return _FIELDS.get(law, {})
