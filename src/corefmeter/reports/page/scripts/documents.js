// What is shown: the state of the page, and the documents, unpacked when they are needed.

const VIEWS = ["overview", "compare", "entities", "text", "errors", "card", "help"];
const TITLES = ["Overview", "Compare", "Entities", "Text", "Errors", "Card", "How to read this"];

/** What each status of a mention is called, its sign, and its class. */
const STATUS = {
  c: ["right link", "", "right"],
  a: ["wrong link", "≠", "wrong"],
  i: ["wrong links only", "≠", "wrong"],
  u: ["left alone", "≠", "wrong"],
  m: ["missing", "−", "missing"],
  x: ["extra", "+", "extra"],
};

/** What the marks of charts are called: the status of a mention, or that it is of another entity. */
const MARKS = { ...Object.fromEntries(Object.entries(STATUS).map(([code, [name]]) => [code, name])), o: "mention of another entity" };

/** The filters of a click on Compare: which of two responses is right about a mention or an entity. */
/** Which of two responses are right, in words. */
const SIDES = {
  both: (a, b) => `${a} and ${b} are right`, only_a: (a, b) => `${a} is right and ${b} is not`,
  only_b: (a, b) => `${b} is right and ${a} is not`, neither: (a, b) => `neither ${a} nor ${b} is right`,
};
const sideText = ({ a, b, side }) => SIDES[side](data.systems[a], data.systems[b]);

let data = null;
const documents = [];
let state = null;

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
    system.errors = system.errors.map(([error, mentions, k, r, correct]) => ({ error: classes[error], mentions, key: k, response: r, correct }));
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

/** The words of a mention as all output gives them; in the text they are joined as in print. */
function wordsOf(doc, m, system = null, join = (start, end) => doc.words.slice(start, end).join(doc.between)) {
  const at = system?.own?.[m] ?? doc.at[m];
  if (typeof at === "string") return at;
  const parts = piecesOf(at).map(([start, end]) =>
    start === end ? "∅" : doc.words ? join(start, end) : end === start + 1 ? `${start}` : `${start}–${end - 1}`);
  return parts.join(" … ");
}

const statusOf = (system, m) => STATUS[system.status[m]] ?? [];
