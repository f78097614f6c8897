"use strict";
(function () {
  const root = document.documentElement.dataset.root, field = document.getElementById("search"), box = document.getElementById("found");
  const contents = document.querySelector(".contents");
  // Contents stand open beside the page where there is room.
  const wide = window.matchMedia("(min-width: 64rem)");
  const fit = () => { contents.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();
  const here = contents.querySelector("[aria-current]");
  if (here && wide.matches) contents.scrollTop = Math.max(0, here.offsetTop - 200);

  const pages = (window.bookPages || []).map(([file, title, headings, words]) => ({ file, title, headings, words, low: words.toLowerCase() }));
  const escape = (s) => s.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[c]));
  let chosen = -1;

  function score(page, terms) {
    let sum = 0;
    for (const t of terms) {
      const title = page.title.toLowerCase(), name = page.file.toLowerCase();
      const count = page.low.split(t).length - 1;
      const heads = page.headings.filter((h) => h[1].toLowerCase().includes(t)).length;
      const own = (title === t ? 60 : title.includes(t) ? 25 : 0) + (name.includes("/" + t + ".") ? 30 : 0);
      if (!count && !heads && !own) return 0;
      sum += own + 8 * heads + Math.min(count, 12);
    }
    return sum;
  }

  function find() {
    const terms = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    chosen = -1;
    if (!terms.length) { box.hidden = true; return; }
    const hits = pages.map((p) => ({ p, s: score(p, terms) })).filter((h) => h.s > 0).sort((a, b) => b.s - a.s).slice(0, 20);
    const rows = hits.map(({ p }) => {
      const heading = p.headings.find((h, i) => i > 0 && terms.every((t) => h[1].toLowerCase().includes(t)));
      const at = Math.max(0, p.low.indexOf(terms[0]) - 50);
      let text = escape(p.words.slice(at, at + 170));
      for (const t of terms) text = text.replace(new RegExp(escape(t).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi"), (m) => "<mark>" + m + "</mark>");
      return '<a role="option" href="' + root + p.file + (heading ? "#" + heading[0] : "") + '">' + escape(p.title) + (heading ? " › " + escape(heading[1]) : "") + "<small>… " + text + " …</small></a>";
    });
    box.innerHTML = rows.join("") || "<p>Nothing found.</p>";
    box.hidden = false;
  }

  field.addEventListener("input", find);
  field.addEventListener("keydown", (e) => {
    const links = [...box.querySelectorAll("a")];
    if (e.key === "Escape") { field.value = ""; find(); field.blur(); return; }
    if (e.key === "Enter" && links.length) { location.href = links[Math.max(0, chosen)].href; return; }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    e.preventDefault();
    chosen = Math.max(0, Math.min(links.length - 1, chosen + (e.key === "ArrowDown" ? 1 : -1)));
    links.forEach((a, i) => { a.classList.toggle("on", i === chosen); if (i === chosen) a.scrollIntoView({ block: "nearest" }); });
  });
  document.addEventListener("keydown", (e) => { if (e.key === "/" && document.activeElement !== field) { e.preventDefault(); field.focus(); } });
  document.addEventListener("click", (e) => { if (!box.contains(e.target) && e.target !== field) box.hidden = true; });
})();
