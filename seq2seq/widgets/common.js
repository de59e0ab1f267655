// What every widget shares. A widget's own script follows in the same module and ends with:
//   export default widget((root, model) => { … });

const BURST = 12; // milliseconds that a widget may be measured at a time
let widgetsMade = 0;

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

/** An id that no other element of the page has, whatever number of widgets stands on it. */
function uniqueId(stem) {
  widgetsMade += 1;
  return `cw-${stem}-${widgetsMade}-${Math.random().toString(36).slice(2, 7)}`;
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element: `element("p", { class: "cw-note", onclick: f }, "text", child)`. */
function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** The same for a part of an SVG picture. */
function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

const LEAST = 11.2; // pixels, of a label in a picture that is scaled to a phone

/** A picture in words of its own: set `aria-label` anew whenever what it shows changes. */
function picture(width, height, label) {
  const [viewBox, preserveAspectRatio] = [`0 0 ${width} ${height}`, "xMidYMin"]; // in more room it stands on top
  const image = svg("svg", { class: "cw-picture", role: "img", "aria-label": label, viewBox, preserveAspectRatio });
  const grow = () => image.style.setProperty("--cw-least", `${(LEAST * image.viewBox.baseVal.width) / image.clientWidth}px`);
  new ResizeObserver(() => image.clientWidth && grow()).observe(image);
  return image;
}

/** Lets handles of a picture be dragged, by mouse, pen or touch: `moved(name, x, y)` gets places in the picture's own units.
 *  A handle is any part with `data-handle`; a finger has to begin on one, so that it can still scroll the page elsewhere. */
function draggable(image, moved) {
  let held = null;
  const tell = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(image.getScreenCTM().inverse());
    moved(held, x, y);
  };
  image.addEventListener("pointerdown", (event) => {
    held = event.target.dataset?.handle ?? null;
    if (held === null) return;
    event.preventDefault();
    image.setPointerCapture(event.pointerId);
    tell(event);
  });
  image.addEventListener("pointermove", (event) => held !== null && tell(event));
  for (const end of ["pointerup", "pointercancel"]) image.addEventListener(end, () => (held = null));
}

/** What a finger or a mouse takes hold of; sliders do the same for the keyboard. */
function handle(name, x, y) {
  return svg("circle", { class: "cw-handle", "data-handle": name, cx: x, cy: y, r: 20 });
}

/** An arrow as parts of a picture, from place to place; none where it would be too short to see. */
function arrow([x1, y1], [x2, y2], look) {
  const [long, turned] = [Math.hypot(x2 - x1, y2 - y1), Math.atan2(y2 - y1, x2 - x1)];
  if (long < 0.5) return [];
  const head = Math.min(9, long);
  const side = (way) => [x2 - head * Math.cos(turned + way), y2 - head * Math.sin(turned + way)];
  return [
    svg("line", { class: look, x1, y1, x2: x2 - 0.8 * head * Math.cos(turned), y2: y2 - 0.8 * head * Math.sin(turned) }),
    svg("polygon", { class: `${look} cw-head`, points: [[x2, y2], side(0.4), side(-0.4)].join(" ") }),
  ];
}

/** Numbers as people read them: a true minus sign, and always so many digits. */
function fixed(number, digits = 2) {
  const text = number.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

function named(kind, label, control, ...rest) {
  const id = uniqueId(kind);
  control.id = id;
  return element("div", { class: `cw-control cw-${kind}` }, element("label", { for: id }, label), control, ...rest);
}

/** A slider with its name before it and its value behind it; `set` moves it without telling `changed`. */
function slider(label, { min, max, step = 1, value, say = String }, changed) {
  const input = element("input", { type: "range", min, max, step, value });
  const output = element("output", { "aria-hidden": "true" });
  const tell = () => {
    output.textContent = say(Number(input.value));
    input.setAttribute("aria-valuetext", say(Number(input.value)));
  };
  input.addEventListener("input", () => {
    tell();
    changed(Number(input.value));
  });
  tell();
  return {
    root: named("slider", label, input, output),
    input,
    get value() {
      return Number(input.value);
    },
    set(next, limits = {}) {
      Object.assign(input, limits);
      input.value = next;
      tell();
    },
  };
}

/** A list to choose from: options are `[value, words]`; `set` and `fill` do not tell `changed`. */
function choice(label, options, value, changed) {
  const input = element("select", { onchange: () => changed(input.value) });
  const fill = (entries, chosen) => {
    input.replaceChildren(...entries.map(([key, words]) => element("option", { value: key }, words)));
    input.value = chosen;
  };
  fill(options, value);
  return { root: named("choice", label, input), input, fill, set: (next) => (input.value = next) };
}

/** A box to tick. */
function tick(label, value, changed) {
  const input = element("input", { type: "checkbox", onchange: () => changed(input.checked) });
  input.checked = value;
  return { root: named("tick", label, input), input };
}

function button(label, pressed, attributes = {}) {
  return element("button", { type: "button", class: "cw-button", onclick: pressed, ...attributes }, label);
}

/** Lines that are not broken, so that they always need the same room; what is longer is drawn sideways. */
function sideways(label, ...children) {
  return element("div", { class: "cw-sideways", role: "region", "aria-label": `${label}, scrolls sideways`, tabindex: 0 }, ...children);
}

/** Controls side by side, wrapping on a phone. */
function row(...children) {
  return element("div", { class: "cw-row" }, ...children);
}

/** The sentence that says what has changed: seen below the picture, and read out once things have come to rest. */
function spokenLine() {
  const root = element("p", { class: "cw-spoken", "aria-hidden": "true" });
  const heard = element("p", { class: "cw-heard", "aria-live": "polite" });
  let waiting;
  return {
    root: element("div", {}, root, heard),
    /** The first sentence is seen and not read out: nothing has changed yet. */
    say(sentence) {
      const first = root.textContent === "";
      root.textContent = sentence;
      clearTimeout(waiting);
      if (!first) waiting = setTimeout(() => (heard.textContent = sentence), 400);
    },
  };
}

/** The picture's numbers, to unfold: `fill(caption, columns, rows)`; the first cell of a row is its heading. */
function asText() {
  const table = element("table", { class: "cw-table" });
  const box = element("div", { class: "cw-scroll", role: "region", "aria-label": "Table, scrolls", tabindex: 0 }, table);
  return {
    root: element("details", { class: "cw-text" }, element("summary", {}, "As text"), box),
    fill(caption, columns, rows) {
      box.setAttribute("aria-label", caption);
      table.replaceChildren(
        element("caption", {}, caption),
        element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))),
        element(
          "tbody",
          {},
          ...rows.map(([first, ...rest]) =>
            element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((cell) => element("td", {}, cell))),
          ),
        ),
      );
    },
  };
}

/** Readers who asked for stillness get no movement that they did not start themselves. */
function wantsStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Upright bars over a base line, with their numbers above (`footed`: below the line; `topped`: all over the tallest) and their names below, as parts of a picture.
 *  An entry is `{ name, value, number, hollow, look }`: `hollow` is a height drawn as a dashed outline, `look` a class. */
function bars(entries, { x, y, width, height, most, slanted = false, footed = false, topped = false }) {
  const step = width / entries.length;
  const shapes = entries.flatMap(({ name, value, number, hollow, look = "cw-bar" }, at) => {
    const [left, middle, wide] = [x + at * step + step * 0.14, x + (at + 0.5) * step, step * 0.72];
    const tall = Math.min(height, (value / most) * height);
    const [px, py] = [middle + (slanted ? 5 : 0), y + (footed ? 31 : 16)];
    const above = topped ? y - height - 4 : y - Math.max(tall, ((hollow ?? 0) / most) * height) - 4;
    return [
      hollow ? svg("rect", { class: "cw-hollow", x: left, y: y - (hollow / most) * height, width: wide, height: (hollow / most) * height }) : null,
      svg("rect", { class: look, x: left, y: y - tall, width: wide, height: tall }),
      svg("text", { class: "cw-number", x: middle, y: footed ? y + 15 : above }, number),
      svg("text", { class: slanted ? "cw-slanted" : "cw-name", x: px, y: py, transform: slanted ? `rotate(-42 ${px} ${py})` : null }, name),
    ];
  });
  return [svg("line", { class: "cw-base", x1: x, x2: x + width, y1: y, y2: y }), ...shapes.filter(Boolean)];
}
