"use strict";
(() => {
  const pictures = JSON.parse(document.getElementById("pictures").textContent);
  const draw = (step) => {
    for (const image of step.querySelectorAll("img[data-picture]")) {
      if (!image.src) image.src = pictures[Number(image.dataset.picture)];
    }
  };
  for (const episode of document.querySelectorAll("details.episode")) {
    const strip = episode.querySelector(".steps");
    const steps = [...strip.querySelectorAll(".step")];
    strip.classList.add("alone");
    const bar = document.createElement("div");
    bar.className = "player";
    strip.before(bar);
    let now = 0;
    const make = (name, properties) => {
      const element = Object.assign(document.createElement(name), properties);
      bar.append(element);
      return element;
    };
    const turn = (rank) => {
      now = Math.min(Math.max(rank, 0), steps.length - 1);
      steps.forEach((step, i) => step.classList.toggle("now", i === now));
      slider.value = now;
      if (episode.open) draw(steps[now]);
    };
    make("button", { type: "button", textContent: "‹", title: "Previous call", onclick: () => turn(now - 1) });
    const slider = make("input", { type: "range", min: 0, max: steps.length - 1, value: 0 });
    slider.setAttribute("aria-label", "Call of the episode");
    slider.addEventListener("input", () => turn(Number(slider.value)));
    make("button", { type: "button", textContent: "›", title: "Next call", onclick: () => turn(now + 1) });
    episode.addEventListener("toggle", () => turn(now));
    turn(0);
  }
  document.documentElement.dataset.ready = "yes";
})();
