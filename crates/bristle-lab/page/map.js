"use strict";
// Maps over two parameters, computed beside the page. Where one clicks the mechanism goes.
let grid = null, asked = 0, aim = null;
const STABLE = 100, CELLS = 48, FEW = 12;
const VIRIDIS = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];
const mapSlider = (path) => sliderList().find((s) => s.path === path);
const isOfLaw = (path) => scenario.laws[0].sliders.some((s) => s.path === path);

function buildMapAxes() {
  for (const way of ["x", "y"]) {
    const select = $("map-" + way);
    select.replaceChildren(...sliderList().map((s) => option(s.path)));
    select.value = state.map[way].path;
    select.onchange = () => {
      const s = mapSlider(select.value);
      state.map[way] = { path: s.path, from: s.low, to: s.high, log: s.log };
      refreshMap();
    };
  }
  document.querySelectorAll("[data-map]").forEach((b) => {
    b.setAttribute("aria-pressed", String(b.dataset.map === state.map.kind));
    b.disabled = b.dataset.map === "stability" && scenario.cable;
  });
  grid = null;
}

const place = (way) => { const s = mapSlider(state.map[way].path); return s ? valueOf(s, isOfLaw(s.path) ? 0 : undefined) : NaN; };

// What a map depends on: everything but the two parameters it is drawn over.
function mapKey() {
  const changes = { ...state.changes }, own = { ...state.own[0] };
  for (const way of ["x", "y"]) { delete changes[state.map[way].path]; delete own[state.map[way].path]; }
  return JSON.stringify([state.map, changes, own, state.laws[0], state.text, state.map.kind === "cycles" ? duration() : 0]);
}

async function refreshMap() {
  const name = mapKey();
  if (grid && grid.name === name) { drawMap(); return; }
  const turn = ++asked, count = state.map.kind === "stability" ? STABLE : scenario.cable ? FEW : CELLS;
  const axis = (way) => ({ ...state.map[way], count });
  grid = { name, kind: state.map.kind, count, values: new Float64Array(count * count).fill(-1), begun: performance.now(), ms: 0, done: 0, words: "" };
  const mine = grid, base = question({ law: 0, x: axis("x"), y: axis("y") });
  delete base.outputs;
  drawMap();
  if (mine.kind === "stability") {
    const answer = await maps.ask({ ...base, ask: "stability" });
    if (turn !== asked) return;
    mine.ms = answer.ms;
    if (answer.words.error && state.map.isGuess) { state.map.kind = "cycles"; delete state.map.isGuess; buildMapAxes(); refreshMap(); return; }
    if (answer.words.error) mine.words = answer.words.error; else mine.values.set(answer.numbers);
    mine.done = 1;
    drawMap();
    return;
  }
  const order = coarseToFine(count);
  let from = 0, size = scenario.cable ? 1 : 8;
  while (from < order.length) {
    const part = order.slice(from, from + size);
    const answer = await maps.ask({ ...base, ask: "cells", list: part.flatMap(([i, j]) => [i, j]) });
    if (turn !== asked) return;
    if (answer.words.error) { mine.words = answer.words.error; break; }
    mine.quantity = answer.words.quantity;
    part.forEach(([i, j, span], k) => {
      for (let y = j; y < Math.min(j + span, count); y++) for (let x = i; x < Math.min(i + span, count); x++) mine.values[y * count + x] = answer.numbers[k];
    });
    from += part.length;
    mine.done = from / order.length;
    mine.ms += answer.ms;
    size = Math.max(1, Math.min(200, Math.round(size * 90 / Math.max(answer.ms, 5))));
    drawMap();
  }
  mine.done = 1;
  drawMap();
}

// Cells in an order in which the whole is seen early; each paints what is not yet known to its right and above.
function coarseToFine(count) {
  const all = [], seen = new Set();
  for (let span = 16; span >= 1; span /= 2) {
    for (let j = 0; j < count; j += span) for (let i = 0; i < count; i += span) {
      const name = j * count + i;
      if (!seen.has(name)) { seen.add(name); all.push([i, j, span]); }
    }
  }
  return all;
}

function viridis(s) {
  const at = Math.min(Math.max(s, 0), 1) * (VIRIDIS.length - 1), i = Math.min(Math.floor(at), VIRIDIS.length - 2), f = at - i;
  const part = (text, k) => parseInt(text.slice(1 + 2 * k, 3 + 2 * k), 16);
  return "rgb(" + [0, 1, 2].map((k) => Math.round(part(VIRIDIS[i], k) * (1 - f) + part(VIRIDIS[i + 1], k) * f)).join(",") + ")";
}

function drawMap() {
  if (!grid || !scenario) return;
  const { x, y } = state.map, sx = mapSlider(x.path), sy = mapSlider(y.path);
  if (!sx || !sy) return;
  const most = grid.kind === "cycles" ? grid.values.reduce((m, v) => (v > m ? v : m), 0) : 1, n = grid.count;
  const shade = (v) => {
    if (v === -1) return null;
    if (Number.isNaN(v)) return colour("none");
    return grid.kind === "cycles" ? viridis(v / (most || 1)) : colour(v ? "stable" : "unstable");
  };
  const paint = (c, box) => {
    const w = box.width / n, h = box.height / n;
    for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) {
      const v = grid.values[j * n + i], tint = shade(v);
      if (!tint) continue;
      c.fillStyle = tint;
      c.fillRect(box.left + i * w - 0.3, box.top + (n - 1 - j) * h - 0.3, w + 0.6, h + 0.6);
    }
  };
  const after = (c, box, X, Y) => {
    const cross = (px, py, size, width, tint) => {
      c.strokeStyle = tint;
      c.lineWidth = width;
      c.beginPath();
      c.moveTo(px - size, py); c.lineTo(px + size, py); c.moveTo(px, py - size); c.lineTo(px, py + size);
      c.stroke();
    };
    const px = X(place("x")), py = Y(place("y"));
    c.beginPath();
    c.arc(px, py, 7, 0, 7);
    c.fillStyle = "#ffffff";
    c.fill();
    c.lineWidth = 2.5;
    c.strokeStyle = "#1d2329";
    c.stroke();
    if (aim) { cross(X(aim[0]), Y(aim[1]), 9, 4, "#ffffff"); cross(X(aim[0]), Y(aim[1]), 9, 2, "#1d2329"); }
  };
  plot($("map"), {
    x: { label: x.path, unit: sx.unit, log: x.log && x.from > 0, range: [x.from, x.to] }, y: { label: y.path, unit: sy.unit, log: y.log && y.from > 0, range: [y.from, y.to] }, series: [], paint, after,
  });
  const legend = $("map-words");
  legend.replaceChildren();
  const swatch = (tint, words) => { const i = make("i"); i.style.cssText = "display:inline-block;width:1.1em;height:.8em;margin:0 .35em 0 .8em;border:1px solid var(--soft);background:" + tint; legend.append(i, words); };
  if (grid.words) legend.append("No map: " + grid.words + ". ");
  else if (grid.kind === "stability") {
    swatch(colour("stable"), "sliding is stable");
    swatch(colour("unstable"), "sliding is unstable: it vibrates");
    if (grid.values.some(Number.isNaN)) swatch(colour("none"), "no steady sliding");
  } else {
    const bar = make("i");
    bar.style.cssText = "display:inline-block;width:6em;height:.8em;margin:0 .4em;border:1px solid var(--soft);background:linear-gradient(to right," + VIRIDIS.join(",") + ")";
    const [name, unit] = grid.quantity || ["", "1"];
    legend.append("swing of " + name + ": 0", bar, withUnit(most, unit, 3));
    if (grid.done < 1) legend.append(" · " + Math.round(100 * grid.done) + " %");
  }
  if (grid.done === 1 && !grid.words) legend.append(" · " + n + " × " + n + " in " + say(grid.ms / 1000, 2) + " s");
  legend.append(". The ring is where you are; click to go elsewhere.");
  const here = aim || [place("x"), place("y")];
  const words = x.path + " " + withUnit(here[0], sx.unit, 3) + ", " + y.path + " " + withUnit(here[1], sy.unit, 3) + ": " + cellWords(here);
  $("map").setAttribute("aria-label", "map of " + (grid.kind === "stability" ? "stability" : "vibration") + ", arrow keys aim, Enter goes there. " + words);
}

function cellOf([vx, vy]) {
  const index = (a, v) => Math.round((a.log && a.from > 0 ? Math.log(v / a.from) / Math.log(a.to / a.from) : (v - a.from) / (a.to - a.from)) * (grid.count - 1));
  return [index(state.map.x, vx), index(state.map.y, vy)];
}

function cellWords(at) {
  const [i, j] = cellOf(at), v = grid.values[j * grid.count + i];
  if (v === undefined || v === -1) return "not computed";
  if (Number.isNaN(v)) return "no answer";
  return grid.kind === "stability" ? (v ? "sliding is stable" : "sliding is unstable") : "swing " + withUnit(v, (grid.quantity || ["", "1"])[1], 3);
}

function goTo([vx, vy]) {
  [["x", vx], ["y", vy]].forEach(([way, v]) => {
    const path = state.map[way].path;
    (isOfLaw(path) ? state.own[0] : state.changes)[path] = +v.toPrecision(4);
  });
  aim = null;
  rows.forEach((r) => r.show());
  changed(false);
  drawMap();
  news("went to " + state.map.x.path + " " + say(vx, 3) + ", " + state.map.y.path + " " + say(vy, 3));
}

function setUpMap() {
  const canvas = $("map");
  canvas.addEventListener("click", (event) => {
    const { box, x, y } = canvas.view || {};
    if (!box) return;
    const px = Math.min(Math.max(event.offsetX, box.left), box.left + box.width), py = Math.min(Math.max(event.offsetY, box.top), box.top + box.height);
    goTo([x(px), y(py)]);
  });
  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!steps && event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Enter") { if (aim) goTo(aim); return; }
    if (event.key === "Escape") { aim = null; drawMap(); return; }
    const at = cellOf(aim || [place("x"), place("y")]), back = (a, k) => { const s = Math.min(Math.max(k / (grid.count - 1), 0), 1); return a.log && a.from > 0 ? a.from * (a.to / a.from) ** s : a.from + s * (a.to - a.from); };
    const stride = event.shiftKey ? 10 : 2;
    aim = [back(state.map.x, at[0] + stride * steps[0]), back(state.map.y, at[1] + stride * steps[1])];
    drawMap();
    news(cellWords(aim));
  });
  document.querySelectorAll("[data-map]").forEach((button) => button.addEventListener("click", () => {
    state.map.kind = button.dataset.map;
    delete state.map.isGuess;
    buildMapAxes();
    refreshMap();
  }));
}
