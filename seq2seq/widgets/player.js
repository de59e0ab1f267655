// The player: one step of a decoder at a time. Everything shown comes from the runs; nothing is computed here.

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
const PAUSE = 1100; // milliseconds from step to step
const PATIENCE = 15000; // until a kernel that says nothing is said to be silent

/** A run as Python's `compact` wrote it, as a list of steps in plain words and numbers. */
function unpacked(run) {
  let read = run.read;
  return run.steps.map(([weights, places, chances, letters]) => {
    const candidates = places.map((place, rank) => ({ word: run.words[place], chance: chances[rank] / 1000 }));
    const step = {
      read,
      word: candidates[0].word,
      candidates,
      weights: weights.map((weight) => weight / 1000),
      context: [...letters].map((letter) => (LETTERS.indexOf(letter) - 31) / 31),
    };
    step.best = argmax(step.weights);
    read = step.word;
    return step;
  });
}

export default widget((root, model) => {
  const names = model.get("models");
  const decoded = model.get("runs"); // of each model, all sentences
  const sentences = decoded[0].map((run, place) => ({
    name: run.source.join(" "),
    runs: decoded.map((runs) => runs[place]),
  }));
  let steps = [];
  let source = [];
  let pinned = null; // the place of a source word whose weights are told, step by step, until another is chosen

  const chosen = choice("Sentence", options(), "0", () => start(0));
  const wiring = choice("Model", names.map((name, place) => [String(place), name]), "0", () => start(at()));
  const slide = slider("Step", { min: 1, max: 1, value: 1, say: (step) => `${step} of ${steps.length}` }, moved);
  const back = button("Back", () => go(at() - 1));
  const play = playButton("Play", slide, PAUSE, draw, { class: "cw-button pl-play" });
  const forward = button("Forward", () => go(at() + 1));
  const line = spokenLine();
  const words = asText();
  const wordList = element("ol", { class: "pl-said" });
  const looks = element("ul", { class: "pl-source" });
  const may = element("ul", { class: "pl-may" });
  const strip = picture(640, 48, "");
  strip.setAttribute("preserveAspectRatio", "none");
  strip.classList.add("pl-strip");
  const range = element("p", { class: "pl-note" });
  const grid = picture(640, 100, "");
  grid.classList.add("pl-grid");
  grid.setAttribute("tabindex", 0);
  const cellSaid = element("p", { class: "pl-cell-said", role: "status" });

  const choices = [sentences.length > 1 || model.get("can_type") ? chosen.root : null, names.length > 1 ? wiring.root : null];
  root.append(
    choices.some(Boolean) ? element("div", { class: "cw-row pl-choices" }, ...choices) : "",
    ...(model.get("can_type") ? field() : []),
    row(element("div", { class: "pl-buttons" }, back, play.root, forward), slide.root),
    line.root,
    part("Says, word by word", wordList),
    part("Looks at", looks),
    element("div", { class: "pl-sides" }, part("May say", may), part("Context", strip, range)),
    part("The table so far: a row for each word said, a column for each source word", element("div", { class: "cw-scroll" }, grid), cellSaid),
    words.root,
  );
  root.addEventListener("keydown", pressed);
  root.tabIndex = -1; // a click beside the controls gives the widget the focus, and so the keys
  // only a pointer that moves asks: below one at rest the table is drawn anew at every step
  grid.addEventListener("pointermove", ({ target }) => tellCell(target.dataset?.turn, target.dataset?.place));
  grid.addEventListener("pointerleave", () => tellCell());
  grid.addEventListener("click", ({ target }) => target.dataset?.turn && pin(Number(target.dataset.turn), Number(target.dataset.place)));
  new ResizeObserver(drawGrid).observe(root);
  start(0);

  function options() {
    return sentences.map(({ name }, place) => [String(place), name]);
  }

  function part(title, ...children) {
    return element("div", { class: "pl-part", role: "group", "aria-label": title }, element("p", { class: "pl-title" }, title), ...children);
  }

  function at() {
    return slide.value - 1;
  }

  /** Another run; the place in it is kept as far as it goes. */
  function start(place) {
    play.stop();
    const run = sentences[Number(chosen.input.value)].runs[Number(wiring.input.value)];
    steps = unpacked(run);
    pinned = null;
    source = run.source.map((word) => ({ word, unknown: run.unknown.includes(word) }));
    slide.set(Math.min(place, steps.length - 1) + 1, { max: steps.length });
    draw();
  }

  function go(place) {
    play.stop();
    slide.set(Math.max(0, Math.min(place, steps.length - 1)) + 1);
    draw();
  }

  function moved() {
    play.stop();
    draw();
  }

  /** A cell is chosen: its step is shown, and the weight of its source word is told there and at every other step. */
  function pin(turn, place) {
    pinned = place;
    go(turn);
  }

  /** What a cell holds, in words: the one under the pointer, else the pinned word at this step. */
  function tellCell(turn = pinned === null ? undefined : at(), place = pinned ?? undefined) {
    if (turn === undefined) cellSaid.textContent = "Point at a cell or choose one; ↑ and ↓ go from source word to source word.";
    else {
      const { word, weights } = steps[turn];
      cellSaid.textContent = `Step ${Number(turn) + 1}, which says “${word}”: weight ${fixed(weights[place], 3)} on “${source[place].word}”.`;
    }
  }

  /** Space plays and the arrows step, wherever in the widget these keys have no other meaning. */
  function pressed(event) {
    const here = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || here.matches("select, input[type=text], .cw-scroll")) return;
    const isSlider = here.matches("input[type=range]");
    const down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (down && !isSlider && !here.matches("button, summary")) {
      pinned = pinned === null ? steps[at()].best : Math.max(0, Math.min(source.length - 1, pinned + down));
      drawGrid();
      event.preventDefault();
      return;
    }
    if (event.key === " " && !here.matches("button, summary")) play.toggle();
    else if (event.key === "ArrowRight" && !isSlider) go(at() + 1);
    else if (event.key === "ArrowLeft" && !isSlider) go(at() - 1);
    else return;
    event.preventDefault();
  }

  function draw() {
    const step = steps[at()];
    const held = root.contains(document.activeElement) ? document.activeElement : null;
    back.disabled = at() === 0;
    forward.disabled = at() === steps.length - 1;
    if (held?.disabled) slide.input.focus({ preventScroll: true }); // a disabled button would keep the keys to itself
    line.say(
      `Step ${at() + 1} of ${steps.length}: reads “${step.read}”, looks most at “${source[step.best].word}” ` +
        `(${fixed(step.weights[step.best])}), says “${step.word}” (${fixed(step.candidates[0].chance)}).`,
    );
    wordList.replaceChildren(...steps.map(({ word }, place) => element("li", standing(place), word)));
    looks.replaceChildren(
      ...source.map(({ word, unknown }, place) =>
        element(
          "li",
          { style: `--w: ${step.weights[place]}`, class: place === step.best ? "pl-best" : null },
          element("span", {}, word),
          unknown ? element("span", { class: "pl-unknown" }, "not known") : null,
          element("span", { class: "pl-number" }, fixed(step.weights[place])),
        ),
      ),
    );
    may.replaceChildren(
      ...step.candidates.map(({ word, chance }) =>
        element(
          "li",
          { style: `--w: ${chance}` },
          element("span", { class: "pl-word" }, word),
          element("span", { class: "pl-bar" }),
          element("span", { class: "pl-number" }, share(chance, 3)),
        ),
      ),
    );
    drawContext(step.context);
    drawGrid();
    tell();
  }

  /** Of a word said: later ones already take their room, unseen, so that nothing below moves. */
  function standing(place) {
    if (place > at()) return { class: "pl-later", "aria-hidden": "true" };
    return place === at() ? { class: "pl-now", "aria-current": "step" } : {};
  }

  function drawContext(context) {
    const width = 640 / context.length;
    strip.replaceChildren(
      svg("line", { x1: 0, x2: 640, y1: 24, y2: 24, class: "pl-zero" }),
      ...context.map((number, place) =>
        svg("rect", {
          x: place * width,
          y: 24 - Math.max(0, number) * 24,
          width: width * 0.8,
          height: Math.abs(number) * 24,
          class: number < 0 ? "pl-below" : "pl-above",
        }),
      ),
    );
    const [low, high] = [fixed(Math.min(...context)), fixed(Math.max(...context))];
    strip.setAttribute("aria-label", `The context of step ${at() + 1}: ${context.length} numbers from ${low} to ${high}`);
    range.textContent = `${context.length} numbers, from ${low} to ${high}; bars go up above 0, down below it`;
  }

  /** Drawn in true pixels, so that words keep their size on a phone; the height is that of all steps, so nothing jumps. */
  function drawGrid() {
    if (!steps.length || !root.clientWidth) return;
    const longest = (texts) => Math.max(...texts.map((text) => text.length));
    const width = Math.min(root.clientWidth, 720);
    const left = Math.min(0.3 * width, 16 + 7.2 * longest(steps.map(({ word }) => word)));
    const cell = Math.max(12, Math.min(46, (width - left - 4) / source.length)); // long sentences scroll on a phone
    const height = 22;
    const top = 12 + 7 * longest(source.map(({ word }) => word));
    const size = Math.min(13, cell);
    const roomy = cell >= 30; // for numbers; where there are none, blue need not leave them readable
    grid.style.setProperty("--cw-strongest", roomy ? "" : "100%");
    const parts = source.map(({ word }, place) => {
      const [x, y] = [left + (place + 0.5) * cell + size / 3, top - 6];
      return svg("text", { x, y, transform: `rotate(-90 ${x} ${y})`, style: `font-size: ${size}px` }, word);
    });
    steps.forEach((step, turn) => {
      const y = top + turn * height;
      if (turn > at()) return parts.push(...source.map((_, place) => svg("rect", { x: left + place * cell, y, width: cell - 1, height: height - 1, class: "pl-empty" })));
      const now = turn === at();
      const label = { x: left - 8, y: y + 15, "text-anchor": "end", class: now ? "pl-label pl-now" : "pl-label" };
      parts.push(svg("text", label, step.word));
      step.weights.forEach((weight, place) => {
        const x = left + place * cell;
        parts.push(svg("rect", { x, y, width: cell - 1, height: height - 1, class: "pl-cell", style: `--w: ${weight}`, "data-turn": turn, "data-place": place }));
        if (roomy && weight >= 0.005)
          parts.push(svg("text", { x: x + cell / 2, y: y + 15, "text-anchor": "middle", class: "pl-inside" }, fixed(weight)));
      });
      if (now && pinned !== null) parts.push(svg("rect", { x: left + pinned * cell + 1, y: y + 1, width: cell - 3, height: height - 3, class: "pl-pinned" }));
      if (now) parts.push(svg("rect", { x: left - 1, y: y - 1, width: cell * source.length + 1, height: height + 1, class: "pl-frame" }));
    });
    const full = top + steps.length * height + 4;
    const wide = Math.max(width, left + cell * source.length + 4);
    grid.setAttribute("viewBox", `0 0 ${wide} ${full}`);
    grid.style.width = `${wide}px`;
    grid.replaceChildren(...parts);
    tellCell();
    const paths = steps.slice(0, at() + 1).map((step) => `${step.word} looks most at ${source[step.best].word}`);
    grid.setAttribute("aria-label", `Weights of ${at() + 1} of ${steps.length} steps: ${paths.join(", ")}.`);
  }

  function tell() {
    words.fill(
      `What steps 1 to ${at() + 1} of ${steps.length} read and said, their weights and their likeliest words`,
      ["says", "reads", ...source.map(({ word }) => word), "may say"],
      steps.slice(0, at() + 1).map((step) => [
        step.word,
        step.read,
        ...step.weights.map((weight) => fixed(weight)),
        step.candidates.map(({ word, chance }) => `${word} ${share(chance, 3)}`).join(", "),
      ]),
    );
  }

  /** Where a kernel listens: a field to type in, and what came of it. */
  function field() {
    const id = uniqueId("typed");
    const input = element("input", { type: "text", id, autocomplete: "off", spellcheck: "false" });
    const note = element("p", { class: "pl-note", role: "status" });
    let number = 0;
    let silence;
    const send = (event) => {
      event.preventDefault();
      number += 1;
      note.className = "pl-note";
      note.textContent = "Translating …";
      clearTimeout(silence);
      silence = setTimeout(() => complain("The kernel does not answer. Is it running, and idle?"), PATIENCE);
      model.send({ number, text: input.value });
    };
    const complain = (problem) => {
      note.className = "cw-problem";
      note.textContent = problem;
    };
    model.on("change:typed", () => {
      const answer = model.get("typed");
      if (answer.number !== number) return;
      clearTimeout(silence);
      if (answer.problem) return complain(answer.problem);
      const unknown = answer.runs[0].unknown;
      note.textContent = unknown.length ? `Not known, read as <unk>: ${unknown.join(", ")}.` : "";
      sentences.push({ name: answer.runs[0].source.join(" "), runs: answer.runs });
      chosen.fill(options(), String(sentences.length - 1));
      start(answer.runs[0].steps.length - 1);
    });
    const form = element("form", { class: "cw-row pl-field", onsubmit: send }, element("label", { for: id }, "Your sentence"), input);
    form.append(element("button", { type: "submit", class: "cw-button" }, "Translate"));
    return [form, note];
  }
});
