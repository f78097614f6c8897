// The controls below a picture that moves.
(function () {
  const store = JSON.parse(document.getElementById("figures").textContent);
  document.querySelectorAll("[data-film]").forEach((controls) => {
    const film = store.films[+controls.dataset.film], figure = controls.closest("figure");
    const button = controls.querySelector("button"), slider = controls.querySelector("input");
    const select = controls.querySelector("select"), output = controls.querySelector("output");
    const picture = filmOf(film, figure.querySelector("svg")), last = picture.last;
    const draw = (at) => {
      picture.draw(at);
      output.textContent = "t = " + (+picture.time(at).toPrecision(4)) + " s";
      slider.value = Math.round(at);
      slider.setAttribute("aria-valuetext", output.textContent);
    };

    let playing = null;
    const pace = () => film.speed * +select.value;
    const now = (clock) => playing.from + (clock - playing.clock) / 1000 * pace() / ((film.t[last] - film.t[0]) / last);
    const stop = () => { playing = null; button.textContent = "Play"; };
    function step(clock) {
      if (!playing) return;
      const at = now(clock);
      draw(Math.min(at, last));
      if (at >= last) { stop(); return; }
      requestAnimationFrame(step);
    }
    button.addEventListener("click", () => {
      if (playing) { stop(); return; }
      playing = { from: +slider.value >= last ? 0 : +slider.value, clock: performance.now() };
      button.textContent = "Pause";
      requestAnimationFrame(step);
    });
    select.addEventListener("change", () => { if (playing) playing = { from: +slider.value, clock: performance.now() }; });
    slider.addEventListener("input", () => { stop(); draw(+slider.value); });
    draw(0);
  });
})();
