// Tries the lab in Chromium, on a desk and on a phone, light and dark:
//   node lab.mjs BROWSER FOLDER PAGE
// FOLDER holds node_modules with the driver and takes the pictures.
import { createRequire } from "node:module";
import { execSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const [browser, folder, page0] = process.argv.slice(2);
const require = createRequire(path.resolve(folder, "package.json"));
const { chromium } = require("playwright-core");
const executablePath = execSync(`command -v ${browser}`).toString().trim();
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const address = "file://" + path.resolve(page0);
const machine = await chromium.launch({ executablePath, headless: true, args });
let good = 0, bad = 0;

// A page that has begun, with a list of everything it should not do.
async function opened({ width = 1400, height = 900, colorScheme = "light", hash = "", ...more } = {}) {
  const context = await machine.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce", ...more });
  const page = await context.newPage();
  const trouble = [];
  page.on("pageerror", (e) => trouble.push("error: " + e.message));
  page.on("console", (m) => { if (["error", "warning"].includes(m.type())) trouble.push("console: " + m.text()); });
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url()) || (r.url().startsWith("file:") && !r.url().startsWith(address))) trouble.push("asks for " + r.url()); });
  page.on("dialog", (d) => d.dismiss());
  await page.goto(address + hash);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 120000 });
  await rested(page);
  return { page, trouble, context };
}

// Waits until nothing is computed any more.
const rested = (page) => page.waitForFunction(() => outcome && isAtRest(), null, { timeout: 120000 });
const within = (page, what, ...more) => page.evaluate(what, ...more);

async function claim(words, body) {
  const begun = Date.now();
  try {
    await body();
    good++;
    console.log(`  ok   ${words} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    bad++;
    console.log(`  FAIL ${words}: ${error.message.split("\n").slice(0, 4).join(" ")}`);
  }
}
function must(holds, words) { if (!holds) throw new Error(words); }
const clean = (trouble) => must(trouble.length === 0, trouble.join("; "));
const percentile = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))];

// Turns the first slider step by step and waits each time for the picture.
const turned = (page, count) => within(page, async (count) => {
  timings.length = 0;
  const s = document.querySelector("#sliders input[type=range]"), from = +s.value;
  for (let i = 0; i < count; i++) {
    const before = timings.length;
    s.value = from + (i % 40) + 1;
    s.dispatchEvent(new Event("input", { bubbles: true }));
    for (let k = 0; k < 2000 && timings.length === before; k++) await new Promise((r) => setTimeout(r, 5));
  }
  return timings.map((t) => ({ ...t }));
}, count);

await claim("every mechanism runs, is drawn and has a map or says why not", async () => {
  const { page, trouble, context } = await opened();
  for (const id of await within(page, () => catalogue.starters.map((s) => s.id))) {
    await page.selectOption("#starter", id);
    await page.waitForFunction((id) => state.m === id && outcome, id, { timeout: 60000 });
    await rested(page);
    const found = await within(page, () => ({
      trouble: $("trouble").textContent, runs: outcome.runs.map((r) => r && r.law), faults: [...document.querySelectorAll(".fault")].map((f) => f.textContent).join(""),
      strokes: $("picture").querySelectorAll("svg path").length, film: film && film.last, sliders: rows.length, facts: $("facts").children.length, shown: state.shown, drawn: [...document.querySelectorAll("#time canvas")].every((c) => c.view),
    }));
    must(!found.trouble && !found.faults, `${id}: ${found.trouble}${found.faults}`);
    must(found.runs.every(Boolean) && found.strokes > 4 && found.film > 10 && found.sliders > 4 && found.facts > 0 && found.drawn, `${id}: ${JSON.stringify(found)}`);
    await page.waitForFunction(() => grid && (grid.done > 0.02 || grid.words), null, { timeout: 60000 });
  }
  clean(trouble);
  await context.close();
});

await claim("a slider moves the block: period and speed follow", async () => {
  const { page, trouble, context } = await opened();
  const swing = () => within(page, () => { const v = outcome.runs[0].columns["block.v"]; return Math.max(...v) - Math.min(...v); });
  const before = await swing();
  await page.locator("#s-belt-v").focus();
  for (let k = 0; k < 12; k++) await page.keyboard.press("PageUp");
  await rested(page);
  const speed = await within(page, () => state.changes["belt.v"]);
  must(speed > 0.1, "the key did not turn the slider");
  must(Math.abs((await swing()) - before) > 0.01, "the motion did not change");
  must((await page.locator("#text").inputValue()).includes(`v = "${speed} m/s"`), "the text does not say it");
  const spoken = await page.locator("#s-belt-v").getAttribute("aria-valuetext");
  must(/m\/s$/.test(spoken), "a screen reader hears " + spoken);
  await page.locator("#reset").click();
  await rested(page);
  must(Math.abs((await swing()) - before) < 1e-12, "reset is not what it was");
  clean(trouble);
  await context.close();
});

await claim("a slider is answered; how fast is told", async () => {
  const { page, trouble, context } = await opened();
  const lines = [];
  for (const [id, count] of [["belt", 60], ["servo", 30], ["capstan", 6]]) {
    await page.selectOption("#starter", id);
    await page.waitForFunction((id) => state.m === id && outcome, id);
    if (id === "belt") await within(page, () => chooseLaws([""], 1));
    await rested(page);
    await within(page, () => new Promise((r) => setTimeout(r, 500)));
    await page.waitForFunction(() => grid && (grid.done === 1 || scenario.cable), null, { timeout: 60000 }).catch(() => {});
    await within(page, () => { asked++; });
    const times = await turned(page, count), total = times.map((t) => t.total), computed = times.map((t) => t.computed), drawn = times.map((t) => t.drawn);
    lines.push(`${id} (${await within(page, () => duration() + " s, " + scenario.laws.length + " law(s)")}): median ${percentile(total, 0.5).toFixed(1)} ms, 95 % ${percentile(total, 0.95).toFixed(1)} ms, of which computed ${percentile(computed, 0.5).toFixed(1)} ms, drawn ${percentile(drawn, 0.5).toFixed(1)} ms`);
  }
  console.log(lines.map((l) => "       " + l).join("\n"));
  clean(trouble);
  await context.close();
});

await claim("a stability map of 100 × 100 is there within 5 s, and a click goes there", async () => {
  const { page, trouble, context } = await opened();
  await page.waitForFunction(() => grid && grid.done === 1 && grid.kind === "stability", null, { timeout: 60000 });
  const map = await within(page, () => ({ ms: grid.ms, count: grid.count, stable: grid.values.filter((v) => v === 1).length, unstable: grid.values.filter((v) => v === 0).length, words: grid.words }));
  must(!map.words && map.count === 100 && map.stable > 500 && map.unstable > 500, JSON.stringify(map));
  must(map.ms < 5000, `it took ${map.ms} ms`);
  console.log(`       ${map.ms.toFixed(0)} ms`);
  const before = await within(page, () => ({ ...state.changes }));
  const box = await page.locator("#map").boundingBox();
  await page.locator("#map").click({ position: { x: 0.7 * box.width, y: 0.35 * box.height } });
  await rested(page);
  const after = await within(page, () => ({ ...state.changes }));
  must(after["belt.v"] !== before["belt.v"] && after["damper.d"] > 3, JSON.stringify(after));
  const fate = await within(page, () => outcome.runs[0].facts[0].value);
  must(/slid/i.test(fate) && !/stick–slip/.test(fate), "in the stable field it is " + fate);
  clean(trouble);
  await context.close();
});

await claim("a map of vibrations is refined while one looks, and keys aim in it", async () => {
  const { page, trouble, context } = await opened();
  await page.locator("[data-map=cycles]").click();
  await page.waitForFunction(() => grid.kind === "cycles" && grid.done > 0.05, null, { timeout: 60000 });
  const early = await within(page, () => [grid.done, grid.values.filter((v) => v !== -1).length / grid.values.length]);
  must(early[1] > 0.9, "the whole is not seen early: " + early);
  await page.locator("#map").focus();
  for (const press of ["ArrowRight", "ArrowRight", "ArrowUp"]) await page.keyboard.press(press);
  const label = await page.locator("#map").getAttribute("aria-label");
  must(/belt\.v 0\.1\d+ m\/s/.test(label) && /swing/.test(label), label);
  await page.keyboard.press("Enter");
  await rested(page);
  must((await within(page, () => state.changes["belt.v"])) > 0.1, "Enter does not go there");
  clean(trouble);
  await context.close();
});

await claim("a link carries the state", async () => {
  const { page, context } = await opened();
  await page.selectOption("#starter", "drill");
  await page.waitForFunction(() => state.m === "drill" && outcome);
  await within(page, () => { state.changes["table.speed"] = 15; rows.forEach((r) => r.show()); changed(true); });
  await rested(page);
  await within(page, () => new Promise((r) => setTimeout(r, 300)));
  const hash = await within(page, () => location.hash);
  must(hash.startsWith("#s=") && hash.length < 4000, "the link has " + hash.length + " letters");
  const wanted = await within(page, () => outcome.runs[0].columns["bit.speed"].at(-1));
  await context.close();
  const second = await opened({ hash });
  const found = await within(second.page, () => [state.m, state.changes["table.speed"], outcome.runs[0].columns["bit.speed"].at(-1)]);
  must(found[0] === "drill" && found[1] === 15 && found[2] === wanted, JSON.stringify(found));
  clean(second.trouble);
  await second.context.close();
});

await claim("laws are compared, typed and judged; what is wrong is said", async () => {
  const { page, trouble, context } = await opened();
  await page.locator("#add-law").click();
  await page.waitForFunction(() => scenario.laws.length === 3 && outcome && outcome.runs.length === 3);
  await page.selectOption("select[aria-label='law 2']", "elasto_plastic");
  await page.waitForFunction(() => scenario.laws[1].name === "elasto_plastic" && outcome);
  await rested(page);
  must((await page.locator("#certificate thead th").count()) === 4, "three laws have three certificates");
  await page.locator("#use-law").click();
  await page.waitForFunction(() => scenario.laws.some((l) => l.name === "mine") && outcome);
  await rested(page);
  must(!(await page.locator("#trouble").isVisible()), "the law is refused: " + (await page.locator("#trouble").textContent()));
  const law = await page.locator("#law-text").inputValue();
  await page.locator("#law-text").fill(law.replace("n * g * tanh", "n * h * tanh"));
  await page.locator("#use-law").click();
  await page.locator("#trouble").waitFor();
  const words = await page.locator("#trouble").textContent();
  must(/`h`/.test(words), "a wrong law is told as: " + words);
  must(await within(page, () => outcome.runs.every((r) => r && !r.error)), "the page no longer runs");
  clean(trouble);
  await context.close();
});

await claim("a scenario is pasted, read and written; what is wrong is said with its line", async () => {
  const { page, trouble, context } = await opened();
  const text = fs.readFileSync("examples/squeal.toml", "utf8");
  await page.locator("#text").fill(text);
  await page.locator("#read").click();
  await page.waitForFunction(() => state.m === "own" && outcome, null, { timeout: 60000 });
  await rested(page);
  must((await page.locator("#starter").inputValue()) === "own", "it is not called one's own");
  await page.locator("#text").fill(text.replace("kind = \"mass\"", "kind = \"mas\""));
  await page.locator("#read").click();
  await page.locator("#trouble").waitFor();
  must(/:\d+: .*mas/.test(await page.locator("#trouble").textContent()), await page.locator("#trouble").textContent());
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download").click()]);
  must(download.suggestedFilename() === "scenario.toml", download.suggestedFilename());
  clean(trouble);
  await context.close();
});

await claim("a scenario comes with the address, as `bristle lab FILE` hands it over", async () => {
  const text = fs.readFileSync("examples/two_pulleys.toml", "utf8");
  const { page, trouble, context } = await opened({ hash: "#t=" + Buffer.from(text).toString("base64url") });
  await page.waitForFunction(() => state.m === "own" && outcome && isAtRest(), null, { timeout: 60000 });
  const found = await within(page, () => [scenario.title, outcome.runs[0] && outcome.runs[0].law]);
  must(text.includes(found[0]) && found[1], JSON.stringify(found));
  clean(trouble);
  await context.close();
});

await claim("a record that is dropped lies over the figures", async () => {
  const { page, trouble, context } = await opened();
  let csv = "time [s],block.q [mm],speed\n";
  for (let k = 0; k <= 200; k++) { const t = k / 20; csv += `${t.toFixed(2)},${(30 + 20 * Math.sin(9 * t)).toFixed(3)},${Math.cos(9 * t).toFixed(4)}\n`; }
  await within(page, (csv) => {
    const data = new DataTransfer();
    data.items.add(new File([csv], "measured.csv", { type: "text/csv" }));
    for (const type of ["dragenter", "dragover", "drop"]) window.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, csv);
  await page.waitForFunction(() => record);
  const found = await within(page, () => [record.time.length, record.columns[0].as, record.columns[0].values[0], $("record").textContent, $("drop").hidden]);
  must(found[0] === 201 && found[1] === "block.q" && Math.abs(found[2] - 0.03) < 1e-9 && found[4], JSON.stringify(found));
  await page.locator("#file").setInputFiles({ name: "words.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\nx,y\nz,w\n") });
  await page.locator("#trouble").waitFor();
  must(/no record/.test(await page.locator("#trouble").textContent()), "nonsense is taken for a record");
  clean(trouble);
  await context.close();
});

// What a reader of a small screen, without a mouse or with a screen reader would stumble over.
function look() {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is " + document.documentElement.scrollWidth + " px wide on a screen of " + innerWidth);
  const isShown = (n) => { const r = n.getBoundingClientRect(); return r.width > 0 && r.height > 0 && getComputedStyle(n).visibility !== "hidden"; };
  for (const n of document.querySelectorAll("input, button, select, textarea, summary")) {
    const named = n.getAttribute("aria-label") || n.textContent.trim() || (n.labels && n.labels.length && n.labels[0].textContent.trim());
    if (isShown(n) && !named) found.push("a control without a name: " + n.outerHTML.slice(0, 80));
  }
  for (const n of document.querySelectorAll("canvas, svg[role=img]")) if (isShown(n) && !(n.getAttribute("aria-label") || "").trim()) found.push("a figure without words: #" + n.id);
  const rgb = (t) => { const m = /rgba?\(([^)]+)\)/.exec(t); return m ? m[1].split(/[,/ ]+/).filter(Boolean).map(Number) : null; };
  const light = (c) => { const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (n) => { for (let e = n; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c && (c.length < 4 || c[3] === 1)) return c; } return [255, 255, 255]; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const n = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !n || n.closest("script, style, svg, option, .visually-hidden, .skip") || !isShown(n)) continue;
    const style = getComputedStyle(n);
    if (parseFloat(style.fontSize) < 11) found.push("text of " + style.fontSize + ": " + n.textContent.slice(0, 30));
    const [x, y] = [light(rgb(style.color)), light(behind(n))].sort((a, b) => b - a);
    if (!n.closest("[disabled]") && (x + 0.05) / (y + 0.05) < 4.5) found.push("contrast " + ((x + 0.05) / (y + 0.05)).toFixed(2) + ": " + n.textContent.trim().slice(0, 30));
  }
  return [...new Set(found)];
}

for (const [width, height] of [[1400, 900], [390, 844]]) {
  for (const colorScheme of ["light", "dark"]) {
    await claim(`${width} px, ${colorScheme}: legible, within the screen, every control has a name`, async () => {
      const { page, trouble, context } = await opened({ width, height, colorScheme, hasTouch: width < 500 });
      await page.waitForFunction(() => grid && grid.done === 1, null, { timeout: 60000 });
      const found = await within(page, look);
      await page.screenshot({ path: path.join(folder, `lab-${width}-${colorScheme}.png`), fullPage: true });
      must(found.length === 0, found.slice(0, 6).join("; "));
      must((await within(page, () => document.documentElement.dataset.theme)) === colorScheme, "the theme is not that of the system");
      clean(trouble);
      await context.close();
    });
  }
}

await claim("keys alone reach everything; the film plays, is scrubbed and rests", async () => {
  const { page, trouble, context } = await opened();
  const order = [];
  for (let k = 0; k < 60; k++) {
    await page.keyboard.press("Tab");
    order.push(await within(page, () => document.activeElement.id || document.activeElement.getAttribute("aria-label") || document.activeElement.textContent));
  }
  for (const wanted of ["Skip to the figures", "link", "theme", "starter", "add-law", "reset", "s-belt-v", "play", "scrub", "speed", "phase-x", "map-x", "map"]) must(order.includes(wanted), `${wanted} is not reached: ${order.join(", ")}`);
  await page.locator("#play").focus();
  await page.keyboard.press("Enter");
  await within(page, () => new Promise((r) => setTimeout(r, 700)));
  await page.keyboard.press("Enter");
  const time = await within(page, () => cursor);
  must(time > 0.1, "the film does not play");
  await page.locator("#scrub").focus();
  await page.keyboard.press("Home");
  must((await within(page, () => cursor)) === 0, "the film is not scrubbed");
  const states = await within(page, () => { const seen = new Set(); for (let k = 0; k <= film.last; k++) { film.draw(k); $("picture").querySelectorAll(".c-sticks, .c-slips").forEach((n) => seen.add(n.classList.contains("c-sticks") ? "sticks" : "slips")); } return [...seen]; });
  must(states.length === 2, "the pad shows " + states);
  clean(trouble);
  await context.close();
});

await machine.close();
console.log(`${good} passed, ${bad} failed`);
process.exit(bad ? 1 : 0);
