/** The tree of one search: the first `count` nodes, and of each that has ended its score, divided by the penalty. */
function treeOf(nodes, count, divisors) {
  return nodes.slice(0, count).map(([word, log, parent, step, ended]) => [word, log, parent, step, ended ? log / divisors[step - 1] : null]);
}

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

const LISTED = 4; // of what has ended

export default widget((root, model) => {
  const { sizes, penalties, order, sentences } = model.get("data");
  const line = spokenLine();
  const text = asText();
  let tree = [];
  const sentence = choice("Sentence", sentences.map(({ source }, at) => [at, source]), 0, search);
  const size = slider("Beam size", { min: 0, max: sizes.length - 1, value: Math.max(0, sizes.indexOf(3)), say: (at) => String(sizes[at]) }, search);
  const penalty = choice("Length penalty", order.map((name) => [name, name]), order[0], search);
  const step = slider("Step", { min: 0, max: 2, value: 2, say: (now) => `${now} of ${tree.at(-1)?.[3]}` }, draw);
  step.root.classList.add("bm-step-slider");
  const [back, next] = [button("Back", () => move(-1)), button("Next step", () => move(1))];
  const reference = element("p");
  const shape = picture(440, 100, "");
  shape.classList.add("bm-tree");
  const scroll = sideways("The tree", shape);
  const head = element("p", { class: "bm-head" });
  const done = element("ol", { class: "bm-done" });
  root.append(row(sentence.root), row(size.root, penalty.root), row(step.root, element("div", { class: "bm-buttons" }, back, next)), reference, scroll, line.root, head, sideways("What has ended", done), text.root);
  root.addEventListener("keydown", pressed);
  let drawn = 0; // the width: the height changes with each step
  new ResizeObserver(() => root.clientWidth !== drawn && draw()).observe(root);

  function search() {
    const { reference: words, trees } = sentences[sentence.input.value];
    const { nodes, counts } = trees[sizes[size.value]];
    tree = treeOf(nodes, counts[penalty.input.value], penalties[penalty.input.value]);
    reference.textContent = `Reference: ${words}`;
    step.set(Math.min(step.value, tree.at(-1)[3]), { max: tree.at(-1)[3] });
    draw();
  }

  function move(by) {
    step.set(step.value + by);
    draw();
  }

  /** The arrows step wherever they have no other meaning. */
  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input, .cw-scroll, :has(> .bm-done)")) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    move(by);
    event.preventDefault();
  }

  const spoken = (numbers) => numbers.map((number) => tree[number][0]).filter((word) => word !== "<eos>").join(" ") || "nothing yet";

  function draw() {
    drawn = root.clientWidth;
    const [now, last] = [step.value, tree.at(-1)[3]];
    back.disabled = now === 0;
    next.disabled = now === last;
    const state = standing(tree, now);
    const better = (a, b) => tree[b][4] - tree[a][4];
    const ended = state.flatMap((is, at) => (is === "closed" ? [at] : [])).sort(better);
    const winner = now === last && ended.length ? way(tree, ended[0]) : [];
    picturing(now, state, winner);
    listing(ended);

    const open = state.flatMap((is, at) => (is === "open" && tree[at][3] === now ? [at] : []));
    const lost = state.filter((is, at) => is === "pruned" && tree[at][3] === now - 1).length;
    const parts = [`Step ${now} of ${last}`];
    if (now === 0) parts.push("the search begins with one hypothesis, without a word");
    else if (now === last) parts.push(`the search is over, and “${spoken(winner)}” has won${sentences[sentence.input.value].reference === spoken(winner) ? ", the reference" : ""}`);
    else parts.push(`the beam holds ${open.length === 1 ? "1 hypothesis" : `${open.length} hypotheses`}, the best is “${spoken(way(tree, open[0]))}”`);
    if (lost && now < last) parts.push(`${lost} ${lost === 1 ? "was" : "were"} pruned`);
    if (ended.length && now < last) parts.push(`${ended.length} ${ended.length === 1 ? "has" : "have"} ended`);
    line.say(`${parts.join("; ")}.`);
    text.fill(
      `Beam size ${sizes[size.value]}, penalty: ${penalty.input.value}; after step ${now}`,
      ["hypothesis", "step", "probability", "state", "score"],
      tree.flatMap((node, at) =>
        at && node[3] <= now ? [[spoken(way(tree, at)), String(node[3]), chance(node[1]), { open: "goes on", closed: "ended", pruned: "pruned" }[state[at]], state[at] === "closed" ? fixed(node[4]) : ""]] : [],
      ),
    );
  }

  const chance = (log) => (Math.exp(log) < 0.0005 ? "<0.001" : Math.exp(log).toFixed(3));

  /** The best of what has ended; the text has them all. */
  function listing(ended) {
    const entry = (at) => {
      const [, log, , length, score] = tree[at];
      const divided = Math.abs(score - log) > 5e-4 ? `, divided for ${length} words: score ${fixed(score)}` : `, which is its score`;
      return element("li", {}, element("strong", {}, spoken(way(tree, at))), ` log-probability ${fixed(log)}${divided}`);
    };
    const more = ended.length > LISTED ? `, and ${ended.length - LISTED} more as text` : "";
    head.textContent = ended.length ? `Ended, best first${more}` : "None has ended yet";
    done.replaceChildren(...ended.slice(0, LISTED).map(entry));
  }

  /** Steps go from left to right, places in the beam from top to bottom, as far apart as the largest beam leaves room;
   *  each step is as wide as its longest word asks. */
  function picturing(now, state, winner) {
    const [last, top, tall] = [tree.at(-1)[3], 26, 38 * Math.max(...sizes)];
    const wants = Array.from({ length: last + 1 }, (_, depth) => Math.max(54, ...tree.filter((node) => node[3] === depth).map(([word]) => 8 * word.length + 12)) + 12);
    const needed = sum(wants);
    const wide = Math.max(needed, Math.min(root.clientWidth || needed, 736));
    const widths = wants.map((want) => want + (wide - needed) / wants.length);
    const lefts = widths.map((_, depth) => sum(widths.slice(0, depth)));
    const [counts, full] = [{}, top + tall];
    const rows = Math.max(...widths.map((_, depth) => tree.filter((node) => node[3] === depth).length));
    const high = Math.min(64, tall / rows);
    const places = tree.map(([, , , depth]) => {
      counts[depth] = (counts[depth] ?? -1) + 1;
      return [lefts[depth] + widths[depth] / 2, top + (tall - rows * high) / 2 + (counts[depth] + 0.42) * high];
    });
    const half = (at) => (tree[at][3] ? 4 * Math.max(5, tree[at][0].length) + 5 : 24);
    const parts = [svg("rect", { class: "bm-column", x: lefts[now] + 2, y: 2, width: widths[now] - 4, height: full - 2, rx: 5 })];
    lefts.forEach((left, depth) => depth && parts.push(svg("text", { class: "bm-step", x: left + widths[depth] / 2, y: 15 }, String(depth))));
    tree.forEach(([word, log, parent, depth, score], at) => {
      if (depth > now) return;
      const [[x, y], look] = [places[at], winner.includes(at) ? "won" : state[at]];
      if (parent !== null) {
        const [px, py] = places[parent];
        const [x1, x2] = [px + half(parent), x - half(at)];
        const bow = (x2 - x1) / 2;
        parts.splice(1, 0, svg("path", { class: `bm-branch bm-${look}`, d: `M${x1} ${py}C${x1 + bow} ${py} ${x2 - bow} ${y} ${x2} ${y}` }));
      }
      if (score !== null) parts.push(svg("rect", { class: `bm-frame bm-${look}`, x: x - half(at), y: y - 15, width: 2 * half(at), height: 33, rx: 5 }));
      parts.push(svg("text", { class: `bm-word bm-${look}`, x, y: depth ? y : y + 5 }, word));
      if (depth) parts.push(svg("text", { class: "bm-chance", x, y: y + 14 }, chance(log)));
    });
    shape.setAttribute("viewBox", `0 0 ${wide} ${full}`);
    shape.style.width = `${wide}px`;
    shape.replaceChildren(...parts);
    const [from, to] = [lefts[now] - widths[now], lefts[now] + 1.6 * widths[now]];
    scroll.scrollLeft = Math.min(from, to - scroll.clientWidth); // the root stays in sight as long as there is room
    const left = tree.flatMap(([, log, , depth], at) => (depth === now && at && state[at] !== "pruned" ? [`${spoken(way(tree, at))} ${chance(log)}`] : []));
    shape.setAttribute("aria-label", `The tree of a beam of ${sizes[size.value]} after step ${now}: ${left.join("; ") || "only the beginning"}${winner.length ? `; winner: ${spoken(winner)}` : ""}.`);
  }

  search();
});
