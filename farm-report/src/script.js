"use strict";
// The page is complete without this: it adds read-outs of charts, a film in place of the strip, and a search.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, attributes, parent) => {
    const element = document.createElement(name);
    Object.assign(element, attributes);
    if (parent) parent.append(element);
    return element;
  };

  // Read-outs: one line across all charts at the day that is pointed at, and the values of the chart under the pointer.
  const tip = make("div", { id: "tip", hidden: true }, document.body);
  const charts = [...document.querySelectorAll("svg[data-frame]")].map((svg) => {
    const [left, right, low, high, top, bottom] = svg.dataset.frame.split(" ").map(Number);
    const drawn = [...svg.querySelectorAll("[data-series]")];
    return { svg, left, right, low, high, top, bottom, drawn, cursor: null };
  });
  const show = (day) => {
    for (const chart of charts) {
      if (!chart.cursor) {
        chart.cursor = document.createElementNS(SVG, "line");
        chart.cursor.setAttribute("class", "cursor");
        chart.cursor.setAttribute("y1", chart.top);
        chart.cursor.setAttribute("y2", chart.bottom);
        chart.svg.append(chart.cursor);
      }
      const share = (day - chart.low) / (chart.high - chart.low);
      const x = chart.left + Math.min(Math.max(share, 0), 1) * (chart.right - chart.left);
      chart.cursor.setAttribute("x1", x);
      chart.cursor.setAttribute("x2", x);
      chart.cursor.style.display = day === null ? "none" : "";
    }
  };
  const text = (series, value) => {
    if (value === null || value === undefined) return "–";
    if (series.w) return series.w[value] ?? String(value);
    return String(value).replace("-", "−") + (series.u ? " " + series.u : "");
  };
  const point = (chart, event) => {
    const box = chart.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * chart.svg.viewBox.baseVal.width;
    const share = (x - chart.left) / (chart.right - chart.left);
    if (share < -0.02 || share > 1.02) return leave();
    const wanted = chart.low + share * (chart.high - chart.low);
    const rank = Math.min(Math.max(Math.round((wanted - data.first) / data.every), 0), data.n - 1);
    const day = data.first + rank * data.every;
    show(day);
    if (!chart.drawn.length) return;
    tip.replaceChildren(make("b", { textContent: data.step + " " + day }));
    for (const path of chart.drawn) {
      const series = data.series[path.dataset.series];
      const line = make("div", {}, tip);
      const paint = getComputedStyle(path);
      make("i", {}, line).style.background = paint.fill === "none" ? paint.stroke : paint.fill;
      line.append((series.n ? series.n + ": " : "") + text(series, series.v[rank]));
    }
    tip.hidden = false;
    const wide = tip.offsetWidth;
    const beside = event.clientX + 16 + wide > innerWidth ? event.clientX - 16 - wide : event.clientX + 16;
    tip.style.left = Math.max(4, beside) + "px";
    tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 4) + "px";
  };
  const leave = () => {
    tip.hidden = true;
    show(null);
  };
  for (const chart of charts) {
    chart.svg.addEventListener("pointermove", (event) => point(chart, event));
    chart.svg.addEventListener("pointerdown", (event) => point(chart, event));
    chart.svg.addEventListener("pointerleave", leave);
  }

  // The film: one picture at a time, with a slider; the charts show its day.
  const strip = document.getElementById("strip");
  const frames = strip ? [...strip.querySelectorAll("figure")] : [];
  if (frames.length > 1) {
    strip.classList.add("alone");
    const bar = make("div", { className: "player" });
    strip.before(bar);
    let now = 0;
    let timer = 0;
    const turn = (rank, marks) => {
      now = (rank + frames.length) % frames.length;
      frames.forEach((frame, i) => frame.classList.toggle("now", i === now));
      slider.value = now;
      slider.setAttribute("aria-valuetext", data.step + " " + frames[now].dataset.day);
      if (marks) show(Number(frames[now].dataset.day));
    };
    const stop = () => {
      clearInterval(timer);
      timer = 0;
      play.textContent = "Play";
    };
    const button = (label, title, action) => {
      const element = make("button", { type: "button", textContent: label, title }, bar);
      element.addEventListener("click", action);
      return element;
    };
    const play = button("Play", "Shows all pictures one after the other", () => {
      if (timer) return stop();
      play.textContent = "Stop";
      timer = setInterval(() => turn(now + 1, true), 450);
    });
    button("‹", "The picture before", () => { stop(); turn(now - 1, true); });
    const slider = make("input", { type: "range", min: 0, max: frames.length - 1, value: 0 }, bar);
    slider.setAttribute("aria-label", "Picture of the season");
    slider.addEventListener("input", () => { stop(); turn(Number(slider.value), true); });
    button("›", "The picture after", () => { stop(); turn(now + 1, true); });
    turn(0, false);
  }

  // Parts: search variables, open and close all.
  const parts = document.getElementById("parts");
  const details = parts ? [...parts.querySelectorAll("details.part")] : [];
  if (details.length) {
    const tools = make("div", { className: "tools" });
    details[0].parentElement.querySelector("h2").after(tools);
    const search = make("input", { type: "search", placeholder: "find a variable" }, tools);
    search.setAttribute("aria-label", "Find a variable");
    search.addEventListener("input", () => {
      const wanted = search.value.trim().toLowerCase();
      for (const part of details) {
        const own = part.querySelector("summary").textContent.toLowerCase().includes(wanted);
        let any = own;
        for (const figure of part.querySelectorAll("figure")) {
          const found = own || figure.textContent.toLowerCase().includes(wanted);
          figure.hidden = !found;
          any = any || found;
        }
        part.hidden = !any;
      }
    });
    for (const [label, open] of [["Open all", true], ["Close all", false]]) {
      const element = make("button", { type: "button", textContent: label }, tools);
      element.addEventListener("click", () => details.forEach((part) => { part.open = open; }));
    }
  }
  document.documentElement.dataset.ready = "yes";
})();
