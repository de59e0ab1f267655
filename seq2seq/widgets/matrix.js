export default widget((root, model) => {
  const { words: names, keys, query: asked, matrix } = model.get("data");
  const [LIMIT, RATE, REACH] = [2, 0.5, 2.6];
  const line = spokenLine();
  const text = asText();
  const say = (number) => fixed(number, 1);
  const q = [...asked];
  const W = matrix.map((numbers) => [...numbers]); // sliders show it rounded
  const entry = (label, numbers, at) => slider(label, { min: -LIMIT, max: LIMIT, step: 0.1, value: numbers[at], say }, (value) => ((numbers[at] = value), draw()));
  const query = q.map((_, at) => entry(`query ${at + 1}`, q, at));
  const entries = W.map((numbers, i) => numbers.map((_, j) => entry(`W ${i + 1},${j + 1}`, numbers, j)));
  const wanted = choice("The weight should go to", names.map((name) => [name, name]), names[0], draw);
  const plane = picture(320, 320, "");
  const below = picture(320, 190, "");
  const buttons = [
    button("One step of learning", () => learn()),
    button("As at first", () => {
      set(matrix);
      asked.forEach((number, at) => put(q, query, at, number));
      draw();
    }),
  ];
  const controls = element("div", { class: "mx-entries" }, ...entries.flat().map((control) => control.root), ...query.map((control) => control.root));
  root.append(row(wanted.root, ...buttons), element("div", { class: "mx-halves" }, plane, below), controls, line.root, text.root);

  const place = ([x, y]) => [160 + (x / REACH) * 150, 160 - (y / REACH) * 150];
  const times = (W, [x, y]) => W.map(([a, b]) => a * x + b * y);
  /** The name of an arrow from the origin, beyond its tip. */
  const beyond = ([x, y], name) => {
    const [[across, up], long] = [place([x, y]), Math.hypot(x, y) || 1];
    return svg("text", { class: "mx-label", "text-anchor": "middle", x: across + (8 + 5 * name.length) * (x / long), y: up + 5 - 14 * (y / long) }, name);
  };
  const within = (number) => Math.max(-LIMIT, Math.min(LIMIT, number));
  const put = (numbers, sliders, at, number) => {
    numbers[at] = within(number);
    sliders[at].set(numbers[at]);
  };
  const set = (next) => next.forEach((numbers, i) => numbers.forEach((number, j) => put(W[i], entries[i], j, number)));

  /** Scores, weights, and the gradients of the logarithm of the wanted word's weight. */
  function look() {
    const moved = keys.map((key) => times(W, key));
    const scores = moved.map(([x, y]) => q[0] * x + q[1] * y);
    const weights = softmax(scores);
    const at = names.indexOf(wanted.input.value);
    const away = [0, 1].map((d) => keys[at][d] - keys.reduce((sum, key, j) => sum + weights[j] * key[d], 0));
    const ofMatrix = q.map((number) => away.map((part) => number * part));
    return { moved, scores, weights, at, ofMatrix, ofQuery: times(W, away) };
  }

  function learn() {
    const { ofMatrix } = look();
    set(W.map((numbers, i) => numbers.map((number, j) => number + RATE * ofMatrix[i][j])));
    draw();
  }

  draggable(plane, (name, x, y) => {
    [(x - 160) / 150, (160 - y) / 150].forEach((part, at) => {
      if (name === "query") put(q, query, at, part * REACH);
      else put(W[at], entries[at], Number(name), part * REACH);
    });
    draw();
  });

  function draw() {
    const { moved, scores, weights, at, ofMatrix, ofQuery } = look();
    const columns = [0, 1].map((j) => W.map((numbers) => numbers[j]));
    const grown = (tip, by) => arrow(place(tip), place(tip.map((part, d) => part + by[d])), "mx-gradient");
    const origin = place([0, 0]);
    plane.replaceChildren(
      svg("line", { class: "mx-axis", x1: 10, x2: 310, y1: 160, y2: 160 }),
      svg("line", { class: "mx-axis", x1: 160, x2: 160, y1: 10, y2: 310 }),
      ...keys.flatMap((key, j) => {
        const [[x1, y1], [x2, y2]] = [place(key), place(moved[j])];
        const look = j === at ? " mx-wanted" : "";
        return [
          svg("line", { class: "mx-way", x1, y1, x2, y2 }),
          svg("circle", { class: "mx-key", cx: x1, cy: y1, r: 3.5 }),
          svg("circle", { class: `mx-moved${look}`, cx: x2, cy: y2, r: 5.5 }),
          svg("text", { class: "mx-name", x: x2 + 8, y: y2 - 6 }, names[j]),
        ];
      }),
      ...columns.flatMap((tip, j) => [
        ...arrow(origin, place(tip), "mx-column"),
        ...grown(tip, ofMatrix.map((numbers) => numbers[j])),
        beyond(tip, `W e${"₁₂"[j]}`),
      ]),
      ...arrow(origin, place(q), "mx-query"),
      ...grown(q, ofQuery),
      beyond(q, "q"),
      ...columns.map((tip, j) => handle(String(j), ...place(tip))),
      handle("query", ...place(q)),
    );
    const shares = names.map((name, j) => ({ name, value: weights[j], number: fixed(weights[j]), look: j === at ? "cw-bar mx-best" : "cw-bar" }));
    below.replaceChildren(svg("text", { class: "mx-title", x: 8, y: 16 }, "weights"), ...bars(shares, { x: 8, y: 160, width: 300, height: 112, most: 1 }));

    const steep = Math.hypot(...ofMatrix.flat());
    plane.setAttribute("aria-label", `The query, the columns of W and the keys of ${names.join(", ")} where W takes them; dashed arrows show how each would have to move.`);
    below.setAttribute("aria-label", names.map((name, j) => `${name}: weight ${fixed(weights[j])}`).join("; "));
    line.say(`“${names[at]}” has weight ${fixed(weights[at])}; the gradient of W has length ${fixed(steep)}${steep < 0.1 ? ": little is left to learn" : ""}.`);
    text.fill(
      `W = (${W.map((numbers) => numbers.map(say).join(", ")).join("; ")}), query (${q.map(say).join(", ")}); gradient of W (${ofMatrix.map((numbers) => numbers.map((number) => fixed(number, 3)).join(", ")).join("; ")}), of the query (${ofQuery.map((number) => fixed(number, 3)).join(", ")})`,
      ["word", "key", "W key", "score", "weight"],
      names.map((name, j) => [name, point(keys[j]), point(moved[j]), fixed(scores[j]), fixed(weights[j], 3)]),
    );
  }

  draw();
});
