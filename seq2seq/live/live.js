// <live-translation models="every_step bahdanau">: the reader's own sentence, translated in the page by trained models.
// It stands empty until it is near the viewport; then the models' scripts are added, and nothing else is asked for.

const MOST_WORDS = 60; // larger tables are illegible
const SLOW = 60; // milliseconds: where a translation takes longer, it waits for a pause in the typing
const PAUSE = 150;
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
    root.append(element("p", { role: "status" }, "The models are being unpacked …"));
    this.replaceChildren(root);
    try {
      const models = await Promise.all(this.getAttribute("models").trim().split(/\s+/).map(loadModel));
      build(root, models, this.getAttribute("sentence") ?? GROWING[0][0]);
    } catch (error) {
      root.replaceChildren(
        element("p", { class: "cw-problem", role: "alert" }, `This cannot be shown: ${error.message}`),
      );
      throw error;
    }
    this.dispatchEvent(new Event("ready"));
  }
}

function build(root, models, first) {
  const [shortest, longestTrained] = models[0].trainedLengths;
  const isKnown = (text) => tokenise(text).every((word) => models[0].sourceIds.has(word));
  const references = new Map(EXAMPLES.map(([source, target]) => [tokenise(source).join(" "), target.split(" ")]));
  for (let count = 1; count <= GROWING.length; count++) {
    const [source, target] = [0, 1].map((side) =>
      [...GROWING.slice(0, count).map((clause) => clause[side]), "."].join(" "),
    );
    references.set(source, target.split(" "));
  }
  const heard = element("p", { class: "cw-heard", "aria-live": "polite" });
  const words = asText();
  const reference = element("p", { class: "lt-note lt-reference" });
  const panels = models.map((model) => modelPanel(model, { tell, drawn }));
  const translations = element("div", { class: "lt-panels" }, ...panels.map((panel) => panel.translation));
  const details = element("div", { class: "lt-panels lt-details" }, ...panels.map((panel) => panel.details));
  const field = sentenceField(models[0].sourceWords.slice(UNK + 1), typed);
  const search = choice(
    "Search",
    [
      ["greedy", "greedy"],
      ["beam", "beam"],
    ],
    "greedy",
    translate,
  );
  const size = slider("Beam size", { min: 2, max: 10, value: 5 }, translate);
  const penalty = choice(
    "Length penalty",
    [
      ["none", "none"],
      ["mean", "mean per word"],
    ],
    "none",
    translate,
  );
  let [waiting, speaking, took] = [0, 0, 0];

  root.replaceChildren(
    field.root,
    element(
      "div",
      { class: "cw-row lt-examples" },
      element("span", { class: "lt-title" }, "Try"),
      ...EXAMPLES.map(([source]) => source)
        .filter(isKnown)
        .map((source) => button(source.replace(/ \.$/, ""), () => take(source))),
    ),
    element(
      "div",
      { class: "cw-row lt-hands" },
      button("Make it longer", lengthen, { class: "cw-button lt-longer" }),
      search.root,
      size.root,
      penalty.root,
    ),
    reference,
    translations,
    details,
    heard,
    words.root,
  );
  take(first);

  function take(text) {
    field.set(text.replace(/ \.$/, ""));
    translate();
  }

  /** The next clause that the sentence does not have yet. */
  function lengthen() {
    const text = field.input.value.replace(/[\s.!?]+$/, "");
    const next = GROWING.slice(1).find(([clause]) => !text.includes(clause) && isKnown(clause));
    if (next) take(`${text} ${next[0]}`);
    else tell("There is nothing left to add; go on by typing.");
  }

  function typed() {
    clearTimeout(waiting);
    waiting = setTimeout(translate, took > SLOW ? PAUSE : 0);
  }

  function translate() {
    const begun = performance.now();
    const tokens = field.finished(tokenise(field.input.value));
    size.root.hidden = penalty.root.hidden = search.input.value === "greedy";
    if (!tokens.some((word) => /\p{L}/u.test(word)))
      return field.tell([], "Type a few English words, such as: the old cat sleeps.");
    if (tokens.length > MOST_WORDS)
      return field.tell([], `These are ${tokens.length} words and marks; at most ${MOST_WORDS} are translated here.`);
    field.tell(tokens);
    const known = references.get(tokens.join(" "));
    const unusual =
      tokens.length > longestTrained
        ? `${tokens.length} words and marks: longer than every sentence of the training, which had ${shortest} to ${longestTrained}.`
        : "";
    reference.textContent = known
      ? `${tokens.length} words and marks. Reference: ${known.join(" ")}`
      : unusual || `${tokens.length} words and marks.`;
    const how =
      search.input.value === "beam" ? { size: size.value, penalty: penalties[penalty.input.value] } : { size: 0 };
    // A column for each word; panels that are too wide to stand beside each other stand below each other.
    root.style.setProperty("--lt-panel", `${HEADING + 26 * tokens.length}px`);
    for (const panel of panels) panel.show({ words: tokens, reference: known }, how);
    took = performance.now() - begun;
    tell(panels.map((panel) => `${panel.title}: ${panel.text()}`).join(" "));
  }

  function drawn() {
    words.fill(
      "Each step of each model",
      ["model", "step", "reads", "looks most at", "says", "probability"],
      panels.flatMap((panel) => panel.rows()),
    );
  }

  /** Read out once things have come to rest; the sentence that stands there from the start is not. */
  function tell(sentence) {
    clearTimeout(speaking);
    if (heard.dataset.begun) speaking = setTimeout(() => (heard.textContent = sentence), 700);
    heard.dataset.begun = "true";
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
};
if (!customElements.get("live-translation")) customElements.define("live-translation", LiveTranslation);
