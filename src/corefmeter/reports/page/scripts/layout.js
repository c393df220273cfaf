// The text with a line under each mention, laid out where it is near the window.

/** How many sentences are built at once, and how many lines can be told apart under a word. */
const PART = 40;
const LEVELS = 4;

/** The lines of a mention: one where key and response agree, else one of each side. */
function linesOf(doc, one, m) {
  const { hues } = identities(doc, one);
  const [k, r] = [doc.key.home[m], one.home[m]];
  const kind = statusOf(one, m)[2];
  const key = k >= 0 && { m, kind, hue: hues.key[k], at: doc.at[m], outer: 0 };
  const response = r >= 0 && { m, kind, hue: hues.response[r], at: one.own[m] ?? doc.at[m], outer: 1 };
  const same = key && response && !isElsewhere(doc, one, m) && one.own[m] === undefined;
  return same ? [key] : [key, response].filter(Boolean);
}

/** The pieces of lines by sentence; the first of a mention has its sign. */
function piecesBySentence(doc, one) {
  const breaks = breaksOf(doc);
  const sentences = breaks.map(() => []);
  for (const m of mentionsOf(doc)) {
    linesOf(doc, one, m).forEach((line, l) => piecesOf(line.at).forEach(([start, end, order], p) => {
      const piece = { ...line, start, end, zero: start === end ? order ?? 0 : null, again: p > 0, first: l + p === 0 };
      let n = lastUpTo(breaks, start);
      do sentences[n].push(piece); while (++n < breaks.length && breaks[n] < end);
    }));
  }
  return sentences;
}

/** The words of a sentence and its empty nodes, which are before the token that they are at. */
function atomsOf(doc, n, pieces) {
  const [start, limit] = [breaksOf(doc)[n], breaksOf(doc)[n + 1] ?? doc.words.length];
  const zeros = [...new Map(pieces.filter((piece) => piece.zero !== null).map(({ start: at, zero }) => [`${at}/${zero}`, { at, zero }])).values()];
  const words = range(limit - start).map((i) => ({ at: start + i, zero: null, word: printedWord(doc, start + i) }));
  const order = (atom) => (atom.zero === null ? Infinity : atom.zero);
  return zeros.length ? [...zeros, ...words].sort((a, b) => a.at - b.at || (order(a) < order(b) ? -1 : 1)) : words;
}

/** The pieces of a sentence with their first atom, the atom behind them, and their level, 0 next to the words. */
function levelled(atoms, pieces) {
  const place = new Map(atoms.map((atom, i) => [`${atom.at}/${atom.zero}`, i]));
  const placed = pieces.map((piece) => {
    const from = place.get(`${piece.start}/${piece.zero}`) ?? 0;
    const last = piece.zero === null ? place.get(`${piece.end - 1}/null`) ?? atoms.length - 1 : from;
    return { ...piece, from, to: last + 1, level: 0 };
  });
  placed.sort((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from || a.outer - b.outer || a.m - b.m);
  placed.forEach((piece, i) => {
    const used = placed.slice(0, i).filter(({ from, to }) => from < piece.to && piece.from < to).map(({ level }) => level);
    while (used.includes(piece.level)) piece.level++;
  });
  return placed;
}

/** A sentence as a paragraph; `elements` collects the elements of each mention. */
function paragraph(doc, one, n, pieces, elements) {
  const atoms = atomsOf(doc, n, pieces);
  const lines = levelled(atoms, pieces);
  const isHit = open?.doc === doc && open.hit === n; // also when the part is drawn again
  const element = h("p", { class: isHit ? "sentence hit" : "sentence", dir: "auto", "data-n": n + 1 });
  element.style.lineHeight = `calc(2.1em + ${4 * Math.min(LEVELS, Math.max(0, ...lines.map(({ level }) => level)))}px)`;
  const stack = [{ element, to: Infinity }];
  const start = (line, goesOn) => {
    const span = lineElement(one, line, goesOn);
    if (!elements.has(line.m)) elements.set(line.m, []);
    elements.get(line.m)[line.first && !goesOn ? "unshift" : "push"](span);
    stack.at(-1).element.append(span);
    stack.push({ element: span, to: line.to, line });
  };
  atoms.forEach((atom, i) => {
    const crossing = [];
    while (stack.some(({ to }) => to <= i)) {
      const { line, to } = stack.pop();
      if (to > i) crossing.unshift(line);
    }
    if (i) stack.at(-1).element.append(atom.zero !== null || atoms[i - 1].zero !== null ? doc.between || "\u200b" : gap(doc, atom.at));
    const begins = lines.filter(({ from }) => from === i).sort((a, b) => b.to - a.to || b.outer - a.outer || b.level - a.level);
    crossing.forEach((line) => start(line, true));
    begins.forEach((line) => start(line, false));
    stack.at(-1).element.append(atom.zero === null ? atom.word : "∅");
  });
  element.normalize();
  return element;
}

/** The element of a line; one that goes on behind a line that crosses it has no sign. */
function lineElement(one, { m, kind, hue, level, zero, first, again }, goesOn) {
  const names = ["line", kind, hueClass(hue), zero !== null && "zero", again && !goesOn && "again"];
  const element = h("span", { class: names.filter(Boolean).join(" "), "data-m": m, "data-sign": first && !goesOn ? statusOf(one, m)[1] || null : null });
  element.style.paddingBottom = `${1 + 4 * Math.min(level, LEVELS)}px`;
  return element;
}

/** The text: parts of plain words, which get their lines while they are near the window. */
function writtenText(doc, one) {
  const breaks = breaksOf(doc);
  const pieces = piecesBySentence(doc, one);
  const sentence = (n) => printed(doc, breaks[n], breaks[n + 1] ?? doc.words.length);
  const numbers = (p) => range(Math.min(PART, breaks.length - p * PART)).map((i) => p * PART + i);
  const parts = range(Math.ceil(breaks.length / PART)).map((p) => {
    const part = h("div", { class: "part", "data-part": p });
    // About as high as it will be, so that the scroll bar is right before it is drawn.
    const tokens = (breaks[(p + 1) * PART] ?? doc.words.length) - breaks[p * PART];
    part.style.setProperty("contain-intrinsic-block-size", `auto ${25 * numbers(p).length + 2.5 * tokens}px`);
    return part;
  });
  const element = h("div", { class: "text", id: "text", lang: doc.lang ?? null }, parts);
  const built = new Map();
  const build = (p) => {
    if (built.has(p)) return;
    const elements = new Map();
    built.set(p, elements);
    parts[p].replaceChildren(...numbers(p).map((n) => paragraph(doc, one, n, pieces[n], elements)));
    paint(elements);
  };
  const release = (p) => {
    built.delete(p);
    parts[p].textContent = numbers(p).map(sentence).join("\n");
  };
  // Plain words, which the browser's own search finds, are filled in some at a time.
  const fill = (p) => {
    if (!element.isConnected) return;
    const until = Math.min(parts.length, p + 50);
    for (let next = p; next < until; next++) if (!built.has(next)) release(next);
    if (until < parts.length) setTimeout(fill, 0, until); else element.toggleAttribute("data-whole", true);
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const p = Number(target.dataset.part);
      if (isIntersecting) build(p); else if (built.has(p)) release(p);
    }
  }, { rootMargin: "1200px 0px" });
  setTimeout(() => { fill(0); parts.forEach((part) => observer.observe(part)); });
  return {
    element, built, sentence,
    build: (n) => build(Math.floor(n / PART)),
    buildAll: () => { observer.disconnect(); parts.forEach((_, p) => build(p)); },
    observe: () => parts.forEach((part) => observer.observe(part)),
  };
}

/** Mentions by entity, where the words are not known. */
function listedText(doc, one) {
  const elements = new Map();
  const { hues } = identities(doc, one);
  const item = (m, hue) => {
    const element = lineElement(one, { m, kind: statusOf(one, m)[2], hue, level: 0, zero: null, first: true }, false);
    element.append(phraseOf(doc, m, one));
    elements.set(m, [element]);
    return h("li", element);
  };
  const extra = mentionsOf(doc).filter((m) => doc.key.home[m] < 0 && one.home[m] >= 0);
  const nothing = () => {};
  return {
    built: new Map([[0, elements]]), build: nothing, buildAll: nothing, observe: nothing,
    element: h("div", { class: "text plain", id: "text", "data-whole": true },
      h("p", { class: "warning" }, `${doc.joined ? "Documents that are scored as one have no common text" : "The words of this document are not known"}; its mentions are listed by key entity, then those that only the response has.`),
      doc.key.entities.map((mentions, e) => h("section", h("h3", short(entityName(doc, one, "key", e))), h("ul", mentions.map((m) => item(m, hues.key[e]))))),
      h("section", h("h3", "Only in the response"), h("ul", extra.map((m) => item(m, hues.response[one.home[m]]))))),
  };
}
