// <live-translation models="every_step bahdanau">: the reader's own sentence, translated in the page by trained models.
// It stands empty until it is near the viewport; then the models' scripts are added, and nothing else is asked for.

const here = document.currentScript?.src ?? "";
const loaded = new Map(); // the models of this page, each unpacked once

/** A model by its name, from `liveModels` or from the script beside this one. */
function loadModel(name) {
  if (!loaded.has(name))
    loaded.set(
      name,
      registered(name)
        .then(unpackModel)
        .then((unpacked) => new Translator(unpacked)),
    );
  return loaded.get(name);
}

function registered(name) {
  if (globalThis.liveModels?.[name]) return Promise.resolve(globalThis.liveModels[name]);
  return new Promise((resolve, reject) => {
    const src = here.replace(/[^/]*$/, `${name}.js`);
    const failed = () => reject(new Error(`no model ${name} at ${src}.`));
    const script = element("script", {
      src,
      onload: () => (globalThis.liveModels?.[name] ? resolve(globalThis.liveModels[name]) : failed()),
      onerror: failed,
    });
    document.head.append(script);
  });
}

class LiveTranslation extends HTMLElement {
  connectedCallback() {
    if (this.near) return;
    this.near = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.near.disconnect();
        this.begin();
      },
      { rootMargin: "400px" },
    );
    this.near.observe(this);
  }

  async begin() {
    const root = element("div", {
      class: "cw lt",
      role: "group",
      "aria-label": this.getAttribute("label") ?? "Your own sentence, translated",
    });
    root.append(element("p", { role: "status" }, MESSAGES.unpacking()));
    this.replaceChildren(root);
    try {
      const models = await Promise.all(this.getAttribute("models").trim().split(/\s+/).map(loadModel));
      build(root, models, this.getAttribute("sentence") ?? GROWING[0][0], this.hasAttribute("forms"));
    } catch (error) {
      root.replaceChildren(element("p", { class: "cw-problem", role: "alert" }, MESSAGES.failed(error.message)));
      throw error;
    }
    this.dispatchEvent(new Event("ready"));
  }
}

globalThis.liveTranslation = {
  tokenise,
  unpackModel,
  loadModel,
  Translator,
  greedy,
  follow,
  beamSearch,
  penalties,
  departures,
  nearWords,
  readEntry,
};
if (!customElements.get("live-translation")) customElements.define("live-translation", LiveTranslation);
