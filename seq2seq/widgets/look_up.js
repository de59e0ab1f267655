export default widget((root, model) => {
  const { words: names, keys, values, step, lengths, scorers, scores: tables } = model.get("data");
  const line = spokenLine();
  const text = asText();
  const reach = 1.22 * Math.max(...keys.concat(values).flat().map(Math.abs));
  const turn = slider("Query direction", { min: 0, max: 360 - step, step, value: 30, say: (degrees) => `${degrees}°` }, draw);
  const size = slider("Query length", { min: 0, max: lengths.length - 1, value: 3, say: (at) => fixed(lengths[at], 1) }, draw);
  const scorer = choice("Scorer", scorers.map((name) => [name, name]), scorers[0], draw);
  const left = picture(300, 316, "");
  const right = picture(300, 316, "");
  const below = picture(400, names.length * 24 + 28, "");
  root.append(row(turn.root, size.root, scorer.root), element("div", { class: "lu-planes" }, left, right), below, line.root, text.root);

  // A query longer than the picture is drawn up to its edge; its length stands at the slider.
  const shown = (length) => Math.min(length, 0.97 * reach);
  const place = ([x, y]) => [150 + (x / reach) * 140, 166 - (y / reach) * 140];

  draggable(left, (_, x, y) => {
    const [across, up] = [(x - 150) / 140, (166 - y) / 140].map((part) => part * reach);
    const degrees = (Math.atan2(up, across) * 180) / Math.PI;
    const drawn = lengths.map(shown);
    const at = argmax(drawn.map((each) => -Math.abs(each - Math.hypot(across, up))));
    size.set(at);
    if (lengths[at]) turn.set((Math.round(degrees / step) * step + 360) % 360);
    draw();
  });

  function points(vectors, symbol) {
    return vectors.flatMap((vector, at) => {
      const [x, y] = place(vector);
      const far = Math.hypot(...vector) || 1;
      const [tx, ty] = [x + (vector[0] / far) * 13, y - (vector[1] / far) * 17 + 5];
      const anchor = vector[0] / far > 0.4 ? "start" : vector[0] / far < -0.4 ? "end" : "middle";
      const shape = symbol === "key" ? svg("circle", { class: "lu-key", cx: x, cy: y, r: 4.5 }) : svg("rect", { class: "lu-value", x: x - 4, y: y - 4, width: 8, height: 8 });
      return [shape, svg("text", { x: tx, y: ty, "text-anchor": anchor }, names[at])];
    });
  }

  function frame(title) {
    const [x, y] = place([0, 0]);
    return [
      svg("line", { class: "lu-axis", x1: 10, x2: 290, y1: y, y2: y }),
      svg("line", { class: "lu-axis", x1: x, x2: x, y1: 26, y2: 306 }),
      svg("text", { class: "lu-title", x: 10, y: 14 }, title),
    ];
  }

  /** The corners of the smallest convex area that holds all points. */
  function hull(vectors) {
    const sorted = [...vectors].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const half = (list) =>
      list.reduce((kept, c) => {
        for (let a, b; kept.length > 1 && (([a, b] = kept.slice(-2)), (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])); ) kept.pop();
        return [...kept, c];
      }, []);
    return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
  }

  function draw() {
    const at = (size.value * (360 / step) + turn.value / step) * names.length;
    const scores = tables[scorer.input.value].slice(at, at + names.length).map((number) => number / 1000);
    const weights = softmax(scores);
    const tails = [[0, 0]];
    values.forEach(([x, y], j) => tails.push([tails[j][0] + weights[j] * x, tails[j][1] + weights[j] * y]));
    const context = tails.at(-1);
    const radians = (turn.value * Math.PI) / 180;
    const seen = shown(lengths[size.value]);
    const query = [seen * Math.cos(radians), seen * Math.sin(radians)];

    left.replaceChildren(...frame("keys, and the query"), ...points(keys, "key"), ...arrow(place([0, 0]), place(query), "lu-query"), handle("query", ...place(query)));
    right.replaceChildren(
      ...frame("values, and the context"),
      svg("polygon", { class: "lu-hull", points: hull(values).map(place).join(" ") }),
      ...points(values, "value"),
      ...values.flatMap((_, j) => arrow(place(tails[j]), place(tails[j + 1]), `lu-part lu-part-${j % 2}`)),
      ...arrow(place([0, 0]), place(context), "lu-sum"),
      svg("circle", { class: "lu-context", cx: place(context)[0], cy: place(context)[1], r: 6 }),
    );
    rows(scores, weights);

    const best = names[argmax(weights)];
    const where = point(context);
    const length = fixed(lengths[size.value], 1);
    left.setAttribute("aria-label", `The keys of ${names.join(", ")}, and the query of length ${length} at ${turn.value} degrees.`);
    right.setAttribute("aria-label", `The values, each times its weight, laid end to end, lead to the context at ${where}.`);
    below.setAttribute("aria-label", names.map((name, j) => `${name}: score ${fixed(scores[j])}, weight ${fixed(weights[j])}`).join("; "));
    const even = Math.max(...weights) - Math.min(...weights) < 0.005;
    line.say(even ? `All words get the same weight; the context is the plain mean, ${where}.` : `“${best}” has the largest weight, ${fixed(Math.max(...weights))}; the context is at ${where}.`);
    text.fill(
      `${scorer.input.value}, query of length ${length} at ${turn.value} degrees; context ${where}`,
      ["word", "key", "score", "weight", "value"],
      names.map((name, j) => [name, point(keys[j]), fixed(scores[j]), fixed(weights[j], 3), point(values[j])]),
    );
  }

  function rows(scores, weights) {
    const span = Math.max(2, ...scores.map(Math.abs));
    const parts = [svg("text", { class: "lu-title", x: 78, y: 14 }, "score"), svg("text", { class: "lu-title", x: 240, y: 14 }, "weight")];
    names.forEach((name, j) => {
      const y = 24 + j * 24;
      const wide = (Math.abs(scores[j]) / span) * 52;
      parts.push(
        svg("text", { x: 66, y: y + 13, "text-anchor": "end" }, name),
        svg("rect", { class: "lu-score", x: scores[j] < 0 ? 130 - wide : 130, y, width: wide, height: 16 }),
        svg("text", { x: 232, y: y + 13, "text-anchor": "end" }, fixed(scores[j])),
        svg("rect", { class: "cw-bar", x: 240, y, width: weights[j] * 112, height: 16 }),
        svg("text", { x: 246 + weights[j] * 112, y: y + 13 }, fixed(weights[j])),
      );
    });
    parts.push(svg("line", { class: "lu-axis", x1: 130, x2: 130, y1: 20, y2: 24 * names.length + 20 }));
    below.replaceChildren(...parts);
  }

  draw();
});
