"use strict";
// The page is complete without this script. It adds read-outs to charts, a film instead of the strip, and a search.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, attributes, parent) => {
    const element = document.createElement(name);
    Object.assign(element, attributes);
    if (parent) parent.append(element);
    return element;
  };

  // Read-outs: a line across all charts at the day under the pointer, and the values of the chart under the pointer.
  const tip = make("div", { id: "tip", hidden: true }, document.body);
  const charts = [...document.querySelectorAll("svg[data-frame]")].map((svg) => {
    const [left, right, low, high, top, bottom] = svg.dataset.frame.split(" ").map(Number);
    const drawn = [...svg.querySelectorAll("[data-series]")];
    return { svg, left, right, low, high, top, bottom, drawn, cursor: null };
  });
  const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December"];
  // The number of a day, and its date if the game has a calendar of common years.
  const name = (day) => {
    const number = data.step + " " + day;
    if (data.start === null) return number;
    const date = new Date(Date.UTC(2001, 0, 1 + ((data.start + day) % 365)));
    return number + ", " + date.getUTCDate() + " " + MONTHS[date.getUTCMonth()];
  };
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
  const dayAt = (chart, event) => {
    const box = chart.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * chart.svg.viewBox.baseVal.width;
    const share = (x - chart.left) / (chart.right - chart.left);
    if (share < -0.02 || share > 1.02) return null;
    const wanted = chart.low + share * (chart.high - chart.low);
    return rankOf(wanted);
  };
  const rankOf = (wanted) =>
    Math.min(Math.max(Math.round((wanted - data.first) / data.every), 0), data.n - 1);
  // Shows the values of a chart on a day, next to a position in the window.
  const read = (chart, rank, x, y) => {
    const day = data.first + rank * data.every;
    show(day);
    if (!chart.drawn.length) return;
    tip.replaceChildren(make("b", { textContent: name(day) }));
    for (const path of chart.drawn) {
      const series = data.series[path.dataset.series];
      const line = make("div", {}, tip);
      const paint = getComputedStyle(path);
      make("i", {}, line).style.background = paint.fill === "none" ? paint.stroke : paint.fill;
      line.append((series.n ? series.n + ": " : "") + text(series, series.v[rank]));
    }
    tip.hidden = false;
    const wide = tip.offsetWidth;
    const beside = x + 16 + wide > innerWidth ? x - 16 - wide : x + 16;
    tip.style.left = Math.max(4, beside) + "px";
    tip.style.top = Math.min(y + 14, innerHeight - tip.offsetHeight - 4) + "px";
  };
  const leave = () => {
    tip.hidden = true;
    show(null);
  };
  const point = (chart, event) => {
    const rank = dayAt(chart, event);
    if (rank === null) return leave();
    read(chart, rank, event.clientX, event.clientY);
  };
  // Goes to a day in the film; set below if there is a film.
  let film = () => {};
  // Keyboard: Tab reaches a chart, the arrows move the day, Enter shows it in the film. Screen readers announce the values.
  const said = make("div", { className: "said" }, document.body);
  said.setAttribute("aria-live", "polite");
  const keys = (chart, event) => {
    const far = Math.max(1, Math.round(data.n / 10));
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -far, PageDown: far, Home: -data.n, End: data.n }[event.key];
    if (event.key === "Escape") return leave();
    if (event.key === "Enter" && chart.rank !== undefined) return film(data.first + chart.rank * data.every);
    if (by === undefined) return;
    event.preventDefault();
    const from = chart.rank ?? (by > 0 ? -1 : data.n);
    chart.rank = Math.min(Math.max(from + by, 0), data.n - 1);
    const box = chart.svg.getBoundingClientRect();
    const share = (data.first + chart.rank * data.every - chart.low) / (chart.high - chart.low);
    const x = chart.left + share * (chart.right - chart.left);
    read(chart, chart.rank, box.left + (x / chart.svg.viewBox.baseVal.width) * box.width, box.top + box.height / 2);
    said.textContent = tip.hidden ? name(data.first + chart.rank * data.every) : [...tip.children].map((line) => line.textContent).join("; ");
  };
  for (const chart of charts) {
    chart.svg.setAttribute("tabindex", "0");
    chart.svg.addEventListener("keydown", (event) => keys(chart, event));
    chart.svg.addEventListener("blur", leave);
    chart.svg.addEventListener("pointermove", (event) => point(chart, event));
    chart.svg.addEventListener("pointerdown", (event) => {
      point(chart, event);
      const rank = dayAt(chart, event);
      if (rank !== null) film(data.first + rank * data.every);
    });
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
      slider.setAttribute("aria-valuetext", name(Number(frames[now].dataset.day)));
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
    const play = button("Play", "Play all pictures", () => {
      if (timer) return stop();
      play.textContent = "Stop";
      timer = setInterval(() => turn(now + 1, true), 180);
    });
    button("‹", "Previous picture", () => { stop(); turn(now - 1, true); });
    const slider = make("input", { type: "range", min: 0, max: frames.length - 1, value: 0 }, bar);
    slider.setAttribute("aria-label", "Picture of the season");
    slider.addEventListener("input", () => { stop(); turn(Number(slider.value), true); });
    button("›", "Next picture", () => { stop(); turn(now + 1, true); });
    film = (day) => {
      stop();
      // The last picture that is not after the day.
      const after = frames.findIndex((frame) => Number(frame.dataset.day) > day);
      turn(after < 0 ? frames.length - 1 : Math.max(after - 1, 0), false);
    };
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
        // Opens parts with matches.
        if (wanted && any) part.open = true;
      }
      nothing.hidden = details.some((part) => !part.hidden);
    });
    const nothing = make("p", { textContent: "No variable matches.", hidden: true });
    tools.after(nothing);
    nothing.setAttribute("role", "status");
    for (const [label, open] of [["Open all", true], ["Close all", false]]) {
      const element = make("button", { type: "button", textContent: label }, tools);
      element.addEventListener("click", () => details.forEach((part) => { part.open = open; }));
    }
  }
  document.documentElement.dataset.ready = "yes";
})();
