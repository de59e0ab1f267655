// The weights of a translation as a table: a row for each word said, a column for each source word. Every cell answers.

const ROOMY = 34; // pixels that a cell needs to show its number
const HEADING = 90; // pixels of a row's heading

/** The corner, where the names of both axes meet. */
function axes() {
  const name = (words, arrow) => element("span", {}, words, " ", element("span", { "aria-hidden": "true" }, arrow));
  return element("td", { class: "lt-axes" }, name("English, read", "→"), name("French, written", "↓"));
}

/** `pressed(row, column)` is called by a click, a tap, Enter or the space bar on a cell. */
function weightsTable(title, pressed) {
  const table = element("table", {
    class: "lt-weights",
    role: "grid",
    onclick: clicked,
    onpointerover: point,
    onfocusin: point,
    onpointerleave: rest,
    onfocusout: rest,
    onkeydown: moved,
  });
  const box = element("div", { class: "lt-scroll" }, table);
  const readout = element("p", { class: "lt-readout", "aria-hidden": "true" });
  let [steps, source, target, chosen, width] = [[], [], [], 0, 0];
  new ResizeObserver(([entry]) => {
    width = entry.contentRect.width;
    fit();
  }).observe(box);

  const rows = () => [...table.tBodies[0].rows];
  const cellAt = (row, column) => rows()[row].cells[column + 1];
  /** [row, column] of the cell that an event has met; a row's heading stands for its first cell. */
  const placeOf = (event) => {
    const cell = event.target.closest("tbody td, tbody th");
    return cell ? [cell.parentNode.sectionRowIndex, cell.cellIndex - 1] : null;
  };

  /** A new translation; `isPinned(row)` says where the reader gave the weights. */
  function fill(newSteps, sourceWords, targetWords, unknown, isPinned) {
    [steps, source, target] = [newSteps, sourceWords, targetWords];
    const look = (word) => ({ class: unknown.has(word) ? "lt-unknown" : null });
    const head = source.map((word) => element("th", { scope: "col", title: word }, element("span", look(word), word)));
    const body = steps.map(({ weights }, row) => {
      const best = argmax(weights);
      const cells = [...weights].map((weight, column) => {
        const kind = [
          isPinned(row) && weight === 1 ? "lt-pinned" : "",
          column === best ? "lt-best" : "",
          weight < 0.005 ? "lt-nothing" : "",
        ]
          .join(" ")
          .trim();
        return element(
          "td",
          { tabindex: -1, class: kind || null, style: `--w: ${weight.toFixed(4)}` },
          element("span", {}, fixed(weight)),
        );
      });
      return element(
        "tr",
        { "aria-current": row === chosen ? "step" : null, style: `--row: ${row}` },
        element("th", { scope: "row", title: target[row] }, target[row]),
        ...cells,
      );
    });
    table.replaceChildren(
      element(
        "caption",
        { class: "cw-heard" },
        `Weights of ${title}: a row for each word said, a column for each source word. Arrow keys move. ` +
          "Enter chooses a row; in the chosen row it gives all weight to one word, or takes it back.",
      ),
      element("thead", {}, element("tr", {}, axes(), ...head)),
      element("tbody", {}, ...body),
    );
    choose(Math.min(chosen, steps.length - 1));
    fit();
  }

  /** Another row; one that is out of sight is brought into it, if `isShown`. */
  function choose(row, isShown = false) {
    chosen = row;
    rows().forEach((tableRow, at) =>
      at === row ? tableRow.setAttribute("aria-current", "step") : tableRow.removeAttribute("aria-current"),
    );
    const entry = table.querySelector("td[tabindex='0']");
    if (!entry || !entry.matches(":focus"))
      enter(row, argmax(steps[row].weights));
    rest();
    if (!isShown) return;
    const { offsetTop, offsetHeight } = rows()[row];
    const [above, below] = [table.tHead.offsetHeight, offsetTop + offsetHeight - box.clientHeight];
    box.scrollTop = Math.min(offsetTop - above, Math.max(box.scrollTop, below));
  }

  /** The one cell that the tab key leads to. */
  function enter(row, column) {
    table.querySelectorAll("td[tabindex='0']").forEach((cell) => cell.setAttribute("tabindex", -1));
    cellAt(row, column).setAttribute("tabindex", 0);
  }

  function fit() {
    table.classList.toggle("lt-narrow", (width - HEADING) / Math.max(1, source.length) < ROOMY);
  }

  function clicked(event) {
    const place = placeOf(event);
    if (place) act(place[0], place[1]);
  }

  function act(row, column) {
    const hadFocus = table.contains(document.activeElement);
    pressed(row, column);
    if (!hadFocus || column < 0 || row >= steps.length) return;
    enter(row, column);
    cellAt(row, column).focus();
  }

  function moved(event) {
    const place = placeOf(event);
    if (!place) return;
    const [row, column] = place;
    const go = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, source.length - 1],
    };
    if (event.key === "Enter" || event.key === " ") act(row, column);
    else if (go[event.key]) {
      const [down, right] = go[event.key];
      if (down < 0 || down >= steps.length || right < 0 || right >= source.length) return event.preventDefault();
      enter(down, right);
      cellAt(down, right).focus();
    } else return;
    event.preventDefault();
  }

  function point(event) {
    const place = placeOf(event);
    if (!place || place[1] < 0) return;
    const [row, column] = place;
    const { weights, scores } = steps[row];
    const does =
      row === chosen
        ? cellAt(row, column).classList.contains("lt-pinned")
          ? "click to let go"
          : "click to pin"
        : "click to choose this step";
    const numbers = `score ${fixed(scores[column])}, weight ${fixed(weights[column])}`;
    readout.textContent = `“${target[row]}” to “${source[column]}”: ${numbers} · ${does}`;
  }

  function rest() {
    readout.textContent = "Point at a cell, or tap it, for its score and weight.";
  }

  return { root: element("div", {}, box, readout), fill, choose };
}
