"use strict";
// The page: what is chosen and turned, what is asked of the workers, what is drawn.
const $ = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};
const option = (value, text = value) => make("option", { value, textContent: text });

// What a link carries.
let state = null;
// What the scenario holds, what the last run gave, a record that was dropped.
let catalogue = null, scenario = null, outcome = null, record = null, curves = [];
const timings = [];
const news = (words) => { $("news").textContent = words; };

// Workers: one answers while a slider is dragged, the other draws maps.
class Desk {
  constructor(source) {
    this.worker = new Worker(source);
    this.waiting = new Map();
    this.next = 0;
    this.worker.onmessage = ({ data }) => { const done = this.waiting.get(data.id); this.waiting.delete(data.id); done(data); };
  }
  send(message) {
    return new Promise((done) => { const id = this.next++; this.waiting.set(id, done); this.worker.postMessage({ id, ...message }); });
  }
  ask(question) { return this.send({ question }); }
}
let live = null, maps = null;

async function start() {
  const bytes = await squeeze(fromBase64($("module").textContent), "module");
  const module = await WebAssembly.compile(bytes);
  const source = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
  live = new Desk(source);
  maps = new Desk(source);
  await Promise.all([live.send({ module }), maps.send({ module })]);
  catalogue = (await live.ask({ ask: "catalogue" })).words;
  $("starter").append(...catalogue.starters.map((s) => option(s.id, s.name)), option("own", "Your own scenario"));
  $("foot").textContent = "bristle " + catalogue.version + " · computed in this page, nothing is sent anywhere";
  $("law-text").value = LAW_TEXT;
  setUpFilm();
  setUpMap();
  setUpFiles();
  let wanted = null;
  try { if (location.hash.startsWith("#s=")) wanted = await unpacked(location.hash.slice(3)); } catch (_) { tell("This link cannot be read; the page begins afresh."); }
  if (location.hash.startsWith("#t=")) {
    const text = new TextDecoder().decode(fromBase64(location.hash.slice(3).replace(/-/g, "+").replace(/_/g, "/")));
    await begin("belt");
    await readText(text);
  } else if (wanted) { state = { ...fresh(wanted.m), ...wanted }; await open(); } else await begin("belt");
  document.documentElement.dataset.ready = "yes";
}

const LAW_TEXT = `[laws.mine]
doc = "Friction that falls from a static to a kinetic level, smooth at rest."
parameters.mu_d = { default = 0.3, min = 0.0, doc = "Kinetic friction.", role = "kinetic_friction" }
parameters.mu_s = { default = 0.5, min = 0.0, doc = "Static friction.", role = "static_friction" }
parameters.v_s = { default = "50 mm/s", min = "1e-9 m/s", doc = "Stribeck velocity.", role = "stribeck_velocity" }
parameters.v_r = { default = "1 mm/s", min = "1e-9 m/s", doc = "Velocity within which it turns." }
where.g = "mu_d + (mu_s - mu_d) * exp(-(v/v_s)^2)"
force = "n * g * tanh(v/v_r)"
`;

const starterOf = (id) => catalogue.starters.find((s) => s.id === id) || catalogue.starters[0];

function fresh(id) {
  const s = starterOf(id);
  return { m: id, text: s.text, laws: [...s.laws], changes: {}, own: s.laws.map(() => ({})), duration: null, shown: [...s.shown], phase: [...s.phase], map: JSON.parse(JSON.stringify(s.map)), film: 0 };
}

async function begin(id) {
  state = fresh(id);
  await open();
}

// What went wrong, where it is read.
function tell(words) {
  $("trouble").hidden = !words;
  $("trouble").textContent = words || "";
}

// The text whose mechanism is in the picture.
let pictured = null;

// How many scenarios are being read: until then what is shown is still the one before.
let opening = 0;

// Reads the scenario and shows it; a text that cannot be read leaves everything as it was.
async function open() {
  opening++;
  try { return await taken(); } finally { opening--; }
}

// Takes up the scenario and builds what can be turned.
async function taken() {
  const question = { ask: "open", text: state.text, laws: state.laws };
  const [answer] = await Promise.all([live.ask(question), maps.ask(question)]);
  if (answer.words.error) { tell(answer.words.error); return false; }
  tell("");
  scenario = answer.words;
  outcome = null;
  curves = [];
  const names = scenario.outputs.map((o) => o.name);
  const usual = () => {
    const of = (end) => names.filter((n) => n.endsWith(end));
    return [...new Set([...scenario.show, ...of(".q").slice(0, 1), ...of(".v").slice(0, 1), ...of(".speed").slice(0, 1), ...of(".force").slice(0, 1), ...names])].slice(0, 3);
  };
  state.shown = state.shown.filter((n) => names.includes(n));
  if (!state.shown.length) state.shown = usual();
  if (!state.phase.every((n) => names.includes(n))) state.phase = [state.shown[0], state.shown[1] || state.shown[0]];
  const paths = sliderList().map((s) => s.path);
  if (!paths.includes(state.map.x.path) || !paths.includes(state.map.y.path)) {
    const [a, b] = sliderList();
    const span = (s) => ({ path: s.path, from: s.low, to: s.high, log: s.log });
    if (a && b) state.map = { kind: scenario.cable ? "cycles" : "stability", isGuess: true, x: span(a), y: span(b) };
  }
  $("starter").value = state.m === "own" ? "own" : starterOf(state.m).id;
  $("words").textContent = state.m === "own" ? scenario.title : starterOf(state.m).words;
  buildLaws();
  buildSliders();
  buildFigures();
  if (question.text !== pictured) { $("picture").innerHTML = scenario.still || ""; film = null; cursor = null; }
  pictured = question.text;
  await changed(true);
  return true;
}

const sliderList = () => [...scenario.sliders, ...scenario.laws[0].sliders];
const valueOf = (slider, law) => {
  const changes = law === undefined ? state.changes : state.own[law] || {};
  return slider.path in changes ? changes[slider.path] : slider.value;
};

// The key of a law in legends: its colour and its dash.
function key(k) {
  const dash = ["", "7 4", "2 3"][k];
  const svg = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 8" aria-hidden="true"><path d="M1 4H27" fill="none" stroke="var(--law-${k + 1})" stroke-width="3" stroke-dasharray="${dash}"/></svg>`, "image/svg+xml").documentElement;
  return document.importNode(svg, true);
}

function buildLaws() {
  const box = $("laws");
  box.replaceChildren();
  const own = scenario.laws.map((l) => l.name);
  state.laws.forEach((name, k) => {
    const select = make("select", { ariaLabel: "law " + (k + 1) });
    select.setAttribute("aria-label", "law " + (k + 1));
    if (k === 0 || !name) select.append(option("", (k === 0 && !name ? own[0] : "its own law") + (name ? "" : " (its own)")));
    for (const mine of scenario.written) select.append(option(mine, mine + " (yours)"));
    for (const law of catalogue.laws) select.append(option(law.name));
    select.value = name;
    select.disabled = !scenario.contacts.length;
    select.title = scenario.laws[k] && scenario.laws[k].title || "";
    select.addEventListener("change", () => chooseLaws(state.laws.map((l, j) => (j === k ? select.value : l)), k));
    const row = make("div", { className: "law" }, key(k), select);
    if (state.laws.length > 1) {
      const drop = make("button", { type: "button", textContent: "×" });
      drop.setAttribute("aria-label", "remove law " + (k + 1));
      drop.addEventListener("click", () => chooseLaws(state.laws.filter((_, j) => j !== k), k, true));
      row.append(drop);
    } else row.append(make("span"));
    row.append(make("span", { className: "fault", id: "fault-" + k }));
    box.append(row);
  });
  $("add-law").hidden = state.laws.length >= 3 || !scenario.contacts.length;
  $("legend").replaceChildren(...scenario.laws.map((l, k) => make("span", {}, key(k), l.name)));
  const select = $("pictured");
  select.replaceChildren(...scenario.laws.map((l, k) => option(String(k), l.name)));
  state.film = Math.min(state.film || 0, scenario.laws.length - 1);
  select.value = String(state.film);
  $("pictured-box").hidden = scenario.laws.length < 2;
  showCertificate();
}

async function chooseLaws(laws, k, isRemoved) {
  const before = { laws: state.laws, own: state.own };
  state.own = isRemoved ? state.own.filter((_, j) => j !== k) : laws.map((l, j) => (j === k || !state.own[j] ? {} : state.own[j]));
  state.laws = laws;
  if (!(await open())) { Object.assign(state, before); buildLaws(); }
}

// A letter of an equation with its index.
function symbol(text) {
  const [letter, ...index] = text.split("_");
  return make("i", {}, " " + letter, index.length ? make("sub", { textContent: index.join(" ") }) : "");
}

// One slider with its number beside it.
function slider(s, law) {
  const id = "s-" + (law === undefined ? "" : law + "-") + s.path.replace(/[^\w]/g, "-");
  const toShare = (v) => (s.log ? Math.log(Math.max(v, s.low) / s.low) / Math.log(s.high / s.low) : (v - s.low) / (s.high - s.low));
  const toValue = (share) => {
    const v = s.log ? s.low * (s.high / s.low) ** share : s.low + share * (s.high - s.low);
    return s.whole ? Math.round(v) : +v.toPrecision(4);
  };
  const range = make("input", { type: "range", id, min: 0, max: 1000, step: 1 });
  const number = make("input", { type: "text", inputMode: "decimal" });
  number.setAttribute("aria-label", s.path + (s.unit === "1" ? "" : " in " + s.unit));
  const letter = s.symbol && s.symbol !== s.path.split(".").pop() ? symbol(s.symbol) : "";
  const label = make("label", { htmlFor: id, title: s.doc }, s.path.replace(".law.", " · "), letter);
  const row = make("div", { className: "slider" }, label, make("span", { className: "value" }, number, prettyUnit(s.unit)), range);
  range.setAttribute("aria-description", s.doc);
  const show = (v) => {
    range.value = Math.round(1000 * Math.min(1, Math.max(0, toShare(v))));
    range.setAttribute("aria-valuetext", withUnit(v, s.unit));
    if (document.activeElement !== number) number.value = +v.toPrecision(6);
    row.classList.toggle("moved", v !== s.value);
  };
  const put = (v) => {
    const changes = law === undefined ? state.changes : state.own[law];
    if (v === s.value) delete changes[s.path]; else changes[s.path] = v;
    show(v);
    changed(false);
  };
  range.addEventListener("input", () => put(toValue(range.value / 1000)));
  number.addEventListener("change", () => {
    const v = parseFloat(number.value.replace(",", ".").replace("−", "-"));
    if (Number.isFinite(v)) put(v);
  });
  row.show = () => show(valueOf(s, law));
  row.show();
  return row;
}

let rows = [];
function buildSliders() {
  const box = $("sliders"), wide = new Set([...box.querySelectorAll("details[open]")].map((d) => d.dataset.key));
  rows = [];
  const add = (into, s, law) => { const row = slider(s, law); rows.push(row); into.append(row); };
  box.replaceChildren();
  const first = state.m === "own" ? scenario.sliders.slice(0, 5).map((s) => s.path) : starterOf(state.m).turned;
  const study = { path: "duration", symbol: "T", unit: "s", doc: "How long the run is.", value: scenario.duration, low: scenario.duration / 20, high: scenario.duration * 5, log: true };
  for (const path of first) { const s = scenario.sliders.find((s) => s.path === path); if (s) add(box, s); }
  scenario.laws.forEach((law, k) => {
    if (!law.sliders.length) return;
    box.append(make("p", { className: "group" }, key(k), law.name));
    const [shown, folded] = [law.sliders.slice(0, 4), law.sliders.slice(4)];
    for (const s of shown) add(box, s, k);
    if (folded.length) box.append(fold("law-" + k, "More of " + law.name, folded, wide, (into, s) => add(into, s, k)));
  });
  box.append(make("p", { className: "group" }, "Run"));
  const time = { ...study, path: "duration" };
  add(box, time);
  const rest = scenario.sliders.filter((s) => !first.includes(s.path));
  if (rest.length) box.append(fold("rest", "All other numbers (" + rest.length + ")", rest, wide, (into, s) => add(into, s)));
}

function fold(name, words, list, wide, add) {
  const details = make("details", { open: wide.has(name) }, make("summary", { textContent: words }));
  details.dataset.key = name;
  for (const s of list) add(details, s);
  return details;
}

const duration = () => state.changes.duration || state.duration || scenario.duration;
function question(more) {
  const changes = { ...state.changes };
  delete changes.duration;
  const contact = scenario.contacts[0], names = scenario.outputs.map((o) => o.name);
  const outputs = new Set([...state.shown, ...state.phase]);
  for (const end of ["slip_rate", "force", "friction", "mode", "load"]) if (contact && names.includes(contact + "." + end)) outputs.add(contact + "." + end);
  return { changes, laws: state.own, duration: duration(), outputs: [...outputs], ...more };
}

// From a changed number to a picture: at once while it moves, with everything else when it rests.
let isBusy = false, isDirty = false, settling = null, since = 0, isSettled = true;
const isAtRest = () => !opening && !isBusy && !isDirty && !settling && isSettled;
async function changed(isWhole) {
  since = since || performance.now();
  clearTimeout(settling);
  settling = null;
  isSettled = false;
  if (!isWhole) settling = setTimeout(() => changed(true), 140);
  if (isBusy) { isDirty = isDirty || (isWhole ? "whole" : "quick"); if (isWhole) isDirty = "whole"; return; }
  isBusy = true;
  const begun = since, opened = scenario;
  since = 0;
  const answer = await live.ask(question({ ask: "run", details: isWhole, film: state.film }));
  isBusy = false;
  if (opened === scenario) {
    const arrived = performance.now();
    show(answer, isWhole);
    if (!isWhole) timings.push({ total: performance.now() - begun, computed: answer.ms, drawn: performance.now() - arrived });
    if (isWhole) settled();
  } else isDirty = "whole";
  if (isDirty) { const next = isDirty; isDirty = false; changed(next === "whole"); }
}

function show(answer, isWhole) {
  const { words, numbers } = answer;
  if (words.error) { tell(words.error); return; }
  const faults = [];
  const runs = words.runs.map((run, k) => {
    const fault = $("fault-" + k);
    if (fault) fault.textContent = run.error || "";
    if (run.error) { faults.push(run.error); return outcome && outcome.runs[k] && { ...outcome.runs[k], isStale: true }; }
    const columns = {};
    for (const [name, [first, count]] of Object.entries(run.columns)) columns[name] = numbers.subarray(first, first + count);
    return { ...run, columns, isStale: false, facts: run.facts || (outcome && outcome.runs[k] && outcome.runs[k].facts) };
  });
  outcome = { runs, ms: answer.ms };
  if (isWhole) {
    const pictured = words.runs[state.film];
    if (pictured && pictured.picture) showFilm(pictured);
    showFacts();
    const count = words.runs.map((r) => r.switches).filter((n) => n !== undefined).join(", ");
    news((faults.length ? "could not be run: " + faults.join("; ") : "computed in " + Math.round(answer.ms) + " ms, switches: " + count));
    $("foot").textContent = "bristle " + catalogue.version + " · this run took " + say(answer.ms, 2) + " ms · computed in this page, nothing is sent anywhere";
  }
  drawAll();
}

// What need not keep pace with a slider.
async function settled() {
  const at = scenario;
  const hash = "#s=" + await packed(state);
  if (hash.length < 30000) try { history.replaceState(null, "", hash); } catch (_) { location.hash = hash; }
  const [text] = await Promise.all([live.ask({ ask: "text", law: 0, ...question({ outputs: [] }), duration: duration() })]);
  if (at === scenario && document.activeElement !== $("text") && text.words.text) {
    $("text").value = text.words.text;
    $("text-news").textContent = text.words.missed.length ? "not written: " + text.words.missed.join(", ") : "";
  }
  const run = outcome && outcome.runs.find(Boolean), contact = scenario.contacts[0];
  if (run && contact && run.columns[contact + ".slip_rate"]) {
    const fastest = run.columns[contact + ".slip_rate"].reduce((m, v) => Math.max(m, Math.abs(v)), 0);
    const loads = run.columns[contact + ".load"] || [], load = loads.length ? loads[loads.length - 1] : null;
    // What a drum rubs on has no slip rate of its own all along.
    if (fastest > 0 && run.columns[contact + ".force"]) {
      const answer = await maps.ask(question({ ask: "curve", fastest, load }));
      if (at === scenario && answer.words.curves) {
        const part = ([first, count]) => answer.numbers.subarray(first, first + count);
        curves = answer.words.curves.map((c) => ({ ...c, rates: part(c.rates), forces: part(c.forces) }));
        drawCurve();
      }
    }
  }
  if (at === scenario) { refreshMap(); isSettled = true; }
}

$("starter").addEventListener("change", () => { const id = $("starter").value; if (id !== "own") begin(id); else { $("text").focus(); $("text").select(); } });
$("add-law").addEventListener("click", () => {
  const used = scenario.laws.map((l) => l.name), next = ["lugre", "coulomb", "elasto_plastic", "dahl"].find((n) => !used.includes(n));
  chooseLaws([...state.laws, next], state.laws.length);
});
$("reset").addEventListener("click", () => { state.changes = {}; state.own = state.laws.map(() => ({})); rows.forEach((r) => r.show()); changed(true); });
$("link").addEventListener("click", async () => {
  const link = location.href.split("#")[0] + "#s=" + await packed(state);
  try { await navigator.clipboard.writeText(link); news("the link is copied"); $("link").textContent = "Copied"; } catch (_) { prompt("The link:", link); }
  setTimeout(() => { $("link").textContent = "Copy link"; }, 1500);
});
// On a small screen the picture stands above the sliders, where it is seen while they are turned.
const small = matchMedia("(max-width: 62rem)");
function placePicture() {
  const picture = document.querySelector(".pictured");
  if (small.matches) $("numbers").before(picture); else $("figures").prepend(picture);
}
small.addEventListener("change", placePicture);
placePicture();
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  tints = new Map();
  $("theme").setAttribute("aria-pressed", String(theme === "dark"));
  if (scenario) { drawAll(); drawMap(); }
}
$("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
window.addEventListener("hashchange", async () => { if (location.hash.startsWith("#s=")) { const wanted = await unpacked(location.hash.slice(3)); if (JSON.stringify(wanted) !== JSON.stringify(state)) { state = { ...fresh(wanted.m), ...wanted }; open(); } } });
