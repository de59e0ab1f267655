// The frame of a widget: its group, its room, its keys. The widget's own script follows and ends with:
//   export default widget((root, model) => { … });

const BURST = 12; // milliseconds that a widget may be measured at a time

/** A widget as anywidget wants it: `build(root, model)` fills a named group; a failure is said in its place. */
function widget(build) {
  return {
    render({ model, el }) {
      const root = element("div", { class: "cw", role: "group", "aria-label": model.get("label"), onkeydown: keepKey });
      el.append(root);
      try {
        build(root, model);
        keepRoom(root, model, build);
      } catch (error) {
        root.replaceChildren(element("p", { class: "cw-problem", role: "alert" }, `This cannot be shown: ${error.message}`));
        throw error;
      }
    },
  };
}

let lastMeasured = Promise.resolve(); // widgets are measured one after the other

/** Each part of a widget keeps the room of its tallest state at this width, so that nothing moves under the pointer. */
function keepRoom(root, model, build) {
  const still = { get: (name) => model.get(name), on() {}, send() {} };
  const parts = (widget) => [...widget.children].map((child) => child.querySelector(":scope > .cw-scroll") ?? child);
  let [measured, waiting] = [0, 0];
  const measure = async () => {
    const width = (measured = root.offsetWidth);
    const copy = element("div", { class: "cw cw-copy", inert: true, "aria-hidden": "true", style: `width: ${width}px` });
    root.after(copy);
    build(copy, still);
    for (const fold of copy.querySelectorAll("details")) fold.open = true;
    const tallest = parts(copy).map(() => 0);
    await play(copy, () => {
      const heights = parts(copy).map((part) => part.getBoundingClientRect().height);
      heights.forEach((height, at) => (tallest[at] = Math.max(tallest[at], height)));
      return heights.reduce((sum, height) => sum + height, 0);
    });
    copy.remove();
    if (measured === width) parts(root).forEach((part, at) => (part.style.minHeight = `${tallest[at]}px`));
  };
  new ResizeObserver(() => {
    if (!root.offsetWidth || root.offsetWidth === measured) return;
    clearTimeout(waiting);
    const next = () => (lastMeasured = lastMeasured.finally(measure));
    waiting = setTimeout(() => document.fonts.ready.then(next), measured ? 200 : 0);
  }).observe(root);
}

/** Takes every control through its values, twice, and leaves it at the tallest; again after each button that makes it
 *  taller. The page has its turn every few milliseconds, without the widget, and so scrolls and answers meanwhile. */
async function play(widget, look) {
  const before = widget.previousElementSibling;
  const [controls, sliders] = ["input, select", "input[type=range]"].map((kind) => [...widget.querySelectorAll(kind)]);
  let rested = performance.now();
  const set = async (control, value) => {
    if (performance.now() - rested > BURST) {
      widget.remove();
      await new Promise((done) => setTimeout(done));
      before.after(widget);
      rested = performance.now();
    }
    control[control.type === "checkbox" ? "checked" : "value"] = value;
    for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
    look();
    if (control.options) for (const slider of sliders) await set(slider, slider.max); // what is chosen may make a slider longer
    return look();
  };
  let most = -1;
  for (const button of [null, ...widget.querySelectorAll("button:not([type=submit])")]) {
    button?.click();
    if (look() <= most) continue;
    for (const control of [...controls, ...controls]) {
      let tallest = [-1];
      for (const value of stops(control)) {
        const height = await set(control, value);
        if (height > tallest[0]) tallest = [height, value];
      }
      if (tallest.length > 1) most = await set(control, tallest[1]);
    }
  }
}

/** Values of a control that show what it can do. */
function stops({ type, min, max, step, options }) {
  if (options) return [...options].map(({ value }) => value);
  if (type === "range") {
    const values = (max - min) / step;
    const count = values <= 60 ? values : 4; // each value has a text of its own where there are few
    return Array.from({ length: count + 1 }, (_, at) => Number(min) + (at / count) * (max - min));
  }
  return { checkbox: [true, false], number: ["", min, max, Number(max) + 0.5] }[type] ?? [];
}

/** In JupyterLab arrows and letters are commands of the notebook; within a widget they belong to its controls. */
function keepKey(event) {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.key === "Escape";
  if (!isCommand) event.stopPropagation();
}
