// One model beside others: its translation above, and below it the weights and the step that the reader has chosen.

/** The places of `words` that are no part of a longest common subsequence with `others`. */
function departures(words, others) {
  const longest = Array.from({ length: words.length + 1 }, () => new Array(others.length + 1).fill(0));
  for (let i = words.length - 1; i >= 0; i--)
    for (let j = others.length - 1; j >= 0; j--)
      longest[i][j] =
        words[i] === others[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  const places = new Set();
  for (let [i, j] = [0, 0]; i < words.length;) {
    if (words[i] === others[j]) (i++, j++);
    else if (j < others.length && longest[i][j + 1] >= longest[i + 1][j]) j++;
    else places.add(i++);
  }
  return places;
}

/** `tell(sentence)` says what has changed to those who listen; `drawn()` is called after each new translation. */
function modelPanel(model, { tell, drawn }) {
  const wordList = element("ol", {
    class: "lt-said",
    role: "listbox",
    "aria-label": `Translation by ${model.title}; arrow keys choose a step`,
    onkeydown: moved,
  });
  const verdict = element("p", { class: "lt-note lt-verdict" });
  const beam = element("ol", { class: "lt-beam" });
  const beamBox = part("Hypotheses with their scores", beam);
  const undo = button("Undo", takeBack, { hidden: true });
  const table = model.hasAttention ? weightsTable(model.title, pressed) : null;
  const view = stepView(model, forbid);
  const blind = element("p", { class: "lt-blind" });
  const translation = element(
    "section",
    { class: "lt-panel", "aria-label": model.title },
    element("p", { class: "lt-model" }, element("span", {}, model.title), undo),
    wordList,
    verdict,
    beamBox,
  );
  const details = element(
    "section",
    { class: "lt-panel", "aria-label": `${model.title}, step by step` },
    element("p", { class: "lt-model" }, model.title),
    table ? table.root : blind,
    view.root,
  );
  let [sentence, search, steps, hypotheses, picked, at] = [null, { size: 0 }, [], [], 0, 0];
  let hand = { pinned: {}, forbidden: {} };

  const words = () => steps.map((step) => model.target[step.wordId]);
  const text = () =>
    words()
      .filter((word) => word !== "<eos>")
      .join(" ");

  /** A new sentence `{ words, reference }`, or another search; pins and forbidden words stay only with the sentence. */
  function show(next, how) {
    const isNew = next.words.join(" ") !== sentence?.words.join(" ");
    if (isNew) [hand, picked] = [{ pinned: {}, forbidden: {} }, 0];
    sentence = { ...next, source: isNew ? model.read(model.encodeWords(next.words)) : sentence.source };
    search = how;
    translate();
  }

  function translate() {
    if (search.size) {
      hypotheses = beamSearch(model, sentence.source, { ...search, count: search.size, hand });
      picked = Math.min(picked, hypotheses.length - 1);
      steps = follow(model, sentence.source, hypotheses[picked].ids, hand);
    } else {
      [hypotheses, picked] = [[], 0];
      steps = greedy(model, sentence.source, hand);
    }
    at = Math.min(at, steps.length - 1);
    draw();
    drawn();
  }

  function draw() {
    const [targetWords, reference] = [words(), sentence.reference];
    const departing = reference ? departures(targetWords, [...reference, "<eos>"]) : new Set();
    const unknown = new Set(sentence.words.filter((word) => !model.sourceIds.has(word)));
    wordList.replaceChildren(
      ...targetWords.map((word, place) => {
        const kind = [
          departing.has(place) ? "lt-departs" : "",
          hand.pinned[place] || hand.forbidden[place]?.length ? "lt-touched" : "",
          word === "<eos>" ? "lt-end" : "",
        ];
        return element(
          "li",
          {
            role: "option",
            class: kind.join(" ").trim() || null,
            style: `--row: ${place}`,
            onclick: () => choose(place),
          },
          word,
        );
      }),
    );
    verdict.textContent = !reference
      ? ""
      : departing.size || targetWords.length !== reference.length + 1
        ? `Departs from the reference at word ${firstDifference(targetWords, reference) + 1} of ${reference.length}.`
        : "Word for word the reference.";
    table?.fill(steps, sentence.words, targetWords, unknown, (row) => Boolean(hand.pinned[row]));
    const size = sentence.source.final.length;
    blind.textContent =
      `It has no weights. At every step it sees one vector of ${size} numbers, ` +
      `for ${sentence.words.length} words as for any other number of them.`;
    beamBox.hidden = !hypotheses.length;
    beam.replaceChildren(...hypotheses.map(hypothesis));
    const touched = Object.keys(hand.pinned).length + Object.values(hand.forbidden).filter((ids) => ids.length).length;
    undo.hidden = !touched;
    choose(at, false);
  }

  function hypothesis({ ids, score }, place) {
    const line = ids
      .filter((id) => id !== EOS)
      .map((id) => model.target[id])
      .join(" ");
    const isShown = place === picked;
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", class: "lt-hypothesis", "aria-pressed": String(isShown), onclick: () => pick(place) },
        element("span", {}, line),
        element("span", { class: "lt-number" }, fixed(score)),
      ),
    );
  }

  function pick(place) {
    picked = place;
    translate();
    beam.children[place].firstChild.focus();
    tell(`Shows hypothesis ${place + 1}: ${text()}`);
  }

  /** Step `place`; it is told unless it was chosen for the reader. */
  function choose(place, isTold = true) {
    at = place;
    [...wordList.children].forEach((word, here) => {
      word.setAttribute("aria-selected", String(here === at));
      word.setAttribute("tabindex", here === at ? 0 : -1);
    });
    table?.choose(at, isTold);
    view.draw(steps, at, sentence, hand.forbidden[at] ?? []);
    if (isTold) tell(view.line());
  }

  function moved(event) {
    const go = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: steps.length - 1,
    }[event.key];
    if (go === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(go, steps.length - 1)));
    wordList.children[at].focus();
  }

  /** A cell of the table: another row is chosen; in the chosen row the word gets all weight, or loses it again. */
  function pressed(row, column) {
    if (row !== at || column < 0) return choose(row);
    const { [row]: before, ...others } = hand.pinned;
    const isBack = before?.[column] === 1;
    change({
      ...hand,
      pinned: isBack ? others : { ...others, [row]: Float32Array.from(sentence.words, (_, j) => Number(j === column)) },
    });
  }

  function forbid(row, id) {
    const before = hand.forbidden[row] ?? [];
    change({
      ...hand,
      forbidden: {
        ...hand.forbidden,
        [row]: before.includes(id) ? before.filter((other) => other !== id) : [...before, id],
      },
    });
  }

  function takeBack() {
    change({ pinned: {}, forbidden: {} });
    wordList.children[at].focus(); // the button is gone
  }

  function change(next) {
    const before = text();
    hand = next;
    translate();
    tell(text() === before ? `${model.title} still says: ${before}` : `${model.title} now says: ${text()}`);
  }

  /** The rows of a table in words. */
  const rows = () =>
    steps.map((step, place) => [
      model.title,
      place + 1,
      model.target[step.previous],
      step.weights ? sentence.words[argmax(step.weights)] : "–",
      model.target[step.wordId],
      share(softmax(step.logits)[step.wordId]),
    ]);

  return { translation, details, show, text, rows, title: model.title };
}

function firstDifference(words, others) {
  const place = words.findIndex((word, at) => word !== others[at]);
  return Math.min(place < 0 ? words.length : place, others.length - 1);
}
