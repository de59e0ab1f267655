const PAUSE = 650; // milliseconds from one stop of the training to the next

export default widget((root, model) => {
  const { sentences, after } = model.get("data");
  const last = after.length - 1;
  const line = spokenLine();
  const text = asText();
  const names = sentences.map(({ source }, place) => [String(place), source.join(" ")]);
  const chosen = choice("Sentence", names, "0", draw);
  const steps = (at) => after[at].step.toLocaleString("en");
  const slide = slider("Steps of training", { min: 0, max: last, value: last, say: steps }, () => { play.stop(); draw(); });
  const play = playButton("Watch it form", slide, PAUSE, draw, { class: "cw-button fo-play" });
  const says = element("p", { class: "fo-says" });
  const shape = picture(440, 300, "");
  shape.classList.add("fo-picture");
  const sources = sentences.flatMap(({ source }) => source.map((word) => word.length));
  const top = 20 + 6 * Math.max(...sources);
  const tall = 24 * Math.max(...sentences.map(({ target }) => target.length)); // of every table, so that nothing moves
  root.append(row(chosen.root), row(play.root, slide.root), says, shape, line.root, text.root);

  function draw() {
    const place = Number(chosen.input.value);
    const { source, target } = sentences[place];
    const { step, bleu, says: translations, weights } = after[slide.value];
    const right = translations[place] === target.join(" ");
    const short = translations[place].length > 70 ? `${translations[place].slice(0, 70)} …` : translations[place] || "nothing";
    says.replaceChildren(element("span", { class: "fo-name" }, "Says "), short, right ? " ✓" : "");
    drawTable(source, target, weights[place]);
    line.say(
      `After ${step.toLocaleString("en")} steps: BLEU ${fixed(bleu, 1)} on 200 new sentences; this one is ${right ? "right" : "not right"}.`,
    );
    text.fill(
      `Where the model looks before each word of the reference, after ${step.toLocaleString("en")} steps`,
      ["before", ...source],
      target.map((word, i) => [word, ...weights[place][i].map((weight) => fixed(weight / 1000))]),
    );
  }

  function drawTable(source, target, weights) {
    const [left, high] = [84, tall / target.length];
    const wide = (440 - left - 4) / source.length;
    const parts = source.map((word, j) => {
      const [x, y] = [left + (j + 0.5) * wide + 4, top - 8];
      return svg("text", { x, y, transform: `rotate(-55 ${x} ${y})` }, word);
    });
    target.forEach((word, i) => {
      const y = top + i * high;
      parts.push(svg("text", { x: left - 8, y: y + high / 2 + 5, class: "fo-row" }, word));
      weights[i].forEach((weight, j) => {
        const look = { class: "fo-cell", style: `--w: ${weight / 1000}` };
        const cell = svg("rect", { x: left + j * wide, y, width: wide - 1.5, height: high - 1.5, rx: 2, ...look });
        cell.append(svg("title", {}, `before “${word}”, weight of “${source[j]}”: ${fixed(weight / 1000)}`));
        parts.push(cell);
      });
    });
    shape.setAttribute("viewBox", `0 0 440 ${top + tall + 4}`);
    shape.replaceChildren(...parts);
    const paths = target.map((word, i) => `${word} ${source[argmax(weights[i])]}`);
    shape.setAttribute("aria-label", `Each French word and the English word with the most weight before it: ${paths.join(", ")}.`);
  }

  draw();
});
