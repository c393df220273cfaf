// The view Compare.

function compare() {
  if (data.systems.length < 2) {
    return [h("h2", "Compare"), h("p", "There is one response. Give two or more to compare them.")];
  }
  const found = data.compare;
  return [
    h("h2", "Compare"),
    testText(found).map((text) => h("p", text)),
    beside(differences(found), found && ranking(found)),
    h("h3", "Who is right where"),
    h("p", "A mention is right here if at least one of its links is right, or if it is alone in both; an entity is right if a response entity has all of its mentions and no other. A click shows only these mentions or entities in all other views."),
    beside(data.agreement.map(agreement)),
    found && details("signature", h("code", { class: "signature" }, found.signature)),
  ];
}

// Sentences on the test: what makes a difference significant, or why this cannot be tested.
function testText(found) {
  if (!found) return [data.compare_missing];
  return [`A difference is significant if its p is at most ${found.alpha} (${found.test} test on ${plural(found.units, found.by)}, adjusted for several pairs: ${found.correction}). Intervals: ${100 * found.level} %, ${found.interval}.`,
    ...data.problems.filter(({ code }) => code === "few-documents").map(({ text }) => `Note: ${text}.`)];
}

const limits = (interval) => (interval ? `[${percent(interval[0])}, ${percent(interval[1])}]` : "–");
const chance = (p) => (typeof p !== "number" ? "–" : p < 0.001 ? "<0.001" : p.toFixed(3));

const verdict = ({ differing, significant, p }) => (typeof p !== "number" ? "–" : significant ? "significant" : differing ? "may be chance" : "equal in each document");

// A table whose rows are in groups, a group a metric; columns where no row has a value are left out.
function grouped(label, caption, columns, rowsOf) {
  const groups = data.metrics.map(({ id, title }) => ({ title, rows: rowsOf(id) })).filter(({ rows }) => rows.length);
  const shown = columns.filter(({ show }) => groups.some(({ rows }) => rows.some((row) => !"–".includes(show(row)))));
  return scroll(label, h("table", { class: "grouped" }, h("caption", caption),
    h("thead", h("tr", colHead("Metric"), shown.map((column) => colHead(column.name, column.number)))),
    groups.map(({ title, rows }) => h("tbody", rows.map((row, i) => h("tr",
      i === 0 && h("th", { scope: "rowgroup", rowspan: rows.length }, title),
      shown.map(({ number, source, show }, c) => h(c ? "td" : "th", { scope: c ? null : "row", class: number ? "number" : null, "data-number": source?.(row) }, show(row)))))))));
}

// Differences of F1 of all pairs, with what the comparison knows of them.
function differences(found) {
  const rows = (id) => data.differences[id].map(([a, b, difference]) => {
    const pair = [data.systems[a], data.systems[b]];
    return { pair, difference, ...found?.metrics[id]?.pairs.find((one) => one.a === pair[0] && one.b === pair[1]) };
  });
  return grouped("Differences", `Differences of F1 in points${found ? "; detectable: found in 80 % of such tests" : ""}`, [
    { name: "Pair", show: (row) => row.pair.join(" − ") },
    { name: "Difference", number: true, show: (row) => percent(row.difference) },
    { name: "Result", show: verdict },
    { name: "Interval", show: (row) => limits(row.interval) },
    { name: "p", number: true, show: (row) => chance(row.p) },
    { name: "p adjusted", number: true, show: (row) => (data.systems.length > 2 ? chance(row.p_adjusted) : "–") },
    { name: "Detectable", number: true, show: (row) => percent(row.detectable) },
  ], rows);
}

function ranking(found) {
  const rows = (id) => Object.entries(found.metrics[id]?.scores ?? {}).map(([name, score]) => ({ id, name, score, of: found.metrics[id] }));
  return grouped("Scores with intervals", "Scores in percent; responses that share a letter do not differ significantly", [
    { name: "Response", show: (row) => row.name },
    ...Object.entries(RATES).map(([part, name]) => ({ name, number: true, source: (row) => `compare/${row.id}/${row.name}/${part}`, show: ({ score }) => (typeof score[part] === "number" ? percent(score[part]) : "") })),
    { name: "Interval of F1", show: (row) => limits(row.score.interval) },
    { name: "Rank", number: true, show: (row) => String(row.of.ranks[row.name] ?? "–") },
    { name: "Letters", show: (row) => row.of.letters[row.name] ?? "–" },
  ], rows);
}

function agreement({ a, b, mentions, entities }) {
  const pair = `${data.systems[a]} and ${data.systems[b]}`;
  const row = (of, counts) => h("tr", rowHead(`Key ${of}`), Object.keys(SIDES).map((side) =>
    number(button(String(counts[side]), () => {
      state.compare = { a, b, of, side };
      state.system = { only_a: b, only_b: a }[side] ?? state.system; // the one that has errors there
      go("errors");
    }, { class: "link", "aria-label": `${counts[side]} ${of}: ${sideText({ a, b, side })}`, "data-agreement": `${a}/${b}/${of}/${side}` }))));
  return scroll(`Who is right where: ${pair}`, h("table", { class: "agreement" }, h("caption", pair),
    h("thead", h("tr", h("td"), ["Both right", `Only ${data.systems[a]}`, `Only ${data.systems[b]}`, "Neither"].map((name) => colHead(name, true)))),
    h("tbody", row("mentions", mentions), row("entities", entities))));
}
