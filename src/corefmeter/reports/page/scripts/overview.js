// The view Overview.

function overview() {
  const several = data.systems.length > 1;
  return [
    h("h2", "Overview"),
    data.systems.map((name, s) => h("p", { class: "lead" }, several && h("strong", name + ": "), data.leads[s], otherMetrics(s))),
    data.left_out.length > 0 && h("p", { class: "warning" },
      `${plural(data.left_out.length, "document")} with fewer errors left out, so that the page stays small; the scores are of all: ${data.left_out.slice(0, 5).join(", ")}${data.left_out.length > 5 ? ", …" : ""}`),
    series(data.systems),
    beside(scoreChart(), scoreTable()),
    h("h3", "Without pronouns, and names only"),
    typeScores(),
    h("h3", "What errors cost"),
    beside(data.cost_metrics.map(costChart), costTable()),
    data.problems.length > 0 && [h("h3", "Warnings and notes"), problems()],
    data.index.length > 1 && [h("h3", "Documents"), documentTable()],
    h("h3", "How the scores were made"),
    h("p", h("code", { class: "signature" }, data.signature.split("|").map((part, i) => [i > 0 && ["|", h("wbr")], part]))),
    details("hashes of the files", h("dl", { class: "digests" }, Object.entries(data.digests).map(([name, digest]) => [h("dt", name), h("dd", h("code", digest))]))),
  ];
}

/** A sentence for each metric by which another error type costs most than by the first. */
function otherMetrics(s) {
  const { errors } = data.errors[s];
  const [first, ...others] = data.cost_metrics.map(({ id, title }) => {
    const worst = Object.keys(errors).reduce((a, b) => (errors[b].cost[id] > errors[a].cost[id] ? b : a));
    return { title, worst, cost: errors[worst].cost[id] };
  });
  return others.filter(({ worst, cost }) => worst !== first.worst && cost > 0).map(({ title, worst, cost }) => ` By ${title}, the costliest error type is ${data.classes[worst]} (${percent(cost)}).`);
}

const RATES = { recall: "R", precision: "P", f1: "F1" };

// A row of a header with the names of several responses, each over some columns.
const systemHeads = (size, before = 1) => data.systems.length > 1 &&
  h("tr", h("td", { colspan: before }), data.systems.map((name) => h("th", { scope: "colgroup", colspan: size }, name)));

const undefinedText = () => `† 0/0: undefined, counts as ${data.undefined}`;

function scoreTable() {
  const rows = data.metrics.map(({ id, title }) => h("tr", rowHead(title),
    data.scores.map((scores, s) => Object.keys(RATES).map((name) => h("td", { class: "number", "data-number": `score/${s}/${id}/${name}` },
      name in scores[id] ? percent(scores[id][name]) + (scores[id].undefined.includes(name) ? "†" : "") : "")))));
  const undefinedAny = data.scores.some((scores) => Object.values(scores).some((score) => score.undefined?.length));
  return scroll("Scores", h("table", { id: "scores" },
    h("caption", "Scores in percent", data.counted > 1 && `, ${data.average === "pooled" ? "from totals" : "the mean"} over ${data.counted} documents`, undefinedAny && ["; ", undefinedText()]),
    h("thead", systemHeads(3), h("tr", h("td"), data.systems.map(() => Object.values(RATES).map((name) => colHead(name, true))))),
    h("tbody", rows)));
}

/** The scores with mention types left out, from the tables of the card, or why they are not known. */
function typeScores() {
  const all = data.card.filter(({ caption }) => caption.startsWith(LEFT_OUT));
  const tables = all.filter(({ caption }) => !caption.endsWith(": mentions"));
  if (data.card_missing) return h("p", { class: "note" }, data.card_missing);
  if (!tables.length) {
    return h("p", { id: "types" }, "The scores without pronouns are not known, because the files do not give the type (name, nominal, pronoun) of every mention. " +
      "Types come from parts of speech or from the format. For files without them, ", h("code", "corefmeter report … --pronouns en"), " uses a list of pronouns (en, de, nl).");
  }
  const single = data.systems.length === 1;
  const size = data.systems.length;
  // One response has a table of all metrics, several have a table for each metric.
  const column = ({ rows }, c, name) => ({ name, cells: rows.map((row) => row[c]) });
  const columns = single ? tables[0].header.slice(3).map((name, c) => column(tables[0], c + 3, name)) :
    range(size).flatMap((s) => tables.map((table) =>
      column(table, table.header.length - size + s, (table.caption.split(": ")[1] ?? "Mentions F1").replace(/ F1$/, ""))));
  const names = tables[0].rows.map(([name]) => name);
  columns.unshift(column(all[0], 1, "Mentions"));
  return [scroll("Scores with mention types left out", h("table", { id: "types" },
    h("caption", "F1 in percent, as if only the mentions of the row had been annotated. Mentions: their number in the key. Kind and entity type are those of the files; kinds may also come from parts of speech or a list of pronouns. ", sameCommand()),
    h("thead", systemHeads((columns.length - 1) / size, 2), h("tr", h("td"), columns.map(({ name }) => colHead(name, true)))),
    h("tbody", names.map((name, r) => h("tr", rowHead(name), columns.map(({ cells }) => h("td", { class: "number" }, cells[r]))))))),
    columns.some(({ cells }) => cells.some((cell) => cell.endsWith("†"))) && h("p", { class: "note" }, undefinedText()),
    !names.includes("without pronouns") && h("p", "No mention is a pronoun."),
    !names.includes("names only") && h("p", "No mention is known to be a name.")];
}

const sameCommand = (features = ["kind"], more = "") =>
  ["The command ", h("code", ["corefmeter card KEY RESPONSE", ...features.map((name) => `--feature ${name}`)].join(" ") + data.card_options + more), " prints the same numbers."];

function scoreChart() {
  const lane = (score) => Object.keys(RATES).filter((name) => typeof score[name] === "number").map((name) => [name, score[name]]);
  return chart("Scores in percent: ◀ recall, ▶ precision, ● F1", data.metrics.map(({ id, title }) => [title, data.scores.map((scores) => lane(scores[id]))]));
}

// The classes of errors by their cost to the response that loses most by them, most first.
function orderedClasses() {
  const first = data.cost_metrics[0].id;
  const cost = (id) => Math.max(...data.errors.map(({ errors }) => errors[id].cost[first]));
  return Object.keys(data.classes).sort((a, b) => cost(b) - cost(a));
}

function costChart({ id: metric, title }) {
  const found = orderedClasses().filter((id) => data.errors.some(({ errors }) => errors[id].count));
  return found.length > 0 && chart(`Points of ${title} that each error type costs on its own`,
    found.map((id) => [data.classes[id], data.errors.map(({ errors }) => [["bar", errors[id].cost[metric]]])]));
}

function costTable() {
  const link = (id, s, text) => button(text, () => { state.system = s; state.facets = { error: [data.classes[id]] }; go("errors"); },
    { class: "link", "aria-label": `${text}, ${data.classes[id]}, ${data.systems[s]}` });
  const cells = (id) => data.errors.map(({ errors }, s) => [
    h("td", { class: "number", "data-number": `errors/${s}/errors/${id}/count` }, link(id, s, String(errors[id].count))),
    number(String(errors[id].mentions)),
    data.cost_metrics.map(({ id: metric }) => h("td", { class: "number", "data-number": `errors/${s}/errors/${id}/cost/${metric}` }, percent(errors[id].cost[metric])))]);
  const heads = ["Errors", "Mentions", ...data.cost_metrics.map(({ title }) => title)];
  return scroll("What errors cost", h("table", { class: "costs" },
    h("caption", "Errors, mentions in them, and points of F1 that each type costs on its own"),
    h("thead", systemHeads(heads.length), h("tr", colHead("Error type"), data.systems.map(() => heads.map((name) => colHead(name, true))))),
    h("tbody", orderedClasses().map((id) => h("tr", rowHead(link(id, state.system, data.classes[id])), cells(id))))));
}

function documentTable() {
  const columns = [
    { name: "Document", value: (one) => one.label, show: (one) => one.shown === null ? one.label : h("a", { href: address("text", one.shown) }, one.label) },
    { name: "Tokens", number: true, value: (one) => one.tokens ?? "", show: (one) => String(one.tokens ?? "–") },
    { name: "Key mentions", number: true, value: (one) => one.key_mentions },
    ...data.systems.flatMap((system, s) => [
      { name: "Errors", of: system, number: true, value: (one) => one.errors[s] ?? -1, show: (one) => String(one.errors[s] ?? "–") },
      ...data.cost_metrics.map(({ id, title }) => ({ name: title, of: system, number: true, value: (one) => one.scores[s]?.[id] ?? -1, show: (one) => percent(one.scores[s]?.[id]) })),
    ]),
  ];
  state.sort.documents ??= { column: 3, down: true };
  return sortable("documents", "Documents: mentions, errors and F1", columns, data.index, { limit: 25, heads: systemHeads(1 + data.cost_metrics.length, 3) });
}

function problems() {
  return h("ul", { class: "problems" }, data.problems.map((one) => h("li", null,
    h("strong", one.severity), " ", one.text, " ", h("code", one.code), one.hint && h("div", { class: "note" }, one.hint))));
}
