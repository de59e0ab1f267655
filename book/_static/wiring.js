// Steps through the wiring of one decoder, or of two beside each other, which move together.
"use strict";

const MODES = { training: "training: all words are given", translating: "translating: each word has to be chosen" };

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

class Panel {
  constructor(element, steps) {
    this.element = element;
    this.steps = steps;
    this.sentence = element.querySelector(".wiring-said");
  }

  /** The name of the wiring that is shown: with input feeding it is another. */
  name(feeding) {
    return feeding && this.element.dataset.wiring === "luong" ? "feeding" : this.element.dataset.wiring;
  }

  show(mode, feeding, step) {
    const steps = this.steps[this.name(feeding)][mode];
    const when = new Map(steps.flatMap(([ids], at) => ids.map((id) => [id, at + 1])));
    const state = (id) => {
      const at = when.get(id) ?? 0; // what is given was there before
      return at > step ? "waits" : at && at === step ? "now" : "";
    };
    this.element.classList.toggle("translating", mode === "translating");
    for (const part of this.element.querySelectorAll("[data-id], [data-to]")) {
      const standing = state(part.dataset.id ?? part.dataset.to);
      part.classList.toggle("waits", standing === "waits");
      part.classList.toggle("now", standing === "now");
    }
    for (const fed of this.element.querySelectorAll(".fed")) fed.classList.toggle("hidden", !feeding);
    const done = Math.min(step, steps.length);
    this.sentence.textContent = step
      ? step > steps.length ? `Everything was computed after ${steps.length} steps.` : `${done} of ${steps.length}. ${steps[done - 1][1]}`
      : `Nothing is computed yet; ${steps.length} steps to go.`;
  }

  length(mode, feeding) {
    return this.steps[this.name(feeding)][mode].length;
  }
}

function start(figure) {
  const steps = JSON.parse(figure.querySelector("script").textContent);
  const panels = [...figure.querySelectorAll(".wiring-panel")].map((panel) => new Panel(panel, steps));
  const slider = make("input", { type: "range", min: 0, value: 0 });
  const mode = make("select", {}, ...Object.entries(MODES).map(([value, text]) => make("option", { value, text })));
  const feeding = make("input", { type: "checkbox" });
  const back = make("button", { type: "button", textContent: "Back" });
  const next = make("button", { type: "button", textContent: "Next" });
  const play = make("button", { type: "button", textContent: "Play" });
  let timer = 0;

  const most = () => Math.max(...panels.map((panel) => panel.length(mode.value, feeding.checked)));
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  const show = (step) => {
    slider.max = most();
    slider.value = step;
    slider.setAttribute("aria-valuetext", `step ${slider.value} of ${slider.max}`);
    for (const panel of panels) panel.show(mode.value, feeding.checked, Number(slider.value));
  };
  const move = (by) => {
    const at = Number(slider.value) + by;
    show(at > most() ? 0 : at);
  };
  const from = (step) => () => (stop(), show(step()));
  back.onclick = from(() => Math.max(0, slider.value - 1));
  next.onclick = () => (stop(), move(1));
  slider.oninput = from(() => slider.value);
  mode.onchange = from(() => 0);
  feeding.onchange = from(() => 0);
  play.onclick = () => {
    if (timer) return stop();
    if (Number(slider.value) === most()) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => (Number(slider.value) === most() ? stop() : move(1)), 1100);
  };

  const controls = make("div", { className: "wiring-controls" }, back, next, play);
  controls.append(make("label", {}, "Step", slider), make("label", {}, "Mode", mode));
  if (steps.feeding) controls.append(make("label", {}, feeding, "input feeding"));
  figure.querySelector(".wiring-panels").before(controls);
  for (const panel of panels) {
    panel.sentence.setAttribute("aria-live", "polite");
    panel.element.querySelectorAll(".fed").forEach((fed) => fed.classList.add("hidden"));
  }
  slider.max = slider.value = most(); // at first everything is there
}

document.querySelectorAll(".wiring").forEach(start);
