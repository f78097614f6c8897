"use strict";
(function () {
  const store = JSON.parse(document.getElementById("figures").textContent);
  const NS = "http://www.w3.org/2000/svg";
  const make = (tag, attributes, parent) => {
    const node = document.createElementNS(NS, tag);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(node);
    return node;
  };
  const raise = (n) => String(n).replace(/[-\d]/g, (c) => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]);
  const show = (v, digits) => {
    if (v === null || !isFinite(v)) return "–";
    const size = Math.abs(v), is_plain = v === 0 || (size >= 1e-3 && size < 1e6);
    if (is_plain) return String(+v.toPrecision(digits || 5)).replace("-", "−");
    const [mantissa, power] = v.toExponential((digits || 5) - 1).split("e");
    return String(+mantissa).replace("-", "−") + "×10" + raise(+power);
  };
  // The power of a thousand taken out of tick labels, as in the figures themselves.
  const common = (axis) => {
    const largest = Math.max(Math.abs(axis.lo), Math.abs(axis.hi));
    return axis.log || (largest >= 1e-2 && largest < 1e4) ? 0 : 3 * Math.floor(Math.floor(Math.log10(largest) + 1e-9) / 3);
  };

  // An axis maps values to 0…1 and back.
  const share = (axis, v) => axis.log ? (v > 0 ? Math.log(v / axis.lo) / Math.log(axis.hi / axis.lo) : NaN) : (v - axis.lo) / (axis.hi - axis.lo);
  const value = (axis, s) => axis.log ? axis.lo * Math.pow(axis.hi / axis.lo, s) : axis.lo + s * (axis.hi - axis.lo);
  const ticks = (axis, count) => {
    const out = [];
    if (axis.log && axis.hi / axis.lo > 8) {
      const first = Math.ceil(Math.log10(axis.lo) - 1e-9), last = Math.floor(Math.log10(axis.hi) + 1e-9);
      const stride = Math.max(1, Math.ceil((last - first) / count));
      for (let e = first; e <= last; e++) if (e % stride === 0) out.push(Math.pow(10, e));
      return out;
    }
    const raw = (axis.hi - axis.lo) / count, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
    for (let k = Math.ceil(axis.lo / step - 1e-9); k <= axis.hi / step + 1e-9; k++) out.push(k * step);
    return out;
  };

  // A figure for small screens shows what its larger twin shows.
  const all = new Map(store.panels.map((meta) => [meta.id, meta]));
  store.panels.forEach((meta) => {
    const twin = all.get(meta.like);
    if (twin) { meta.series = twin.series; meta.heat = twin.heat; }
  });

  function panel(meta) {
    const group = document.querySelector('[data-panel="' + meta.id + '"]');
    if (!group) return;
    const svg = group.ownerSVGElement, figure = svg.closest("figure");
    // Figures over the same time in one section belong to one run.
    const section = figure.closest("section");
    if (!meta.link && /^time\b/.test(meta.x.name)) meta.link = (section ? section.id : "") + "/" + meta.x.name;
    const [left, top, width, height] = meta.box;
    const full = { x: meta.x, y: meta.y };
    let now = { x: Object.assign({}, full.x), y: Object.assign({}, full.y) };
    const own = ["bp-axes", "bp-grid"].map((c) => group.querySelector("." + c)).filter(Boolean);
    const zoomed = make("g", {}, group);
    const dot = make("circle", { r: 4, fill: "none", "stroke-width": 2, visibility: "hidden" }, group);
    const cursor = make("path", { class: "bp-cursor", fill: "none", visibility: "hidden" }, group);
    const frame = make("rect", { fill: "#0072b2", "fill-opacity": 0.12, stroke: "#0072b2", visibility: "hidden" }, group);
    const legend = group.querySelector(".bp-legend");
    const catcher = make("rect", { class: "bp-catch", x: left, y: top, width: width, height: height });
    group.insertBefore(catcher, legend);
    let readout = figure.querySelector(".readout");
    if (!readout) {
      readout = document.createElement("div");
      readout.className = "readout";
      figure.appendChild(readout);
    }
    const hidden = new Set();
    const px = (v) => left + width * share(now.x, v), py = (v) => top + height * (1 - share(now.y, v));
    // Pixels of the original drawing to pixels of the zoomed one: affine, because both scales are.
    const ends = (axis) => [share(full[axis], now[axis].lo), share(full[axis], now[axis].hi)];
    const affine = () => {
      const [a, b] = ends("x"), [c, d] = ends("y");
      const sx = 1 / (b - a), sy = 1 / (d - c);
      return { sx: sx, tx: left - sx * (left + width * a), sy: sy, ty: top - sy * (top + height * (1 - d)) };
    };

    function redraw() {
      const m = affine(), is_full = m.sx === 1 && m.sy === 1;
      group.querySelectorAll(".bp-scaled").forEach((n) => n.setAttribute("transform", "matrix(" + [m.sx, 0, 0, m.sy, m.tx, m.ty].join(" ") + ")"));
      group.querySelectorAll(".bp-marks path").forEach((n) => {
        if (!n.dataset.d) n.dataset.d = n.getAttribute("d");
        n.setAttribute("d", n.dataset.d.replace(/M([-\d.]+),([-\d.]+)/g, (_, x, y) => "M" + (m.sx * x + m.tx).toFixed(2) + "," + (m.sy * y + m.ty).toFixed(2)));
      });
      group.querySelectorAll(".bp-words").forEach((n) => {
        const [x, y] = n.dataset.at.split(",").map(Number), along = n.dataset.move;
        const dx = along.includes("x") ? m.sx * x + m.tx - x : 0, dy = along.includes("y") ? m.sy * y + m.ty - y : 0;
        n.setAttribute("transform", "translate(" + dx + " " + dy + ")");
      });
      own.forEach((n) => n.setAttribute("visibility", is_full ? "visible" : "hidden"));
      dot.setAttribute("visibility", "hidden");
      zoomed.textContent = "";
      if (!is_full) axes();
    }

    function axes() {
      const text = (x, y, anchor, words) => { make("text", { x: x, y: y, "font-size": 12, "text-anchor": anchor, fill: "#222222" }, zoomed).textContent = words; };
      const [ex, ey] = [common(now.x), common(now.y)];
      for (const v of ticks(now.x, Math.max(2, Math.floor(width / 95)))) {
        make("path", { d: "M" + px(v) + "," + (top + height) + "v-5", stroke: "#333333" }, zoomed);
        if (!meta.bare) text(px(v), top + height + 16, "middle", show(v / Math.pow(10, ex), 6));
      }
      for (const v of ticks(now.y, Math.max(2, Math.floor(height / 45)))) {
        make("path", { d: "M" + left + "," + py(v) + "h5", stroke: "#333333" }, zoomed);
        text(left - 6, py(v) + 4, "end", show(v / Math.pow(10, ey), 6));
      }
      if (ex && !meta.bare) text(left + width + 4, top + height + 33, "end", "×10" + raise(ex));
      if (ey) text(left - 4, top - 9, "end", "×10" + raise(ey));
    }

    const at = (event) => {
      const p = svg.createSVGPoint();
      p.x = event.clientX; p.y = event.clientY;
      const q = p.matrixTransform(svg.getScreenCTM().inverse());
      return [Math.min(left + width, Math.max(left, q.x)), Math.min(top + height, Math.max(top, q.y))];
    };
    // The cursor of a panel stands at the same time in all figures of the run.
    const mark = (v) => {
      const x = v === null ? NaN : px(v), is_in = x >= left && x <= left + width;
      cursor.setAttribute("visibility", is_in ? "visible" : "hidden");
      if (is_in) cursor.setAttribute("d", "M" + x + "," + top + "v" + height);
    };
    const point = (v) => panels.forEach((p) => { if (meta.link && p.meta.link === meta.link) p.mark(v); });
    const quiet = () => { point(null); readout.style.display = "none"; dot.setAttribute("visibility", "hidden"); };
    const line = (name, v, unit) => (name ? name + " = " : "") + show(v) + (unit ? " " + unit : "");

    function read(event) {
      const [mx, my] = at(event);
      point(value(now.x, (mx - left) / width));
      let best = null, distance = 40;
      for (const s of meta.series) {
        if (hidden.has(s.layer)) continue;
        for (let i = 0; i < s.x.length; i++) {
          if (s.x[i] === null || s.y[i] === null) continue;
          const d = Math.hypot(px(s.x[i]) - mx, py(s.y[i]) - my);
          if (d < distance) { distance = d; best = { s: s, x: s.x[i], y: s.y[i] }; }
        }
      }
      const rows = [];
      if (best) {
        if (best.s.name) rows.push(best.s.name);
        rows.push(line(meta.x.name, best.x, meta.x.unit), line(meta.y.name, best.y, meta.y.unit));
        dot.setAttribute("cx", px(best.x)); dot.setAttribute("cy", py(best.y));
        dot.setAttribute("stroke", best.s.colour); dot.setAttribute("visibility", "visible");
      } else {
        dot.setAttribute("visibility", "hidden");
        if (!meta.heat) { readout.style.display = "none"; return; }
        const x = value(now.x, (mx - left) / width), y = value(now.y, 1 - (my - top) / height), h = meta.heat;
        const cell = (edges, v) => edges.findIndex((e, k) => k + 1 < edges.length && v >= e && v <= edges[k + 1]);
        const i = cell(h.x, x), j = cell(h.y, y);
        if (i < 0 || j < 0) { quiet(); return; }
        const v = h.v[j * (h.x.length - 1) + i];
        rows.push(h.classes.length ? h.classes[Math.round(v)] || "–" : line(h.name, v, h.unit));
        rows.push(line(meta.x.name, x, meta.x.unit), line(meta.y.name, y, meta.y.unit));
      }
      readout.textContent = "";
      rows.forEach((r, k) => { if (k) readout.appendChild(document.createElement("br")); readout.appendChild(document.createTextNode(r)); });
      readout.style.display = "block";
      const box = figure.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      readout.style.left = (x + 18 + readout.offsetWidth > box.width ? x - 14 - readout.offsetWidth : x + 14) + "px";
      readout.style.top = Math.max(0, y - readout.offsetHeight - 10) + "px";
    }

    // Panels that share their horizontal axis zoom along it together.
    const adopt = (axis) => { now.x.lo = axis.lo; now.x.hi = axis.hi; redraw(); };
    const follow = () => panels.forEach((p) => { if (meta.link && p.meta.link === meta.link && p.meta !== meta) p.adopt(now.x); });
    let start = null;
    catcher.addEventListener("pointerdown", (e) => { if (e.button === 0) { start = at(e); catcher.setPointerCapture(e.pointerId); e.preventDefault(); } });
    catcher.addEventListener("pointermove", (e) => {
      if (!start) { read(e); return; }
      quiet();
      const end = at(e);
      frame.setAttribute("x", Math.min(start[0], end[0])); frame.setAttribute("y", Math.min(start[1], end[1]));
      frame.setAttribute("width", Math.abs(end[0] - start[0])); frame.setAttribute("height", Math.abs(end[1] - start[1]));
      frame.setAttribute("visibility", "visible");
    });
    catcher.addEventListener("pointerup", (e) => {
      frame.setAttribute("visibility", "hidden");
      if (!start) return;
      const a = start, b = at(e);
      start = null;
      const wide = Math.abs(b[0] - a[0]) > 6, high = Math.abs(b[1] - a[1]) > 6;
      if (!wide && !high) return;
      const next = { x: Object.assign({}, now.x), y: Object.assign({}, now.y) };
      // A flat frame zooms sideways only, a slim one upwards only.
      if (wide) { next.x.lo = value(now.x, (Math.min(a[0], b[0]) - left) / width); next.x.hi = value(now.x, (Math.max(a[0], b[0]) - left) / width); }
      if (high) { next.y.lo = value(now.y, 1 - (Math.max(a[1], b[1]) - top) / height); next.y.hi = value(now.y, 1 - (Math.min(a[1], b[1]) - top) / height); }
      now = next;
      redraw();
      follow();
    });
    catcher.addEventListener("pointercancel", () => { start = null; frame.setAttribute("visibility", "hidden"); });
    catcher.addEventListener("dblclick", () => { now = { x: Object.assign({}, full.x), y: Object.assign({}, full.y) }; redraw(); follow(); });
    catcher.addEventListener("pointerleave", () => { if (!start) quiet(); });
    panels.push({ svg: svg, group: group, meta: meta, hidden: hidden, adopt: adopt, mark: mark });
  }

  // A legend entry acts on its own panel, or by label on all panels when it stands below a grid.
  const panels = [];
  function keys() {
    document.querySelectorAll(".bp-key").forEach((key) => {
      const home = key.closest(".bp-panel");
      const svg = key.ownerSVGElement;
      const targets = panels.filter((p) => (home ? p.group === home : p.svg === svg));
      key.addEventListener("click", () => {
        const off = key.classList.toggle("off");
        const own = key.dataset.layers.split(" ").filter(Boolean).map(Number);
        targets.forEach((p) => {
          const layers = home ? own : p.meta.series.filter((s) => s.name === key.dataset.label).map((s) => s.layer);
          layers.forEach((k) => {
            if (off) p.hidden.add(k); else p.hidden.delete(k);
            const node = p.group.querySelector('.bp-layer[data-layer="' + k + '"]');
            if (node) node.classList.toggle("off", off);
          });
        });
      });
    });
  }

  function animation(figure) {
    const film = store.animations[+figure.dataset.animation], frames = film.frames;
    const canvas = figure.querySelector("canvas"), button = figure.querySelector("button");
    const slider = figure.querySelector("input"), output = figure.querySelector("output"), pen = canvas.getContext("2d");
    let lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
    const hold = (p, r) => { for (let k = 0; k < 2; k++) { lo[k] = Math.min(lo[k], p[k] - r); hi[k] = Math.max(hi[k], p[k] + r); } };
    frames.forEach((f) => { f.l.forEach((l) => l.p.forEach((p) => hold(p, 0))); f.o.forEach((o) => hold(o.p, o.r)); });
    if (!(hi[0] >= lo[0])) return;
    for (let k = 0; k < 2; k++) if (hi[k] === lo[k]) { lo[k] -= 1; hi[k] += 1; }
    const room = [62, 44];
    // As sharp as the screen, with words of their own size.
    let w, h, sx, sy;
    const X = (v) => room[0] + w / 2 + sx * (v - (lo[0] + hi[0]) / 2), Y = (v) => 14 + h / 2 - sy * (v - (lo[1] + hi[1]) / 2);
    const axis = (k, scale) => ({ lo: (lo[k] + hi[k]) / 2 - (k ? h : w) / 2 / scale, hi: (lo[k] + hi[k]) / 2 + (k ? h : w) / 2 / scale });
    function fit() {
      const dots = window.devicePixelRatio || 1, wide = canvas.clientWidth || 640, high = wide * 0.625;
      canvas.width = Math.round(wide * dots); canvas.height = Math.round(high * dots);
      pen.setTransform(dots, 0, 0, dots, 0, 0);
      w = wide - room[0] - 14; h = high - room[1] - 14;
      sx = w / (hi[0] - lo[0]) * 0.94; sy = h / (hi[1] - lo[1]) * 0.94;
      if (film.equal) sx = sy = Math.min(sx, sy);
    }
    const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const ink = (c) => c === "#222222" || c === "#333333" ? tone("--ink") : c;

    function draw(index) {
      const f = frames[index], wide = room[0] + w + 14, high = 14 + h + room[1];
      pen.fillStyle = tone("--paper"); pen.fillRect(0, 0, wide, high);
      pen.strokeStyle = tone("--axis"); pen.lineWidth = 1; pen.strokeRect(room[0], 14, w, h);
      pen.fillStyle = tone("--ink"); pen.font = "12px 'Noto Sans', Arial, sans-serif"; pen.strokeStyle = tone("--grid");
      pen.textAlign = "center";
      for (const v of ticks(axis(0, sx), Math.max(2, Math.floor(w / 85)))) { pen.beginPath(); pen.moveTo(X(v), 15); pen.lineTo(X(v), 13 + h); pen.stroke(); pen.fillText(show(v, 4), X(v), 14 + h + 16); }
      pen.textAlign = "right";
      for (const v of ticks(axis(1, sy), Math.max(2, Math.floor(h / 60)))) { pen.beginPath(); pen.moveTo(room[0] + 1, Y(v)); pen.lineTo(room[0] + w - 1, Y(v)); pen.stroke(); pen.fillText(show(v, 4), room[0] - 6, Y(v) + 4); }
      pen.textAlign = "center"; pen.fillText(film.x, room[0] + w / 2, high - 8);
      pen.save(); pen.translate(14, 14 + h / 2); pen.rotate(-Math.PI / 2); pen.fillText(film.y, 0, 0); pen.restore();
      pen.lineJoin = "round"; pen.lineWidth = 2;
      for (const o of f.o) { pen.strokeStyle = ink(o.c); pen.beginPath(); pen.ellipse(X(o.p[0]), Y(o.p[1]), Math.max(2, o.r * sx), Math.max(2, o.r * sy), 0, 0, 2 * Math.PI); pen.stroke(); }
      for (const l of f.l) { pen.strokeStyle = ink(l.c); pen.beginPath(); l.p.forEach((p, k) => k ? pen.lineTo(X(p[0]), Y(p[1])) : pen.moveTo(X(p[0]), Y(p[1]))); pen.stroke(); }
      output.textContent = "t = " + show(f.t, 4) + " s";
      slider.value = index;
    }

    let began = null;
    function step(clock) {
      if (!began) return;
      const t = began.t + (clock - began.clock) / 1000 * film.speed;
      let i = +slider.value;
      while (i + 1 < frames.length && frames[i + 1].t <= t) i++;
      draw(i);
      if (i + 1 >= frames.length) { began = null; button.textContent = "Play"; return; }
      requestAnimationFrame(step);
    }
    button.addEventListener("click", () => {
      if (began) { began = null; button.textContent = "Play"; return; }
      if (+slider.value >= frames.length - 1) slider.value = 0;
      began = { t: frames[+slider.value].t, clock: performance.now() };
      button.textContent = "Pause";
      requestAnimationFrame(step);
    });
    slider.addEventListener("input", () => { began = null; button.textContent = "Play"; draw(+slider.value); });
    const again = () => { fit(); draw(+slider.value); };
    window.addEventListener("resize", again);
    if (window.matchMedia) window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
    again();
  }

  // The section in sight is marked in the contents.
  function contents() {
    const links = new Map([...document.querySelectorAll("nav a")].map((a) => [a.hash.slice(1), a]));
    if (!links.size || !window.IntersectionObserver) return;
    const watch = new IntersectionObserver((entries) => entries.forEach((e) => {
      if (!e.isIntersecting) return;
      links.forEach((a, id) => a.classList.toggle("here", id === e.target.id));
    }), { rootMargin: "-10% 0px -80% 0px" });
    document.querySelectorAll("section").forEach((s) => watch.observe(s));
  }

  contents();
  store.panels.forEach(panel);
  keys();
  document.querySelectorAll("[data-animation]").forEach(animation);
})();
