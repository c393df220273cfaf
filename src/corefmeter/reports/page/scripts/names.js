// The names and colors of entities, and words as they are printed.

/** The number of colors, and the length of a name in the text. */
const HUES = 12;
const NAME = 20;

/** The tokens of a line where sentences are unknown. */
const LINE = 40;

/** Signs and endings without a space before them, and signs without one behind. */
const CLOSING = /^(?:[,.;:!?%)\]}…’”»]+|''|['’](?:s|m|d|t|re|ve|ll|em)|n['’]t)$/i;
const OPENING = /^(?:[([{“‘«¿¡]|``)$/;

/** Quotation marks of treebanks, as they are printed. */
const QUOTES = new Map([["``", "“"], ["''", "”"]]);
const printedWord = (doc, token) => QUOTES.get(doc.words[token]) ?? doc.words[token];

/** For each token, 1 if it is printed without a space before it. A straight quote opens or closes. */
function findTight(doc) {
  const tight = new Uint8Array(doc.words.length + 1);
  const begins = new Set(doc.sentences);
  const inside = {};
  doc.words.forEach((word, t) => {
    if (CLOSING.test(word)) tight[t] = 1;
    if (OPENING.test(word)) tight[t + 1] = 1;
    if (word !== '"' && word !== "'") return;
    if (begins.has(t)) inside[word] = false;
    else if (begins.has(t + 1) || t + 1 === doc.words.length) inside[word] = true;
    else if (word === "'" && !inside[word] && /s$/i.test(doc.words[t - 1])) { tight[t] = 1; return; }
    tight[inside[word] ? t : t + 1] = 1;
    inside[word] = !inside[word];
  });
  return tight;
}

/** What is printed before a token. */
function gap(doc, token) {
  if (doc.between !== " ") return doc.between;
  doc.tight ??= findTight(doc);
  return doc.tight[token] ? "" : " ";
}

/** The words of a mention as they are printed. */
const phraseOf = (doc, m, one = null) => wordsOf(doc, m, one, (start, end) => printed(doc, start, end));

function printed(doc, start, end) {
  let text = "";
  for (let token = start; token < end; token++) text += (token > start ? gap(doc, token) : "") + printedWord(doc, token);
  return text;
}

/** The first tokens of the sentences, or of lines where sentences are unknown. */
const breaksOf = (doc) => (doc.breaks ??= doc.sentences?.length ? doc.sentences : range(Math.ceil((doc.words?.length ?? 0) / LINE)).map((i) => i * LINE));

/** The last place in an ascending list with a value of at most a limit. */
function lastUpTo(list, limit) {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (list[middle] <= limit) low = middle; else high = middle - 1;
  }
  return low;
}

function sentenceOf(doc, m) {
  doc.sentenceOf ??= doc.first.map((token) => lastUpTo(breaksOf(doc), token));
  return doc.sentenceOf[m];
}

const sentenceName = (doc, n) => `${doc.sentences?.length ? "sentence" : "line"} ${n + 1}`;

/** The key entity for which each entity of the response is best, and the colors of entities; null is gray. */
function identities(doc, one) {
  if (one.identities) return one.identities;
  const partner = findPartners(doc, one);
  const hues = { key: doc.key.entities.map(() => null), response: one.entities.map(() => null) };
  // The colors in use, one a bit: in each sentence, between two that do not exist, and anywhere.
  const taken = { at: new Uint16Array(breaksOf(doc).length + 3), ever: 0 };
  const sizes = doc.key.entities.map((mentions) => mentions.length);
  partner.forEach((k, r) => { if (k >= 0) sizes[k] = Math.max(sizes[k], one.entities[r].length); });
  const choose = (side, entities) => entities
    .map((mentions, e) => ({ e, mentions }))
    .filter(({ e, mentions }) => (side === "key" ? sizes[e] > 1 : mentions.length > 1 && partner[e] < 0))
    .sort((a, b) => b.mentions.length - a.mentions.length || a.mentions[0] - b.mentions[0])
    .forEach(({ e, mentions }) => { hues[side][e] = chooseHue(doc, mentions, taken); });
  choose("key", doc.key.entities);
  choose("response", one.entities);
  partner.forEach((k, r) => { if (k >= 0) hues.response[r] = hues.key[k]; });
  return (one.identities = { partner, hues });
}

/** For each response entity, the key entity that it is best for, -1 for none; of several the one with most of it. */
function findPartners(doc, one) {
  const common = one.best.map(() => 0);
  for (const [k, r, count] of one.cells) if (one.best[k] === r) common[k] = count;
  const partner = one.entities.map(() => -1);
  const order = range(common.length).sort((a, b) => common[a] - common[b] || doc.key.entities[b][0] - doc.key.entities[a][0]);
  for (const k of order) if (one.best[k] >= 0) partner[one.best[k]] = k;
  return partner;
}

/** A color that no entity has, else the one that is least used in the sentences of the entity, then in those next to them. */
function chooseHue(doc, mentions, taken) {
  const places = new Set(mentions.map((m) => 1 + sentenceOf(doc, m)));
  const used = range(HUES).map((hue) => (taken.ever >> hue) & 1);
  for (const n of places) {
    const [same, near] = [taken.at[n], taken.at[n - 1] | taken.at[n + 1]];
    for (let hue = 0; hue < HUES; hue++) used[hue] += 9 * ((same >> hue) & 1) + ((near >> hue) & 1);
  }
  const hue = used.indexOf(Math.min(...used));
  taken.ever |= 1 << hue;
  for (const n of places) taken.at[n] |= 1 << hue;
  return hue;
}

/** Whether the response has a mention in another entity than that of the key, so that two lines mark it. */
function isElsewhere(doc, one, m) {
  const [k, r] = [doc.key.home[m], one.home[m]];
  return k >= 0 && r >= 0 && identities(doc, one).partner[r] !== k;
}

const hueClass = (hue) => (hue === null || hue === undefined ? "gray" : `hue${hue}`);

/** The mention that names an entity. */
const namingMention = (doc, one, side, e) => (side === "key" ? doc.key : one).called[e];

const entityName = (doc, one, side, e) => phraseOf(doc, namingMention(doc, one, side, e));

/** The side and entity of a mention: that of the key where it has one. */
function entityOf(doc, one, m) {
  if (doc.key.home[m] >= 0) return { side: "key", entity: doc.key.home[m] };
  return one.home[m] >= 0 ? { side: "response", entity: one.home[m] } : null;
}

const membersOf = (doc, one, { side, entity }) => (side === "key" ? doc.key : one).entities[entity] ?? [];
