"use strict";
// Figures on canvases: axes, lines, points, shades, cells.
const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
const PREFIXED = new Set(["m", "m/s", "m/s^2", "s", "N", "J", "W", "N m", "Hz"]);
const DASHES = [[], [7, 4], [2, 3]];

// Colours of the theme, looked up once.
let tints = new Map();
const colour = (name) => {
  if (!tints.has(name)) tints.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
  return tints.get(name);
};
const say = (v, digits = 4) => {
  if (!Number.isFinite(v)) return "–";
  const text = String(+v.toPrecision(digits));
  const power = /^(.*)e([+-])(\d+)$/.exec(text);
  if (!power) return text.replace("-", "−");
  const raised = [...power[3]].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[+d]).join("");
  return (power[1] === "1" ? "" : power[1].replace("-", "−") + "·") + "10" + (power[2] === "-" ? "⁻" : "") + raised;
};
const prettyUnit = (unit) => (unit === "1" ? "" : unit.replace(/\^2/g, "²").replace(/\^3/g, "³").replace(/(\w) (?=\w)/g, "$1·").replace(/\*/g, "·"));
const withUnit = (v, unit, digits) => say(v, digits) + (unit && unit !== "1" ? " " + prettyUnit(unit) : "");

// A unit in which numbers up to `most` are easy to read.
function readable(unit, most) {
  if (!PREFIXED.has(unit) || !(most > 0) || (most >= 0.1 && most < 1e4)) return [1, prettyUnit(unit)];
  const found = PREFIXES.find(([factor]) => most >= factor) || PREFIXES[PREFIXES.length - 1];
  return [found[0], found[1] + prettyUnit(unit)];
}

function extent(lists) {
  let low = Infinity, high = -Infinity;
  for (const list of lists) for (const v of list) if (v < low) low = v; else if (v > high) high = v;
  // The first value may have been the lowest and the highest.
  for (const list of lists) for (const v of list) { if (v > high) high = v; if (v < low) low = v; }
  if (!(high >= low)) return [0, 1];
  if (high - low < 1e-12 * Math.max(1e-12, Math.abs(high))) { const pad = Math.abs(high) * 0.1 || 1; return [low - pad, high + pad]; }
  return [low, high];
}

function ticks(from, to, count, isLog) {
  const all = [];
  if (isLog) {
    const wide = Math.log10(to / from) > 2.2;
    for (let e = Math.floor(Math.log10(from)); e <= Math.ceil(Math.log10(to)); e++) {
      for (const m of wide ? [1] : [1, 2, 5]) { const v = m * 10 ** e; if (v >= from * 0.999 && v <= to * 1.001) all.push(v); }
    }
    return all;
  }
  const rough = (to - from) / Math.max(count, 1), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) || rough;
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) all.push(Math.abs(k * step) < 1e-9 * step ? 0 : k * step);
  return all;
}

// Draws a figure and keeps in `canvas.view` how its values lie on the screen.
function plot(canvas, spec) {
  const width = canvas.clientWidth, height = canvas.clientHeight, sharp = window.devicePixelRatio || 1;
  if (!width || !height) return;
  if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
  }
  const c = canvas.getContext("2d");
  c.setTransform(sharp, 0, 0, sharp, 0, 0);
  c.clearRect(0, 0, width, height);
  c.font = "12px 'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
  const ink = colour("ink"), soft = colour("soft"), grid = colour("grid"), axis = colour("axis");
  const xs = spec.x.range || extent(spec.series.map((s) => s.x)), raw = spec.y.range || extent(spec.series.map((s) => s.y));
  const pad = spec.y.range ? 0 : 0.07 * (raw[1] - raw[0]), ys = [raw[0] - pad, raw[1] + pad];
  const padX = spec.x.range || spec.x.tight ? 0 : 0.04 * (xs[1] - xs[0]), xr = [xs[0] - padX, xs[1] + padX];
  const [fx, ux] = readable(spec.x.unit, spec.x.log ? 0 : Math.max(Math.abs(xr[0]), Math.abs(xr[1])));
  const [fy, uy] = readable(spec.y.unit, spec.y.log ? 0 : Math.max(Math.abs(ys[0]), Math.abs(ys[1])));
  const marksY = ticks(ys[0] / fy, ys[1] / fy, height / 42, spec.y.log), wordsY = marksY.map((v) => say(v, 6));
  const left = Math.max(spec.left || 34, 12 + Math.max(0, ...wordsY.map((w) => c.measureText(w).width))), right = 12, top = 22, bottom = spec.x.hidden ? 8 : 38;
  const box = { left, top, width: Math.max(10, width - left - right), height: Math.max(10, height - top - bottom) };
  const across = (r, log, v) => (log ? Math.log(v / r[0]) / Math.log(r[1] / r[0]) : (v - r[0]) / (r[1] - r[0]));
  const X = (v) => box.left + box.width * across(xr, spec.x.log, v), Y = (v) => box.top + box.height * (1 - across(ys, spec.y.log, v));
  const back = (r, log, s) => (log ? r[0] * (r[1] / r[0]) ** s : r[0] + s * (r[1] - r[0]));
  canvas.view = { box, X, Y, x: (px) => back(xr, spec.x.log, (px - box.left) / box.width), y: (py) => back(ys, spec.y.log, 1 - (py - box.top) / box.height) };
  c.save();
  c.beginPath();
  c.rect(box.left, box.top, box.width, box.height);
  c.clip();
  if (spec.paint) spec.paint(c, box, X, Y);
  c.fillStyle = colour("shade");
  for (const [a, b] of spec.shades || []) c.fillRect(X(a), box.top, Math.max(X(b) - X(a), 0.7), box.height);
  c.restore();
  c.lineWidth = 1;
  c.strokeStyle = grid;
  c.fillStyle = soft;
  c.textBaseline = "middle";
  c.textAlign = "right";
  marksY.forEach((v, k) => {
    const y = Math.round(Y(v * fy)) + 0.5;
    if (!spec.paint) { c.beginPath(); c.moveTo(box.left, y); c.lineTo(box.left + box.width, y); c.stroke(); }
    c.fillText(wordsY[k], box.left - 6, y);
  });
  const marksX = ticks(xr[0] / fx, xr[1] / fx, box.width / 80, spec.x.log);
  c.textAlign = "center";
  let free = -Infinity;
  for (const v of marksX) {
    const x = Math.round(X(v * fx)) + 0.5;
    if (!spec.paint) { c.beginPath(); c.moveTo(x, box.top); c.lineTo(x, box.top + box.height); c.stroke(); }
    const word = say(v, 6), half = 0.5 * c.measureText(word).width;
    if (!spec.x.hidden && x - half > free && x + half < width) { c.fillText(word, x, box.top + box.height + 12); free = x + half + 6; }
  }
  c.strokeStyle = axis;
  c.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
  c.fillStyle = ink;
  c.textAlign = "left";
  const unit = (u) => (u ? " in " + u : "");
  const above = (spec.y.label + unit(uy)).trim();
  if (spec.y.label) c.fillText(above, 6, 10); else { c.textAlign = "right"; c.fillText(above, box.left + box.width, 10); }
  if (!spec.x.hidden) { c.textAlign = "right"; c.fillText(spec.x.label + unit(ux), box.left + box.width, box.top + box.height + 29); }
  c.save();
  c.beginPath();
  c.rect(box.left, box.top, box.width, box.height);
  c.clip();
  c.lineJoin = "round";
  for (const s of spec.series) {
    c.strokeStyle = c.fillStyle = colour(s.colour);
    c.globalAlpha = s.alpha || 1;
    if (s.points) {
      const stride = Math.max(1, Math.floor(s.x.length / 1500));
      for (let i = 0; i < s.x.length; i += stride) if (Number.isFinite(s.y[i])) c.fillRect(X(s.x[i]) - 1.2, Y(s.y[i]) - 1.2, 2.4, 2.4);
    } else {
      c.lineWidth = s.width || 1.8;
      c.setLineDash(DASHES[s.dash || 0]);
      c.beginPath();
      let down = false;
      for (let i = 0; i < s.x.length; i++) {
        const y = s.y[i];
        if (!Number.isFinite(y)) { down = false; continue; }
        if (down) c.lineTo(X(s.x[i]), Y(y)); else c.moveTo(X(s.x[i]), Y(y));
        down = true;
      }
      c.stroke();
      c.setLineDash([]);
    }
    c.globalAlpha = 1;
  }
  if (spec.after) spec.after(c, box, X, Y);
  c.restore();
}

// Marks that lie over a figure and move without drawing it anew: a line over time, dots on curves.
function mark(canvas, kind, count) {
  const box = canvas.parentElement;
  const all = [...box.querySelectorAll("." + kind)];
  while (all.length < count) { const i = document.createElement("i"); i.className = kind; i.setAttribute("aria-hidden", "true"); box.append(i); all.push(i); }
  all.slice(count).forEach((i) => i.remove());
  return all.slice(0, count);
}

function moveLine(canvas, at) {
  const [line] = mark(canvas, "cursor", 1), { box, X } = canvas.view;
  line.style.height = box.height + "px";
  line.style.transform = "translate(" + (canvas.offsetLeft + X(at)) + "px," + (canvas.offsetTop + box.top) + "px)";
}

function moveDots(canvas, dots) {
  const { box, X, Y } = canvas.view, x0 = canvas.offsetLeft, y0 = canvas.offsetTop;
  mark(canvas, "dot", dots.length).forEach((i, k) => {
    const x = Math.min(Math.max(X(dots[k].x), box.left), box.left + box.width), y = Math.min(Math.max(Y(dots[k].y), box.top), box.top + box.height);
    i.style.background = "var(--" + dots[k].colour + ")";
    i.style.transform = "translate(" + (x0 + x) + "px," + (y0 + y) + "px)";
  });
}

// The value of a list over `x` at a place.
function valueAt(x, y, at) {
  let low = 0, high = x.length - 1;
  if (high < 0) return NaN;
  while (high - low > 1) { const mid = (low + high) >> 1; if (x[mid] <= at) low = mid; else high = mid; }
  const gap = x[high] - x[low], share = gap > 0 ? Math.min(1, Math.max(0, (at - x[low]) / gap)) : 0;
  return y[low] + share * (y[high] - y[low]);
}
