// Pictures, and what they are made of.

const LEAST = 11.2; // pixels, of a label in a picture that is scaled to a phone

/** A picture in words of its own: set `aria-label` anew whenever what it shows changes. */
function picture(width, height, label) {
  const [viewBox, preserveAspectRatio] = [`0 0 ${width} ${height}`, "xMidYMin"]; // in more room it stands on top
  const image = svg("svg", { class: "cw-picture", role: "img", "aria-label": label, viewBox, preserveAspectRatio });
  const grow = () => image.style.setProperty("--cw-least", `${(LEAST * image.viewBox.baseVal.width) / image.clientWidth}px`);
  new ResizeObserver(() => image.clientWidth && grow()).observe(image);
  return image;
}

/** The width of a picture that is drawn in true pixels; while a page is laid out, its box may have hardly any. */
function widthIn(root) {
  return Math.min(Math.max(root.clientWidth || 440, 240), 720);
}

/** Lets handles of a picture be dragged, by mouse, pen or touch: `moved(name, x, y)` gets places in the picture's own units.
 *  A handle is any part with `data-handle`; a finger has to begin on one, so that it can still scroll the page elsewhere. */
function draggable(image, moved) {
  let held = null;
  const tell = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(image.getScreenCTM().inverse());
    moved(held, x, y);
  };
  image.addEventListener("pointerdown", (event) => {
    held = event.target.dataset?.handle ?? null;
    if (held === null) return;
    event.preventDefault();
    image.setPointerCapture(event.pointerId);
    tell(event);
  });
  image.addEventListener("pointermove", (event) => held !== null && tell(event));
  for (const end of ["pointerup", "pointercancel"]) image.addEventListener(end, () => (held = null));
}

/** What a finger or a mouse takes hold of; sliders do the same for the keyboard. */
function handle(name, x, y) {
  return svg("circle", { class: "cw-handle", "data-handle": name, cx: x, cy: y, r: 20 });
}

/** An arrow as parts of a picture, from place to place; none where it would be too short to see. */
function arrow([x1, y1], [x2, y2], look) {
  const [long, turned] = [Math.hypot(x2 - x1, y2 - y1), Math.atan2(y2 - y1, x2 - x1)];
  if (long < 0.5) return [];
  const head = Math.min(9, long);
  const side = (way) => [x2 - head * Math.cos(turned + way), y2 - head * Math.sin(turned + way)];
  return [
    svg("line", { class: look, x1, y1, x2: x2 - 0.8 * head * Math.cos(turned), y2: y2 - 0.8 * head * Math.sin(turned) }),
    svg("polygon", { class: `${look} cw-head`, points: [[x2, y2], side(0.4), side(-0.4)].join(" ") }),
  ];
}

/** Upright bars over a base line, with their numbers above (`footed`: below the line; `topped`: all over the tallest) and their names below, as parts of a picture.
 *  An entry is `{ name, value, number, hollow, look }`: `hollow` is a height drawn as a dashed outline, `look` a class. */
function bars(entries, { x, y, width, height, most, slanted = false, footed = false, topped = false }) {
  const step = width / entries.length;
  const shapes = entries.flatMap(({ name, value, number, hollow, look = "cw-bar" }, at) => {
    const [left, middle, wide] = [x + at * step + step * 0.14, x + (at + 0.5) * step, step * 0.72];
    const tall = Math.min(height, (value / most) * height);
    const [px, py] = [middle + (slanted ? 5 : 0), y + (footed ? 31 : 16)];
    const above = topped ? y - height - 4 : y - Math.max(tall, ((hollow ?? 0) / most) * height) - 4;
    return [
      hollow ? svg("rect", { class: "cw-hollow", x: left, y: y - (hollow / most) * height, width: wide, height: (hollow / most) * height }) : null,
      svg("rect", { class: look, x: left, y: y - tall, width: wide, height: tall }),
      svg("text", { class: "cw-number", x: middle, y: footed ? y + 15 : above }, number),
      svg("text", { class: slanted ? "cw-slanted" : "cw-name", x: px, y: py, transform: slanted ? `rotate(-42 ${px} ${py})` : null }, name),
    ];
  });
  return [svg("line", { class: "cw-base", x1: x, x2: x + width, y1: y, y2: y }), ...shapes.filter(Boolean)];
}
