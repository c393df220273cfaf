// The view Text: key and response in one text, and the steps through it.

/** The open text with its panel, and the mentions that are marked in it. */
let open = null;

/** After how many sentences without it the name of an entity is shown again. */
const REMIND = 6;

async function text() {
  const doc = await load(state.doc);
  const one = system(doc);
  const parts = [h("h2", "Text"), scopeBar(true, one && "Find in this text", one && placePicker(doc)), one && textBar()];
  if (!one) { open = null; return [...parts, h("p", { class: "warning" }, "The response has no such document.")]; }
  open = { doc, one, panel: emptyPanel(), map: h("div", { class: "map" }), hover: null, hit: null, named: findNamed(doc, one) };
  findMarks();
  Object.assign(open, doc.words ? writtenText(doc, one) : listedText(doc, one));
  open.element.addEventListener("click", clickMention);
  open.element.addEventListener("mouseover", hoverMention);
  open.element.addEventListener("mouseleave", hoverMention);
  open.build(state.mention !== null && state.mention < doc.at.length ? sentenceOf(doc, state.mention) : 0);
  return [...parts, textLegend(), h("div", { class: "reading" }, open.element, open.map, open.panel.element)];
}

addEventListener("beforeprint", () => open?.buildAll?.());
addEventListener("afterprint", () => open?.observe?.());

const textBar = () => h("div", { class: "bar steps", role: "group", "aria-label": "Move through the text" },
  button("Previous error", () => stepError(-1), { title: "Key k" }), button("Next error", () => stepError(1), { title: "Key j" }));

/** A field for a sentence, and a list of places with their first words. */
function placePicker(doc) {
  const sentences = doc.words ? breaksOf(doc).length : 0;
  if (sentences <= PART) return null;
  const step = 100 * Math.ceil(sentences / 10_000);
  const breaks = breaksOf(doc);
  const title = (n) => `${n + 1}: ${cut(printed(doc, breaks[n], Math.min(breaks[n] + 8, breaks[n + 1] ?? doc.words.length)), 40)}`;
  const unit = sentenceName(doc, 0).split(" ")[0];
  const to = ({ target: { value } }) => {
    if (value > sentences) say(`The last ${unit} is ${sentences}.`);
    if (value) showSentence(Math.min(sentences, Math.max(1, value)) - 1);
  };
  return h("span", { class: "picker" }, h("label", { for: "sentence" }, `Go to ${unit} (1–${sentences})`),
    h("input", { id: "sentence", type: "number", min: 1, max: sentences, onchange: to }),
    sentences > step && h("select", { "aria-label": "Passages", onchange: to },
      h("option", { value: "" }, "Passages"), range(Math.ceil(sentences / step)).map((i) => h("option", { value: i * step + 1 }, title(i * step)))));
}

function textLegend() {
  const sample = (text, kind) => h("span", { class: `line ${kind} hue0` }, text);
  return h("p", { class: "legend" },
    h("span", sample("right link", "right")), h("span", sample("≠ wrong link", "wrong")), h("span", h("span", { class: "line two hue1" }, sample("two lines", "right")), ": in another entity in the response"),
    h("span", sample("− missing", "missing")), h("span", sample("+ extra", "extra")), h("span", "Colors stand for entities. Entities that are far apart may share one; gray mentions are alone."));
}

/** The mentions that show the name of their entity, because it was not named nearby. */
function findNamed(doc, one) {
  const named = new Set();
  const seen = new Map();
  if (!doc.words) return named;
  for (const m of mentionsOf(doc)) {
    const entity = entityOf(doc, one, m);
    if (!entity || membersOf(doc, one, entity).length < 2) continue;
    const name = namingMention(doc, one, entity.side, entity.entity);
    const n = sentenceOf(doc, m);
    if (!sameWords(doc, m, name) && n - (seen.get(name) ?? -Infinity) <= REMIND) continue;
    if (!sameWords(doc, m, name)) named.add(m);
    seen.set(name, n);
  }
  return named;
}

const sameWords = (doc, a, b) => a === b || (doc.lengths[a] > 0 && doc.lengths[a] === doc.lengths[b] &&
  range(doc.lengths[a]).every((i) => doc.words[doc.first[a] + i] === doc.words[doc.first[b] + i]));

/** Find the mentions of the pinned entity and of the filter. */
function findMarks() {
  const { doc, one } = open;
  const pinned = new Set(state.pin ? membersOf(doc, one, state.pin) : []);
  const firsts = new Map([...pinned].reverse().map((m) => [sentenceOf(doc, m), m]));
  const filtered = new Set(state.compare ? mentionsOf(doc).filter((m) => passes(doc, m, doc.key.home[m])) : []);
  const near = new Set(open.hover === null ? [] : membersOf(doc, one, entityOf(doc, one, open.hover)));
  open.marks = { pinned, filtered, near, firsts: new Set(firsts.values()) };
}

/** Mark the elements of mentions. */
function paint(elements) {
  if (!open) return;
  const { doc, one, marks } = open;
  for (const [m, spans] of elements) {
    const named = doc.words && (open.named.has(m) || marks.firsts.has(m) || m === state.mention || m === open.hover);
    const entity = named && entityOf(doc, one, m);
    const name = entity && namingMention(doc, one, entity.side, entity.entity);
    if (entity && !sameWords(doc, m, name)) spans[0].dataset.name = cut(phraseOf(doc, name), NAME); else delete spans[0].dataset.name;
    for (const span of spans) {
      span.classList.toggle("selected", m === state.mention);
      for (const mark of ["pinned", "filtered", "near"]) span.classList.toggle(mark, marks[mark].has(m));
    }
  }
}

/** Leave out names that would be printed over each other. */
function uncrowd() {
  let last = null;
  const edge = open.element.getBoundingClientRect().right;
  for (const element of open.element.querySelectorAll("[data-name]")) {
    const { left, top } = element.getClientRects()[0] ?? {};
    if (last && Math.abs(last.top - top) < 6 && left < last.end && left >= last.left && !element.matches(".selected")) { delete element.dataset.name; continue; }
    const end = left + 7 * element.dataset.name.length;
    element.toggleAttribute("data-end", end > edge);
    last = { left, top, end };
  }
}

function repaint() {
  findMarks();
  for (const elements of open.built.values()) paint(elements);
  uncrowd();
}

/** Mark the selected mention, and move to it. */
function showMention() {
  highlight();
  if (state.mention !== null) reveal(state.mention);
}

/** Mark the selected mention and the pinned entity in the open text. */
function highlight() {
  if (!open) return;
  repaint();
  mentionPanel();
  drawMap();
}

/** Select the innermost mention; a second click selects the one around it. */
function clickMention(event) {
  const inner = event.target.closest("[data-m]");
  let outer = inner;
  while (outer && Number(outer.dataset.m) === state.mention) outer = outer.parentElement.closest("[data-m]");
  if (inner) go("text", state.doc, Number((outer ?? inner).dataset.m));
}

function hoverMention(event) {
  const m = event.type === "mouseleave" ? null : event.target.closest("[data-m]")?.dataset.m ?? null;
  const next = m === null ? null : Number(m);
  if (!open || next === open.hover) return;
  open.hover = next;
  repaint();
}

const elementsOf = (m) => [...open.built.values()].flatMap((elements) => elements.get(m) ?? []);

function reveal(m) {
  if (!open || m >= open.doc.at.length) return;
  open.build(sentenceOf(open.doc, m));
  elementsOf(m)[0]?.scrollIntoView({ block: "center" });
}

/** Show a sentence, and mark it. */
function showSentence(n) {
  open.element.querySelector(".hit")?.classList.remove("hit");
  open.hit = n;
  open.build(n);
  const element = open.element.querySelector(`[data-n="${n + 1}"]`);
  element.classList.add("hit");
  element.scrollIntoView({ block: "center" });
}

/** Show the sentence with the words searched for, or the next one, and mark the words. */
function findWords(next) {
  const wanted = searched().toLowerCase();
  const hits = wanted && open.sentence ? range(breaksOf(open.doc).length).filter((n) => open.sentence(n).toLowerCase().includes(wanted)) : [];
  const from = (open.hit ?? -1) + next;
  const hit = hits.find((n) => n >= from) ?? hits[0];
  if (hit === undefined) {
    open.element.querySelector(".hit")?.classList.remove("hit");
    open.hit = null;
  } else showSentence(hit);
  markWords(hit === undefined ? null : open.element.querySelector(".hit"), wanted);
  $("found").textContent = !wanted ? "" : hits.length ? `${hits.indexOf(hit) + 1} of ${plural(hits.length, sentenceName(open.doc, 0).split(" ")[0])}` : "not in this text";
}

/** Mark words in a sentence, if the browser can mark what is in several elements. */
function markWords(sentence, wanted) {
  if (!globalThis.Highlight) return;
  CSS.highlights.delete("found");
  const at = sentence?.textContent.toLowerCase().indexOf(wanted) ?? -1;
  if (at < 0) return;
  const words = new Range();
  const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
  for (let passed = 0; walker.nextNode(); passed += walker.currentNode.length) {
    const [start, end] = [at - passed, at + wanted.length - passed];
    if (start >= 0 && start < walker.currentNode.length) words.setStart(walker.currentNode, start);
    if (end > 0 && end <= walker.currentNode.length) words.setEnd(walker.currentNode, end);
  }
  CSS.highlights.set("found", new Highlight(words));
}

function select(m) {
  if (m === null || m === undefined) return;
  state.mention = m;
  setAddress(address("text", state.doc, m), true);
  showMention();
}

/** Select and pin nothing. */
function letGo() {
  state.pin = null;
  state.mention = null;
  showPin();
  highlight();
}
/** The mention after or before another; lists of mentions ascend, which is the order of reading. */
const neighbour = (list, here, step) => (step > 0 ? list.find((m) => m > (here ?? -1)) : list.findLast((m) => m < (here ?? Infinity)));

/** The mentions with a sign: those that are missing, extra or linked wrongly. */
const inError = (doc, one) => mentionsOf(doc).filter((m) => "aiumx".includes(one.status[m]) && passes(doc, m, doc.key.home[m]));

async function stepError(step) {
  if (state.view === "errors") return stepRow(step);
  if (state.view !== "text") await go("text", state.doc);
  if (!open?.one) return stepDocument(step);
  const list = inError(open.doc, open.one);
  const next = neighbour(list, state.mention, step);
  if (next !== undefined) return select(next);
  for (let d = state.doc + step; d >= 0 && d < data.documents.length; d += step) {
    const doc = await load(d);
    const found = system(doc) ? inError(doc, system(doc)) : [];
    if (found.length) return go("text", d, step > 0 ? found[0] : found.at(-1));
  }
  return say(step > 0 ? "This was the last error." : "This was the first error.");
}

async function stepMention(step) {
  if (state.view !== "text") return;
  const { doc, one } = open;
  if (!state.pin && state.mention === null) return say("Select a mention first, or highlight an entity.");
  const entity = state.pin ?? entityOf(doc, one, state.mention);
  const list = entity ? membersOf(doc, one, entity) : [];
  const next = neighbour(list, state.mention, step);
  if (next === undefined) return say(step > 0 ? "This was its last mention." : "This was its first mention.");
  select(next);
}

function stepDocument(step) {
  const next = state.doc + step;
  if (next < 0 || next >= data.documents.length) return say(step > 0 ? "This is the last document." : "This is the first document.");
  state.pin = null;
  state.mention = null;
  go(["entities", "text"].includes(state.view) ? state.view : "text", next);
}

function togglePin() {
  if (state.view === "entities" || !open) return;
  if (state.pin) state.pin = null;
  else if (state.mention === null) return say("Select a mention first.");
  else state.pin = entityOf(open.doc, open.one, state.mention);
  showPin();
  highlight();
}

const showPin = () => document.querySelector("[aria-pressed]")?.setAttribute("aria-pressed", String(state.pin !== null));
