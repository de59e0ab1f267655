/** What has become of each node after so many steps: "open", "closed", or "pruned" if nothing of it is left. */
function standing(tree, now) {
  const last = tree.at(-1)[3];
  const state = tree.map(([, , , step, score]) => {
    if (score !== null && step <= now) return "closed";
    return step === now && now < last ? "open" : "pruned";
  });
  for (let at = tree.length - 1; at > 0; at -= 1) {
    const [, , parent, step] = tree[at];
    if (step <= now && state[at] !== "pruned" && state[parent] === "pruned") state[parent] = "open";
  }
  return state;
}

/** The numbers of a hypothesis's nodes, from its first word on. */
function way(tree, number) {
  return number === null || number === 0 ? [] : [...way(tree, tree[number][2]), number];
}

export default widget((root, model) => {
  const { widest, penalties, sentences } = model.get("data");
  const line = spokenLine();
  const text = asText();
  let tree = [];
  const sentence = choice("Sentence", sentences.map(({ source }, at) => [at, source]), 0, search);
  const size = slider("Beam size", { min: 1, max: widest, value: Math.min(3, widest) }, search);
  const penalty = choice("Length penalty", penalties.map((name) => [name, name]), penalties[0], search);
  const step = slider("Step", { min: 0, max: 2, value: 2, say: (now) => `${now} of ${tree.at(-1)?.[3]}` }, draw);
  const [back, next] = [button("Back", () => move(-1)), button("Next step", () => move(1))];
  const reference = element("p");
  const shape = picture(440, 100, "");
  const done = element("ol", { class: "bm-done" });
  root.append(row(sentence.root), row(size.root, penalty.root), row(step.root, back, next), reference, shape, element("p", { class: "bm-head" }, "Ended, best first"), done, line.root, text.root);

  function search() {
    const { reference: words, trees } = sentences[sentence.input.value];
    tree = trees[`${size.value} ${penalty.input.value}`];
    reference.textContent = `Reference: ${words}`;
    step.set(Math.min(step.value, tree.at(-1)[3]), { max: tree.at(-1)[3] });
    draw();
  }

  function move(by) {
    step.set(step.value + by);
    draw();
  }

  const spoken = (numbers) => numbers.map((number) => tree[number][0]).filter((word) => word !== "<eos>").join(" ") || "nothing yet";

  function draw() {
    const [now, last] = [step.value, tree.at(-1)[3]];
    back.disabled = now === 0;
    next.disabled = now === last;
    const state = standing(tree, now);
    const ended = tree.map((_, at) => at).filter((at) => state[at] === "closed").sort((a, b) => tree[b][4] - tree[a][4]);
    const winner = now === last && ended.length ? way(tree, ended[0]) : [];
    picturing(now, state, winner);

    done.replaceChildren(
      ...ended.map((at) => {
        const [, log, , length, score] = tree[at];
        const divided = Math.abs(score - log) > 5e-4 ? `, divided for ${length} words: score ${fixed(score)}` : `, which is its score`;
        return element("li", {}, element("strong", {}, spoken(way(tree, at))), ` log-probability ${fixed(log)}${divided}`);
      }),
    );
    if (!ended.length) done.append(element("li", { class: "bm-none" }, "none yet"));

    const open = state.flatMap((is, at) => (is === "open" && tree[at][3] === now ? [at] : []));
    const lost = state.filter((is, at) => is === "pruned" && tree[at][3] === now - 1).length;
    const parts = [`Step ${now} of ${last}`];
    if (now === 0) parts.push("the search begins with one hypothesis, without a word");
    else if (now === last) parts.push(`the search is over, and “${spoken(winner)}” has won`);
    else parts.push(`in the beam ${open.length === 1 ? "is 1 hypothesis" : `are ${open.length} hypotheses`}, the best is “${spoken(way(tree, open[0]))}”`);
    if (lost && now < last) parts.push(`${lost} ${lost === 1 ? "was" : "were"} pruned`);
    if (ended.length && now < last) parts.push(`${ended.length} ${ended.length === 1 ? "has" : "have"} ended`);
    line.say(`${parts.join("; ")}.`);
    text.fill(
      `Beam size ${size.value}, penalty: ${penalty.input.value}; after step ${now}`,
      ["hypothesis", "step", "probability", "state", "score"],
      tree.flatMap((node, at) =>
        at && node[3] <= now ? [[spoken(way(tree, at)), String(node[3]), chance(node[1]), { open: "goes on", closed: "ended", pruned: "pruned" }[state[at]], state[at] === "closed" ? fixed(node[4]) : ""]] : [],
      ),
    );
  }

  const chance = (log) => (Math.exp(log) < 0.0005 ? "<0.001" : Math.exp(log).toFixed(3));

  function picturing(now, state, winner) {
    const [wide, high] = [440 / Math.max(widest, 3), 50];
    const counts = {};
    const places = tree.map(([, , , depth]) => {
      counts[depth] = (counts[depth] ?? -1) + 1;
      return [depth ? 220 + (counts[depth] + 0.5 - size.value / 2) * wide : 220, 22 + depth * high];
    });
    const parts = [];
    tree.forEach(([word, log, parent, depth, score], at) => {
      if (depth > now) return;
      const [[x, y], look] = [places[at], winner.includes(at) ? "won" : state[at]];
      if (parent !== null) {
        const [px, py] = places[parent];
        parts.unshift(svg("line", { class: `bm-branch bm-${look}`, x1: px, y1: py + (parent ? 17 : 6), x2: x, y2: y - 14 }));
      }
      if (score !== null) parts.push(svg("rect", { class: `bm-frame bm-${look}`, x: x - wide / 2 + 3, y: y - 14, width: wide - 6, height: 32, rx: 5 }));
      parts.push(svg("text", { class: `bm-word bm-${look}`, x, y }, word));
      if (depth) parts.push(svg("text", { class: "bm-chance", x, y: y + 14 }, chance(log)));
    });
    shape.setAttribute("viewBox", `0 0 440 ${22 + (tree.at(-1)[3] + 0.5) * high}`);
    shape.replaceChildren(...parts);
    const left = tree.flatMap(([, log, , depth], at) => (depth === now && at && state[at] !== "pruned" ? [`${spoken(way(tree, at))} ${chance(log)}`] : []));
    shape.setAttribute("aria-label", `The tree of a beam of ${size.value} after step ${now}: ${left.join("; ") || "only the beginning"}${winner.length ? `; winner: ${spoken(winner)}` : ""}.`);
  }

  search();
});
