"use strict";
// Pictures of mechanisms: every stroke is held by bodies that move. Gives what draws the picture `svg` at an instant of `film`, which
// is an index with a fraction, the last of them, and the time that belongs to it.
function filmOf(film, svg) {
  const STATES = ["c-sticks", "c-slips", "c-open"];
  const near = (v) => Math.round(v * 10) / 10;
  const nodes = new Map();
  svg.querySelectorAll("[data-stroke]").forEach((n) => nodes.set(+n.dataset.stroke, n));
  const names = [...svg.querySelectorAll("[data-frame]")];
  const last = film.t.length - 1;
  // Where between two instants: an index with a fraction.
  const mix = (list, at) => {
    if (!list.length) return 0;
    const i = Math.min(Math.floor(at), list.length - 1), j = Math.min(i + 1, list.length - 1);
    return list[i] + (at - i) * (list[j] - list[i]);
  };
  const hold = (frame, x, y, at) => {
    const t = film.tracks[frame];
    if (!t) return [x, y];
    const a = mix(t.a, at), sin = Math.sin(a), cos = Math.cos(a), dx = x - t.p[0], dy = y - t.p[1];
    return [t.p[0] + cos * dx - sin * dy + mix(t.x, at), t.p[1] + sin * dx + cos * dy + mix(t.y, at)];
  };
  const place = (p, at) => {
    const from = hold(p[0], p[1], p[2], at);
    if (p.length < 9) return from;
    const to = hold(p[3], p[4], p[5], at), wx = to[0] - from[0], wy = to[1] - from[1];
    const length = Math.max(Math.hypot(wx, wy), 1e-9), ux = wx / length, uy = wy / length;
    const along = p[6] * length + p[7];
    return [from[0] + along * ux - p[8] * uy, from[1] + along * uy + p[8] * ux];
  };
  const path = (points) => points.map((p, i) => (i ? "L" : "M") + near(p[0]) + "," + near(p[1])).join("");
  const arrow = (tail, head) => {
    const wx = head[0] - tail[0], wy = head[1] - tail[1], length = Math.hypot(wx, wy);
    const ux = length > 1e-6 ? wx / length : 1, uy = length > 1e-6 ? wy / length : 0, tip = Math.min(9, length);
    const barb = (s) => [head[0] - tip * ux - s * 0.5 * tip * uy, head[1] - tip * uy + s * 0.5 * tip * ux];
    return path([tail, head]) + path([barb(1), head, barb(-1)]);
  };

  function draw(at) {
    const k = Math.min(Math.round(at), last);
    for (const s of film.strokes) {
      const node = nodes.get(s.k);
      if (!node) continue;
      if (s.p) node.setAttribute("d", path(s.p.map((p) => place(p, at))) + (s.z ? "z" : ""));
      else if (s.o) {
        const c = place(s.o, at);
        node.setAttribute("cx", near(c[0]));
        node.setAttribute("cy", near(c[1]));
      } else if (s.w) {
        const tail = place(s.w, at), share = s.f === null ? 1 : mix(film.forces[s.f], at);
        node.setAttribute("d", arrow(tail, [tail[0] + share * s.r[0], tail[1] + share * s.r[1]]));
      } else {
        const flat = film.ropes[s.n][k], points = [];
        for (let i = 0; i + 1 < flat.length; i += 2) points.push([flat[i], flat[i + 1]]);
        node.setAttribute("d", path(points));
      }
      if (s.s !== undefined) {
        const t = film.tracks[s.s];
        node.setAttribute("stroke-dashoffset", near(-mix(t.x.length ? t.x : t.y, at)));
      }
      if (s.c !== undefined) {
        const state = +film.states[s.c][k];
        STATES.forEach((c, i) => node.classList.toggle(c, i === state));
      }
    }
    names.forEach((n) => {
      const t = film.tracks[+n.dataset.frame];
      n.setAttribute("transform", "translate(" + near(mix(t.x, at)) + " " + near(mix(t.y, at)) + ")");
    });
  }
  return { draw, last, time: (at) => mix(film.t, at) };
}
