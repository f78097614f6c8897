"use strict";
// The state of the page as a link, and files that go out and come in.
async function squeeze(bytes, way) {
  const Stream = way === "in" ? CompressionStream : DecompressionStream;
  const kind = way === "module" ? "gzip" : "deflate-raw";
  const stream = new Blob([bytes]).stream().pipeThrough(new Stream(kind));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text) {
  const plain = atob(text), bytes = new Uint8Array(plain.length);
  for (let i = 0; i < plain.length; i++) bytes[i] = plain.charCodeAt(i);
  return bytes;
}

async function packed(state) {
  const bytes = await squeeze(new TextEncoder().encode(JSON.stringify(state)), "in");
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpacked(text) {
  const bytes = await squeeze(fromBase64(text.replace(/-/g, "+").replace(/_/g, "/")), "out");
  return JSON.parse(new TextDecoder().decode(bytes));
}

function offer(name, text) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

const SCALES = { k: 1e3, M: 1e6, c: 1e-2, m: 1e-3, "µ": 1e-6, u: 1e-6, n: 1e-9 };
// What a number in that unit is in SI; 1 where the unit is not one that is shortened.
function scaleOf(unit) {
  const whole = /^(m|s|N|J|W|Hz|rad|1|m\/s|m\/s\^2|rad\/s)$/;
  if (!unit || whole.test(unit)) return 1;
  if (unit === "rpm") return Math.PI / 30;
  if (unit === "deg" || unit === "°") return Math.PI / 180;
  return whole.test(unit.slice(1)) && SCALES[unit[0]] ? SCALES[unit[0]] : 1;
}

// Columns of a CSV file: the first is the time.
function readRecord(text, name) {
  const lines = text.split(/\r?\n/).filter((l) => l.trim() && !l.startsWith("#"));
  if (lines.length < 3) throw new Error("there are fewer than two rows in it");
  const mark = [";", "\t", ","].find((m) => lines[0].includes(m)) || ",";
  const cell = (t) => t.trim().replace(/^"|"$/g, "");
  const heads = lines[0].split(mark).map(cell);
  const number = (t) => parseFloat(mark === "," ? t : cell(t).replace(",", "."));
  const hasHeads = heads.some((h) => !Number.isFinite(parseFloat(h)));
  const columns = heads.map((h, k) => {
    const m = /^(.*?)\s*[[(]([^\])]*)[\])]\s*$/.exec(h);
    return { name: hasHeads ? (m ? m[1] : h) : k ? "column " + (k + 1) : "time", unit: m ? m[2] : "", values: [] };
  });
  for (const line of lines.slice(hasHeads ? 1 : 0)) {
    const cells = line.split(mark);
    columns.forEach((c, k) => c.values.push(number(cells[k] || "") * scaleOf(c.unit)));
  }
  if (columns.length < 2) throw new Error("there is one column in it; a record needs the time and what was measured");
  if (!columns.every((c) => c.values.some(Number.isFinite))) throw new Error("a column holds no numbers");
  return { name, time: columns[0].values, columns: columns.slice(1) };
}
