// The field, the examples, and what each model says: all that stands in a live translation.

const SLOW = 60; // milliseconds: where a translation takes longer, it waits for a pause in the typing
const PAUSE = 150;
const BESIDE = 12; // words and marks: of a larger table the examples stand above it
const REST = 900; // milliseconds after which a reader has finished typing, and is told what was not understood

/** The field, the examples and the models' translations; the first one `forms`, word by word. */
function build(root, models, first, forms) {
  const [english, french] = [new Set(models[0].sourceWords), new Set(models[0].target)];
  const [isKnown, isFrench] = [english, french].map((words) => (word) => words.has(word));
  const examples = EXAMPLES.map(([source]) => asTyped(source)).filter(isWhole);
  const references = knownTranslations();
  const heard = element("p", { class: "cw-heard", "aria-live": "polite" });
  const words = asText();
  const reference = element("p", { class: "lt-note lt-reference" });
  const stale = element("p", { class: "lt-stale", hidden: true });
  const panels = models.map((model) => modelPanel(model, { tell, drawn }));
  const results = element(
    "div",
    { class: "lt-results", role: "group" },
    stale,
    element("div", { class: "lt-panels" }, ...panels.map((panel) => panel.translation)),
    reference,
    element("div", { class: "lt-panels lt-details" }, ...panels.map((panel) => panel.details)),
  );
  const field = sentenceField(models[0].sourceWords.slice(UNK + 1), typed, () => resting && translate());
  const search = searchRow(translate);
  const body = element(
    "div",
    { class: "lt-body" },
    element(
      "div",
      { class: "cw-row lt-examples", role: "group", "aria-label": MESSAGES.examples() },
      element("span", { class: "lt-title", "aria-hidden": "true" }, MESSAGES.examples()),
      button(MESSAGES.longer(), lengthen, { class: "cw-button lt-longer" }),
      ...examples.map((source) => button(source, () => take(source))),
    ),
    results,
  );
  let [waiting, resting, speaking, took, shown] = [0, 0, 0, 0, []];

  root.replaceChildren(field.root, body, search.root, words.root, heard);
  take(first);

  function isWhole(text) {
    return tokenise(text).every(isKnown);
  }

  function take(text) {
    field.set(asTyped(text));
    translate();
  }

  /** The next clause that the sentence does not have yet. */
  function lengthen() {
    const text = field.input.value.replace(/[\s.!?]+$/, "");
    const next = GROWING.slice(1).find(([clause]) => !text.includes(clause) && isWhole(clause));
    if (next) take(`${text} ${next[0]}`);
    else tell(MESSAGES.nothingLonger());
  }

  function typed() {
    clearTimeout(waiting);
    clearTimeout(resting);
    waiting = setTimeout(translateBegun, took > SLOW ? PAUSE : 0);
    resting = setTimeout(translate, REST);
  }

  /** What can be translated while one types: all but a word that is not known yet. Nothing is said of it. */
  function translateBegun() {
    const entry = readEntry(field.input.value, isKnown);
    const begun = field.typed();
    const [unknown, at] = [entry.unknown.filter((word) => word !== begun), entry.words.lastIndexOf(begun)];
    const rest = at >= 0 && !isKnown(begun) ? { words: entry.words.toSpliced(at, 1), unknown } : entry;
    if (rest.words.some(isWord) && !isForeign(rest, isFrench)) draw(rest.words);
    else markStale();
  }

  /** All that stands in the field, and what there is to say of it. */
  function translate() {
    clearTimeout(waiting);
    clearTimeout(resting);
    resting = 0;
    const entry = readEntry(field.input.value, isKnown);
    const isRefused = !entry.words.length || isForeign(entry, isFrench);
    field.tell(isRefused ? refusal(entry, field, take, examples) : remarks(entry, field, take));
    if (isRefused) markStale();
    else draw(entry.words);
    const translations = isRefused ? [] : panels.map((panel) => `${panel.title}: ${panel.text()}`);
    tell([field.heard(), ...translations].join(" ").trim());
  }

  /** What is shown stays, as that of the sentence before. */
  function markStale() {
    stale.textContent = MESSAGES.stale(shown);
    stale.hidden = false;
    results.classList.add("lt-old");
    results.setAttribute("aria-label", stale.textContent);
  }

  function draw(tokens) {
    const begun = performance.now();
    const known = references.get(tokens.join(" "));
    const isUnusual = tokens.length > models[0].trainedLengths[1];
    stale.hidden = true;
    results.classList.remove("lt-old");
    results.setAttribute("aria-label", MESSAGES.result());
    reference.textContent = [
      isUnusual ? MESSAGES.unusual(tokens.length, models[0].trainedLengths) : MESSAGES.words(tokens.length),
      known ? MESSAGES.reference(known) : "",
    ].join(" ");
    // A column for each word; panels that are too wide to stand beside each other stand below each other.
    root.style.setProperty("--lt-panel", `${HEADING + 26 * tokens.length}px`);
    body.classList.toggle("lt-beside", panels.length === 1 && tokens.length <= BESIDE);
    for (const panel of panels) panel.show({ words: tokens, reference: known }, search.how());
    shown = tokens;
    took = performance.now() - begun;
  }

  function drawn() {
    body.classList.toggle("lt-forms", forms && !shown.length);
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

/** A sentence of tokens as people type it. */
const asTyped = (text) => text.replace(/ \.$/, "").replace(/ (?=[,;]|'s )/g, "");

/** The references of the examples, and of the growing sentence after each clause. */
function knownTranslations() {
  const growing = GROWING.map((_, at) =>
    [0, 1].map((side) => [...GROWING.slice(0, at + 1).map((clause) => clause[side]), "."].join(" ")),
  );
  return new Map([...EXAMPLES, ...growing].map(([source, target]) => [source, target.split(" ")]));
}
