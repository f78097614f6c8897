"use strict";
// What comes in: a text, a law, a record; and what goes out.
async function take(file) {
  const text = await file.text();
  if (/\.toml$/i.test(file.name)) { await readText(text); return; }
  try {
    record = readRecord(text, file.name);
    const names = scenario.outputs.map((o) => o.name);
    record.columns.forEach((c, k) => { c.as = names.includes(c.name) ? c.name : names.find((n) => n.endsWith("." + c.name)) || (k === 0 ? state.shown[0] : ""); });
    tell("");
    news("record " + file.name + " with " + record.time.length + " rows");
  } catch (error) { record = null; tell(file.name + " is no record: " + error.message); }
  showRecord();
  drawAll();
}

function showRecord() {
  const box = $("record");
  box.replaceChildren();
  if (!record) return;
  box.append(make("p", { className: "words", textContent: record.name + ": " + record.time.length + " rows, " + record.columns.length + " columns. Dots in the figures." }));
  record.columns.forEach((c) => {
    const select = make("select");
    select.setAttribute("aria-label", "what " + c.name + " is");
    select.append(option("", "not shown"), ...scenario.outputs.map((o) => option(o.name)));
    select.value = c.as;
    select.addEventListener("change", () => { c.as = select.value; drawAll(); });
    box.append(make("p", { className: "words" }, c.name + (c.unit ? " in " + c.unit : "") + " is ", select));
  });
  const drop = make("button", { type: "button", textContent: "Take it away" });
  drop.addEventListener("click", () => { record = null; showRecord(); drawAll(); });
  box.append(drop);
}

async function readText(text) {
  const before = state;
  state = { ...fresh("belt"), m: "own", text, laws: [""], own: [{}], shown: [], phase: ["", ""], map: { kind: "stability", x: {}, y: {} } };
  if (await open()) { news("read: " + scenario.title); return; }
  const words = $("trouble").textContent;
  state = before;
  $("text-news").textContent = words;
  tell(words);
}

// Puts a law that was typed before the parts, or in the place of its namesake.
async function useLaw() {
  const law = $("law-text").value.trim(), name = (/\[laws\.([\w-]+)\]/.exec(law) || [])[1];
  if (!name) { tell("A law begins with [laws.NAME]."); return; }
  const without = state.text.replace(new RegExp("(^|\\n)\\[laws\\." + name + "\\][^]*?(?=\\n\\[|$)"), "$1");
  const at = without.search(/^\[/m), before = { ...state };
  state.text = at < 0 ? without : without.slice(0, at) + law + "\n\n" + without.slice(at);
  const k = state.laws.includes(name) ? state.laws.indexOf(name) : Math.min(state.laws.length, 2);
  state.laws = [...state.laws];
  state.laws[k] = name;
  state.own = state.laws.map((_, j) => (j === k ? {} : state.own[j] || {}));
  if (!(await open())) { const words = $("trouble").textContent; state = before; buildLaws(); tell(words); }
}

function setUpFiles() {
  const drop = $("drop");
  let depth = 0;
  const hasFiles = (e) => e.dataTransfer && [...e.dataTransfer.types].includes("Files");
  addEventListener("dragenter", (e) => { if (hasFiles(e)) { e.preventDefault(); depth++; drop.hidden = false; } });
  addEventListener("dragleave", () => { depth = Math.max(0, depth - 1); if (!depth) drop.hidden = true; });
  addEventListener("dragover", (e) => { if (hasFiles(e)) e.preventDefault(); });
  addEventListener("drop", (e) => {
    if (!hasFiles(e)) return;
    e.preventDefault();
    depth = 0;
    drop.hidden = true;
    if (e.dataTransfer.files[0]) take(e.dataTransfer.files[0]);
  });
  $("file").addEventListener("change", () => { if ($("file").files[0]) take($("file").files[0]); });
  $("read").addEventListener("click", () => readText($("text").value));
  $("download").addEventListener("click", () => offer((state.m === "own" ? "scenario" : state.m) + ".toml", $("text").value));
  $("copy").addEventListener("click", async () => {
    try { await navigator.clipboard.writeText($("text").value); $("text-news").textContent = "copied"; } catch (_) { $("text").focus(); $("text").select(); $("text-news").textContent = "press Ctrl+C"; }
  });
  $("use-law").addEventListener("click", useLaw);
}

start().catch((error) => { tell("The lab cannot begin: " + (error && error.message || error)); document.documentElement.dataset.ready = "failed"; });
