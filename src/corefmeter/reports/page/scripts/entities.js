// The view Entities: the strip, the list, one entity.

async function entities() {
  const doc = await load(state.doc);
  const one = system(doc);
  if (!one) return [h("h2", "Entities"), scopeBar(true), h("p", { class: "warning" }, "The response has no such document.")];
  const rows = doc.key.entities.map((mentions, e) => ({ e, mentions }))
    .filter(({ e, mentions }) => state.compare?.of === "mentions" ? mentions.some((m) => passes(doc, m, e)) : passes(doc, null, e))
    .filter(({ mentions }) => matches(...mentions.map((m) => phraseOf(doc, m))));
  const place = (at) => (Number.isFinite(at) ? sentenceNumber(doc, at) : "");
  const columns = [
    { name: "Entity", value: ({ e }) => titleOf(doc, doc.key, e), show: ({ e }) => button(h("bdi", short(titleOf(doc, doc.key, e))), () => { state.pin = { side: "key", entity: e }; go("entities", state.doc, e); }, { class: "link" }) },
    { name: "Id", hide: true, value: ({ e }) => nameOf(doc.key, e) },
    { name: "Category", value: ({ e }) => one.category[e], show: ({ e }) => data.categories[one.category[e]] },
    { name: "Mentions", number: true, value: ({ mentions }) => mentions.length },
    { name: "Best response entity", value: ({ e }) => partnerName(doc, one, e), show: ({ e }) => h("bdi", partnerName(doc, one, e)) },
    { name: "Lost links", number: true, value: ({ e }) => one.lost[e] },
    { name: `First ${unitOf(doc)}`, number: true, value: ({ mentions }) => place(Math.min(...mentions.map((m) => doc.first[m]))) },
    { name: "Last", number: true, value: ({ mentions }) => place(Math.max(...mentions.map((m) => doc.first[m]))) },
  ];
  state.sort.entities ??= { column: 5, down: true };
  const pinned = state.pin?.side === "key" ? state.pin.entity : null;
  const panel = pinned !== null && pinned < doc.key.entities.length && entityPanel(doc, one, pinned);
  if (panel) requestAnimationFrame(() => panel.scrollIntoView());
  return [
    h("h2", "Entities"), scopeBar(true, "Find entities by their words"), panel, mixtures(doc, one), legend(),
    rows.length ? strip(doc, one, rows) : h("p", "No entity matches the filters."),
    sortable("entities", `Key entities of ${data.documents[state.doc].short}`, columns, rows, { row: ({ e }) => ({ class: e === pinned ? "pinned" : null }) }),
  ];
}

/** How many response entities with mentions of several key entities are named. */
const MIXED = 3;

/** A sentence on the response entities that mix most mentions of different key entities. */
function mixtures(doc, one) {
  const cells = Map.groupBy([...one.cells].sort((a, b) => b[2] - a[2]), ([, r]) => r);
  const added = (some) => sum(some.slice(1).map(([, , count]) => count));
  const worst = [...cells.values()].filter((some) => some.length > 1).sort((a, b) => added(b) - added(a)).slice(0, MIXED);
  return worst.length > 0 && h("ul", { id: "mixed" }, worst.map((some) => h("li", "Response entity ", responseLink(doc, one, some[0][1]), " mixes ",
    some.slice(0, MIXED).map(([k, , count], i) => [i > 0 && ", ", keyLink(doc, k), ` ${count}`]), some.length > MIXED && ", …")));
}

const keyLink = (doc, k) => h("a", { href: address("entities", state.doc, k) }, h("bdi", cut(titleOf(doc, doc.key, k), 24)));

/** A link to the mention that names a response entity. */
const responseLink = (doc, one, r) => h("a", { href: address("text", state.doc, one.called[r]) }, h("bdi", cut(titleOf(doc, one, r), 24)));

const unitOf = (doc) => (doc.sentences?.length ? "sentence" : doc.tokens ? "token" : "mention");
const partnerName = (doc, one, e) => (one.best[e] < 0 ? "–" : short(titleOf(doc, one, one.best[e])));

/** A row an entity, x the place in the document, a tick a mention; lines mark round numbers of sentences. */
function strip(doc, one, rows) {
  const limit = state.more.strip ?? 100;
  const ordered = [...rows].sort((a, b) => one.lost[b.e] - one.lost[a.e] || b.mentions.length - a.mentions.length).slice(0, limit);
  const last = Math.max(1, doc.tokens ?? 0, ...doc.first.map((x) => x + 1));
  const room = widthOfView() - 40;
  const left = Math.min(190, 0.3 * room);
  const [width, step] = [room - left - 10, 14];
  const at = (token) => left + (width * token) / last;
  const x = (m) => at(doc.first[m]);
  const height = 20 + ordered.length * step;
  const inText = (m, code) => `${short(phraseOf(doc, m))}, ${unitOf(doc)} ${sentenceNumber(doc, doc.first[m])}: ${MARKS[code]}`;
  // The other mentions of a response entity of many key entities are in one row.
  const owner = new Map();
  for (const [k, r, common] of one.cells) if (common > (owner.get(r)?.[1] ?? 0)) owner.set(r, [k, common]);
  const lines = ordered.map(({ e, mentions }, i) => {
    const y = 10 + i * step;
    const partner = one.best[e];
    const extra = partner < 0 || (owner.get(partner)?.[0] ?? e) !== e ? [] : one.entities[partner].filter((m) => doc.key.home[m] !== e);
    const ends = [...mentions, ...extra].map(x);
    const paths = [...mentions.map((m) => [m, one.status[m]]), ...extra.map((m) => [m, doc.key.home[m] < 0 ? "x" : "o"])].map(([m, code]) => {
      const mark = tick(code, x(m), y, inText(m, code));
      mark.dataset.m = m;
      return mark;
    });
    return h("svg:g", { "data-e": e, class: state.pin?.side === "key" && state.pin.entity === e ? "pinned" : null },
      h("svg:title", `${titleOf(doc, doc.key, e)}: ${plural(mentions.length, "mention")}, ${one.lost[e]} lost links`),
      label(left - 8, y + 4, cut(titleOf(doc, doc.key, e), Math.floor(left / 7)), "end"),
      line(Math.min(...ends), y, `H${Math.max(...ends)}`), paths);
  });
  const steps = sentenceSteps(doc, last, Math.floor(width / 90));
  const chart = h("svg:svg", { viewBox: `0 0 ${room} ${height}`, role: "img", class: "strip",
    "aria-label": `${plural(ordered.length, "entity", "entities")} over the document; the table below has the same in numbers` }, steps.map(([, token]) => line(at(token), 0, `V${height}`)), lines);
  chart.addEventListener("click", (event) => {
    const group = event.target.closest("g[data-e]");
    if (!group) return;
    const mark = event.target.closest("[data-m]");
    if (mark) go("text", state.doc, mark.dataset.m);
    else { state.pin = { side: "key", entity: Number(group.dataset.e) }; go("entities", state.doc, group.dataset.e); }
  });
  const axis = h("svg:svg", { viewBox: `0 0 ${room} 18`, class: "strip ruler", "aria-hidden": "true" },
    label(left - 8, 13, unitOf(doc), "end"), steps.map(([name, token]) => label(at(token), 13, String(name))));
  return scroll("Mentions of entities over the document", axis, chart,
    more("strip", limit, rows.length));
}

/** Round numbers of sentences, or of tokens where sentences are not known, and the tokens where they begin. */
function sentenceSteps(doc, last, count) {
  const known = doc.sentences?.length;
  return axisSteps([0, known || last], count).filter((n) => n === Math.round(n) && (known ? n <= known : n < last))
    .map((n) => (known ? [Math.max(1, n), doc.sentences[Math.max(0, n - 1)]] : [n, n]));
}

/** How many entities of a side a matrix shows. */
const MATRIX = 12;

/** One entity: its mentions, and the overlap with its partners as a matrix. */
function entityPanel(doc, one, e) {
  const count = (k, r) => one.cells.find((cell) => cell[0] === k && cell[1] === r)?.[2] ?? 0;
  const all = one.cells.filter(([k]) => k === e).sort((a, b) => b[2] - a[2]).map(([, r]) => r);
  const partners = all.slice(0, MATRIX);
  const common = (k) => sum(partners.map((r) => count(k, r)));
  const main = (k) => count(k, partners[0]);
  const others = [...new Set(one.cells.filter(([k, r]) => k !== e && partners.includes(r)).map(([k]) => k))];
  const related = [e, ...others.sort((a, b) => main(b) - main(a) || common(b) - common(a))];
  const mentions = doc.key.entities[e];
  const limit = state.more.mentions ?? 60;
  const sizeOf = (side, k) => ` (${side.entities[k].length})`;
  return h("section", { class: "panel", id: "entity" },
    h("h3", "Entity ", h("bdi", short(titleOf(doc, doc.key, e))), `, id ${nameOf(doc.key, e)}: ${data.categories[one.category[e]]} `, h("a", { href: address("entities", state.doc) }, "All entities")),
    all.length ? scroll("Common mentions",
      h("table", { class: "matrix" },
        h("caption", "Mentions that entities of the key (rows) and of the response (columns) have in common" +
          (Math.max(all.length, related.length) > MATRIX ? `; the largest ${Math.min(MATRIX, related.length)} of ${related.length} rows and ${partners.length} of ${all.length} columns` : "")),
        h("thead", h("tr", colHead("Key \\ response"), partners.map((r) => h("th", { scope: "col", class: "number" }, responseLink(doc, one, r), sizeOf(one, r))), colHead("elsewhere or missing", true))),
        h("tbody", related.slice(0, MATRIX).map((k) => h("tr", { class: k === e ? "pinned" : null }, rowHead(k === e ? cut(titleOf(doc, doc.key, k), 24) : keyLink(doc, k), sizeOf(doc.key, k)),
          partners.map((r) => number(String(count(k, r) || "·"))), number(String(doc.key.entities[k].length - common(k) || "·"))))))) :
      h("p", "No mention of it is in the response."),
    h("ol", { class: "mentions" }, mentions.slice(0, limit).map((m) => h("li", { class: statusOf(one, m)[2] },
      h("a", { href: address("text", state.doc, m) }, h("bdi", short(phraseOf(doc, m)))), `, ${unitOf(doc)} ${sentenceNumber(doc, doc.first[m])}: `, h("span", { class: "status" }, `${statusOf(one, m)[1] ?? ""} ${statusOf(one, m)[0] ?? ""}`)))),
    more("mentions", limit, mentions.length));
}
