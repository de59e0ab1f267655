// Controls with their names: each tells by a callback what a reader has set.

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

/** A button that moves a slider on by itself, a stop each `rest` milliseconds, from the beginning if it stands at the end. */
function playButton(label, slide, rest, draw, attributes) {
  const root = button(label, toggle, attributes);
  let timer = null;

  function toggle() {
    if (timer) return stop();
    const [first, last] = ["min", "max"].map((end) => Number(slide.input[end]));
    if (slide.value === last) slide.set(first);
    root.textContent = "Pause";
    draw();
    timer = setInterval(() => {
      if (!root.isConnected) return stop();
      slide.set(slide.value + 1);
      draw();
      if (slide.value === last) stop();
    }, rest);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    root.textContent = label;
  }

  return { root, toggle, stop };
}
