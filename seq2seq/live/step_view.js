// One step of a decoder: the words it may say next, the context, the decoder state, and the encoder states behind them.

const LIKELY = 6; // candidates that are shown

/** Numbers from −1 to 1 as small bars, up from the middle or down. */
function strip(numbers, label) {
  const bars = (sign) =>
    [...numbers]
      .map((number, place) =>
        number * sign > 0 ? `M${place} 12h.8v${(-12 * Math.max(-1, Math.min(1, number))).toFixed(2)}h-.8z` : "",
      )
      .join("");
  return svg(
    "svg",
    {
      class: "lt-strip",
      role: "img",
      "aria-label": label,
      viewBox: `0 0 ${numbers.length} 24`,
      preserveAspectRatio: "none",
    },
    svg("line", { class: "lt-zero", x1: 0, x2: numbers.length, y1: 12, y2: 12 }),
    svg("path", { class: "lt-above", d: bars(1) }),
    svg("path", { class: "lt-below", d: bars(-1) }),
  );
}

function part(title, ...children) {
  return element(
    "div",
    { class: "lt-part", role: "group", "aria-label": title },
    element("p", { class: "lt-title" }, title),
    ...children,
  );
}

const MEANING = new Map([["<bos>", ", the start"], ["<eos>", ", the end"]]);
const readable = (word) => `“${word}”${MEANING.get(word) ?? ""}`;

/** `forbid(at, id)` is called when the reader forbids a word at a step, or allows it again. */
function stepView(model, forbid) {
  const line = element("p", { class: "lt-line" });
  const candidates = element("ul", { class: "lt-candidates" });
  const context = element("div", {});
  const decoder = element("div", {});
  const encoder = element("ol", { class: "lt-states" });
  const folded = element(
    "details",
    { class: "lt-fold", ontoggle: drawNumbers },
    element("summary", {}, "What the numbers look like"),
    part("Context", context),
    part("Decoder state", decoder),
    part("Encoder states", encoder),
  );
  const root = element("div", {}, line, part("May say next (press a word to forbid it)", candidates), folded);
  let shown = null;

  /** Step `at` of `steps`, of a sentence `{ words, source }`; `forbidden` are ids that the reader does not allow there. */
  function draw(steps, at, sentence, forbidden) {
    const focused = candidates.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    shown = { step: steps[at], at, sentence };
    const { step } = shown;
    const chances = softmax(step.logits);
    const likely = largest(chances, LIKELY).map(([id]) => id);
    if (!likely.includes(step.wordId)) likely.push(step.wordId);
    const [previousWord, word] = [step.previous, step.wordId].map((id) => model.target[id]);
    line.textContent =
      `Step ${at + 1} of ${steps.length}: reads ${readable(previousWord)}${looks(step, sentence.words)}, ` +
      `says ${readable(word)} (${share(chances[step.wordId])}).`;
    candidates.replaceChildren(
      ...forbidden.map((id) => candidate(id, 0, true)),
      ...likely.filter((id) => !forbidden.includes(id)).map((id) => candidate(id, chances[id], false)),
    );
    if (focused !== null)
      (candidates.querySelector(`[data-id="${focused}"]`) ?? candidates.querySelector("button")).focus();
    drawNumbers();
  }

  function candidate(id, chance, isForbidden) {
    const word = model.target[id];
    return element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          "data-id": id,
          class: `lt-word${isForbidden ? " lt-forbidden" : ""}${id === shown.step.wordId ? " lt-now" : ""}`,
          style: `--w: ${chance}`,
          onclick: () => forbid(shown.at, id),
        },
        element("span", { class: "lt-name" }, word),
        " ",
        element("span", { class: "lt-bar" }),
        element("span", { class: "lt-number" }, isForbidden ? "forbidden" : share(chance)),
        element("span", { class: "cw-heard" }, isForbidden ? ", allow it again" : ", forbid it"),
      ),
    );
  }

  /** They are many, and are drawn only when they are unfolded. */
  function drawNumbers() {
    if (!folded.open || !shown) return;
    const { step, at, sentence } = shown;
    const { words, source } = sentence;
    const { hidden } = step.state;
    context.replaceChildren(strip(step.context, `The context of step ${at + 1}, ${span(step.context)}`));
    decoder.replaceChildren(strip(hidden, `The decoder state after step ${at + 1}, ${span(hidden)}`));
    encoder.replaceChildren(
      ...source.states.map((state, j) => {
        const weight = step.weights?.[j];
        return element(
          "li",
          { style: weight === undefined ? null : `--w: ${weight}` },
          element("span", { class: "lt-name" }, words[j]),
          strip(state, `The state of “${words[j]}”, ${span(state)}`),
          element("span", { class: "lt-number" }, weight === undefined ? "" : fixed(weight)),
        );
      }),
    );
  }

  return { root, draw, line: () => line.textContent };
}

function looks({ weights }, words) {
  if (!weights) return "";
  const best = argmax(weights);
  return `, looks most at “${words[best]}” (${fixed(weights[best])})`;
}

const span = (numbers) =>
  `${numbers.length} numbers from ${fixed(Math.min(...numbers))} to ${fixed(Math.max(...numbers))}`;
