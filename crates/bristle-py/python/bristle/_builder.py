"""What a mechanism is built with.

Generated from the cards by `cargo xtask gen`; edits are lost.
"""

# ruff: noqa
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

from bristle._spec import Law, Number, Part, Signal



class Builder(ABC):
    """Parts of the catalogue as methods."""

    @abstractmethod
    def add(self, name: str, part: Part) -> Part:
        """Adds a part under a name."""

    def mass(
        self,
        name: str,
        *,
        mass: Number,
        q: Number = 0.0,
        v: Number = 0.0,
    ) -> Part:
        r"""A mass that moves along a line.

            m q̈ = sum of forces

        Parameters
        ----------
        mass
            Mass. [kg]
        q
            Position at the start. [m]
        v
            Velocity at the start. [m/s]
        """
        return self.add(name, Part("mass", {"mass": mass, "q": q, "v": v}, {"q": 0.0, "v": 0.0}))

    def planar_mass(
        self,
        name: str,
        *,
        mass: Number,
        x: Number = 0.0,
        y: Number = 0.0,
        vx: Number = 0.0,
        vy: Number = 0.0,
    ) -> Part:
        r"""A point mass that moves in a vertical plane.

            m ẍ = sum of horizontal forces,   m ÿ = sum of vertical forces (y points up)

        Parameters
        ----------
        mass
            Mass. [kg]
        x
            Horizontal position at the start. [m]
        y
            Vertical position at the start. [m]
        vx
            Horizontal velocity at the start. [m/s]
        vy
            Vertical velocity at the start. [m/s]
        """
        return self.add(name, Part("planar_mass", {"mass": mass, "x": x, "y": y, "vx": vx, "vy": vy}, {"x": 0.0, "y": 0.0, "vx": 0.0, "vy": 0.0}))

    def trolley(
        self,
        name: str,
        *,
        mass: Number,
        q: Number = 0.0,
        v: Number = 0.0,
        y: Number = 0.0,
    ) -> Part:
        r"""A mass on a horizontal rail; the rail's reaction can load a contact.

            m q̈ = sum of horizontal forces,   N = −(sum of vertical forces)

        Parameters
        ----------
        mass
            Mass. [kg]
        q
            Position at the start. [m]
        v
            Velocity at the start. [m/s]
        y
            Height of the rail. [m]
        """
        return self.add(name, Part("trolley", {"mass": mass, "q": q, "v": v, "y": y}, {"q": 0.0, "v": 0.0, "y": 0.0}))

    def anchor(
        self,
        name: str,
        *,
        x: Number = 0.0,
        y: Number = 0.0,
    ) -> Part:
        r"""A point that never moves. The name `ground` always stands for one at the origin.

            x, y = constant

        Parameters
        ----------
        x
            Horizontal position. [m]
        y
            Vertical position. [m]
        """
        return self.add(name, Part("anchor", {"x": x, "y": y}, {"x": 0.0, "y": 0.0}))

    def drive(
        self,
        name: str,
        *,
        velocity: Signal | None = None,
        position: Signal | None = None,
        v: Number = 0.0,
        q: Number = 0.0,
        y: Number = 0.0,
    ) -> Part:
        r"""A body or surface with prescribed motion: a belt, a slide, a towing trolley.

            q(t) = q + v t + ∫ velocity dt,   or   q(t) = q + v t + position(t)

        Parameters
        ----------
        velocity
            Velocity over time, added to `v`.
        position
            Position over time, added to `q`.
        v
            Constant velocity. [m/s]
        q
            Position at the start. [m]
        y
            Height. [m]
        """
        return self.add(name, Part("drive", {"velocity": velocity, "position": position, "v": v, "q": q, "y": y}, {"velocity": None, "position": None, "v": 0.0, "q": 0.0, "y": 0.0}))

    def planar_drive(
        self,
        name: str,
        *,
        velocity_x: Signal | None = None,
        velocity_y: Signal | None = None,
        vx: Number = 0.0,
        vy: Number = 0.0,
        x: Number = 0.0,
        y: Number = 0.0,
    ) -> Part:
        r"""A surface that moves in the plane as prescribed: a belt in any direction, a table that is shaken.

            x(t) = x + vx t + ∫ velocity_x dt,   y(t) = y + vy t + ∫ velocity_y dt

        Parameters
        ----------
        velocity_x
            Velocity along x over time, added to `vx`.
        velocity_y
            Velocity along y over time, added to `vy`.
        vx
            Constant velocity along x. [m/s]
        vy
            Constant velocity along y. [m/s]
        x
            Position along x at the start. [m]
        y
            Position along y at the start. [m]
        """
        return self.add(name, Part("planar_drive", {"velocity_x": velocity_x, "velocity_y": velocity_y, "vx": vx, "vy": vy, "x": x, "y": y}, {"velocity_x": None, "velocity_y": None, "vx": 0.0, "vy": 0.0, "x": 0.0, "y": 0.0}))

    def spring(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        k: Number | Signal,
        rest: Number | Signal = 0.0,
        preload: Number | Signal = 0.0,
    ) -> Part:
        r"""A linear spring between two bodies on a line.

            F = F_0 + k (q_a − q_b − rest)   pulls a towards b

        A stiffness over time stores `½ k x²` of the moment; what its change adds, `½ k̇ x²` per second, is put in from outside, and so
        is what moves `rest`. Let numbers rise and fall rather than jump, so that all of that is accounted for.

        Parameters
        ----------
        between
            The two bodies it joins.
        k
            Stiffness: a number, or a signal. [N/m]
        rest
            Distance `q_a − q_b` at which it pulls with the preload alone: a number, or a signal. [m]
        preload
            Force at `rest`: a number, or a signal. [N]
        """
        return self.add(name, Part("spring", {"between": (a, b), "k": k, "rest": rest, "preload": preload}, {"rest": 0.0, "preload": 0.0}))

    def cubic_spring(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        k: Number = 0.0,
        cubic: Number = 0.0,
        preload: Number = 0.0,
        rest: Number = 0.0,
    ) -> Part:
        r"""A spring that hardens or softens, with a preload, between two bodies on a line.

            x = q_a − q_b − rest,   F = F_0 + k x + k_3 x³   pulls a towards b

        With a negative `k` and a positive `k_3` it has two places of rest: a buckled beam, a snap-through.

        Parameters
        ----------
        between
            The two bodies it joins.
        k
            Stiffness around `rest`; may be negative. [N/m]
        cubic
            Hardening; softening where it is negative. [N/m^3]
        preload
            Force at `rest`. [N]
        rest
            Distance `q_a − q_b` from which the stretch counts. [m]
        """
        return self.add(name, Part("cubic_spring", {"between": (a, b), "k": k, "cubic": cubic, "preload": preload, "rest": rest}, {"k": 0.0, "cubic": 0.0, "preload": 0.0, "rest": 0.0}))

    def table_spring(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        stretches: Sequence[Number],
        forces: Sequence[Number],
        rest: Number = 0.0,
        scale: Number = 1.0,
    ) -> Part:
        r"""A spring between two bodies on a line whose force is given by a table.

            F = scale · table(q_a − q_b − rest)   pulls a towards b;   straight between the points, and going on beyond them

        Parameters
        ----------
        between
            The two bodies it joins.
        stretches
            Stretches, rising.
        forces
            Forces at these stretches.
        rest
            Distance `q_a − q_b` from which the stretch counts. [m]
        scale
            Factor on all forces.
        """
        return self.add(name, Part("table_spring", {"between": (a, b), "stretches": stretches, "forces": forces, "rest": rest, "scale": scale}, {"rest": 0.0, "scale": 1.0}))

    def tether(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        length: Number | Signal,
        k: Number,
        d: Number | Signal = 0.0,
    ) -> Part:
        r"""A rope, chain or strap between two bodies on a line: it pulls where it is taut and is slack otherwise.

            δ = q_a − q_b − length > 0:   F = max(0, k δ + d δ̇) pulls a towards b, with |d δ̇| ≤ k δ;   else F = 0

        The first body is the one further ahead. A length over time is a winch, which puts work in.

        Parameters
        ----------
        between
            The two bodies it joins, the one ahead first.
        length
            Distance `q_a − q_b` at which it becomes taut: a number, or a signal. [m]
        k
            Stiffness. [N/m]
        d
            Damping while it is taut, at most as strong as the stiffness. [N s/m]
        """
        return self.add(name, Part("tether", {"between": (a, b), "length": length, "k": k, "d": d}, {"d": 0.0}))

    def damper(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        d: Number | Signal = 0.0,
        quadratic: Number | Signal = 0.0,
    ) -> Part:
        r"""A damper between two bodies on a line: linear, quadratic as in air or water, or both.

            F = d w + d_2 |w| w,   w = v_a − v_b   against the relative motion

        Parameters
        ----------
        between
            The two bodies it joins.
        d
            Damping: a number, or a signal. [N s/m]
        quadratic
            Damping with the square of the speed: a number, or a signal. [N s^2/m^2]
        """
        return self.add(name, Part("damper", {"between": (a, b), "d": d, "quadratic": quadratic}, {"d": 0.0, "quadratic": 0.0}))

    def maxwell_element(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        k: Number,
        d: Number | Signal,
    ) -> Part:
        r"""A spring and a damper in series between two bodies on a line: stiff when pulled quickly, yielding when pulled slowly.

            Ḟ = k (v_a − v_b) − (k/d) F   pulls a towards b

        Its force relaxes with the time constant `d/k`. Beside a spring it is a rubber mount or an oil damper on soft bushes:
        the loss is largest where the frequency is `k/d`. It begins without force wherever the bodies are.

        Parameters
        ----------
        between
            The two bodies it joins.
        k
            Stiffness of its spring. [N/m]
        d
            Damping of its damper: a number, or a signal. [N s/m]
        """
        return self.add(name, Part("maxwell_element", {"between": (a, b), "k": k, "d": d}, {}))

    def segment(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        k: Number,
        d: Number | Signal = 0.0,
        length: Number | Signal,
    ) -> Part:
        r"""A spring and damper in the plane, such as a piece of cable between two points.

            F = k x + d ẋ,   x = l − length   along the line between the ends

        The force is linear: a slack segment pushes. A length over time is wound in and out, which puts work in. Ends that coincide have no direction; the force is then zero.

        Parameters
        ----------
        between
            The two bodies it joins.
        k
            Stiffness. [N/m]
        d
            Damping. [N s/m]
        length
            Relaxed length: a number, or a signal. [m]
        """
        return self.add(name, Part("segment", {"between": (a, b), "k": k, "d": d, "length": length}, {"d": 0.0}))

    def gravity(
        self,
        name: str,
        *,
        g: Number = 9.81,
        angle: Number | Signal = 0.0,
        downhill: Number = 0.0,
        plane: Literal["upright", "floor"] = "upright",
    ) -> Part:
        r"""Gravity on all bodies, level or on an incline.

            planar bodies and trolleys: m g downwards, along −y
            planar bodies on a floor: m g sin(angle) in the direction `downhill`, and a weight m g cos(angle) on what carries them
            masses on a line: m g sin(angle) towards positive q, and a weight m g cos(angle) on what carries them

        An angle over time tilts the line about the place `q = 0`, slowly enough for the inertia of that turning to be left out; what
        lifts the bodies is put in from outside.

        Parameters
        ----------
        g
            Acceleration. [m/s^2]
        angle
            Inclination of the line along which masses move: a number, or a signal; positive q points downhill. [rad]
        downhill
            Where an inclined floor falls off to, from x towards y. [rad]
        plane
            How planar bodies are seen: from the side, y pointing up, or from above, lying on a floor.
        """
        return self.add(name, Part("gravity", {"g": g, "angle": angle, "downhill": downhill, "plane": plane}, {"g": 9.81, "angle": 0.0, "downhill": 0.0, "plane": "upright"}))

    def force(
        self,
        name: str,
        on: Part | str,
        *,
        against: Part | str | None = None,
        signal: Signal | None = None,
        value: Number | Signal = 0.0,
        angle: Number | Signal | None = None,
        direction: Literal["x", "y"] = "x",
    ) -> Part:
        r"""A force over time on a body.

            F = value + signal(t) on the body, −F on what it acts against;   in the plane along x or y, or at an angle from x

        Parameters
        ----------
        on
            The body it acts on.
        against
            The body that bears the reaction; the ground unless given.
        signal
            The force over time, added to `value`.
        value
            Constant part, or a signal. [N]
        angle
            Direction on a planar body, from x towards y, in place of `direction`: a number, or a signal. [rad]
        direction
            Direction on a planar body.
        """
        return self.add(name, Part("force", {"on": on, "against": against, "signal": signal, "value": value, "angle": angle, "direction": direction}, {"against": None, "signal": None, "value": 0.0, "angle": None, "direction": "x"}))

    def contact(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        law: Law,
        carries: Sequence[Part | str] | None = None,
        load: Number | Signal | None = None,
        radius: Number | None = None,
        scale: Number | Signal = 1.0,
        backward: Number | None = None,
        viscous: Number | None = None,
        viscous_backward: Number | None = None,
        offset: Number | None = None,
    ) -> Part:
        r"""A frictional contact between two bodies, or a body and a moving surface.

            w = v_a − v_b;   −F on a, +F on b
            F = F_law(w, n) + d₊ w + F_o forwards,   F_law(w, s₋ n) + d₋ w + F_o backwards
            rotors:   w = r (ω_a − ω_b);   −r F on a, +r F on b

        The load is `load` if given, as a number or as a signal, where the contact is open while the signal is not positive; else
        the weight of the bodies it carries (a trolley: the reaction of its rail). A law given in forces needs no load. Between
        rotors it acts at an effective `radius`: brakes, clutches, bearings and bits.

        Drives, screws and test rigs rarely rub alike in both directions: `backward` scales the friction of backward sliding, at rest too,
        and viscous friction may differ. `offset` is a force beside friction, of gravity or a seal. All of it counts as the force and the loss
        of the contact, so that the loss falls while an offset drives. Laws that remember which of their elements yield, or whose force at rest
        depends on the load, take an `offset` but no `backward`.

        Parameters
        ----------
        between
            The body and its counter-surface.
        law
            The friction law.
        carries
            Bodies whose weight or guide reaction loads the contact; the first of `between` unless given.
        load
            Normal load; left out, it comes from what the contact carries. [N]
        radius
            Effective radius, between rotors. [m]
        scale
            Factor on all friction coefficients, or forces, of the law: a number, or a signal.
        backward
            Factor on the friction of backward sliding; left out, the law is the same both ways.
        viscous
            Viscous friction beside that of the law, forwards, and backwards unless that is given. [N s/m]
        viscous_backward
            Viscous friction beside that of the law, backwards. [N s/m]
        offset
            Force beside friction, against forward motion if it is positive. [N]
        """
        return self.add(name, Part("contact", {"between": (a, b), "law": law, "carries": carries, "load": load, "radius": radius, "scale": scale, "backward": backward, "viscous": viscous, "viscous_backward": viscous_backward, "offset": offset}, {"carries": None, "load": None, "radius": None, "scale": 1.0, "backward": None, "viscous": None, "viscous_backward": None, "offset": None}))

    def planar_contact(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        law: Law,
        carries: Sequence[Part | str] | None = None,
        load: Number | Signal | None = None,
        across: Number = 1.0,
        grain: Number = 0.0,
    ) -> Part:
        r"""A frictional contact of a body that slides in a plane.

            w = v_a − v_b (vectors);   −F on a, +F on b, F from the vector form of the law at slip rate w and load n
            with a grain: along it, and `across` times that across it; the limit at rest is an ellipse

        Every law that is a curve of the speed acts against the slip rate; `coulomb` and `benson` hold on a disc, and where the body lets go or
        comes to rest is located. Of laws with bristles `dahl`, `lugre`, `lugre_dwell`, `elasto_plastic`, `gonthier`, `bouc_wen`, `maxwell_slip`,
        `kikuuwe` and `frdyn2` bend them as vectors; any other applied to each axis would bear √2 times its limit at 45°. The load is `load` if
        given; else, where gravity lays planar bodies on a floor, their weight. Two such contacts that hold one body at rest together share
        what they hold by axis.

        Parameters
        ----------
        between
            The planar body and its counter-surface.
        law
            The friction law: one with a form for vectors.
        carries
            Bodies whose weight loads the contact; the first of `between` unless given.
        load
            Normal load; left out, it comes from what the contact carries, or the law is given in forces. [N]
        across
            Friction across the grain over that along it.
        grain
            Direction of the grain, from x towards y. [rad]
        """
        return self.add(name, Part("planar_contact", {"between": (a, b), "law": law, "carries": carries, "load": load, "across": across, "grain": grain}, {"carries": None, "load": None, "across": 1.0, "grain": 0.0}))

    def capstan(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        ropes: Sequence[Part | str],
        law: Law,
        mu: Number,
        wrap: Number,
        radius: Number = 1.0,
        ei: Number = 0.0,
    ) -> Part:
        r"""A rope over a drum, winch or bollard without finite elements: its friction grows with the tension it holds.

            |T₂ − T₁| ≤ (ρ − 1) min(T₁, T₂),   n = (ρ − 1) min(T₁, T₂)/μ
            ρ = (cos θ₁ + μ sin θ₁) e^{μ(φ − θ₁ − θ₂)}/(cos θ₂ − μ sin θ₂),   cos θ_i = 1 − EI/(2 R² T_i)

        The piece of rope on the drum is a body of its own (a small mass), joined by a spring to what lies before it and by
        another to what lies behind it, with coordinates that grow along the rope. Between that piece and the drum acts any
        law of the catalogue, under a normal load `n` such that its level `μ` holds the tension ratio `ρ`; without bending
        stiffness `ρ = e^{μφ}`. A set-valued law sticks without creep. The ropes must stay taut: a spring also pushes.

        Parameters
        ----------
        between
            The piece of rope on the drum, and the drum's surface.
        ropes
            The springs that pull the piece backwards and forwards.
        law
            The friction law, in coefficients.
        mu
            Coefficient at which the ratio is meant: the law's own at rest.
        wrap
            Wrap angle. [rad]
        radius
            Drum radius; matters with bending stiffness only. [m]
        ei
            Bending stiffness of the rope. [N m^2]
        """
        return self.add(name, Part("capstan", {"between": (a, b), "ropes": ropes, "law": law, "mu": mu, "wrap": wrap, "radius": radius, "ei": ei}, {"radius": 1.0, "ei": 0.0}))

    def rotor(
        self,
        name: str,
        *,
        inertia: Number,
        angle: Number = 0.0,
        speed: Number = 0.0,
    ) -> Part:
        r"""A body that turns about an axis: a flywheel, a shaft, a bit.

            J φ̈ = sum of torques

        Parameters
        ----------
        inertia
            Moment of inertia about the axis. [kg m^2]
        angle
            Angle at the start. [rad]
        speed
            Angular velocity at the start. [rad/s]
        """
        return self.add(name, Part("rotor", {"inertia": inertia, "angle": angle, "speed": speed}, {"angle": 0.0, "speed": 0.0}))

    def rotary_anchor(
        self,
        name: str,
        *,
        angle: Number = 0.0,
    ) -> Part:
        r"""A shaft or housing that never turns. The name `ground` stands for one at the angle zero.

            φ = constant

        Parameters
        ----------
        angle
            Angle. [rad]
        """
        return self.add(name, Part("rotary_anchor", {"angle": angle}, {"angle": 0.0}))

    def rotary_drive(
        self,
        name: str,
        *,
        speed: Number | Signal = 0.0,
        angle: Number | Signal = 0.0,
    ) -> Part:
        r"""A shaft or table whose turning is prescribed.

            φ(t) = angle + ∫ speed dt,   or   φ(t) = angle(t) + speed t

        Speed or angle is a number or a signal; not both of them are signals.

        Parameters
        ----------
        speed
            Angular velocity: a number, or a signal. [rad/s]
        angle
            Angle at the start, or a signal of the angle. [rad]
        """
        return self.add(name, Part("rotary_drive", {"speed": speed, "angle": angle}, {"speed": 0.0, "angle": 0.0}))

    def torsion_spring(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        k: Number | Signal,
        rest: Number | Signal = 0.0,
        preload: Number | Signal = 0.0,
    ) -> Part:
        r"""A linear spring between two rotors: a shaft, a drill string, a torsion bar.

            τ = τ_0 + k (φ_a − φ_b − rest)   turns a towards b

        Parameters
        ----------
        between
            The two rotors it joins.
        k
            Torsional stiffness: a number, or a signal. [N m/rad]
        rest
            Twist `φ_a − φ_b` at which there is the preload alone: a number, or a signal. [rad]
        preload
            Torque at `rest`: a number, or a signal. [N m]
        """
        return self.add(name, Part("torsion_spring", {"between": (a, b), "k": k, "rest": rest, "preload": preload}, {"rest": 0.0, "preload": 0.0}))

    def torsion_cubic_spring(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        k: Number = 0.0,
        cubic: Number = 0.0,
        preload: Number = 0.0,
        rest: Number = 0.0,
    ) -> Part:
        r"""A spring between two rotors that hardens or softens, with a preload: a flexspline, a rubber joint.

            x = φ_a − φ_b − rest,   τ = τ_0 + k x + k_3 x³   turns a towards b

        It is a `cubic_spring` about an axis.

        Parameters
        ----------
        between
            The two rotors it joins.
        k
            Stiffness around `rest`; may be negative. [N m/rad]
        cubic
            Hardening; softening where it is negative. [N m/rad^3]
        preload
            Torque at `rest`. [N m]
        rest
            Twist `φ_a − φ_b` from which it counts. [rad]
        """
        return self.add(name, Part("torsion_cubic_spring", {"between": (a, b), "k": k, "cubic": cubic, "preload": preload, "rest": rest}, {"k": 0.0, "cubic": 0.0, "preload": 0.0, "rest": 0.0}))

    def torsion_table_spring(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        twists: Sequence[Number],
        torques: Sequence[Number],
        rest: Number = 0.0,
        scale: Number = 1.0,
    ) -> Part:
        r"""A spring between two rotors whose torque is given by a table: a clutch disc with several stages, a rubber coupling.

            τ = scale · table(φ_a − φ_b − rest)   turns a towards b;   straight between the points, and going on beyond them

        Parameters
        ----------
        between
            The two rotors it joins.
        twists
            Twists, rising.
        torques
            Torques at these twists.
        rest
            Twist `φ_a − φ_b` from which it counts. [rad]
        scale
            Factor on all torques.
        """
        return self.add(name, Part("torsion_table_spring", {"between": (a, b), "twists": twists, "torques": torques, "rest": rest, "scale": scale}, {"rest": 0.0, "scale": 1.0}))

    def torsion_damper(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        d: Number | Signal = 0.0,
        quadratic: Number | Signal = 0.0,
    ) -> Part:
        r"""A damper between two rotors: linear, quadratic as that of a fan, or both.

            τ = d w + d_2 |w| w,   w = ω_a − ω_b   against the relative turning

        Parameters
        ----------
        between
            The two rotors it joins.
        d
            Torsional damping: a number, or a signal. [N m s/rad]
        quadratic
            Damping with the square of the speed: a number, or a signal. [N m s^2/rad^2]
        """
        return self.add(name, Part("torsion_damper", {"between": (a, b), "d": d, "quadratic": quadratic}, {"d": 0.0, "quadratic": 0.0}))

    def backlash(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        play: Number,
        k: Number,
        d: Number | Signal = 0.0,
        damping: Literal["eased", "full"] = "eased",
    ) -> Part:
        r"""A shaft with play between two rotors: elastic teeth, a spline, a worn coupling.

            φ = φ_a − φ_b;   |φ| ≤ play/2: τ = 0;   else τ = k (φ ∓ play/2) + d φ̇
            eased:   |d φ̇| ≤ k |φ ∓ play/2|;   full:   from the first touch on, and τ = 0 where it would pull

        The flanks push and never pull. Eased damping begins a touch without a jump; full damping begins it with one, and a flank is left
        where nothing pushes any more.

        Parameters
        ----------
        between
            The two rotors it joins.
        play
            Angle from one flank to the other. [rad]
        k
            Torsional stiffness of the flanks. [N m/rad]
        d
            Damping while a flank is touched: a number, or a signal. [N m s/rad]
        damping
            How damping begins.
        """
        return self.add(name, Part("backlash", {"between": (a, b), "play": play, "k": k, "d": d, "damping": damping}, {"d": 0.0, "damping": "eased"}))

    def eddy_brake(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        peak: Number | Signal,
        speed: Number | Signal,
    ) -> Part:
        r"""An eddy-current brake between two rotors: its torque grows with the speed up to a peak and falls beyond.

            τ = 2 peak · s/(1 + s²),   s = (ω_a − ω_b)/speed   against the relative turning

        It cannot hold: at rest there is no torque.

        Parameters
        ----------
        between
            The two rotors it brakes against each other.
        peak
            Largest torque: a number, or a signal. [N m]
        speed
            Difference in speed at which the torque is largest: a number, or a signal. [rad/s]
        """
        return self.add(name, Part("eddy_brake", {"between": (a, b), "peak": peak, "speed": speed}, {}))

    def linear_eddy_brake(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        peak: Number | Signal,
        speed: Number | Signal,
    ) -> Part:
        r"""An eddy-current brake between two bodies on a line, such as one of a train on its rail: its force grows with the speed up to a peak
and falls beyond.

            F = 2 peak · s/(1 + s²),   s = (v_a − v_b)/speed   against the relative motion

        It cannot hold: at rest there is no force.

        Parameters
        ----------
        between
            The two bodies it brakes against each other.
        peak
            Largest force: a number, or a signal. [N]
        speed
            Difference in velocity at which the force is largest: a number, or a signal. [m/s]
        """
        return self.add(name, Part("linear_eddy_brake", {"between": (a, b), "peak": peak, "speed": speed}, {}))

    def torque(
        self,
        name: str,
        on: Part | str,
        *,
        against: Part | str | None = None,
        value: Number | Signal = 0.0,
    ) -> Part:
        r"""A torque on a rotor, constant or over time.

            τ = value on the rotor,   −τ on what it acts against

        A motor whose housing can turn acts against the rotor that stands for it.

        Parameters
        ----------
        on
            The rotor it acts on.
        against
            The rotor that bears the reaction; the ground unless given.
        value
            The torque: a number, or a signal. [N m]
        """
        return self.add(name, Part("torque", {"on": on, "against": against, "value": value}, {"against": None, "value": 0.0}))

    def clutch(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        law: Law,
        force: Number | Signal,
        radius: Number,
        faces: Number = 1.0,
        scale: Number | Signal = 1.0,
    ) -> Part:
        r"""A friction clutch between two rotors.

            τ = faces · radius · F(law, slip rate, force),   slip rate = radius (ω_a − ω_b)

        The force that presses the faces together is a number or a signal; the clutch is open while it is not positive. A clutch of
        torque `T` brings two rotors to one speed after `J₁ J₂ Δω/((J₁ + J₂) T)`, and turns `½ J₁ J₂/(J₁ + J₂) Δω²` into heat,
        however long that takes.

        Parameters
        ----------
        between
            The two rotors it joins.
        law
            The friction law, in coefficients.
        force
            Force that presses the faces together: a number, or a signal. [N]
        radius
            Mean radius of the faces. [m]
        faces
            Number of faces that rub: two for a disc between two plates.
        scale
            Factor on all friction coefficients, or forces, of the law: a number, or a signal.
        """
        return self.add(name, Part("clutch", {"between": (a, b), "law": law, "force": force, "radius": radius, "faces": faces, "scale": scale}, {"faces": 1.0, "scale": 1.0}))

    def brake(
        self,
        name: str,
        on: Part | str,
        *,
        law: Law,
        force: Number | Signal,
        radius: Number,
        faces: Number = 1.0,
        scale: Number | Signal = 1.0,
    ) -> Part:
        r"""A friction brake that holds a rotor to the ground.

            τ = faces · radius · F(law, slip rate, force),   slip rate = radius ω

        The force that presses the pads on is a number or a signal; the brake is open while it is not positive.

        Parameters
        ----------
        on
            The rotor it brakes.
        law
            The friction law, in coefficients.
        force
            Force that presses a pad on: a number, or a signal. [N]
        radius
            Radius at which the pads rub. [m]
        faces
            Number of faces that rub: two for a disc between two pads.
        scale
            Factor on all friction coefficients, or forces, of the law: a number, or a signal.
        """
        return self.add(name, Part("brake", {"on": on, "law": law, "force": force, "radius": radius, "faces": faces, "scale": scale}, {"faces": 1.0, "scale": 1.0}))

    def freewheel(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        restitution: Number = 0.0,
    ) -> Part:
        r"""A freewheel, sprag clutch or ratchet: the first rotor drives the second forwards and is overrun by it.

            ω_a ≤ ω_b,   τ ≥ 0 from a to b,   τ = 0 while ω_a < ω_b

        It is rigid: it locks where the speeds meet, with an impulse if they jump past each other, and lets go where its torque
        falls to zero. Back stops name the `ground` as one of the rotors.

        Parameters
        ----------
        between
            The rotor that drives, and the one that may run ahead of it.
        restitution
            Part of the difference in speed that is left, with the other sign, where they strike.
        """
        return self.add(name, Part("freewheel", {"between": (a, b), "restitution": restitution}, {"restitution": 0.0}))

    def gear(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        support: Part | str | None = None,
        speeds: Sequence[Number] | None = None,
        efficiencies: Sequence[Number] | None = None,
        back_efficiencies: Sequence[Number] | None = None,
        bearings: Sequence[Number] | None = None,
        back_bearings: Sequence[Number] | None = None,
        ratio: Number,
        efficiency: Number | Signal = 1.0,
        back_efficiency: Number | Signal | None = None,
        bearing: Number | Signal = 0.0,
        back_bearing: Number | Signal | None = None,
    ) -> Part:
        r"""A gear: two bodies whose velocities have a fixed ratio, with or without losses in teeth and bearings.

            v_a = ratio · v_b,   force on b = ratio · F',   force on a = −F_in
            s F_in = (s F' + B₁)/η₁ where a drives,   s F_in = η₂ (s F' + B₂) where a is driven,   s = sgn v_a
            with a support that turns: velocities are those against it, and what a and b do not balance acts on it

        It is exact: one of the bodies follows the other, and no stiffness stands in for the teeth. Outer wheels that mesh turn in
        opposite directions, so that their ratio is negative. Positions at the start are as the bodies have them. Bodies on a line
        can be coupled as well; a rotor and a body on a line are better coupled by a `rack`. A housing that can turn itself, in an elastic
        bearing, is named as `support`.

        With an efficiency below one, or friction in its bearings, the gear rubs with a force that depends on what it carries, so that
        it can be stuck: a worm gear that holds its load. Efficiencies and bearing friction may be given over the speed of the first
        body, in lists.

        Parameters
        ----------
        between
            The fast body and the slow one, if the ratio is above one.
        support
            The body that carries the housing, such as a rotor in an elastic bearing; the ground unless given.
        speeds
            Speeds of the first body, from zero on, at which the lists below are given.
        efficiencies
            Efficiencies at these speeds, in place of `efficiency`.
        back_efficiencies
            Efficiencies at these speeds where the first body is driven, in place of `back_efficiency`.
        bearings
            Friction torques at these speeds, in place of `bearing`.
        back_bearings
            Friction torques at these speeds where the first body is driven, in place of `back_bearing`.
        ratio
            Velocity of the first over that of the second; negative where they move in opposite directions.
        efficiency
            Part of the power that comes out of the teeth where the first body drives: a number, or a signal.
        back_efficiency
            The same where the first body is driven; left out, the same number. Zero holds every load.
        bearing
            Friction torque of the bearings, felt at the first rotor: a number, or a signal. [N m]
        back_bearing
            The same where the first body is driven, not less; left out, the same number. [N m]
        """
        return self.add(name, Part("gear", {"between": (a, b), "support": support, "speeds": speeds, "efficiencies": efficiencies, "back_efficiencies": back_efficiencies, "bearings": bearings, "back_bearings": back_bearings, "ratio": ratio, "efficiency": efficiency, "back_efficiency": back_efficiency, "bearing": bearing, "back_bearing": back_bearing}, {"support": None, "speeds": None, "efficiencies": None, "back_efficiencies": None, "bearings": None, "back_bearings": None, "efficiency": 1.0, "back_efficiency": None, "bearing": 0.0, "back_bearing": None}))

    def rack(
        self,
        name: str,
        *,
        body: Part | str,
        rotor: Part | str,
        radius: Number,
    ) -> Part:
        r"""A rack and pinion, a wheel that rolls, a drum with a rope that does not slip: a rotor and a body on a line that move together.

            v = radius · ω,   torque on the rotor = −radius · force on the body

        It is exact: the body follows the rotor. A lead screw is a rack whose radius is its lead over a full turn, `p/(2π)`.

        Parameters
        ----------
        body
            The body on a line.
        rotor
            The rotor.
        radius
            Radius at which they meet; negative where a positive angle moves the body backwards. [m]
        """
        return self.add(name, Part("rack", {"body": body, "rotor": rotor, "radius": radius}, {}))

    def lever(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        first: Number,
        second: Number,
    ) -> Part:
        r"""A lever: two bodies on lines at both ends of a beam, which turns by small angles about a pivot.

            v_a / first + v_b / second = 0,   first · F_a = second · F_b

        The pivot lies between them, so that one goes down where the other comes up; where both lie on the same side of it, give
        one arm a negative length.

        Parameters
        ----------
        between
            The two bodies it joins.
        first
            From the pivot to the first body. [m]
        second
            From the pivot to the second body. [m]
        """
        return self.add(name, Part("lever", {"between": (a, b), "first": first, "second": second}, {}))

    def planetary(
        self,
        name: str,
        *,
        sun: Part | str,
        ring: Part | str,
        carrier: Part | str,
        ratio: Number,
    ) -> Part:
        r"""A planetary gear: sun, ring and carrier, of which two say how the third turns. With a ratio of one it is a differential.

            (1 + ratio) ω_carrier = ω_sun + ratio · ω_ring

        The inertia of the planets belongs to the carrier. A ring that is held is `ground`, or a rotor with a brake.

        Parameters
        ----------
        sun
            The rotor in the middle.
        ring
            The rotor with inner teeth.
        carrier
            The rotor that carries the planets.
        ratio
            Teeth of the ring over those of the sun.
        """
        return self.add(name, Part("planetary", {"sun": sun, "ring": ring, "carrier": carrier, "ratio": ratio}, {}))

    def stop(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        at: Number | Signal = 0.0,
        k: Number,
        damping: Number | Signal = 0.0,
        d: Number | Signal = 0.0,
        exponent: Number | None = None,
    ) -> Part:
        r"""A stop that a body runs against: it pushes back, never pulls, and loses energy with every blow.

            δ = q_a − q_b − at > 0:   F = max(0, k δⁿ (1 + D δ̇) + d δ̇) pushes a back, with |d δ̇| ≤ k δⁿ;   else F = 0

        It bounds `q_a − q_b` from above; name the bodies the other way round for a bound from below. The law of Hunt and Crossley
        begins and ends a blow without a jump; so does the linear damping `d`, which never exceeds the spring's part. Where `at` is a
        signal the stop moves, and puts work in. With an exponent δ counts in metres: a ball on a plate has `n = 1.5` (Hertz).

        Parameters
        ----------
        between
            The body and what stops it.
        at
            Distance `q_a − q_b` at which they touch: a number, or a signal. [m]
        k
            Stiffness. [N/m]
        damping
            Damping, relative to the stiffness. [s/m]
        d
            Linear damping, at most as strong as the spring. [N s/m]
        exponent
            Exponent of the depth; left out, the stop is linear.
        """
        return self.add(name, Part("stop", {"between": (a, b), "at": at, "k": k, "damping": damping, "d": d, "exponent": exponent}, {"at": 0.0, "damping": 0.0, "d": 0.0, "exponent": None}))

    def hard_stop(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        at: Number = 0.0,
        restitution: Number = 0.0,
    ) -> Part:
        r"""A rigid stop that a body strikes: it bounces off with a part of its speed, and rests against the stop in the end.

            q_a − q_b ≤ at;   v⁺ = −e v⁻ where they strike;   F ≥ 0 while they rest against each other

        It bounds `q_a − q_b` from above; name the bodies the other way round for a bound from below. A ball that is dropped bounces
        infinitely often in finite time and then rests. A `stop` is elastic instead.

        Parameters
        ----------
        between
            The body and what stops it.
        at
            Distance `q_a − q_b` at which they strike. [m]
        restitution
            Coefficient of restitution.
        """
        return self.add(name, Part("hard_stop", {"between": (a, b), "at": at, "restitution": restitution}, {"at": 0.0, "restitution": 0.0}))

    def rotary_stop(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        at: Number | Signal = 0.0,
        k: Number,
        damping: Number | Signal = 0.0,
        d: Number | Signal = 0.0,
        exponent: Number | None = None,
    ) -> Part:
        r"""A stop that a rotor runs against: the end of the range of a joint, a key in its slot.

            δ = φ_a − φ_b − at > 0:   τ = max(0, k δⁿ (1 + D δ̇) + d δ̇) turns a back, with |d δ̇| ≤ k δⁿ;   else τ = 0

        It is a `stop` about an axis and bounds `φ_a − φ_b` from above; name the rotors the other way round for a bound from below. Play
        with both flanks is a `backlash`. With an exponent δ counts in radians.

        Parameters
        ----------
        between
            The rotor and what stops it.
        at
            Angle `φ_a − φ_b` at which they touch: a number, or a signal. [rad]
        k
            Stiffness. [N m/rad]
        damping
            Damping, relative to the stiffness. [s/rad]
        d
            Linear damping, at most as strong as the spring. [N m s/rad]
        exponent
            Exponent of the depth; left out, the stop is linear.
        """
        return self.add(name, Part("rotary_stop", {"between": (a, b), "at": at, "k": k, "damping": damping, "d": d, "exponent": exponent}, {"at": 0.0, "damping": 0.0, "d": 0.0, "exponent": None}))

    def rotary_hard_stop(
        self,
        name: str,
        a: Part | str,
        b: Part | str,
        *,
        at: Number = 0.0,
        restitution: Number = 0.0,
    ) -> Part:
        r"""A rigid stop that a rotor strikes: it bounces off with a part of its speed, and rests against the stop in the end.

            φ_a − φ_b ≤ at;   ω⁺ = −e ω⁻ where they strike;   τ ≥ 0 while they rest against each other

        It is a `hard_stop` about an axis and bounds `φ_a − φ_b` from above; name the rotors the other way round for a bound from below.
        Two of them between the same rotors are play without springs. A `rotary_stop` is elastic instead.

        Parameters
        ----------
        between
            The rotor and what stops it.
        at
            Angle `φ_a − φ_b` at which they strike. [rad]
        restitution
            Coefficient of restitution.
        """
        return self.add(name, Part("rotary_hard_stop", {"between": (a, b), "at": at, "restitution": restitution}, {"at": 0.0, "restitution": 0.0}))

    def pid(
        self,
        name: str,
        on: Part | str,
        *,
        reads: Part | str | None = None,
        follows: Part | str | None = None,
        against: Part | str | None = None,
        friction: Law | None = None,
        position: Number | Signal = 0.0,
        kp: Number | Signal = 0.0,
        ki: Number | Signal = 0.0,
        kd: Number | Signal = 0.0,
        filter: Number | None = None,
        limit: Number | None = None,
        dead_band: Number | None = None,
        load: Number | None = None,
    ) -> Part:
        r"""A controller that pushes a body to where it is wanted, in continuous time.

            e = position(t) + q_follows − q,   ẽ = e beyond ±dead_band, zero within
            u = K_p ẽ + K_i ∫ ẽ dt + K_d ė + F_friction(ṙ),   F = u within ±limit, else ±limit
            filter T:   ė → (e − e_f)/T with T ė_f = e − e_f

        With friction and an integral part the body may hunt: it sticks, the integral grows until it breaks away, it overshoots.
        The `friction` that is known in advance can be made up for, at the velocity ṙ at which the wanted position moves.
        While the force is at its limit the integral does not grow further (anti-windup), and shrinks as the error has it.

        Parameters
        ----------
        on
            The body it moves.
        reads
            The body whose position it measures; the one it moves unless given.
        follows
            A body that it follows: the wanted position counts from there, and not from the ground.
        against
            The body that bears the reaction; the ground unless given.
        friction
            The friction that it makes up for: what a law without states says at the wanted velocity.
        position
            Wanted position: a number, or a signal. [m]
        kp
            Gain of the error. [N/m]
        ki
            Gain of its integral. [N/(m s)]
        kd
            Gain of its rate. [N s/m]
        filter
            Time constant of the filter on the rate; left out, the rate is that of the body. [s]
        limit
            Largest force; left out, it has no limit. [N]
        dead_band
            Half width of the band in which an error counts as none; left out, there is no band. [m]
        load
            Load of the friction that is made up for, where its law is stated in coefficients. [N]
        """
        return self.add(name, Part("pid", {"on": on, "reads": reads, "follows": follows, "against": against, "friction": friction, "position": position, "kp": kp, "ki": ki, "kd": kd, "filter": filter, "limit": limit, "dead_band": dead_band, "load": load}, {"reads": None, "follows": None, "against": None, "friction": None, "position": 0.0, "kp": 0.0, "ki": 0.0, "kd": 0.0, "filter": None, "limit": None, "dead_band": None, "load": None}))

    def rotary_pid(
        self,
        name: str,
        on: Part | str,
        *,
        reads: Part | str | None = None,
        follows: Part | str | None = None,
        against: Part | str | None = None,
        friction: Law | None = None,
        angle: Number | Signal = 0.0,
        kp: Number | Signal = 0.0,
        ki: Number | Signal = 0.0,
        kd: Number | Signal = 0.0,
        filter: Number | None = None,
        limit: Number | None = None,
        dead_band: Number | None = None,
        load: Number | None = None,
        radius: Number = 1.0,
    ) -> Part:
        r"""A controller that turns a rotor to where it is wanted, in continuous time: a robot joint, a telescope mount.

            e = angle(t) + φ_follows − φ,   ẽ = e beyond ±dead_band, zero within
            u = K_p ẽ + K_i ∫ ẽ dt + K_d ė + τ_friction(ṙ),   τ = u within ±limit, else ±limit
            filter T:   ė → (e − e_f)/T with T ė_f = e − e_f

        It is a `pid` about an axis. The rotor it measures may be another one than it turns, such as the load behind an elastic gear.

        Parameters
        ----------
        on
            The rotor it turns.
        reads
            The rotor whose angle it measures; the one it turns unless given.
        follows
            A rotor that it follows: the wanted angle counts from there, and not from the ground.
        against
            The rotor that bears the reaction; the ground unless given.
        friction
            The friction that it makes up for: what a law without states says at the wanted velocity.
        angle
            Wanted angle: a number, or a signal. [rad]
        kp
            Gain of the error. [N m/rad]
        ki
            Gain of its integral. [N m/(rad s)]
        kd
            Gain of its rate. [N m s/rad]
        filter
            Time constant of the filter on the rate; left out, the rate is that of the rotor. [s]
        limit
            Largest torque; left out, it has no limit. [N m]
        dead_band
            Half width of the band in which an error counts as none; left out, there is no band. [rad]
        load
            Load of the friction that is made up for, where its law is stated in coefficients. [N]
        radius
            Radius at which that friction acts: its law is read at the speed there. [m]
        """
        return self.add(name, Part("rotary_pid", {"on": on, "reads": reads, "follows": follows, "against": against, "friction": friction, "angle": angle, "kp": kp, "ki": ki, "kd": kd, "filter": filter, "limit": limit, "dead_band": dead_band, "load": load, "radius": radius}, {"reads": None, "follows": None, "against": None, "friction": None, "angle": 0.0, "kp": 0.0, "ki": 0.0, "kd": 0.0, "filter": None, "limit": None, "dead_band": None, "load": None, "radius": 1.0}))

    def sampled_pid(
        self,
        name: str,
        on: Part | str,
        *,
        reads: Part | str | None = None,
        friction: Law | None = None,
        period: Number,
        position: Number | Signal = 0.0,
        kp: Number = 0.0,
        ki: Number = 0.0,
        kd: Number = 0.0,
        delay: Number = 0.0,
        quantum: Number | None = None,
        limit: Number | None = None,
        average: Number = 1.0,
        filter: Number = 0.0,
        load: Number | None = None,
        derivative: Literal["error", "measurement"] = "error",
        first_look: Literal["after_period", "at_start"] = "after_period",
    ) -> Part:
        r"""A digital controller: it looks at a body once every period, and holds its force in between.

            every period T:   y = quantum · round(q/quantum),   e = position(t) − y,   I ← I + T e
            x = e, or −y,   x̄ = mean of x over the last m looks,   D ← D + T/(T + τ) ((x̄ − x̄ before)/T − D)
            u = K_p e + K_i I + K_d D + F_friction(ṙ),   F = u within ±limit, from `delay` later on

        The first look is taken one period after the start, or at the start, when the body has moved at its velocity before. While the
        force is at its limit the integral does not grow further. Every look is an event, so that no step passes over it. A set-point
        that was measured is a `polyline` with its `file` and `column`. A velocity loop within a position loop with the gains `k_v` and `k_p`
        is `K_p = k_v k_p`, `K_d = k_v` with `derivative = "measurement"`.

        Parameters
        ----------
        on
            The body it moves.
        reads
            The body whose position it measures; the one it moves unless given.
        friction
            The friction that it makes up for: what a law without states says at the wanted velocity.
        period
            Time from one look to the next. [s]
        position
            Wanted position: a number, or a signal. [m]
        kp
            Gain of the error. [N/m]
        ki
            Gain of its integral. [N/(m s)]
        kd
            Gain of its difference. [N s/m]
        delay
            Time from a look until its force acts, less than a period. [s]
        quantum
            Step of the measurement; left out, it is exact. [m]
        limit
            Largest force; left out, it has no limit. [N]
        average
            How many looks the difference is taken over the mean of.
        filter
            Time constant of the filter behind the difference. [s]
        load
            Load of the friction that is made up for, where its law is stated in coefficients. [N]
        derivative
            What is differentiated: the error, or the measurement alone, so that steps of the wanted position do not kick.
        first_look
            When the first look is taken: a period after the start, or at the start.
        """
        return self.add(name, Part("sampled_pid", {"on": on, "reads": reads, "friction": friction, "period": period, "position": position, "kp": kp, "ki": ki, "kd": kd, "delay": delay, "quantum": quantum, "limit": limit, "average": average, "filter": filter, "load": load, "derivative": derivative, "first_look": first_look}, {"reads": None, "friction": None, "position": 0.0, "kp": 0.0, "ki": 0.0, "kd": 0.0, "delay": 0.0, "quantum": None, "limit": None, "average": 1.0, "filter": 0.0, "load": None, "derivative": "error", "first_look": "after_period"}))

    def rotary_sampled_pid(
        self,
        name: str,
        on: Part | str,
        *,
        reads: Part | str | None = None,
        friction: Law | None = None,
        period: Number,
        angle: Number | Signal = 0.0,
        kp: Number = 0.0,
        ki: Number = 0.0,
        kd: Number = 0.0,
        delay: Number = 0.0,
        quantum: Number | None = None,
        limit: Number | None = None,
        average: Number = 1.0,
        filter: Number = 0.0,
        load: Number | None = None,
        radius: Number = 1.0,
        derivative: Literal["error", "measurement"] = "error",
        first_look: Literal["after_period", "at_start"] = "after_period",
    ) -> Part:
        r"""A digital controller that turns a rotor: it looks at an angle once every period, and holds its torque in between.

            every period T:   y = quantum · round(φ/quantum),   e = angle(t) − y,   I ← I + T e
            x = e, or −y,   x̄ = mean of x over the last m looks,   D ← D + T/(T + τ) ((x̄ − x̄ before)/T − D)
            u = K_p e + K_i I + K_d D + τ_friction(ṙ),   τ = u within ±limit, from `delay` later on

        It is a `sampled_pid` about an axis: an encoder of 4096 lines has a `quantum` of `360/4096 deg`. The rotor it measures may be
        another one than it turns, such as the load behind a gear.

        Parameters
        ----------
        on
            The rotor it turns.
        reads
            The rotor whose angle it measures; the one it turns unless given.
        friction
            The friction that it makes up for: what a law without states says at the wanted velocity.
        period
            Time from one look to the next. [s]
        angle
            Wanted angle: a number, or a signal. [rad]
        kp
            Gain of the error. [N m/rad]
        ki
            Gain of its integral. [N m/(rad s)]
        kd
            Gain of its difference. [N m s/rad]
        delay
            Time from a look until its torque acts, less than a period. [s]
        quantum
            Step of the measurement; left out, it is exact. [rad]
        limit
            Largest torque; left out, it has no limit. [N m]
        average
            How many looks the difference is taken over the mean of.
        filter
            Time constant of the filter behind the difference. [s]
        load
            Load of the friction that is made up for, where its law is stated in coefficients. [N]
        radius
            Radius at which that friction acts: its law is read at the speed there. [m]
        derivative
            What is differentiated: the error, or the measurement alone, so that steps of the wanted angle do not kick.
        first_look
            When the first look is taken: a period after the start, or at the start.
        """
        return self.add(name, Part("rotary_sampled_pid", {"on": on, "reads": reads, "friction": friction, "period": period, "angle": angle, "kp": kp, "ki": ki, "kd": kd, "delay": delay, "quantum": quantum, "limit": limit, "average": average, "filter": filter, "load": load, "radius": radius, "derivative": derivative, "first_look": first_look}, {"reads": None, "friction": None, "angle": 0.0, "kp": 0.0, "ki": 0.0, "kd": 0.0, "delay": 0.0, "quantum": None, "limit": None, "average": 1.0, "filter": 0.0, "load": None, "radius": 1.0, "derivative": "error", "first_look": "after_period"}))

    def cable(
        self,
        name: str,
        *,
        over: Sequence[Part | str] | None = None,
        length: Number,
        elements: Number = 40.0,
        ea: Number,
        ei: Number = 0.0,
        density: Number,
        damping: Number = 1.0,
        contact_points: Number = 1.0,
        damping_of: Literal["strain", "slope"] = "strain",
        strain: Literal["green", "engineering"] = "green",
        start: Literal["rest", "laid"] = "rest",
    ) -> Part:
        r"""A flexible cable in the plane, laid over drums.

            M a = Q(q, v, t) + Aᵀ F,   places and slopes at each node;   F_i friction of touching nodes
            axial force EA ε + c ε̇,   bending moment EI κ,   weight ρA g;   with damping of the slope EA ε, and c ṙ' besides

        A cable has ends (`cable_end`) and drums with what turns them (`drum_servo`, `drum_motor`). Any number of cables may
        stand alone or beside a mechanism: ends are tied to bodies, drums are carried by them, and `[solver]` moves the whole, at
        an `rtol` of 1e-5 unless it says otherwise. One alone is asked `limit` as well. It touches the drums it is laid over, and those that no cable is laid over. Ends that are not placed hang down from the first and the last drum
        with equal tails. Contact is felt at the nodes: at least ten
        on the arc of every drum give a smooth distribution, and fewer than eight are warned of.

        Nodes arrive at a drum one by one, and what hangs there ripples with each: its speed by a part `(h/R)²/8` for elements
        of length `h`, its tension by as much as the rope and the load amplify that. With `contact_points` above 1 elements are
        felt inside as well, each point with its share of the stiffness and its own friction: with 8 of them the tension of a
        load that a drum of 0.2 m winds up at 1 m/s ripples by a thirtieth of what it does with nodes alone, in fewer steps. A
        soft drum lets the rope arrive more smoothly, but on a smaller radius: with elements of `R/16` and a stiffness of 1e8 N
        the load moves with the rim to 3e-5, and the tension ripples by 5e-4 about what it should be. A cable with such
        points has no `limit`.

        Internal damping acts on the strain: a rope that swings, or runs over a pulley, is not braked by it, and swings on.
        With `damping_of = "slope"`, as published, every turning of the rope loses energy: hanging ends come to rest, but a
        rope that runs over a drum is dragged, by a third of the acceleration of two masses of 3 and 5 kg on a light rope.

        Parameters
        ----------
        over
            The drums the cable is laid over, from its first end to its last.
        length
            Unstretched length. [m]
        elements
            Number of equal elements.
        ea
            Axial stiffness. [N]
        ei
            Bending stiffness. [N m^2]
        density
            Mass per length. [kg/m]
        damping
            Internal damping. [N s]
        contact_points
            Points of contact in each element, evenly spaced, its node among them.
        damping_of
            What internal damping acts on: the strain alone, or every change of the slope, which brakes a rope that turns or
runs over a drum.
        strain
            Strain measure: the published one, or stretch with material curvature.
        start
            Whether it comes to rest before the run or starts as it is laid.
        """
        return self.add(name, Part("cable", {"over": over, "length": length, "elements": elements, "ea": ea, "ei": ei, "density": density, "damping": damping, "contact_points": contact_points, "damping_of": damping_of, "strain": strain, "start": start}, {"over": None, "elements": 40.0, "ei": 0.0, "damping": 1.0, "contact_points": 1.0, "damping_of": "strain", "strain": "green", "start": "rest"}))

    def cable_end(
        self,
        name: str,
        *,
        of: Part | str | None = None,
        on: Part | str | None = None,
        rim: Part | str | None = None,
        force_x: Signal | None = None,
        force_y: Signal | None = None,
        move_x: Signal | None = None,
        move_y: Signal | None = None,
        at: Literal["first", "last"] = "first",
        support: Literal["free", "pinned", "clamped", "moving"] = "free",
        mass: Number = 0.0,
        x: Number | None = None,
        y: Number | None = None,
        direction: Number = 0.0,
        angle: Number = 0.0,
    ) -> Part:
        r"""An end of a cable: what hangs on it, what pulls it, what holds it.

            free: m a = tension + force(t) − m g;   pinned, clamped: stays;   moving: x(0) + move_x(t), y(0) + move_y(t)

        An end without `x` and `y` hangs down from its drum. A moving end is a vessel, a hand or a pay-out: it follows
        `move_x` and `move_y`, each counted from its value at the start.

        Parameters
        ----------
        of
            The cable whose end it is, where there are several.
        on
            The body it is tied to; `x` and `y` then count from there.
        rim
            The drum to whose rim it is tied, at `angle`.
        force_x
            Force to the right over time.
        force_y
            Force upwards over time.
        move_x
            Way to the right over time, of a moving end.
        move_y
            Way upwards over time, of a moving end.
        at
            Which end.
        support
            How it is held.
        mass
            Mass that hangs on it. [kg]
        x
            Where it is laid, to the right. [m]
        y
            Where it is laid, upwards. [m]
        direction
            Direction in which a mass on a line moves it, from the horizontal upwards. [rad]
        angle
            Where on the rim of a drum it is tied, clockwise from the crown. [rad]
        """
        return self.add(name, Part("cable_end", {"of": of, "on": on, "rim": rim, "force_x": force_x, "force_y": force_y, "move_x": move_x, "move_y": move_y, "at": at, "support": support, "mass": mass, "x": x, "y": y, "direction": direction, "angle": angle}, {"of": None, "on": None, "rim": None, "force_x": None, "force_y": None, "move_x": None, "move_y": None, "at": "first", "support": "free", "mass": 0.0, "x": None, "y": None, "direction": 0.0, "angle": 0.0}))

    def drum(
        self,
        name: str,
        *,
        on: Part | str | None = None,
        rotor: Part | str | None = None,
        law: Law | None = None,
        angle: Signal | None = None,
        x: Number = 0.0,
        y: Number = 0.0,
        radius: Number,
        turns: Number = 0.0,
        inertia: Number | None = None,
        bearing: Number = 0.0,
        stiffness: Number = 5000000.0,
        exponent: Number = 1.5,
        damping: Number = 1.0,
        sense: Literal["along", "against"] = "along",
    ) -> Part:
        r"""A drum, pulley or capstan, with a fixed centre or carried by a body.

            δ = R − |r − r₀| > 0:   N = max(0, k δⁿ (1 + D δ̇));   friction from the law at slip speed t·v − s ω R

        It stands still, follows `angle`, turns freely if it has an `inertia`, is turned by a `drum_servo` or a
        `drum_motor`, or turns as one with a `rotor`: a shaft that drives, springs, clutches and gears turn. A drum that feels its
        cable is a rotor itself, so that brakes, gears and torques may name it. Positive angles are clockwise. A drum the cable passes clockwise, on top from left to right, is
        `along`; one that it passes the other way round, below from left to right, is `against`. Laws that read the holding
        force (`quinn`, `cdq`, `karnopp`) hold without creep; any velocity or bristle law of the catalogue works as well.
        A drum is as hard as its `stiffness`: a cable that sinks in by more than 2 % of the radius is warned of.

        Parameters
        ----------
        on
            The body that carries it; `x` and `y` then count from there.
        rotor
            The rotor, drive or anchor it turns with as one; several drums may share it.
        law
            The friction law; none makes the drum smooth.
        angle
            Angle over time, of a drum that is turned as given.
        x
            Centre, to the right. [m]
        y
            Centre, upwards. [m]
        radius
            Radius to the cable's centre line. [m]
        turns
            Whole turns of the cable besides the part its way needs; they share one plane.
        inertia
            Inertia of a drum that turns freely; left out, it does not feel the cable. [kg m^2]
        bearing
            Friction of its bearing, if it turns freely. [N m s/rad]
        stiffness
            Contact stiffness: the force at a penetration of 1 m, so that the number is `k` in N/mⁿ. [N]
        exponent
            Exponent of the penetration.
        damping
            Contact damping. [s/m]
        sense
            Whether the cable passes it clockwise, so that positive angles carry the surface along, or the other way round.
        """
        return self.add(name, Part("drum", {"on": on, "rotor": rotor, "law": law, "angle": angle, "x": x, "y": y, "radius": radius, "turns": turns, "inertia": inertia, "bearing": bearing, "stiffness": stiffness, "exponent": exponent, "damping": damping, "sense": sense}, {"on": None, "rotor": None, "law": None, "angle": None, "x": 0.0, "y": 0.0, "turns": 0.0, "inertia": None, "bearing": 0.0, "stiffness": 5000000.0, "exponent": 1.5, "damping": 1.0, "sense": "along"}))

    def drum_servo(
        self,
        name: str,
        *,
        turns: Part | str,
        angle: Signal,
        kp: Number = 100.0,
        kd: Number = 20.0,
    ) -> Part:
        r"""A servo that turns a drum and does not feel the cable.

            ω̇ = k_p (θ_d(t) − θ) + k_d (θ̇_d(t) − ω)

        Parameters
        ----------
        turns
            The drum it turns.
        angle
            Wanted angle over time.
        kp
            Gain of the angle. [1/s^2]
        kd
            Gain of the speed. [1/s]
        """
        return self.add(name, Part("drum_servo", {"turns": turns, "angle": angle, "kp": kp, "kd": kd}, {"kp": 100.0, "kd": 20.0}))

    def drum_motor(
        self,
        name: str,
        *,
        turns: Part | str,
        angle: Signal | None = None,
        torque: Signal | None = None,
        inertia: Number,
        kp: Number = 0.0,
        kd: Number = 0.0,
        bearing: Number = 0.0,
    ) -> Part:
        r"""A controlled motor that turns a drum and feels the cable.

            J ω̇ = τ(t) + K_p (θ_d(t) − θ) + K_d (θ̇_d(t) − ω) − d ω − Σ s R F

        Parameters
        ----------
        turns
            The drum it turns.
        angle
            Wanted angle over time; zero unless given.
        torque
            Torque over time besides the control.
        inertia
            Inertia of drum, gear and rotor, seen at the drum. [kg m^2]
        kp
            Gain of the angle. [N m/rad]
        kd
            Gain of the speed. [N m s/rad]
        bearing
            Friction of the bearing. [N m s/rad]
        """
        return self.add(name, Part("drum_motor", {"turns": turns, "angle": angle, "torque": torque, "inertia": inertia, "kp": kp, "kd": kd, "bearing": bearing}, {"angle": None, "torque": None, "kp": 0.0, "kd": 0.0, "bearing": 0.0}))
