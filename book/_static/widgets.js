// Shows a page's widgets without a kernel: each is an anywidget, whose script, style and values stand in the page.
// https://anywidget.dev/en/afm/ says what a widget's script exports and what it may ask of its model.
window.FontAwesomeConfig = { observeMutations: false }; // the theme's icons are in the page from the start

const WIDGETS = "script[type='application/vnd.jupyter.widget-";

/** A model of anywidget whose other side, the kernel, never answers. */
function modelOf(state) {
  const listeners = new EventTarget();
  return {
    get: (name) => state[name],
    set(name, value) {
      state[name] = value;
      listeners.dispatchEvent(new Event(`change:${name}`));
    },
    on: (name, callback) => listeners.addEventListener(name, callback),
    off: (name, callback) => listeners.removeEventListener(name, callback),
    save_changes() {},
    send() {},
  };
}

async function show(view, states) {
  const { state } = states[JSON.parse(view.textContent).model_id];
  const address = URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  URL.revokeObjectURL(address);
  const model = modelOf(state);
  const el = document.createElement("div");
  view.after(el);
  await widget.initialize?.({ model });
  await widget.render({ model, el });
}

document.addEventListener("DOMContentLoaded", () => {
  // A page has one script with states; the single page from which the PDF is printed has one for each chapter.
  const scripts = [...document.querySelectorAll(`${WIDGETS}state+json']`)];
  const states = Object.assign({}, ...scripts.map((script) => JSON.parse(script.textContent).state));
  const styles = new Set(Object.values(states).map(({ state }) => state._css));
  for (const style of styles) {
    if (style) document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  }
  for (const view of document.querySelectorAll(`${WIDGETS}view+json']`)) show(view, states);
});
