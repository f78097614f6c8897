// Opens pages from disk in Chromium and says what a reader would stumble over:
//   node screens.mjs BROWSER FOLDER PAGE...
// FOLDER holds node_modules with the driver and takes the pictures.
import { createRequire } from "node:module";
import { execSync } from "node:child_process";
import path from "node:path";

const [browser, folder, ...pages] = process.argv.slice(2);
const require = createRequire(path.resolve(folder, "package.json"));
const { chromium } = require("playwright-core");
const executablePath = execSync(`command -v ${browser}`).toString().trim();
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// Runs inside the page.
function look(small) {
  const found = [], seen = new Set();
  const say = (what) => { if (!seen.has(what)) { seen.add(what); found.push(what); } };
  const words = (n) => n.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
  if (document.documentElement.scrollWidth > window.innerWidth) {
    say("the page is " + document.documentElement.scrollWidth + " px wide on a screen of " + window.innerWidth);
  }
  const rgb = (text) => {
    const srgb = /color\(srgb ([\d. ]+)(?:\/ ([\d.]+))?/.exec(text);
    if (srgb) return [...srgb[1].trim().split(/\s+/).map((v) => 255 * v), srgb[2] === undefined ? 1 : +srgb[2]];
    const m = /rgba?\(([^)]+)\)/.exec(text);
    if (!m) return null;
    const v = m[1].split(/[,/ ]+/).filter(Boolean).map(Number);
    return [v[0], v[1], v[2], v.length > 3 ? v[3] : 1];
  };
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3]));
  const light = (c) => {
    const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const behind = (n) => {
    const layers = [];
    for (let e = n; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c && c[3] > 0) { layers.push(c); if (c[3] === 1) break; }
    }
    return layers.reverse().reduce((below, c) => over(c, below), [255, 255, 255]);
  };
  const isShown = (n) => { const r = n.getBoundingClientRect(); return r.width > 0 && r.height > 0 && getComputedStyle(n).visibility !== "hidden"; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, n = text.parentElement;
    if (!text.textContent.trim() || !n || n.closest("script, style") || !isShown(n)) continue;
    const style = getComputedStyle(n), svg = n.closest("svg");
    // Indices and exponents are smaller than their line everywhere.
    const line = svg ? n.closest("text") : n.closest("sub, sup") ? n.closest("sub, sup").parentElement : n;
    let size = parseFloat(getComputedStyle(line).fontSize);
    if (svg && line.getScreenCTM) { const m = line.getScreenCTM(); size *= Math.hypot(m.a, m.b); }
    if (size < 10.95) say("text of " + size.toFixed(1) + " px: «" + words(n) + "»");
    const ink = rgb(svg ? getComputedStyle(n).fill : style.color), paper = behind(svg ? svg.parentElement : n);
    if (!ink) continue;
    const r = ratio(over(ink, paper), paper);
    if (r < 4.5) say("contrast " + r.toFixed(2) + ": «" + words(n) + "»");
  }
  for (const img of document.querySelectorAll("img")) if (!img.alt) say("a picture without words: " + img.src);
  for (const svg of document.querySelectorAll("svg[role=img], canvas")) {
    if (isShown(svg) && !(svg.getAttribute("aria-label") || "").replace(/[.\s]/g, "")) say("a figure without words");
  }
  for (const n of document.querySelectorAll("input, button, select")) {
    if (isShown(n) && !(n.getAttribute("aria-label") || n.textContent.trim())) say("a control without a name");
  }
  if (small) for (const n of document.querySelectorAll("figure, table, pre, dl")) {
    const r = n.getBoundingClientRect();
    const scrolls = n.closest(".scroll, pre, nav");
    if (isShown(n) && !scrolls && r.right > window.innerWidth + 1) say("sticks out: " + n.tagName + " «" + words(n) + "»");
  }
  return found;
}

const machine = await chromium.launch({ executablePath, headless: true, args });
let bad = 0;
for (const file of pages) {
  for (const scheme of ["light", "dark"]) {
    for (const [width, height] of [[1400, 900], [390, 844]]) {
      const context = await machine.newContext({ viewport: { width, height }, colorScheme: scheme });
      const page = await context.newPage();
      const trouble = [];
      page.on("pageerror", (e) => trouble.push("error: " + e.message));
      page.on("console", (m) => { if (m.type() === "error") trouble.push("console: " + m.text()); });
      page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) trouble.push("asks the network for " + r.url()); });
      await page.goto("file://" + path.resolve(file));
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
      await page.waitForTimeout(150);
      const found = trouble.concat(await page.evaluate(look, width < 500));
      const play = page.locator("[data-film] button, .animation button").first();
      if (await play.count()) {
        await play.click();
        await page.waitForTimeout(300);
        if ((await play.textContent()) !== "Pause") found.push("a film does not play");
      }
      const name = file.replace(/\/report\.html$/, "").split("/").pop().replace(/\.html$/, "");
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.screenshot({ path: path.join(folder, `${name}-${width}-${scheme}.png`), fullPage: whole < 15000 });
      for (const line of found.slice(0, 12)) console.log(`${name} ${width} ${scheme}: ${line}`);
      if (found.length > 12) console.log(`${name} ${width} ${scheme}: and ${found.length - 12} more`);
      bad += found.length;
      await context.close();
    }
  }
}
await machine.close();
console.log(bad ? `${bad} things to mend` : `${pages.length} pages, both sizes, light and dark: nothing to mend`);
process.exit(bad ? 1 : 0);
