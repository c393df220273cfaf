// The panel of the selected mention and the chain of its entity.

/** The most mentions of a chain in the panel. */
const CHAIN = 24;

function emptyPanel() {
  const step = (text, label, action, key) => button(text, action, { "aria-label": label, title: `${label} (key ${key})` });
  const steps = h("div", { class: "bar", role: "group", "aria-label": "Move from this mention" },
    step("‹ Mention", "Previous mention of the entity", () => stepMention(-1), "p"), step("Mention ›", "Next mention of the entity", () => stepMention(1), "n"),
    button("Highlight entity", togglePin, { title: "Mark all mentions of this entity (key e)", "aria-pressed": String(state.pin !== null) }),
    button("×", letGo, { class: "close", "aria-label": "Close" }));
  const [now, chain] = [h("div", { "aria-live": "polite" }), h("div")];
  return { element: h("aside", { id: "mention", "aria-label": "The mention" }, steps, now, chain), now, chain };
}

/** Fill the panel; on a phone it is closed when there is nothing to show. */
function mentionPanel() {
  const { doc, one, panel } = open;
  const m = state.mention !== null && state.mention < doc.at.length ? state.mention : null;
  const entity = m === null ? state.pin : entityOf(doc, one, m);
  panel.element.toggleAttribute("data-empty", m === null && !state.pin);
  panel.now.replaceChildren(...(m === null ? nothingSelected() : selectedMention(doc, one, m)));
  panel.chain.replaceChildren(...(entity ? chainList(doc, one, entity) : []));
}

const nothingSelected = () => [h("h3", "No mention is selected"), h("p", "Click a mention, or press j for the next error.")];

/** A link to a mention, with its sentence. */
function mentionLink(doc, m) {
  const where = doc.words ? ` (${sentenceName(doc, sentenceOf(doc, m))})` : "";
  return [h("a", { href: address("text", state.doc, m) }, h("bdi", short(phraseOf(doc, m)))), where];
}

/** Where a mention should be, and where it is, in sentences. */
function whereTo(doc, one, m) {
  const [status, outcome] = [one.status[m], one.outcome[m]];
  const link = (n, before, after = ".") => n >= 0 && [before, mentionLink(doc, n), after];
  const alone = (side) => side.entities[side.home[m]]?.length === 1;
  // The first mention of a chain has no antecedent: it belongs to the next one.
  const partner = (given, side) => (given >= 0 || outcome !== " " ? given : side.entities[side.home[m]]?.find((n) => n !== m) ?? -1);
  if (outcome === "t") return [link(one.found[m], "Is with ", ", as in the key.")];
  if (status === "c" && outcome === " ") return [alone(doc.key) ? "Is alone in both." : "Is the first of its entity in both."];
  return [
    status === "m" && "The response does not have this mention.",
    status === "x" && "The key does not have this mention.",
    link(partner(one.expected[m], doc.key), "Should be with "),
    outcome === "p" && status !== "x" && (alone(doc.key) ? "Should be alone." : "Should be the first of its entity."),
    link(partner(one.found[m], one), "Is with "),
    (outcome === "n" || status === "u") && status !== "m" && (alone(one) ? "The response leaves it alone." : "Its response entity begins here."),
  ].filter(Boolean);
}

function entityEntry(doc, one, side, e) {
  const { hues } = identities(doc, one);
  const name = h("bdi", { class: `line ${hueClass(hues[side][e])}` }, short(entityName(doc, one, side, e)));
  const id = (side === "key" ? doc.key : one).names[e];
  return [side === "key" ? h("a", { href: address("entities", state.doc, e) }, name) : name, id && h("span", { class: "count" }, ` ${id}`)];
}

function selectedMention(doc, one, m) {
  const [name, sign, kind] = statusOf(one, m);
  const [k, r] = [doc.key.home[m], one.home[m]];
  const rows = [["Key entity", k < 0 ? "–" : entityEntry(doc, one, "key", k)], ["Response entity", r < 0 ? "–" : entityEntry(doc, one, "response", r)]];
  if (one.own[m] !== undefined) rows.push(["Found as", h("bdi", short(phraseOf(doc, m, one)))]);
  for (const [feature, { names, of }] of Object.entries(doc.features)) rows.push([heading(feature), names[of[m]]]);
  const errors = one.errorsOf.get(m) ?? [];
  return [
    h("h3", h("bdi", short(phraseOf(doc, m)))),
    h("p", { class: `status ${kind ?? ""}` }, `${sign ?? ""} ${name ?? "not in this response"}`),
    isElsewhere(doc, one, m) && h("p", inWhich(doc, one, m)),
    whereTo(doc, one, m).map((sentence) => h("p", { class: "verdict" }, sentence)),
    h("dl", rows.map(([label, value]) => [h("dt", label), h("dd", value)])),
    (errors.length > 0 || kind === "wrong") && [h("h4", errors.length ? plural(errors.length, "error") : "Counted at other mentions"),
      h("ul", (errors.length ? errors : errorsAround(doc, one, m)).map((e) => h("li", errorText(doc, one, one.errors[e]), !errors.length && [" at ", mentionLink(doc, one.errors[e].mentions[0])])))],
  ].flat(9).filter(Boolean);
}

/** In which response entity a mention is that is not in that of its key entity. */
function inWhich(doc, one, m) {
  const owner = identities(doc, one).partner[one.home[m]];
  return owner < 0 ? "In the response, it is in a separate part of its entity." : ["Its response entity is matched with ", entityEntry(doc, one, "key", owner), "."];
}

/** The errors of the antecedents of a mention, else those of its entities, where its wrong link is counted. */
function errorsAround(doc, one, m) {
  const near = [one.found[m], one.expected[m]].flatMap((n) => one.errorsOf.get(n) ?? []);
  const same = ({ key, response }) => key === doc.key.home[m] || response === one.home[m];
  return [...new Set(near.length ? near : range(one.errors.length).filter((e) => same(one.errors[e])))].slice(0, 3);
}

function errorText(doc, one, error) {
  const more = error.mentions.length > 3 ? `, … (${error.mentions.length} mentions)` : "";
  return h("span", data.classes[error.error], ": ", h("bdi", error.mentions.slice(0, 3).map((m) => short(phraseOf(doc, m, one))).join(", ") + more),
    error.correct !== null && [" instead of ", h("bdi", short(phraseOf(doc, error.correct)))]);
}

/** The mentions of an entity around the selected one; its first break is marked. */
function chainList(doc, one, entity) {
  const mentions = membersOf(doc, one, entity);
  const broken = entity.side === "key" ? mentions.find((m) => one.status[m] !== "c") : undefined;
  const here = Math.max(0, mentions.indexOf(state.mention));
  const from = Math.max(0, Math.min(here - CHAIN / 2, mentions.length - CHAIN));
  const shown = mentions.slice(from, from + CHAIN);
  const item = (m) => h("li", { class: m === state.mention ? "selected" : null },
    h("span", { class: `sign ${statusOf(one, m)[2] ?? ""}`, title: statusOf(one, m)[0] }, statusOf(one, m)[1] ?? ""), mentionLink(doc, m),
    m === broken && h("strong", " first break"));
  return [
    h("h4", `Chain: ${short(entityName(doc, one, entity.side, entity.entity))} (${plural(mentions.length, "mention")})`),
    broken !== undefined && !shown.includes(broken) && h("p", "First break: ", mentionLink(doc, broken)),
    h("ol", { start: from + 1 }, shown.map(item)),
  ].filter(Boolean);
}

/** A mark for each mention of the entity over the whole document. */
function drawMap() {
  const { doc, one, map } = open;
  const entity = state.pin ?? (state.mention === null ? null : entityOf(doc, one, state.mention));
  map.replaceChildren();
  if (!doc.words || !entity) return;
  const height = Math.max(120, Math.min(innerHeight - 130, open.element.offsetHeight));
  const y = (m) => 8 + Math.round((height - 16) * doc.first[m] / doc.words.length);
  const mentions = membersOf(doc, one, entity);
  const marks = new Map(mentions.map((m) => [`${y(m)}/${one.status[m]}`, m]));
  const chart = h("svg:svg", { width: 18, height, role: "img", "aria-label": `${plural(mentions.length, "mention")} of ${entityName(doc, one, entity.side, entity.entity)} over the document` },
    h("svg:path", { d: `M9 0V${height}`, class: "axis" }),
    mentions.includes(state.mention) && h("svg:circle", { cx: 9, cy: y(state.mention), r: 8, class: "here" }),
    [...marks.values()].map((m) => tick(one.status[m], 9, y(m))));
  chart.addEventListener("click", (event) => {
    const at = event.clientY - chart.getBoundingClientRect().top;
    const distance = (m) => Math.abs(y(m) - at);
    select(mentions.reduce((best, m) => (distance(m) < distance(best) ? m : best)));
  });
  map.append(chart);
}
