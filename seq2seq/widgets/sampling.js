/** The mean of vectors, and how far they lie from it: the root of the mean square distance. */
function meanAndSpread(vectors) {
  const mean = [0, 1].map((axis) => vectors.reduce((sum, vector) => sum + vector[axis], 0) / vectors.length);
  const square = vectors.reduce((sum, [x, y]) => sum + (x - mean[0]) ** 2 + (y - mean[1]) ** 2, 0) / vectors.length;
  return { mean, spread: Math.sqrt(square) };
}

export default widget((root, model) => {
  const { values, temperatures, weights: rows, luck } = model.get("data");
  const line = spokenLine();
  const text = asText();
  let drawn = 0;
  const heat = slider("Temperature τ", { min: 0, max: temperatures.length - 1, value: temperatures.indexOf(1), say: (at) => String(temperatures[at]) }, show);
  const once = button("Draw", () => take(1));
  const often = button("Draw 100", () => take(100));
  const again = button("Begin again", () => take(-drawn));
  const shape = picture(440, 340, "");
  root.append(row(heat.root, row(once, often, again)), shape, line.root, text.root);

  const [xs, ys] = [0, 1].map((axis) => values.map((value) => value[axis]));
  const scale = Math.min(320 / (Math.max(...xs) - Math.min(...xs)), 215 / (Math.max(...ys) - Math.min(...ys)));
  const place = ([x, y]) => [220 + (x - (Math.max(...xs) + Math.min(...xs)) / 2) * scale, 165 - (y - (Math.max(...ys) + Math.min(...ys)) / 2) * scale];

  function take(more) {
    drawn = Math.min(luck.length, drawn + more);
    show();
  }

  function show() {
    const weights = rows[heat.value];
    const where = luck.slice(0, drawn).map((u) => choiceAt(weights, u));
    const looks = where.map((j) => values[j]);
    const soft = [0, 1].map((axis) => weights.reduce((sum, weight, j) => sum + weight * values[j][axis], 0));
    const expected = Math.sqrt(weights.reduce((sum, weight, j) => sum + weight * ((values[j][0] - soft[0]) ** 2 + (values[j][1] - soft[1]) ** 2), 0));
    const counts = values.map((_, j) => where.filter((index) => index === j).length);
    const { mean, spread } = drawn ? meanAndSpread(looks) : { mean: null, spread: null };
    once.disabled = often.disabled = drawn === luck.length;
    again.disabled = drawn === 0;
    const off = expected / Math.sqrt(Math.max(1, drawn)); // the root of the mean square, of a mean of so many draws
    picturing(weights, soft, mean, looks, counts, off);

    const told = [`The soft context is ${point(soft)}`];
    if (drawn) {
      told.push(drawn === 1 ? `the one draw is v${where[0] + 1}` : `the mean of ${drawn} draws, the last of them v${where.at(-1) + 1}, is ${point(mean)}`);
      told.push(`${fixed(Math.hypot(mean[0] - soft[0], mean[1] - soft[1]))} from it, where ${fixed(off)} is to be expected (dashed circle)`);
    } else told.push("nothing is drawn yet");
    line.say(`${told.join("; ")}.`);
    shape.setAttribute("aria-label", `${values.map((value, j) => `v${j + 1} at ${point(value)}, weight ${fixed(weights[j])}, drawn ${several(counts[j], "time")}`).join("; ")}. ${told.join("; ")}.`);
    text.fill(
      `Temperature ${temperatures[heat.value]}, ${several(drawn, "draw")}. Spread of a draw: ${fixed(expected)} by the weights${drawn ? `, ${fixed(spread)} found` : ""}; of a mean of ${several(drawn || 1, "draw")}: ${fixed(off)}`,
      ["value", "place", "weight", "drawn", "share"],
      values.map((value, j) => [`v${j + 1}`, point(value), fixed(weights[j], 3), String(counts[j]), drawn ? fixed(counts[j] / drawn, 3) : "–"]),
    );
  }

  function picturing(weights, soft, mean, looks, counts, off) {
    const parts = [];
    values.forEach((value, j) => {
      const [x, y] = place(value);
      const up = y < 165 ? -1 : 1;
      parts.push(
        svg("rect", { class: "sp-value", x: x - 5, y: y - 5, width: 10, height: 10 }),
        svg("text", { class: "sp-name", x, y: y + (up > 0 ? 34 : -42) }, `v${j + 1}, weight ${fixed(weights[j])}`),
        svg("text", { class: "sp-count", x, y: y + (up > 0 ? 51 : -25) }, `drawn ${several(counts[j], "time")}`),
      );
    });
    // The draws lie on their values; scattered along a spiral, so that each can be seen.
    const seen = values.map(() => 0);
    looks.forEach((value) => {
      const j = values.indexOf(value);
      const [turn, out] = [2.4 * seen[j], 1.15 * Math.sqrt(4 + seen[j])];
      seen[j] += 1;
      if (seen[j] > 300) return;
      const [x, y] = place(value);
      parts.push(svg("path", { class: "sp-draw", d: `M${x + out * Math.cos(turn) - 2} ${y + out * Math.sin(turn) - 2}l4 4m0-4l-4 4` }));
    });
    if (looks.length > 1) {
      const sum = [0, 0];
      const walk = looks.map(([x, y], at) => {
        sum[0] += x;
        sum[1] += y;
        return place([sum[0] / (at + 1), sum[1] / (at + 1)]).map((number) => number.toFixed(1));
      });
      parts.push(svg("polyline", { class: "sp-walk", points: walk.join(" ") }));
    }
    const [sx, sy] = place(soft);
    if (mean) parts.push(svg("circle", { class: "sp-off", cx: sx, cy: sy, r: off * scale }));
    parts.push(svg("circle", { class: "sp-soft", cx: sx, cy: sy, r: 9 }), svg("text", { class: "sp-label", x: sx + 14, y: sy + 5 }, "soft context"));
    if (mean) {
      const [x, y] = place(mean);
      parts.push(svg("path", { class: "sp-mean", d: `M${x - 6} ${y}h12M${x} ${y - 6}v12` }), svg("text", { class: "sp-label", x: x + 14, y: y + (Math.abs(y - sy) < 18 ? 24 : 5) }, "mean of the draws"));
    }
    shape.replaceChildren(...parts);
  }

  show();
});
