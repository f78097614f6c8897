"use strict";
// One module in a thread of its own: a question comes in, words and numbers go out.
let compiled = null, door = null, opened = null;
const bytes = (at, length) => new Uint8Array(door.memory.buffer, at, length);
const read = (at, length) => new TextDecoder().decode(bytes(at, length));

function ask(question) {
  const text = new TextEncoder().encode(JSON.stringify(question));
  const at = door.room(text.length);
  bytes(at, text.length).set(text);
  door.ask();
  const words = JSON.parse(read(door.words(), door.words_length()));
  const numbers = new Float64Array(door.memory.buffer, door.numbers(), door.numbers_length()).slice();
  return { words, numbers };
}

// A library inside would look at the browser's clock through glue that is not here; it is told that no time has passed.
function nothing(module) {
  const all = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (all[from] = all[from] || {})[name] = () => 0;
  return all;
}

async function begin() {
  const instance = await WebAssembly.instantiate(compiled, nothing(compiled));
  door = instance.exports;
}

onmessage = async (event) => {
  const { id, module, question } = event.data;
  if (module) {
    compiled = module;
    await begin();
    postMessage({ id, words: {} });
    return;
  }
  const clock = performance.now();
  try {
    // Laws of an earlier text are forgotten with the module that knew them.
    if (question.ask === "open") {
      await begin();
      opened = question;
    }
    const { words, numbers } = ask(question);
    postMessage({ id, words, numbers, ms: performance.now() - clock }, [numbers.buffer]);
  } catch (error) {
    let reason = String(error && error.message || error);
    try { reason = read(door.complaint(), door.complaint_length()) || reason; } catch (_) { /* nothing was said */ }
    // What did not come back may have left anything behind: begin afresh.
    await begin();
    try { if (opened && question.ask !== "open") ask(opened); } catch (_) { opened = null; }
    postMessage({ id, words: { error: "this cannot be computed here: " + reason }, numbers: new Float64Array(0) });
  }
};
