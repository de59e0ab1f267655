/** The softmax over the window, the Gaussian and their product, for each position; as seq2seq.local.attention defines them. */
function localWeights(scores, centre, halfWidth) {
  const inside = scores.map((_, s) => Math.abs(s - centre) <= halfWidth);
  const shares = softmax(scores.map((score, s) => (inside[s] ? score : -Infinity))); // an empty window gives 0
  const gaussian = scores.map((_, s) => bell(s - centre, halfWidth));
  return { inside, shares, gaussian, product: shares.map((weight, s) => weight * gaussian[s]) };
}

function bell(distance, halfWidth) {
  return Math.exp(-(distance ** 2) / (2 * (halfWidth / 2) ** 2));
}

/** How much of the weights falls on these places. */
function weightOn(weights, places) {
  return sum(places.map((place) => weights[place]));
}

export default widget((root, model) => {
  const sentences = model.get("sentences");
  const [trained, modelsHalf] = [sentences[0].centres.length > 0, model.get("half_width")];
  const line = spokenLine();
  const text = asText();
  const chosen = choice("Sentence", sentences.map(({ words }, at) => [at, words.join(" ")]), 0, begin);
  const step = slider("French word", { min: 0, max: sentences[0].scores.length - 1, value: 0, say: (at) => `${at + 1} of ${now().scores.length}: ${now().target[at]}` }, draw);
  const centre = slider("Centre p", { min: -2, max: now().words.length + 3, step: 0.1, value: model.get("centre") + 1, say: (p) => fixed(p, 1) }, draw);
  const half = slider("Half width D", { min: 1, max: trained ? 10 : 6, value: modelsHalf }, draw);
  const take = button("Take the model's centre", () => moveTo(now().centres[step.value]));
  const shape = picture(440, 366, "");
  root.append(...(trained ? [row(chosen.root), row(step.root)] : []), row(centre.root, half.root), ...(trained ? [row(take)] : []), shape, line.root, text.root);
  step.input.closest(".cw-control").classList.add("wd-step");

  const [left, tall] = [10, 92];
  let [wide, room] = [420, 20]; // room above the bars for their numbers, which stand upright where words are many
  const base = [124, 283];
  const counted = (position) => position + 1; // readers count from 1
  const x = (position) => left + ((position + 0.5) / now().words.length) * wide;
  draggable(shape, (_, at) => moveTo(((at - left) / wide) * now().words.length - 0.5));
  new ResizeObserver(() => draw()).observe(root);

  function now() {
    return sentences[chosen.input.value];
  }

  /** Another sentence: from its first word on, and the centre stays as far as the sentence goes. */
  function begin() {
    step.set(0, { max: now().scores.length - 1 });
    centre.set(Math.min(centre.value, now().words.length + 3), { max: now().words.length + 3 });
    draw();
  }

  function moveTo(position) {
    centre.set(Math.round(10 * counted(position)) / 10);
    draw();
  }

  /** The parts of one panel: window, weights and, dashed, what they are compared with, the bell and the centre. */
  function panel({ y, title, told, weights, hollow, inside, look, p, d, bellShown, most, mine }) {
    const clip = (position) => Math.min(left + wide, Math.max(left, x(position)));
    const [height, between] = [tall - room, wide / weights.length];
    const entries = weights.map((value, s) => ({ name: "", value, number: between >= 30 ? weighed(value, inside[s]) : "", hollow: hollow[s], look }));
    const parts = [
      svg("rect", { class: "wd-window", x: clip(p - d), y: y - tall, width: clip(p + d) - clip(p - d), height: tall }),
      svg("text", { x: left, y: y - tall - 10 }, title),
      svg("text", { class: "wd-sum", x: left + wide, y: y - tall - 10 }, told),
      ...bars(entries, { x: left, y, width: wide, height, most, topped: bellShown }), // the bell would strike the numbers through
    ];
    if (between < 30) weights.forEach((value, s) => value >= 0.095 && parts.push(steep(x(s), y - (bellShown ? 1 : Math.max(value, hollow[s]) / most) * height - 4, value)));
    if (bellShown) {
      const curve = Array.from({ length: 141 }, (_, at) => -0.5 + (at / 140) * weights.length);
      const points = curve.filter((s) => Math.abs(s - p) <= d).map((s) => [x(s), y - height * bell(s - p, d)]);
      parts.push(svg("polyline", { class: "wd-bell", points: points.join(" ") }));
    }
    if (x(p) >= left && x(p) <= left + wide) parts.push(svg("line", { class: "wd-centre", x1: x(p), x2: x(p), y1: y - tall, y2: y }));
    parts.sort((a, b) => (a.localName === "text") - (b.localName === "text")); // numbers stay in front of the lines
    if (mine) {
      const held = Math.min(left + wide, Math.max(left, x(p)));
      parts.push(svg("circle", { class: "wd-grip", cx: held, cy: y - tall, r: 6 }), handle("centre", held, y - tall));
    }
    return svg("g", { class: mine === false ? "wd-panel wd-model" : "wd-panel" }, ...parts);
  }

  const weighed = (value, isInside) => (!isInside ? "0" : trained && value < 0.005 ? "" : fixed(value));

  const steep = (px, y, value) => svg("text", { class: "wd-steep", x: px + 4, y, transform: `rotate(-90 ${px + 4} ${y})` }, fixed(value));

  /** Below the lower panel the words, those linked to the target word with a mark; below the upper one their places. */
  function names(right) {
    const between = wide / now().words.length;
    const every = between < 18 ? 5 : 1;
    const places = now().words.map((_, s) => (counted(s) % every ? null : svg("text", { class: "wd-place", x: x(s), y: base[0] + 16 }, String(counted(s)))));
    const words = now().words.map((word, s) => {
      const [px, py] = [x(s) + 5, base[1] + (right.includes(s) ? 21 : 15)];
      const turned = between < 24 ? -90 : -42;
      return svg("text", { class: `wd-word ${right.includes(s) ? "wd-right" : ""}`, x: px, y: py, transform: `rotate(${turned} ${px} ${py})` }, word);
    });
    const marks = right.flatMap((s) => base.map((y) => svg("path", { class: "wd-gold", d: `M${x(s)} ${y + 1}l5 6l-5 6l-5-6z` })));
    return [...places.filter((_, s) => !right.includes(s)), ...words, ...marks].filter(Boolean);
  }

  function draw() {
    wide = widthIn(root) - 2 * left;
    const { words, scores: rows, target, centres, right: linked } = now();
    room = wide / words.length < 30 ? 34 : 20;
    const [at, p, d] = [Number(step.value), centre.value - 1, half.value];
    const [scores, right] = [rows[at], linked[at] ?? []];
    const mine = localWeights(scores, p, d);
    const longest = Math.max(...words.map((word) => word.length));
    const full = base[1] + 30 + 7 * longest * (wide / words.length < 24 ? 1 : 0.72);
    shape.setAttribute("viewBox", `0 0 ${wide + 2 * left} ${full}`);
    if (trained) compare(words, target[at], scores, right, mine, p, d, centres[at]);
    else alone(words, scores, mine, p, d);
  }

  function alone(words, scores, { inside, shares, gaussian, product }, p, d) {
    const global = localWeights(scores, 0, words.length).shares;
    const most = Math.max(0.5, ...shares);
    const common = { inside, p, d, most };
    const [above, below] = [`sum ${fixed(sum(shares))}`, `sum ${fixed(sum(product))}`];
    shape.replaceChildren(
      panel({ ...common, y: base[0], title: `softmax over the window${wide > 400 ? " (dashed: over all words)" : ""}`, told: above, weights: shares, hollow: global, look: "cw-bar", mine: true }),
      panel({ ...common, y: base[1], title: "the same times the Gaussian (line)", told: below, weights: product, hollow: shares, look: "wd-product", bellShown: true }),
      ...names([]),
    );
    const shown = words.map((word, s) => (inside[s] ? `${word} ${fixed(shares[s])} and ${fixed(product[s])}` : "")).filter(Boolean);
    shape.setAttribute("aria-label", `Weights in the window, before and after the Gaussian: ${shown.join("; ") || "none"}.`);
    line.say(sentence(p, d, inside.filter(Boolean).length, sum(product), words.length - 1));
    text.fill(
      `Centre ${fixed(counted(p), 1)}, half width ${d}; sums ${fixed(sum(shares))} and ${fixed(sum(product))}`,
      ["position", "word", "score", "softmax over the window", "Gaussian", "product"],
      words.map((word, s) => [String(counted(s)), word, fixed(scores[s]), fixed(shares[s], 3), inside[s] ? fixed(gaussian[s], 3) : "outside", fixed(product[s], 3)]),
    );
  }

  function compare(words, targetWord, scores, right, mine, p, d, predicted) {
    const theirs = localWeights(scores, predicted, modelsHalf);
    const most = Math.max(0.5, ...mine.shares, ...theirs.shares);
    const told = ({ product }) => (right.length ? `on ◆: ${fixed(weightOn(product, right))}` : "no ◆");
    const part = (y, title, weighting, q, reach, isMine) =>
      panel({ y, title, told: told(weighting), weights: weighting.product, hollow: weighting.shares, inside: weighting.inside, look: "wd-product", p: q, d: reach, bellShown: true, most, mine: isMine });
    shape.replaceChildren(
      part(base[0], `your centre ${fixed(counted(p), 1)}`, mine, p, d, true),
      part(base[1], `the model's centre ${fixed(counted(predicted), 1)}`, theirs, predicted, modelsHalf, false),
      ...names(right),
    );
    const gold = right.map((s) => `“${words[s]}” (${counted(s)})`).join(" and ");
    const [yourShare, modelsShare] = [weightOn(mine.product, right), weightOn(theirs.product, right)].map((weight) => fixed(weight));
    const sentenceNow = right.length
      ? `For “${targetWord}” the right place is ${gold}: your centre ${fixed(counted(p), 1)} puts ${yourShare} of the weight there, the model's ${fixed(counted(predicted), 1)} puts ${modelsShare}.`
      : `“${targetWord}” has no word of its own in the source: the gold alignment asks for no place.`;
    line.say(sentenceNow);
    shape.setAttribute("aria-label", `Two windows over “${words.join(" ")}”. ${sentenceNow}`);
    text.fill(
      `“${targetWord}”: your centre ${fixed(counted(p), 1)} with half width ${d}, the model's ${fixed(counted(predicted), 2)} with half width ${modelsHalf}`,
      ["position", "word", "gold", "score", "your softmax", "times Gaussian", "model's softmax", "times Gaussian"],
      words.map((word, s) => [String(counted(s)), word, right.includes(s) ? "right" : "", fixed(scores[s]), ...[mine, theirs].flatMap((weighting) => [fixed(weighting.shares[s], 3), fixed(weighting.product[s], 3)])]),
    );
  }

  function sentence(p, d, held, total, last) {
    if (held === 0) return "The window holds no word: every weight is 0, and so is the context.";
    const beyond = p - d < 0 && p + d > last ? "both ends" : p - d < 0 ? "the beginning" : p + d > last ? "the end" : "";
    const where = beyond ? `The window reaches beyond ${beyond}: ` : "";
    const who = held === 1 ? "the one word inside gets" : `the ${held} words inside share`;
    return capital(`${where}${who} the whole weight of 1, and the Gaussian leaves ${fixed(total)} of it.`);
  }

  draw();
});
