export default widget((root, model) => {
  const { scorers: names, sizes, draws, rows } = model.get("data");
  const shown = rows[0][names[0]].weights.length;
  const line = spokenLine();
  const text = asText();
  let draw = 0;
  const size = slider("Vector size d", { min: 0, max: sizes.length - 1, value: 2, say: (at) => String(sizes[at]) }, show);
  const another = button("Another query", () => {
    draw = (draw + 1) % shown;
    show();
  });
  const shape = picture(440, 330, "");
  root.append(row(size.root, another), shape, line.root, text.root);

  /** So many digits that something is left of a small number. */
  const small = (number) => (number === 0 ? "0" : number < 0.001 ? number.toExponential(0).replace("-", "−") : fixed(number, 3));

  function show() {
    const [d, scorers] = [sizes[size.value], names.map((name) => rows[size.value][name])];
    const parts = [];
    scorers.forEach(({ weights, slopes }, at) => {
      const y = 140 + at * 162;
      const entries = weights[draw].map((value, j) => ({ name: `k${j + 1}`, value, number: fixed(value), look: at ? "st-scaled" : "st-plain" }));
      parts.push(
        svg("text", { class: "st-title", x: 8, y: y - 122 }, names[at]),
        svg("text", { class: "st-gradient", x: 432, y: y - 122 }, `gradient ${small(slopes[draw])}`),
        ...bars(entries, { x: 8, y, width: 424, height: 96, most: 1 }),
      );
    });
    shape.replaceChildren(...parts);
    const largest = scorers.map(({ weights }) => fixed(Math.max(...weights[draw])));
    shape.setAttribute("aria-label", `Query ${draw + 1}, size ${d}: ${names.map((name, at) => `the ${name}'s weights are ${scorers[at].weights[draw].map((weight) => fixed(weight)).join(", ")}`).join("; ")}.`);
    line.say(
      `At d = ${d}, query ${draw + 1} of ${shown}: ${names.map((name, at) => `the largest weight of the ${name} is ${largest[at]}`).join(", ")}; over ${draws} queries ${scorers.map(({ largest: mean }) => fixed(mean)).join(" and ")} on average.`,
    );
    text.fill(
      `Vector size ${d}; this is query ${draw + 1}, means over ${draws} queries`,
      ["", ...names],
      [
        ["largest weight", ...largest],
        ["its mean", ...scorers.map((scorer) => fixed(scorer.largest))],
        ["gradient", ...scorers.map((scorer) => small(scorer.slopes[draw]))],
        ["its mean", ...scorers.map((scorer) => small(scorer.slope))],
        ...scorers[0].weights[draw].map((_, j) => [`weight of k${j + 1}`, ...scorers.map((scorer) => fixed(scorer.weights[draw][j]))]),
      ],
    );
  }

  show();
});
