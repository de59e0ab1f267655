// Ranks what search-index.js lists: titles and headings before text, a phrase before its words, the short way first.
{
  const { entries, synonyms } = globalThis.SEARCH;
  const STOP = new Set("a an and are as at be by can do does for from how i in is it my of on or s so t that the to vs versus what when where which why with you".split(" "));
  const PART = { "The short way": 1.3, Glossary: 0.55, Further: 1, Studies: 0.5, "For instructors": 0.7 };
  const SHOWN = 25, AROUND = 90; // results; characters on each side of a match

  // One spelling for all: lower case, no accents, British, no plural.
  const normal = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[’']/g, "")
    .replace(/\b(\w+)iz(e|es|ed|er|ing|ation|ations)\b/g, "$1is$2").replace(/\b(col|behavi|neighb|fav)or/g, "$1our")
    .replace(/\b(lab|mod|canc|trav)el(ed|ing)\b/g, "$1ell$2").replace(/[^\p{L}\p{N}_]+/gu, " ").trim();
  const stem = (word) => (word.length > 4 ? word.replace(/(?:ies)$/, "y").replace(/(?<![su])s$/, "").replace(/(?<=\w{4})(?:ing|ed)$/, "") : word);
  const words = (text) => normal(text).split(" ").filter((word) => word && !STOP.has(word)).map(stem);

  const index = new MiniSearch({
    fields: ["title", "heading", "text"],
    storeFields: ["title", "part", "heading", "text"],
    tokenize: words,
    processTerm: (term) => term,
  });
  index.addAll(entries);

  // The query in the book's words, if they are others.
  const meant = (query) => {
    const asked = ` ${words(query).join(" ")} `;
    const alike = (name) => ` ${words(name).join(" ")} `;
    const whole = Object.entries(synonyms.whole).find(([name]) => alike(name) === asked);
    if (whole) return [whole[1]];
    const parts = Object.entries(synonyms.part).filter(([name]) => asked.includes(alike(name)));
    const [longest] = parts.sort(([a], [b]) => b.length - a.length);
    return longest ? [asked.replace(alike(longest[0]), ` ${longest[1]} `)] : [];
  };

  const phrase = (query, { title, heading, text }) => {
    const asked = words(query).join(" ");
    const [inHeading, inText] = [heading, text].map((part) => words(part).join(" "));
    if (!asked) return 1;
    if (asked === inHeading) return 4;
    if (` ${inHeading} `.includes(` ${asked} `)) return heading === title ? 3.5 : 2.5;
    return asked.includes(" ") && ` ${inText} `.includes(` ${asked} `) ? 1.6 : 1;
  };

  globalThis.searched = (query) => {
    const best = new Map();
    const options = {
      boost: { title: 2, heading: 5 }, prefix: (term) => term.length > 3, fuzzy: (term) => (term.length > 5 ? 0.2 : 0),
      weights: { prefix: 0.4, fuzzy: 0.2 },
      boostDocument: (id, term, { part, heading, title }) => (PART[part] ?? 0.6) * (heading === title ? 1.5 : heading ? 1 : 0.5),
    };
    [query, ...meant(query)].forEach((asked, place) => {
      for (const combineWith of ["AND", "OR"]) {
        for (const result of index.search(asked, { ...options, combineWith })) {
          const score = result.score * phrase(asked, result) * (combineWith === "AND" ? 1 : 0.3) * (place ? 0.9 : 1);
          if (!(best.get(result.id)?.score >= score)) best.set(result.id, { ...result, score });
        }
      }
    });
    return [...best.values()].sort((a, b) => b.score - a.score).slice(0, SHOWN);
  };

  const element = (tag, content, name) => Object.assign(document.createElement(tag), { textContent: content, className: name ?? "" });

  // The words around the first match, and every match marked.
  const excerpt = (text, terms) => {
    const line = element("p", "", "context");
    const matches = (word) => terms.some((term) => words(word).some((part) => part.startsWith(term)));
    const pieces = text.split(/(\s+)/), first = Math.max(0, pieces.findIndex(matches));
    let from = first, to = first, before = 0, after = 0;
    while (from > 0 && before < AROUND) before += pieces[--from].length;
    while (to < pieces.length && after < 2 * AROUND) after += pieces[to++].length;
    if (from > 0) line.append("… ");
    for (const piece of pieces.slice(from, to)) line.append(matches(piece) ? element("mark", piece) : piece);
    if (to < pieces.length) line.append(" …");
    return line;
  };

  const show = (query) => {
    const room = document.getElementById("search-results");
    const results = query.trim() ? searched(query) : [];
    room.replaceChildren();
    if (!query.trim()) return;
    const count = results.length ? `${results.length === SHOWN ? "The best " : ""}${results.length} for “${query}”` : `Nothing is found for “${query}”. Try fewer or other words.`;
    room.append(Object.assign(element("p", count, "search-summary"), { role: "status" }));
    const list = element("ol", "", "search");
    for (const { id, title, heading, part, text, terms } of results) {
      const item = element("li", "");
      const link = Object.assign(element("a", heading || title), { href: id });
      item.append(link, element("span", [heading && heading !== title ? title : "", part].filter(Boolean).join(" · "), "search-place"), excerpt(text, terms));
      list.append(item);
    }
    room.append(list);
  };

  const asked = new URLSearchParams(location.search).get("q") ?? "";
  for (const field of document.querySelectorAll("input[type=search]")) field.value = asked;
  show(asked);
}
