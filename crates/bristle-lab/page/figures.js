"use strict";
// Figures of a run: over time, in the phase plane, friction over slip rate; the film, the facts, the certificates.
let cursor = null;
const unitOf = (name) => (scenario.outputs.find((o) => o.name === name) || { unit: "1" }).unit;
const runs = () => (outcome ? outcome.runs.map((run, k) => run && { ...run, k }).filter(Boolean) : []);

function quantitySelect(value, words, put) {
  const select = make("select");
  select.setAttribute("aria-label", words);
  select.append(...scenario.outputs.map((o) => option(o.name)));
  select.value = value;
  select.addEventListener("change", () => put(select.value));
  return select;
}

function buildFigures() {
  const time = $("time");
  time.replaceChildren();
  state.shown.forEach((name, k) => {
    const canvas = make("canvas", { className: "plot strip" });
    canvas.setAttribute("role", "img");
    const select = quantitySelect(name, "quantity of figure " + (k + 1) + " over time", (v) => { state.shown[k] = v; changed(true); });
    time.append(make("div", { className: "panel over-time" }, select, canvas));
    const seek = (event) => {
      const run = runs()[0];
      if (!run || !canvas.view || (event.type === "pointermove" && !event.buttons)) return;
      setTime(canvas.view.x(event.offsetX));
    };
    canvas.addEventListener("pointerdown", seek);
    canvas.addEventListener("pointermove", seek);
  });
  ["x", "y"].forEach((way, k) => {
    const select = $("phase-" + way);
    select.replaceChildren(...scenario.outputs.map((o) => option(o.name)));
    select.value = state.phase[k];
    select.onchange = () => { state.phase[k] = select.value; changed(true); };
  });
  buildMapAxes();
}

// What rubs first: a contact has a force, a drum friction.
const rubbing = () => {
  const contact = scenario.contacts[0], names = scenario.outputs.map((o) => o.name);
  const force = [contact + ".force", contact + ".friction"].find((n) => names.includes(n));
  return { contact, rate: contact + ".slip_rate", force: force || contact + ".force" };
};

// Stretches in which the first contact slips under the law that is pictured.
function shades() {
  const run = outcome && outcome.runs[state.film], contact = scenario.contacts[0];
  const mode = run && run.columns[contact + ".mode"], t = run && run.columns.time;
  if (!mode) return [];
  const all = [];
  let from = null;
  for (let i = 0; i < t.length; i++) {
    const slips = mode[i] === 1 || mode[i] === -1;
    if (slips && from === null) from = t[i];
    if (!slips && from !== null) { all.push([from, t[i]]); from = null; }
  }
  if (from !== null) all.push([from, t[t.length - 1]]);
  const whole = all.reduce((sum, [a, b]) => sum + b - a, 0);
  return whole > 0.985 * t[t.length - 1] ? [] : all;
}

const recorded = (name) => {
  const column = record && record.columns.find((c) => c.as === name);
  return column ? { x: record.time, y: column.values, colour: "record", points: true } : null;
};
const lowHigh = (list, unit) => { const [low, high] = extent([list]); return withUnit(low, unit, 3) + " to " + withUnit(high, unit, 3); };

function drawAll() {
  if (!outcome) return;
  drawTime();
  drawPhase();
  drawCurve();
  moveMarks();
}

function drawTime() {
  const marks = shades(), canvases = [...$("time").querySelectorAll("canvas")];
  canvases.forEach((canvas, k) => {
    const name = state.shown[k], unit = unitOf(name);
    const series = runs().filter((r) => r.columns[name]).map((r) => ({ x: r.columns.time, y: r.columns[name], colour: "law-" + (r.k + 1), dash: r.k, alpha: r.isStale ? 0.3 : 1 }));
    const measured = recorded(name);
    if (measured) series.push(measured);
    if (!series.length) return;
    plot(canvas, { x: { label: "time", unit: "s", tight: true, hidden: k + 1 < canvases.length, range: [0, duration()] }, y: { label: "", unit }, series, shades: marks, left: 60 });
    canvas.setAttribute("aria-label", name + " over time: " + runs().filter((r) => r.columns[name]).map((r) => r.law + " from " + lowHigh(r.columns[name], unit)).join("; "));
  });
}

function drawPhase() {
  const [nx, ny] = state.phase;
  const have = runs().filter((r) => r.columns[nx] && r.columns[ny]);
  const series = have.map((r) => ({ x: r.columns[nx], y: r.columns[ny], colour: "law-" + (r.k + 1), dash: r.k, width: 1.6 }));
  const a = recorded(nx), b = recorded(ny);
  if (a && b) series.push({ x: a.y, y: b.y, colour: "record", points: true });
  if (!series.length) return;
  plot($("phase"), { x: { label: nx, unit: unitOf(nx) }, y: { label: ny, unit: unitOf(ny) }, series });
  $("phase").setAttribute("aria-label", ny + " over " + nx + ", " + have.map((r) => r.law).join(", "));
}

function drawCurve() {
  const canvas = $("curve"), { contact, rate, force } = rubbing();
  if (!contact || !outcome) { canvas.setAttribute("aria-label", "no contact"); return; }
  const have = runs().filter((r) => r.columns[force] && r.columns[rate]);
  const series = [];
  for (const c of curves) {
    const k = scenario.laws.findIndex((l) => l.name === c.law);
    const both = (list, sign) => [...list].map((v) => sign * v);
    const x = [...both(c.rates, -1).reverse(), ...c.rates], y = [...both(c.forces, -1).reverse(), ...c.forces];
    series.push({ x, y, colour: "law-" + (k + 1), width: 1, alpha: 0.75 });
  }
  series.push(...have.map((r) => ({ x: r.columns[rate], y: r.columns[force], colour: "law-" + (r.k + 1), dash: r.k, width: 2.4 })));
  if (!series.length) return;
  plot(canvas, { x: { label: rate, unit: "m/s" }, y: { label: force, unit: "N" }, series });
  canvas.setAttribute("aria-label", "friction over slip rate at " + contact + ": " + have.map((r) => r.law + " " + lowHigh(r.columns[force], "N")).join("; "));
}

// The film. Its time is the cursor of the figures.
let film = null, playing = null;
function showFilm(run) {
  $("picture").innerHTML = run.picture;
  film = { ...filmOf(run.film, $("picture").querySelector("svg")), from: run.film.t[0], to: run.film.t[run.film.t.length - 1], pace: run.film.speed };
  setTime(cursor === null ? film.from : Math.min(Math.max(cursor, film.from), film.to), true);
}

function setTime(time, isOwn) {
  if (!film) return;
  if (!isOwn && playing) playing = { clock: performance.now(), from: time };
  cursor = Math.min(Math.max(time, film.from), film.to);
  film.draw((cursor - film.from) / (film.to - film.from || 1) * film.last);
  $("clock").textContent = "t = " + withUnit(cursor, "s", 3);
  $("scrub").value = Math.round(1000 * (cursor - film.from) / (film.to - film.from || 1));
  $("scrub").setAttribute("aria-valuetext", $("clock").textContent);
  moveMarks();
}

// Where the film is, in every figure.
function moveMarks() {
  if (cursor === null || !scenario) return;
  $("time").querySelectorAll("canvas").forEach((canvas) => { if (canvas.view) moveLine(canvas, cursor); });
  const have = runs(), { rate, force } = rubbing();
  for (const [id, nx, ny] of [["phase", ...state.phase], ["curve", rate, force]]) {
    if (!$(id).view) continue;
    const on = have.filter((r) => r.columns[nx] && r.columns[ny]);
    moveDots($(id), on.map((r) => ({ x: valueAt(r.columns.time, r.columns[nx], cursor), y: valueAt(r.columns.time, r.columns[ny], cursor), colour: "law-" + (r.k + 1) })));
  }
}

function setUpFilm() {
  const play = (on) => {
    playing = on ? { clock: performance.now(), from: film && cursor < film.to ? cursor : film ? film.from : 0 } : null;
    $("play").textContent = on ? "Pause" : "Play";
    if (on) requestAnimationFrame(step);
  };
  const step = (clock) => {
    if (!playing) return;
    if (film) {
      const time = playing.from + (clock - playing.clock) / 1000 * film.pace * +$("speed").value;
      if (time > film.to) playing = { clock, from: film.from };
      setTime(Math.min(time, film.to), true);
    }
    requestAnimationFrame(step);
  };
  $("play").addEventListener("click", () => play(!playing));
  $("scrub").addEventListener("input", () => { play(false); setTime(film.from + $("scrub").value / 1000 * (film.to - film.from)); });
  $("speed").addEventListener("change", () => { if (playing) playing = { clock: performance.now(), from: cursor }; });
  $("all-properties").addEventListener("click", () => { const b = $("all-properties"), on = b.getAttribute("aria-pressed") !== "true"; b.setAttribute("aria-pressed", String(on)); showCertificate(); });
  $("pictured").addEventListener("change", () => { state.film = +$("pictured").value; changed(true); });
  play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  new ResizeObserver(() => { if (scenario) { drawAll(); drawMap(); } }).observe($("figures"));
}

function showFacts() {
  const box = $("facts");
  box.replaceChildren();
  runs().forEach((run) => {
    if (!run.facts) return;
    const one = (f) => make("div", { className: f.tone }, make("dt", { textContent: f.label }), make("dd", {}, f.value, f.note ? make("div", { className: "note", textContent: f.note }) : ""));
    const shown = run.facts.filter((f, i) => f.verdict || i === run.facts.length - 1), rest = run.facts.filter((f) => !shown.includes(f));
    const list = make("dl", {}, ...shown.map(one));
    const column = make("div");
    box.append(column);
    column.append(make("p", { className: "group" }, key(run.k), run.law), list);
    if (rest.length) column.append(make("details", {}, make("summary", { textContent: "More numbers" }), make("dl", {}, ...rest.map(one))));
  });
}

// What of a certificate is read first.
const FIRST = ["kinetic level", "static level", "below the static level", "creep at 50 %", "drift per cycle", "stiffness", "loss per loop", "break-away falls with rate", "ageing per decade of hold time", "random motions", "smoothness", "evaluations per second of belt"];

function showCertificate() {
  const names = scenario.laws.map((l) => l.name), laws = names.map((n) => catalogue.laws.find((l) => l.name === n));
  const known = laws.find((l) => l && l.certificate.length), table = $("certificate"), all = $("all-properties");
  all.hidden = !known;
  if (!known) { table.replaceChildren(make("tbody", {}, make("tr", {}, make("td", { textContent: "There is no certificate of a law of your own yet; the command bristle certify measures one." })))); return; }
  const column = (n, k) => { const th = make("th", { scope: "col" }, n + " ", key(k)); th.lastChild.style.width = "1.6rem"; return th; };
  const head = make("tr", {}, make("th", { textContent: "property", scope: "col" }), ...names.map(column));
  const isShown = ([property]) => all.getAttribute("aria-pressed") === "true" || FIRST.includes(property);
  const of = (law, property) => { const found = law && law.certificate.find(([p]) => p === property); return found ? found[1] : "–"; };
  const body = known.certificate.filter(isShown).map(([property]) => make("tr", {}, make("th", { scope: "row", textContent: property }), ...laws.map((l) => make("td", { textContent: of(l, property) }))));
  table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
}
