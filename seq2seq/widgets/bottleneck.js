export default widget((root, model) => {
  const { models, buckets, longest, examples, shortest } = model.get("data");
  const most = shortest + examples.length - 1;
  const line = spokenLine();
  const words = asText();
  const length = slider("Words in the source", { min: shortest, max: most, value: shortest }, (value) => {
    typed.value = value;
    draw();
  });
  const typed = element("input", { type: "number", min: shortest, max: most, value: length.value, oninput: type });
  const problem = element("p", { class: "cw-problem", role: "alert" });
  const sentences = sideways("The sentences");
  sentences.classList.add("bn-sentences");
  const shape = picture(440, 200, "");
  shape.classList.add("bn-curves");
  root.append(row(length.root, named("number", "or type it", typed)), problem, shape, line.root, sentences, words.root); // what grows stands last

  function type() {
    const value = Number(typed.value);
    const fits = typed.value !== "" && Number.isInteger(value) && value >= shortest && value <= most;
    problem.textContent = fits ? "" : `Got “${typed.value}”; a whole number from ${shortest} to ${most} is expected.`;
    typed.setAttribute("aria-invalid", String(!fits));
    if (!fits) return;
    length.set(value);
    draw();
  }

  function draw() {
    problem.textContent = "";
    typed.setAttribute("aria-invalid", "false");
    const { source, reference, translations } = examples[length.value - shortest];
    const outputs = translations.map(({ words: text }) => (text ?? reference).split(" "));
    const verdicts = translations.map((translation, at) => verdict(translation, outputs[at].length));
    sentences.replaceChildren(
      sentence("source", source.split(" ")),
      sentence("reference", reference.split(" ")),
      ...models.map(({ name }, at) => sentence(name, outputs[at], translations[at].wrong, verdicts[at])),
    );
    const place = buckets.findIndex(([low, high]) => length.value >= low && length.value <= high);
    curves(place);
    const [low, high] = buckets[place];
    const told = models.map(({ name }, at) => `${name}: ${verdicts[at]}`).join("; ");
    const unseen = length.value > longest ? `, longer than any sentence of the training` : "";
    line.say(`${length.value} words${unseen}. ${capital(told)}.`);
    words.fill(
      `One sentence of ${length.value} words, and the means over all sentences of ${low} to ${high} words`,
      ["model", "this sentence", `BLEU, ${low}–${high}`, `exactly right, ${low}–${high}`, "wrong words"],
      models.map(({ name, curve }, at) => {
        const wrong = translations[at].wrong.map((number) => outputs[at][number]).join(", ") || "none";
        return [name, verdicts[at], fixed(curve[place].bleu, 1), `${fixed(curve[place].exact, 1)} %`, wrong];
      }),
    );
  }

  function verdict({ words: text, wrong, missing }, count) {
    if (text === null) return "right to the last word";
    if (wrong.length) return `${wrong.length} of ${count} words wrong`;
    return `${several(missing, "word")} left out`;
  }

  function sentence(name, tokens, wrong = [], told = "") {
    const marked = tokens.flatMap((word, at) => [wrong.includes(at) ? element("mark", {}, word) : word, " "]);
    const head = element("span", { class: "bn-name" }, element("strong", {}, capital(name)), told && element("em", {}, ` ${told}`));
    return element("p", {}, head, element("br"), ...marked);
  }

  function curves(place) {
    const x = (words) => 38 + ((words - shortest) / (most - shortest)) * 388;
    const y = (bleu) => 160 - bleu * 1.3;
    const parts = [svg("rect", { class: "bn-unseen", x: x(longest + 0.5), y: y(100), width: 426 - x(longest + 0.5), height: 130 })];
    for (const bleu of [0, 50, 100]) {
      parts.push(svg("line", { class: "bn-grid", x1: 38, x2: 426, y1: y(bleu), y2: y(bleu) }));
      parts.push(svg("text", { x: 32, y: y(bleu) + 4, "text-anchor": "end" }, bleu));
    }
    for (const words of [10, 20, 30, 40, 50, 60]) parts.push(svg("text", { x: x(words), y: 178, "text-anchor": "middle" }, words));
    parts.push(svg("text", { x: 38, y: 14 }, "BLEU, mean over seeds"), svg("text", { x: 426, y: 196, "text-anchor": "end" }, "source words"));
    parts.push(svg("line", { class: "bn-here", x1: x(length.value), x2: x(length.value), y1: y(100), y2: y(0) }));
    models.forEach(({ name, curve }, at) => {
      const points = curve.map(({ bleu }, bucket) => [x((buckets[bucket][0] + buckets[bucket][1]) / 2), y(bleu)]);
      parts.push(svg("polyline", { class: `bn-model-${at}`, points: points.join(" ") }));
      for (const [px, py] of points)
        parts.push(at ? svg("rect", { class: `bn-mark-${at}`, x: px - 4, y: py - 4, width: 8, height: 8 }) : svg("circle", { class: `bn-mark-${at}`, cx: px, cy: py, r: 4.5 }));
      const [px, py] = points[1];
      parts.push(svg("text", { class: `bn-name-${at}`, x: px + 8, y: py + (at ? 18 : -8) }, name));
    });
    shape.replaceChildren(...parts);
    const told = models.map(({ name, curve }) => `${name} ${fixed(curve[place].bleu, 1)}`).join(", ");
    const [low, high] = buckets[place];
    shape.setAttribute("aria-label", `BLEU against the length of the source; at ${low} to ${high} words: ${told}.`);
  }

  draw();
});
