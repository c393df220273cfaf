// The page of `corefmeter report`: seven views of the data blocks below it. It shows what score, compare
// and analyse returned, and counts nothing but rows that a filter leaves.
//
// Data: #overview-data is one object; #d0, #d1, … are documents, unpacked when they are first needed. Of a
// document, mentions are numbered in the order of reading.
// A mention's place is [start, end] in tokens, a list of pieces, or a text where positions are unknown.
"use strict";

// ---- small helpers -------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties and children; `on…` are listeners, `class` and the rest attributes. */
function h(tag, properties, ...children) {
  const [name, space] = tag.startsWith("svg:") ? [tag.slice(4), SVG] : [tag, null];
  const element = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const $ = (id) => document.getElementById(id);
const range = (n) => Array.from({ length: n }, (_, i) => i);
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** A fraction in percent with two decimals, ties to even as in all other output; "–" for none. */
function percent(value) {
  if (value === null || value === undefined) return "–";
  const x = 100 * value;
  const tie = Number.isInteger(x * 8) && !Number.isInteger(x * 4);
  if (!tie) return x.toFixed(2);
  const below = Math.floor(x * 100);
  return ((below % 2 === 0 ? below : below + 1) / 100).toFixed(2);
}

/** The name of a feature as a heading. */
const heading = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

const plural = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;

async function unpacked(id) {
  const text = $(id).textContent.trim();
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// ---- state ---------------------------------------------------------------------------------------

const VIEWS = ["overview", "compare", "entities", "text", "errors", "card", "help"];
const TITLES = ["Overview", "Compare", "Entities", "Text", "Errors", "Card", "How to read this"];

/** What each status of a mention is called, its sign, and its class. */
const STATUS = {
  c: ["right", "", "right"],
  a: ["wrong link", "≠", "wrong"],
  i: ["wrong links only", "≠", "wrong"],
  u: ["left alone", "≠", "wrong"],
  m: ["missing", "−", "missing"],
  x: ["extra", "+", "extra"],
};

const OUTCOMES = {
  t: "The antecedent is right.",
  w: "The antecedent is wrong.",
  n: "No antecedent was found.",
  p: "No antecedent was expected.",
};

/** The filters of a click on Compare: which of two responses is right about a mention or an entity. */
const SIDES = { both: "both are right", only_a: "only the first is right", only_b: "only the second is right", neither: "neither is right" };

let data = null;
const documents = [];
const state = { view: "overview", system: 0, doc: 0, mention: null, pin: null, compare: null, facets: {}, search: "", sort: {}, more: {} };

/** A document; the promise is kept, so that it is unpacked once. */
const load = (i) => (documents[i] ??= unpacked(`d${i}`).then(prepared));

/** All documents, some at a time: a browser unpacks only so many at once. */
async function loadAll() {
  const found = [];
  while (found.length < data.documents.length) {
    const next = range(Math.min(200, data.documents.length - found.length)).map((i) => load(found.length + i));
    found.push(...await Promise.all(next));
  }
  return found;
}

/** A document with its columns written out, and what several views need. */
function prepared(doc) {
  doc.sentences &&= added(doc.sentences);
  const starts = added(doc.starts);
  doc.at = starts.map((start, m) => doc.others[m] ?? [start, start + doc.lengths[m]]);
  doc.first = doc.at.map(firstOf);
  doc.key.entities = members(doc.key);
  for (const system of doc.systems) {
    if (!system) continue;
    system.entities = members(system);
    for (const name of ["expected", "found"]) system[name] = system[name].map((step, m) => (step ? m - step : -1));
    const classes = Object.keys(data.classes);
    system.errors = system.errors.map(([error, mentions, k, r, correct]) => ({ error: classes[error], mentions, key: nameOf(doc.key, k), response: nameOf(system, r), correct }));
    system.errorsOf = new Map();
    system.errors.forEach((error, e) => {
      for (const m of error.correct === null ? error.mentions : [...error.mentions, error.correct]) {
        if (!system.errorsOf.has(m)) system.errorsOf.set(m, []);
        system.errorsOf.get(m).push(e);
      }
    });
  }
  return doc;
}

function added(steps) {
  let value = 0;
  return steps.map((step) => (value += step));
}

function members({ names, home }) {
  const entities = names.map(() => []);
  home.forEach((e, m) => { if (e >= 0) entities[e].push(m); });
  return entities;
}

const mentionsOf = (doc) => range(doc.at.length);

const nameOf = (side, e) => (e === null || e < 0 ? null : side.names[e] || `${e + 1}`);

const firstOf = (at, m) => (typeof at === "string" ? m : typeof at[0] === "number" ? at[0] : at[0][0]);
const piecesOf = (at) => (typeof at === "string" ? [] : typeof at[0] === "number" ? [at] : at);

function wordsOf(doc, m, system = null) {
  const at = system?.own?.[m] ?? doc.at[m];
  if (typeof at === "string") return at;
  const parts = piecesOf(at).map(([start, end]) =>
    start === end ? "∅" : doc.words ? doc.words.slice(start, end).join(doc.between) : end === start + 1 ? `${start}` : `${start}–${end - 1}`);
  return parts.join(" … ");
}

const statusOf = (system, m) => STATUS[system.status[m]] ?? [];

// ---- addresses -----------------------------------------------------------------------------------

/** How an address names a document; half a surrogate pair, which no address can hold, is replaced. */
const named = (doc) => encodeURIComponent(data.documents[doc].label.toWellFormed());

function address(view, doc, rest) {
  const parts = [view];
  if (doc !== undefined && doc !== null) parts.push(named(doc));
  if (rest !== undefined && rest !== null) parts.push(rest);
  return "#" + parts.join("/");
}

/** In a frame of a notebook the page has no address of its own: links would lead to the notebook. */
const framed = location.href === "about:srcdoc";
let framedAddress = "";

const currentAddress = () => (framed ? framedAddress : location.hash);

function setAddress(target, replace = false) {
  if (framed) framedAddress = target;
  else if (replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
}

function follow(event) {
  const link = event.target.closest('a[href^="#"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  setAddress(link.getAttribute("href"));
  navigate();
}

function go(view, doc = state.doc, rest = null) {
  const target = ["entities", "text"].includes(view) ? address(view, doc, rest) : address(view);
  if (currentAddress() === target) return render();
  setAddress(target);
  return navigate();
}

function readAddress() {
  const [view, label, rest] = currentAddress().slice(1).split("/");
  state.view = VIEWS.includes(view) ? view : "overview";
  if (label !== undefined) {
    let name = label;
    try { name = decodeURIComponent(label); } catch { /* as it is */ }
    const doc = data.documents.findIndex((one) => one.label.toWellFormed() === name);
    if (doc >= 0 && doc !== state.doc) { state.doc = doc; state.pin = null; state.mention = null; }
  }
  const number = rest === undefined ? null : Number(rest);
  if (state.view === "text") state.mention = Number.isInteger(number) && rest !== "" ? number : null;
  if (state.view === "entities" && Number.isInteger(number)) state.pin = { side: "key", entity: number };
}

// ---- common pieces -------------------------------------------------------------------------------

function button(text, action, properties = {}) {
  return h("button", { type: "button", onclick: action, ...properties }, text);
}

function picker(label, values, value, action) {
  const id = `pick-${label.toLowerCase().replaceAll(" ", "-")}`;
  const select = h("select", { id, onchange: (event) => action(Number(event.target.value)) },
    values.map((text, i) => h("option", { value: i, selected: i === value }, text)));
  return h("span", { class: "picker" }, h("label", { for: id }, label), select);
}

/** A wide thing, which scrolls by itself. */
const scroll = (label, ...children) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, ...children);
const colHead = (name, isNumber = false) => h("th", { scope: "col", class: isNumber ? "number" : null }, name);
const rowHead = (...children) => h("th", { scope: "row" }, ...children);
const number = (...children) => h("td", { class: "number" }, ...children);

/** A table whose columns can be sorted: columns are {name, value, show, number}. */
function sortable(id, caption, columns, rows, properties = {}) {
  const limit = state.more[id] ?? 200;
  const sort = state.sort[id];
  let shown = rows;
  if (sort) {
    const by = columns[sort.column].value;
    shown = [...rows].sort((a, b) => {
      const [x, y] = [by(a), by(b)];
      const less = typeof x === "number" && typeof y === "number" ? x - y : String(x ?? "").localeCompare(String(y ?? ""));
      return sort.down ? -less : less;
    });
  }
  const head = columns.map((column, c) => h("th", {
    scope: "col", class: column.number ? "number" : null,
    "aria-sort": sort?.column === c ? (sort.down ? "descending" : "ascending") : null,
  }, button(column.name + (sort?.column === c ? (sort.down ? " ▾" : " ▴") : ""), () => {
    state.sort[id] = { column: c, down: sort?.column === c ? !sort.down : Boolean(column.number) };
    render({ focus: `${id}-sort-${c}` });
  }, { id: `${id}-sort-${c}` })));
  const body = shown.slice(0, limit).map((row) => {
    const cells = columns.map((column, c) => h(c ? "td" : "th", { scope: c ? null : "row", class: column.number ? "number" : null },
      column.show ? column.show(row) : String(column.value(row) ?? "")));
    return h("tr", properties.row?.(row), cells);
  });
  return scroll(caption,
    h("table", { id, class: "sortable" }, h("caption", null, caption), h("thead", null, h("tr", null, head)), h("tbody", null, body)),
    shown.length > limit && button(`Show more (${shown.length - limit} left)`, () => { state.more[id] = limit * 5; render(); }));
}

function legend() {
  return h("p", { class: "legend" }, Object.entries({ c: "right", i: "wrong link", m: "missing", x: "extra" }).map(([code, text]) =>
    h("span", null, h("svg:svg", { width: 14, height: 14, "aria-hidden": "true" }, tick(code, 7, 7)), " " + text)));
}

/** A tick of the strip: shape and colour say the same. */
function tick(code, x, y) {
  const kind = STATUS[code][2];
  const shape = {
    right: `M${x} ${y - 5}V${y + 5}`,
    wrong: `M${x} ${y - 5}L${x + 4} ${y}L${x} ${y + 5}L${x - 4} ${y}Z`,
    missing: `M${x - 3} ${y - 4}H${x + 3}V${y + 4}H${x - 3}Z`,
    extra: `M${x - 4} ${y}H${x + 4}M${x} ${y - 4}V${y + 4}`,
  }[kind];
  return h("svg:path", { d: shape, class: `tick ${kind}` });
}

const system = (doc) => doc.systems[state.system];

/** What is shown: the response, the document, the words searched for, and the filter of Compare. */
function scopeBar(withDocument, search = null) {
  return h("div", { class: "bar" },
    data.systems.length > 1 && picker("Response", data.systems, state.system, (s) => { state.system = s; render(); }),
    withDocument && picker("Document", data.documents.map((one) => one.short), state.doc, (d) => { state.pin = null; go(state.view, d); }),
    search && searchBox(search),
    state.compare && h("span", { class: "chip" }, `Only ${state.compare.of} where ${SIDES[state.compare.side]}`,
      button("×", () => { state.compare = null; render(); }, { "aria-label": "Remove the filter" })));
}

/** Whether the filter of Compare leaves a mention, or a key entity. */
function passes(doc, m, entity) {
  const filter = state.compare;
  if (!filter) return true;
  const [a, b] = [doc.systems[filter.a], doc.systems[filter.b]];
  const right = (one) => {
    if (!one) return false;
    if (filter.of === "mentions") return m !== null && "ca".includes(one.status[m]);
    return entity >= 0 && one.category[entity] === "1";
  };
  if (filter.of === "mentions" && (m === null || doc.key.home[m] < 0)) return false;
  if (filter.of === "entities" && entity < 0) return false;
  return { both: right(a) && right(b), only_a: right(a) && !right(b), only_b: !right(a) && right(b), neither: !right(a) && !right(b) }[filter.side];
}

// ---- overview ------------------------------------------------------------------------------------

function overview() {
  return [
    h("h2", null, "Overview"),
    data.systems.map((_, s) => h("p", { class: "lead" }, data.systems.length > 1 && h("strong", null, data.systems[s] + ": "), data.leads[s])),
    data.left_out.length > 0 && h("p", { class: "warning" },
      `${plural(data.left_out.length, "document")} with fewer errors left out of texts and lists, so that the page stays small; the scores are of all: ${data.left_out.slice(0, 5).join(", ")}${data.left_out.length > 5 ? ", …" : ""}`),
    scoreTable(),
    h("h3", null, "What errors cost"),
    data.systems.map((_, s) => costs(s)),
    h("h3", null, "Documents"),
    documentTable(),
    h("h3", null, "What was noticed"),
    problems(),
    h("h3", null, "How the scores were made"),
    h("p", null, h("code", { class: "signature" }, data.signature)),
    h("dl", { class: "digests" }, Object.entries(data.digests).map(([name, digest]) => [h("dt", null, name), h("dd", null, h("code", null, digest))])),
  ];
}

function scoreTable() {
  const rows = data.metrics.map(({ id, title }) => h("tr", null, rowHead(title),
    data.scores.map((scores, s) => {
      const score = scores[id];
      const cell = (name) => h("td", { class: "number", "data-number": `score/${s}/${id}/${name}` },
        name in score ? percent(score[name]) + (score.undefined.includes(name) ? "†" : "") : "");
      return [cell("recall"), cell("precision"), cell("f1"), h("td", { class: "dots" }, dots(score))];
    })));
  const undefinedAny = data.scores.some((scores) => Object.values(scores).some((score) => score.undefined?.length));
  return [scroll("Scores",
    h("table", { id: "scores" }, h("caption", null, `Scores in percent, ${data.average} over ${plural(data.counted, "document")}`),
      h("thead", null,
        data.systems.length > 1 && h("tr", null, h("td"), data.systems.map((name) => h("th", { scope: "colgroup", colspan: 4 }, name))),
        h("tr", null, h("td"), data.systems.map(() => [["R", "P", "F1"].map((name) => colHead(name, true)), colHead("0 to 100")]))),
      h("tbody", null, rows))),
    h("p", { class: "note" }, "◁ recall, ▷ precision, ● F1", undefinedAny && `; † 0/0: undefined, counts as ${data.undefined}`)];
}

function dots(score) {
  const x = (value) => 6 + 1.88 * 100 * value;
  const marks = [];
  if (typeof score.recall === "number") marks.push(h("svg:path", { d: `M${x(score.recall)} 3l-7 5l7 5z`, class: "mark recall" }));
  if (typeof score.precision === "number") marks.push(h("svg:path", { d: `M${x(score.precision)} 3l7 5l-7 5z`, class: "mark precision" }));
  if (typeof score.f1 === "number") marks.push(h("svg:circle", { cx: x(score.f1), cy: 8, r: 3.5, class: "mark f1" }));
  return h("svg:svg", { width: 204, height: 16, "aria-hidden": "true" }, h("svg:path", { d: "M6 8H194M6 5V11M100 5V11M194 5V11", class: "axis" }), marks);
}

function costs(s) {
  const found = Object.entries(data.errors[s].errors);
  const metrics = data.cost_metrics;
  const first = metrics[0]?.id;
  if (!first) return null;
  const ordered = [...found].sort((a, b) => (b[1].cost[first] ?? 0) - (a[1].cost[first] ?? 0));
  const most = Math.max(0.0001, ...found.flatMap(([, error]) => metrics.map(({ id }) => error.cost[id] ?? 0)));
  return scroll(`Errors of ${data.systems[s]}`,
    h("table", { class: "costs" }, h("caption", null, `${data.systems[s]}: points of F1 that each class of errors costs alone, the dearest first`),
      h("thead", null, h("tr", null, colHead("Error"), colHead("Count", true),
        metrics.map(({ title }) => [colHead(title, true), colHead(h("span", { class: "hidden" }, `${title} as a bar`))]))),
      h("tbody", null, ordered.map(([id, error]) => h("tr", null,
        rowHead(button(data.classes[id], () => { state.system = s; state.facets = { error: [data.classes[id]] }; go("errors"); }, { class: "link" })),
        h("td", { class: "number", "data-number": `errors/${s}/errors/${id}/count` }, String(error.count)),
        metrics.map(({ id: metric }) => [
          h("td", { class: "number", "data-number": `errors/${s}/errors/${id}/cost/${metric}` }, percent(error.cost[metric])),
          h("td", null, h("svg:svg", { width: 124, height: 12, "aria-hidden": "true" },
            h("svg:rect", { x: 0, y: 1, height: 10, width: Math.max(0, (120 * (error.cost[metric] ?? 0)) / most), class: "cost" })))]))))));
}

function documentTable() {
  const columns = [
    { name: "Document", value: (one) => one.label, show: (one) => one.shown === null ? one.label : h("a", { href: address("text", one.shown) }, one.label) },
    { name: "Tokens", number: true, value: (one) => one.tokens ?? "", show: (one) => String(one.tokens ?? "–") },
    { name: "Key mentions", number: true, value: (one) => one.key_mentions },
    ...data.systems.flatMap((name, s) => {
      const suffix = data.systems.length > 1 ? ` ${name}` : "";
      return [
        { name: `Errors${suffix}`, number: true, value: (one) => one.errors[s] ?? -1, show: (one) => String(one.errors[s] ?? "–") },
        ...data.cost_metrics.map(({ id, title }) => ({ name: `${title}${suffix}`, number: true, value: (one) => one.scores[s]?.[id] ?? -1, show: (one) => percent(one.scores[s]?.[id]) })),
      ];
    }),
  ];
  state.sort.documents ??= { column: 3, down: true };
  return sortable("documents", "Documents: mentions, errors and F1", columns, data.index);
}

function problems() {
  const all = data.problems;
  if (!all.length) return h("p", null, "Nothing: no repair, no policy that had to decide.");
  return h("ul", { class: "problems" }, all.map((one) => h("li", null,
    h("strong", null, one.severity), " ", one.text, " ", h("code", null, one.code), one.hint && h("div", { class: "note" }, one.hint))));
}

// ---- compare -------------------------------------------------------------------------------------

function compare() {
  if (data.systems.length < 2) {
    return [h("h2", null, "Compare"), h("p", null, "There is one response. Give two or more to see differences, intervals and ranks.")];
  }
  const found = data.compare;
  return [
    h("h2", null, "Compare"),
    h("h3", null, "Who is right where"),
    h("p", null, "A click shows only these mentions or entities in all other views."),
    data.agreement.map(agreement),
    found ? data.metrics.filter(({ id }) => id in found.metrics).map(({ id, title }) => comparison(id, title, found.metrics[id])) :
      h("p", { class: "warning" }, data.compare_missing),
    found && h("p", { class: "note" }, `${found.test} test, ${plural(found.units, "unit")} (${found.by}), correction ${found.correction}, alpha ${found.alpha}; intervals ${100 * found.level} % ${found.interval}. Responses that share a letter do not differ significantly.`),
    found && h("p", null, h("code", { class: "signature" }, found.signature)),
  ];
}

function limits(interval) {
  return interval ? `[${percent(interval[0])}, ${percent(interval[1])}]` : "–";
}

function comparison(id, title, metric) {
  const p = (value) => (value === null ? "–" : value < 0.001 ? "<0.001" : value.toFixed(3));
  return h("section", null, h("h3", null, title), h("div", { class: "beside" },
    scroll(`${title} of all responses`,
      h("table", null, h("thead", null, h("tr", null, ["Response", "R", "P", "F1", "Interval", "Rank", "Letters"].map((name) => colHead(name, name.length < 3)))),
        h("tbody", null, Object.entries(metric.scores).map(([name, score]) => h("tr", null, rowHead(name),
          ["recall", "precision", "f1"].map((part) => h("td", { class: "number", "data-number": `compare/${id}/${name}/${part}` }, part in score && score[part] !== null ? percent(score[part]) : "")),
          h("td", null, limits(score.interval)), h("td", null, String(metric.ranks[name])), h("td", null, metric.letters[name])))))),
    scroll(`${title}: differences`,
      h("table", null, h("thead", null, h("tr", null, ["Pair", "Difference", "Interval", "p", "p adjusted"].map((name) => colHead(name, /^(D|p)/.test(name))))),
        h("tbody", null, metric.pairs.map((pair) => h("tr", { class: pair.significant ? "significant" : null },
          rowHead(`${pair.a} − ${pair.b}`), number(percent(pair.difference)), h("td", null, limits(pair.interval)),
          number(p(pair.p)), number(p(pair.p_adjusted), pair.significant ? " *" : ""))))))));
}

function agreement({ a, b, mentions, entities }) {
  const row = (of, counts) => h("tr", null, rowHead(`Key ${of}`), Object.keys(SIDES).map((side) =>
    number(button(String(counts[side]), () => {
      state.compare = { a, b, of, side };
      go("errors");
    }, { class: "link", "aria-label": `${counts[side]} ${of}: ${SIDES[side]}`, "data-agreement": `${a}/${b}/${of}/${side}` }))));
  return scroll("Who is right where", h("table", { class: "agreement" }, h("caption", null, `${data.systems[a]} and ${data.systems[b]}`),
    h("thead", null, h("tr", null, h("td"), ["Both right", `Only ${data.systems[a]}`, `Only ${data.systems[b]}`, "Neither"].map((name) => colHead(name)))),
    h("tbody", null, row("mentions", mentions), row("entities", entities))));
}

// ---- card ----------------------------------------------------------------------------------------

function card() {
  return [
    h("h2", null, "What the score hides"),
    data.card_missing && h("p", { class: "warning" }, data.card_missing),
    data.card.map(({ caption, header, rows }) => scroll(caption,
      h("table", null, h("caption", null, caption),
        h("thead", null, h("tr", null, header.map((name, c) => colHead(name, c > 0)))),
        h("tbody", null, rows.map(([name, ...cells]) => h("tr", null, rowHead(name), cells.map((cell) => number(cell)))))))),
  ];
}

// ---- entities ------------------------------------------------------------------------------------

async function entities() {
  const doc = await load(state.doc);
  const one = system(doc);
  if (!one) return [h("h2", null, "Entities"), scopeBar(true), h("p", { class: "warning" }, "The response has no such document.")];
  const rows = doc.key.entities.map((mentions, e) => ({ e, mentions }))
    .filter(({ e, mentions }) => state.compare?.of === "mentions" ? mentions.some((m) => passes(doc, m, e)) : passes(doc, null, e))
    .filter(({ mentions }) => matches(mentions.map((m) => wordsOf(doc, m)).join(" ")));
  const columns = [
    { name: "Entity", value: ({ e }) => doc.key.names[e], show: ({ e }) => button(nameOf(doc.key, e), () => { state.pin = { side: "key", entity: e }; go("entities", state.doc, e); }, { class: "link" }) },
    { name: "Words", value: ({ e }) => wordsOf(doc, one.telling[e]), show: ({ e }) => h("bdi", null, short(wordsOf(doc, one.telling[e]))) },
    { name: "Category", value: ({ e }) => one.category[e], show: ({ e }) => data.categories[one.category[e]] },
    { name: "Size", number: true, value: ({ mentions }) => mentions.length },
    { name: "Best partner", value: ({ e }) => partnerName(one, e) },
    { name: "Lost links", number: true, value: ({ e }) => one.lost[e] },
    { name: "First", number: true, value: ({ mentions }) => Math.min(...mentions.map((m) => doc.first[m])) },
    { name: "Last", number: true, value: ({ mentions }) => Math.max(...mentions.map((m) => doc.first[m])) },
  ];
  state.sort.entities ??= { column: 5, down: true };
  const pinned = state.pin?.side === "key" ? state.pin.entity : null;
  return [
    h("h2", null, "Entities"), scopeBar(true, "Find entities by their words"), legend(),
    rows.length ? strip(doc, one, rows) : h("p", null, "No entity is left by the filters."),
    pinned !== null && pinned < doc.key.entities.length && entityPanel(doc, one, pinned),
    sortable("entities", `Key entities of ${data.documents[state.doc].short}`, columns, rows, { row: ({ e }) => ({ class: e === pinned ? "pinned" : null }) }),
  ];
}

const partnerName = (one, e) => (one.best[e] < 0 ? "–" : one.names[one.best[e]]);
const short = (text) => (text.length > 60 ? text.slice(0, 59) + "…" : text);

/** A row an entity, x the place in the document, a tick a mention. */
function strip(doc, one, rows) {
  const limit = state.more.strip ?? 100;
  const ordered = [...rows].sort((a, b) => one.lost[b.e] - one.lost[a.e] || b.mentions.length - a.mentions.length).slice(0, limit);
  const last = Math.max(1, doc.tokens ?? 0, ...doc.first.map((x) => x + 1));
  const room = Math.max(560, document.querySelector("main").clientWidth - 40);
  const left = Math.min(190, 0.3 * room);
  const [width, step] = [room - left - 10, 14];
  const x = (m) => left + (width * doc.first[m]) / last;
  // The other mentions of a response entity of many key entities are in one row.
  const owner = new Map();
  for (const [k, r, common] of one.cells) if (common > (owner.get(r)?.[1] ?? 0)) owner.set(r, [k, common]);
  const lines = ordered.map(({ e, mentions }, i) => {
    const y = 10 + i * step;
    const partner = one.best[e];
    const extra = partner < 0 || (owner.get(partner)?.[0] ?? e) !== e ? [] : one.entities[partner].filter((m) => doc.key.home[m] !== e);
    const ends = [...mentions, ...extra].map(x);
    const paths = [...mentions.map((m) => [m, one.status[m]]), ...extra.map((m) => [m, "x"])].map(([m, code]) => {
      const mark = tick(code, x(m), y);
      mark.dataset.m = m;
      return mark;
    });
    return h("svg:g", { "data-e": e, class: state.pin?.side === "key" && state.pin.entity === e ? "pinned" : null },
      h("svg:title", null, `${nameOf(doc.key, e)}: ${wordsOf(doc, one.telling[e])}`),
      h("svg:text", { x: left - 8, y: y + 4, "text-anchor": "end" }, cut(wordsOf(doc, one.telling[e]), Math.floor(left / 7))),
      h("svg:path", { d: `M${Math.min(...ends)} ${y}H${Math.max(...ends)}`, class: "axis" }), paths);
  });
  const chart = h("svg:svg", { viewBox: `0 0 ${room} ${20 + ordered.length * step}`, role: "img", class: "strip",
    "aria-label": `${plural(ordered.length, "entity", "entities")} over the document; the table below has the same in numbers` }, lines);
  chart.addEventListener("click", (event) => {
    const group = event.target.closest("g[data-e]");
    if (!group) return;
    const mark = event.target.closest("[data-m]");
    if (mark) go("text", state.doc, mark.dataset.m);
    else { state.pin = { side: "key", entity: Number(group.dataset.e) }; go("entities", state.doc, group.dataset.e); }
  });
  return scroll("Strip of entities", chart,
    rows.length > limit && button(`Show more (${rows.length - limit} left)`, () => { state.more.strip = limit * 5; render(); }));
}

const cut = (text, room) => (text.length > room ? text.slice(0, room - 1) + "…" : text);

/** How many entities of a side a matrix shows. */
const MATRIX = 12;

/** One entity: its mentions, and the overlap with its partners as a matrix. */
function entityPanel(doc, one, e) {
  const cells = one.cells.filter(([k]) => k === e);
  const partners = cells.map(([, r]) => r);
  const related = [...new Set([e, ...one.cells.filter(([, r]) => partners.includes(r)).map(([k]) => k)])];
  const count = (k, r) => one.cells.find((cell) => cell[0] === k && cell[1] === r)?.[2] ?? 0;
  return h("section", { class: "panel", id: "entity" },
    h("h3", null, `Entity ${nameOf(doc.key, e)}: ${data.categories[one.category[e]]}`),
    cells.length ? scroll("Common mentions",
      h("table", { class: "matrix" }, h("caption", null, "Mentions in common with entities of the response" + (Math.max(partners.length, related.length) > MATRIX ? `; the first ${MATRIX} of ${related.length} × ${partners.length}` : "")),
        h("thead", null, h("tr", null, h("td"), partners.slice(0, MATRIX).map((r) => colHead(`${nameOf(one, r)} (${one.entities[r].length})`, true)))),
        h("tbody", null, related.slice(0, MATRIX).map((k) => h("tr", { class: k === e ? "pinned" : null }, rowHead(`${nameOf(doc.key, k)} (${doc.key.entities[k].length})`),
          partners.slice(0, MATRIX).map((r) => number(String(count(k, r) || "·")))))))) :
      h("p", null, "No mention of it is in the response."),
    h("ol", { class: "mentions" }, doc.key.entities[e].map((m) => h("li", { class: statusOf(one, m)[2] },
      h("a", { href: address("text", state.doc, m) }, h("bdi", null, short(wordsOf(doc, m)))), ` ${statusOf(one, m)[1] ?? ""} ${statusOf(one, m)[0] ?? ""}`))));
}

// ---- text ----------------------------------------------------------------------------------------

/** The open text: elements by mention, and the mentions in error of the response that is shown. */
let open = null;

async function text() {
  const doc = await load(state.doc);
  const one = system(doc);
  const parts = [h("h2", null, "Text"), scopeBar(true, one && "Find in this text"), one && textBar()];
  if (!one) return [...parts, h("p", { class: "warning" }, "The response has no such document.")];
  const panel = h("aside", { id: "mention", "aria-label": "The mention", "aria-live": "polite" });
  const body = doc.words ? written(doc, one) : listed(doc, one);
  open = { doc, one, panel, marked: [], ...body };
  body.element.addEventListener("click", (event) => {
    const tag = event.target.closest("[data-m]");
    if (tag) go("text", state.doc, Number(tag.dataset.m));
  });
  queueMicrotask(() => { highlight(); if (state.mention !== null) reveal(state.mention); });
  return [...parts, legend(), h("div", { class: "reading" }, body.element, panel)];
}

function textBar() {
  return h("div", { class: "bar", role: "group", "aria-label": "Move through the text" },
    button("‹ document [", () => stepDocument(-1)), button("document › ]", () => stepDocument(1)),
    button("‹ error k", () => stepError(-1)), button("error › j", () => stepError(1)),
    button("‹ mention p", () => stepMention(-1)), button("mention › n", () => stepMention(1)),
    button("pin e", togglePin, { "aria-pressed": String(state.pin !== null) }));
}

/** How many lines of mentions can be told apart on one side; the others share the last. */
const LANES = 4;

/** The colour of each line, by side, lane and status. */
function laneStyles() {
  const sheet = new CSSStyleSheet();
  for (const side of "kr") {
    for (const lane of range(LANES)) {
      for (const [code, [, , kind]] of Object.entries(STATUS)) sheet.insertRule(`.${side}${lane}${code} { --${side}${lane}: var(--${kind}) }`);
    }
  }
  return sheet;
}

/** Lanes of mentions on one side, so that those that overlap are drawn on different lines. */
function lanesOf(doc, mentions, place) {
  const lane = new Map();
  const ends = [];
  const sorted = mentions.filter((m) => piecesOf(place(m)).length)
    .map((m) => { const parts = piecesOf(place(m)); return [parts[0][0], Math.max(...parts.map((part) => part[1])), m]; })
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  for (const [start, end, m] of sorted) {
    let free = ends.findIndex((until) => until <= start);
    if (free < 0) free = ends.length;
    ends[free] = end;
    lane.set(m, free);
  }
  return lane;
}

/** The text with key mentions above and response mentions below the line. */
function written(doc, one) {
  const elements = new Map();
  const note = (m, element) => { if (!elements.has(m)) elements.set(m, []); elements.get(m).push(element); };
  const sides = [
    { letter: "k", home: doc.key.home, names: doc.key.names, place: (m) => doc.at[m] },
    { letter: "r", home: one.home, names: one.names, place: (m) => one.own?.[m] ?? doc.at[m] },
  ];
  const starts = new Map();
  const at = (token) => { if (!starts.has(token)) starts.set(token, { zero: [], open: [] }); return starts.get(token); };
  for (const side of sides) {
    const mentions = mentionsOf(doc).filter((m) => side.home[m] >= 0);
    const lanes = lanesOf(doc, mentions, side.place);
    for (const m of mentions) {
      piecesOf(side.place(m)).forEach((piece, p) => {
        const entry = { side, m, lane: lanes.get(m), end: piece[1], again: p > 0, size: piece[1] - piece[0] };
        if (piece[0] === piece[1]) at(piece[0]).zero.push({ ...entry, order: piece[2] ?? 0 });
        else at(piece[0]).open.push(entry);
      });
    }
  }
  for (const { zero, open: opened } of starts.values()) {
    zero.sort((a, b) => a.order - b.order);
    opened.sort((a, b) => (a.side.letter < b.side.letter ? -1 : a.side.letter > b.side.letter ? 1 : b.size - a.size));
  }
  const tag = ({ side, m, again }) => {
    const status = statusOf(one, m);
    const element = h("b", { class: `tag ${side.letter} ${status[2] ?? ""}`, "data-m": m }, `${side.names[side.home[m]] || side.home[m] + 1}${again ? "…" : ""}${status[1] ?? ""}`);
    note(m, element);
    return element;
  };
  const active = { k: [], r: [] };
  const limit = doc.words.length;
  // Names above each other take little room.
  const tags = (entries) => h("span", { class: "tags" }, ["k", "r"].map((letter) => {
    const own = entries.filter((entry) => entry.side.letter === letter).map(tag);
    return own.length > 0 && h("span", { class: letter }, own);
  }));
  const zeros = (token, parent) => {
    const groups = new Map();
    for (const entry of starts.get(token)?.zero ?? []) {
      if (!groups.has(entry.order)) groups.set(entry.order, []);
      groups.get(entry.order).push(entry);
    }
    for (const group of groups.values()) {
      parent.append(tags(group));
      const sign = h("span", { class: "zero", "data-m": group[0].m }, "∅");
      group.forEach((entry) => note(entry.m, sign));
      parent.append(sign, doc.between || "\u200b");
    }
  };
  const paragraph = (start, end, number) => {
    const element = h("p", { class: "sentence", dir: "auto", "data-n": number });
    let run = null;
    let plain = "";
    const flush = () => { if (plain) { (run ?? element).append(plain); plain = ""; } };
    for (let token = start; token < end; token++) {
      const begins = starts.get(token);
      if (begins) {
        flush();
        if (begins.zero.length) { run = null; zeros(token, element); }
        if (begins.open.length) {
          run = null;
          element.append(tags(begins.open));
          for (const entry of begins.open) active[entry.side.letter][entry.lane] = entry;
        }
      }
      const now = [...active.k, ...active.r];
      if (!run && now.some(Boolean)) {
        let names = "run";
        let clicked = null;
        run = document.createElement("span");
        for (const [letter, entries] of [["r", active.r], ["k", active.k]]) {
          entries.forEach((entry, lane) => {
            if (!entry) return;
            names += ` ${letter}${Math.min(lane, LANES - 1)}${one.status[entry.m]}`;
            clicked = entry.m;
            note(entry.m, run);
          });
        }
        run.className = names;
        run.dataset.m = clicked;
        element.append(run);
      }
      plain += doc.words[token];
      const closing = now.some((entry) => entry && entry.end === token + 1);
      const gap = token + 1 < end ? doc.between : "";
      if (closing) {
        flush();
        for (const entries of Object.values(active)) entries.forEach((entry, lane) => { if (entry && entry.end === token + 1) entries[lane] = null; });
        const goesOn = [...active.k, ...active.r].some(Boolean);
        plain = gap;
        if (goesOn) flush();
        run = null;
      } else plain += gap;
    }
    flush();
    if (end === limit) zeros(limit, element);
    return element;
  };
  const breaks = doc.sentences?.length ? doc.sentences : range(Math.ceil(limit / 40)).map((i) => i * 40);
  const body = h("div", { class: "text", id: "text", lang: doc.lang ?? null });
  let done = 0;
  const build = (count) => {
    const until = Math.min(breaks.length, done + count);
    const parts = [];
    for (; done < until; done++) parts.push(paragraph(breaks[done], breaks[done + 1] ?? limit, done + 1));
    body.append(...parts);
    body.toggleAttribute("data-whole", done === breaks.length);
  };
  // A book is built in slices, so that its beginning can be read at once.
  const slice = (count) => { build(count); if (done < breaks.length) setTimeout(slice, 0, 500); };
  slice(100);
  return { element: body, elements, whole: () => build(breaks.length) };
}

/** Mentions by entity, where the words are not known. */
function listed(doc, one) {
  const elements = new Map();
  const item = (m) => {
    const status = statusOf(one, m);
    const element = h("b", { class: `tag list ${status[2] ?? ""}`, "data-m": m }, `${wordsOf(doc, m, one)} ${status[1] ?? ""}`);
    elements.set(m, [element]);
    return h("li", null, element);
  };
  return {
    elements,
    whole: () => {},
    element: h("div", { class: "text plain", id: "text", "data-whole": true },
      h("p", { class: "warning" }, `${doc.joined ? "Documents that are scored as one have no common text" : "The words of this document are not known"}; its mentions are listed by key entity, then those that only the response has.`),
      doc.key.entities.map((mentions, e) => h("section", null, h("h3", null, `Entity ${nameOf(doc.key, e)}`), h("ul", null, mentions.map(item)))),
      h("section", null, h("h3", null, "Only in the response"), h("ul", null, mentionsOf(doc).filter((m) => doc.key.home[m] < 0 && one.home[m] >= 0).map(item)))),
  };
}

/** Mark the selected mention and the pinned entity in the open text. */
function highlight() {
  if (!open) return;
  if (state.compare || state.pin || state.mention !== null) open.whole();
  for (const [element, name] of open.marked) element.classList.remove(name);
  open.marked = [];
  const mark = (m, name) => open.elements.get(m)?.forEach((element) => {
    element.classList.add(name);
    open.marked.push([element, name]);
  });
  if (state.compare) range(open.doc.at.length).filter((m) => passes(open.doc, m, open.doc.key.home[m])).forEach((m) => mark(m, "filtered"));
  if (state.pin) pinnedMentions(open.doc, open.one).forEach((m) => mark(m, "pinned"));
  if (state.mention !== null) mark(state.mention, "selected");
  mentionPanel();
}

function pinnedMentions(doc, one) {
  const { side, entity } = state.pin;
  return (side === "key" ? doc.key.entities : one.entities)[entity] ?? [];
}

function mentionPanel() {
  const { doc, one, panel } = open;
  panel.replaceChildren();
  const m = state.mention;
  if (m === null || m >= doc.at.length) {
    panel.append(h("h3", null, "No mention is selected"), h("p", null, "Click a mention, or press j for the next error."));
    return;
  }
  const link = (n) => (n < 0 ? "–" : h("a", { href: address("text", state.doc, n) }, h("bdi", null, short(wordsOf(doc, n)))));
  const status = statusOf(one, m);
  const rows = [["Status", `${status[1] ?? ""} ${status[0] ?? "not in this response"}`],
    ["Key entity", doc.key.home[m] < 0 ? "–" : h("a", { href: address("entities", state.doc, doc.key.home[m]) }, nameOf(doc.key, doc.key.home[m]))],
    ["Response entity", one.home[m] < 0 ? "–" : nameOf(one, one.home[m])]];
  if (one.own[m] !== undefined) rows.push(["Found as", h("bdi", null, short(wordsOf(doc, m, one)))]);
  const outcome = OUTCOMES[one.outcome[m]];
  if (outcome) rows.push(["Antecedent", outcome], ["Expected", link(one.expected[m])], ["Found", link(one.found[m])]);
  for (const [name, feature] of Object.entries(doc.features)) rows.push([heading(name), feature.names[feature.of[m]]]);
  const errors = one.errorsOf.get(m) ?? [];
  panel.append(h("h3", null, h("bdi", null, short(wordsOf(doc, m)))),
    h("dl", null, rows.map(([name, value]) => [h("dt", null, name), h("dd", null, value)])),
    h("h4", null, plural(errors.length, "error")),
    h("ul", null, errors.map((e) => h("li", null, errorText(doc, one, one.errors[e])))),
    h("div", { class: "bar" }, button("‹ previous error", () => stepError(-1)), button("next error ›", () => stepError(1))));
}

function errorText(doc, one, error) {
  const more = error.mentions.length > 3 ? `, … (${error.mentions.length} mentions)` : "";
  return h("span", null, data.classes[error.error], ": ", h("bdi", null, error.mentions.slice(0, 3).map((m) => short(wordsOf(doc, m, one))).join(", ") + more),
    error.correct !== null && [" instead of ", h("bdi", null, short(wordsOf(doc, error.correct)))]);
}

function reveal(m) {
  const element = open?.elements.get(m)?.[0];
  element?.scrollIntoView({ block: "center" });
}

function select(m) {
  if (m === null || m === undefined) return;
  state.mention = m;
  setAddress(address("text", state.doc, m), true);
  highlight();
  reveal(m);
}

/** The mention after or before another; lists of mentions ascend, which is the order of reading. */
const neighbour = (list, here, step) => (step > 0 ? list.find((m) => m > (here ?? -1)) : list.findLast((m) => m < (here ?? Infinity)));

const inError = (doc, one) => mentionsOf(doc).filter((m) => (one.errorsOf.has(m) || "aiumx".includes(one.status[m])) && one.status[m] !== " " && passes(doc, m, doc.key.home[m]));

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
  if (!state.pin && state.mention === null) return say("Select a mention first, or pin an entity.");
  const list = state.pin ? pinnedMentions(doc, one) : doc.key.home[state.mention] >= 0 ? doc.key.entities[doc.key.home[state.mention]] : one.entities[one.home[state.mention]] ?? [];
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
  else if (open.doc.key.home[state.mention] >= 0) state.pin = { side: "key", entity: open.doc.key.home[state.mention] };
  else state.pin = { side: "response", entity: open.one.home[state.mention] };
  document.querySelector("[aria-pressed]")?.setAttribute("aria-pressed", String(state.pin !== null));
  highlight();
}

// ---- errors --------------------------------------------------------------------------------------

async function errorRows() {
  const rows = [];
  (await loadAll()).forEach((doc, d) => {
    const one = system(doc);
    one?.errors.forEach((error) => {
      const m = error.mentions[0];
      const row = { d, doc, error, mention: m, facets: { error: data.classes[error.error] }, words: error.mentions.map((n) => wordsOf(doc, n, one)).join(" | ") };
      for (const [name, feature] of Object.entries(doc.features)) row.facets[name] = feature.names[feature.of[m]];
      row.facets.document = data.documents[d].short;
      if (error.mentions.some((n) => passes(doc, n, doc.key.home[n]))) rows.push(row);
    });
  });
  return rows;
}

const matches = (words) => words.toLowerCase().includes(state.search.toLowerCase());

async function errors() {
  if (data.documents.length > 1000 && documents.filter(Boolean).length < data.documents.length) say("All documents are read, which takes a while.");
  const all = (await errorRows()).filter((row) => matches(row.words));
  const leaves = (row, but) => Object.entries(state.facets).every(([name, values]) => name === but || values.includes(row.facets[name]));
  const rows = all.filter((row) => leaves(row, null));
  const names = [...new Set(all.flatMap((row) => Object.keys(row.facets)))].filter((name) => name in state.facets || new Set(all.map((row) => row.facets[name])).size > 1);
  const facet = (name) => {
    const counts = new Map();
    for (const row of all) if (leaves(row, name)) counts.set(row.facets[name], (counts.get(row.facets[name]) ?? 0) + 1);
    const values = [...counts].sort((a, b) => b[1] - a[1]).slice(0, state.more[`facet-${name}`] ?? 12);
    return h("fieldset", null, h("legend", null, heading(name)), values.map(([value, count], i) =>
      h("label", null, h("input", { type: "checkbox", checked: state.facets[name]?.includes(value), id: `facet-${name}-${i}`, "data-facet": `${name}=${value}`, onchange: (event) => {
        toggleFacet(name, value);
        render({ focus: event.target.id });
      } }), ` ${value} `, h("span", { class: "count" }, String(count)))),
      counts.size > values.length && button(`${counts.size - values.length} more`, () => { state.more[`facet-${name}`] = 1000; render(); }));
  };
  const columns = [
    { name: "Error", value: (row) => row.facets.error, show: (row) => h("a", { href: address("text", row.d, row.mention) }, row.facets.error) },
    { name: "Mentions", value: (row) => row.words, show: (row) => h("bdi", null, short(row.words)) },
    { name: "Key entity", value: (row) => row.error.key ?? "" },
    { name: "Response entity", value: (row) => row.error.response ?? "" },
    { name: "Document", value: (row) => row.facets.document },
  ];
  const flat = () => rows.map((row) => ({ document: row.doc.label, error: row.error.error, mentions: row.words, key_entity: row.error.key, response_entity: row.error.response,
    ...Object.fromEntries(Object.entries(row.facets).filter(([name]) => !["error", "document"].includes(name))) }));
  return [
    h("h2", null, "Errors"), scopeBar(false, "Find errors by words"),
    h("p", { id: "error-count" }, `${plural(rows.length, "error")} of ${data.systems[state.system]}`),
    h("div", { class: "bar" }, button("Save as CSV", () => save("errors.csv", csv(flat()))), button("Save as JSON", () => save("errors.json", JSON.stringify(flat(), null, 1))),
      Object.keys(state.facets).length > 0 && button("Clear filters", () => { state.facets = {}; render(); })),
    h("div", { class: "faceted" }, h("div", { class: "facets" }, names.map(facet)), sortable("errors", "Errors", columns, rows)),
  ];
}

function toggleFacet(name, value) {
  const chosen = state.facets[name] ?? [];
  state.facets[name] = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
  if (!state.facets[name].length) delete state.facets[name];
}

function stepRow(step) {
  const links = [...document.querySelectorAll("#errors tbody a")];
  const here = links.indexOf(document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, here + step))]?.focus();
}

function csv(rows) {
  const names = Object.keys(rows[0] ?? { document: "" });
  const safe = (text) => text.replace(/^(?=[=+@\t\r-])(?![+-]?[\d.]+$)/, "'");
  const cell = (value) => `"${safe(String(value ?? "")).replaceAll('"', '""')}"`;
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => row.map(cell).join() + "\n").join("");
}

function save(name, content) {
  const link = h("a", { href: URL.createObjectURL(new Blob([content])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- search, messages, keys ----------------------------------------------------------------------

function searchBox(label) {
  return h("span", { class: "picker", role: "search" }, h("label", { for: "search" }, label),
    h("input", { id: "search", type: "search", value: state.search, onkeydown: (event) => {
      if (event.key !== "Enter") return;
      state.search = event.target.value;
      if (state.view === "text") findWords(); else render({ focus: "search" });
    } }));
}

/** Select the next mention, or show the next sentence, with the words searched for. */
function findWords() {
  const wanted = state.search.toLowerCase();
  if (!wanted) return;
  open.whole();
  const paragraphs = [...document.querySelectorAll("#text p.sentence")];
  const plain = (p) => { const copy = p.cloneNode(true); copy.querySelectorAll(".tag").forEach((tag) => tag.remove()); return copy.textContent.toLowerCase(); };
  const from = paragraphs.findIndex((p) => p.classList.contains("hit"));
  paragraphs[from]?.classList.remove("hit");
  const order = [...paragraphs.slice(from + 1), ...paragraphs.slice(0, from + 1)];
  const hit = order.find((p) => plain(p).includes(wanted));
  if (!hit) return say(`“${state.search}” is not in this text.`);
  hit.classList.add("hit");
  hit.scrollIntoView({ block: "center" });
}

function say(message) {
  $("say").textContent = message;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { $("say").textContent = ""; }, 4000);
}

const KEYS = {
  j: () => stepError(1), k: () => stepError(-1), n: () => stepMention(1), p: () => stepMention(-1),
  "[": () => stepDocument(-1), "]": () => stepDocument(1), e: togglePin,
  "/": () => $("search")?.focus(), "?": () => $("keys").showModal(),
  ...Object.fromEntries(VIEWS.map((view, i) => [String(i + 1), () => go(view)])),
};

function leave() {
  if (document.activeElement?.matches("input, select")) document.activeElement.blur();
  else if (state.pin || state.mention !== null) { state.pin = null; state.mention = null; highlight(); }
  else if (state.compare || Object.keys(state.facets).length || state.search) { state.compare = null; state.facets = {}; state.search = ""; render(); }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  if (event.key === "Escape") return leave();
  if (event.target.matches("input, select, textarea")) return;
  const action = KEYS[event.key];
  if (action) { event.preventDefault(); action(); }
});

// ---- drawing -------------------------------------------------------------------------------------

const DRAW = { overview, compare, entities, text, errors, card, help: () => null };
let rendered = Promise.resolve();
let turn = 0;

function render({ focus = null } = {}) {
  const mine = ++turn;
  rendered = (async () => {
    const { view } = state;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.getAttribute("href") === `#${view}`) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    }
    $("help").hidden = view !== "help";
    if (view !== "text") open = null;
    const parts = await DRAW[view]();
    if (mine !== turn) return;
    $("view").hidden = view === "help";
    $("view").replaceChildren(...(parts ?? []).flat(9).filter((part) => part instanceof Node));
    document.title = `${TITLES[VIEWS.indexOf(view)]} – ${data.title}`;
    if (focus) $(focus)?.focus();
    document.body.dataset.ready = `${view}`;
  })();
  return rendered;
}

function navigate() {
  const before = { view: state.view, doc: state.doc };
  readAddress();
  if (state.view === "text" && open && before.view === "text" && before.doc === state.doc) { highlight(); if (state.mention !== null) reveal(state.mention); return rendered; }
  return render();
}

unpacked("overview-data").then((found) => {
  data = found;
  document.adoptedStyleSheets = [laneStyles()];
  window.addEventListener("hashchange", navigate);
  document.addEventListener("click", follow);
  $("show-keys").addEventListener("click", () => $("keys").showModal());
  $("close-keys").addEventListener("click", () => $("keys").close());
  readAddress();
  render();
});
