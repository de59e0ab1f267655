/** The softmax over the window, the Gaussian and their product, for each position; as seq2seq.local.attention defines them. */
function localWeights(scores, centre, halfWidth) {
  const inside = scores.map((_, s) => Math.abs(s - centre) <= halfWidth);
  const top = Math.max(...scores.filter((_, s) => inside[s]));
  const raised = scores.map((score, s) => (inside[s] ? Math.exp(score - top) : 0));
  const total = raised.reduce((sum, part) => sum + part, 0);
  const softmax = raised.map((part) => (total > 0 ? part / total : 0)); // an empty window gives 0
  const gaussian = scores.map((_, s) => bell(s - centre, halfWidth));
  return { inside, softmax, gaussian, product: softmax.map((weight, s) => weight * gaussian[s]) };
}

function bell(distance, halfWidth) {
  return Math.exp(-(distance ** 2) / (2 * (halfWidth / 2) ** 2));
}

export default widget((root, model) => {
  const [words, scores] = [model.get("words"), model.get("scores")];
  const last = words.length - 1;
  const line = spokenLine();
  const text = asText();
  const centre = slider("Centre p", { min: -3, max: last + 3, step: 0.1, value: model.get("centre"), say: (p) => fixed(p, 1) }, draw);
  const half = slider("Half width D", { min: 1, max: 6, value: model.get("half_width") }, draw);
  const shape = picture(440, 366, "");
  root.append(row(centre.root, half.root), shape, line.root, text.root);

  const [left, wide, base, tall] = [10, 420, [124, 283], 92];
  const x = (position) => left + ((position + 0.5) / words.length) * wide;

  function draw() {
    const [p, d] = [centre.value, half.value];
    const { inside, softmax, gaussian, product } = localWeights(scores, p, d);
    const global = localWeights(scores, 0, words.length).softmax;
    const sum = (weights) => weights.reduce((total, weight) => total + weight, 0);
    const most = Math.max(0.5, ...softmax);
    const clip = (position) => Math.min(left + wide, Math.max(left, x(position)));
    const parts = [];
    [
      ["softmax over the window (dashed: over all words)", softmax, global, "cw-bar"],
      ["the same times the Gaussian (line)", product, softmax, "wd-product"],
    ].forEach(([title, weights, hollow, look], at) => {
      const entries = words.map((name, s) => ({
        name: at ? name : String(s),
        value: weights[s],
        number: inside[s] ? fixed(weights[s]) : "0",
        hollow: hollow[s],
        look,
      }));
      const y = base[at];
      const height = tall - 16;
      parts.push(
        svg("rect", { class: "wd-window", x: clip(p - d), y: y - tall, width: clip(p + d) - clip(p - d), height: tall }),
        svg("text", { x: left, y: y - tall - 10 }, title),
        svg("text", { class: "wd-sum", x: left + wide, y: y - tall - 10 }, `sum ${fixed(sum(weights))}`),
        ...bars(entries, { x: left, y, width: wide, height, most, slanted: at === 1, footed: at === 1 }),
      );
      if (x(p) < left || x(p) > left + wide) return;
      const near = Math.min(last, Math.max(0, Math.round(p)));
      const number = y - (Math.max(weights[near], hollow[near]) / most) * height - 4;
      const crossed = at === 0 && Math.abs(x(p) - x(near)) < 16;
      const pieces = crossed ? [[y - tall, number - 12], [number + 3, y]] : [[y - tall, y]];
      pieces.forEach(([y1, y2]) => y1 < y2 && parts.push(svg("line", { class: "wd-centre", x1: x(p), x2: x(p), y1, y2 })));
    });
    const curve = Array.from({ length: 141 }, (_, at) => -0.5 + (at / 140) * words.length);
    const points = curve.filter((s) => Math.abs(s - p) <= d).map((s) => [x(s), base[1] - (tall - 16) * bell(s - p, d)]);
    parts.push(svg("polyline", { class: "wd-bell", points: points.join(" ") }));
    shape.replaceChildren(...parts);

    const shown = words.map((word, s) => (inside[s] ? `${word} ${fixed(softmax[s])} and ${fixed(product[s])}` : "")).filter(Boolean);
    shape.setAttribute("aria-label", `Weights in the window, before and after the Gaussian: ${shown.join("; ") || "none"}.`);
    line.say(sentence(p, d, inside.filter(Boolean).length, sum(product)));
    text.fill(
      `Centre ${fixed(p, 1)}, half width ${d}; sums ${fixed(sum(softmax))} and ${fixed(sum(product))}`,
      ["position", "word", "score", "softmax over the window", "Gaussian", "product"],
      words.map((word, s) => [String(s), word, fixed(scores[s]), fixed(softmax[s], 3), inside[s] ? fixed(gaussian[s], 3) : "outside", fixed(product[s], 3)]),
    );
  }

  function sentence(p, d, held, total) {
    if (held === 0) return "The window holds no word: every weight is 0, and so is the context.";
    const beyond = p - d < 0 && p + d > last ? "both ends" : p - d < 0 ? "the beginning" : p + d > last ? "the end" : "";
    const where = beyond ? `The window reaches beyond ${beyond}: ` : "";
    const who = held === 1 ? "the one word inside gets" : `the ${held} words inside share`;
    return capital(`${where}${who} all of the 1, and the Gaussian leaves ${fixed(total)} of it.`);
  }

  const capital = (words) => words[0].toUpperCase() + words.slice(1);
  draw();
});
