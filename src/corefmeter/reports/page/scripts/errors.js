// The view Errors: the list and its filters, and what is saved.

async function errorRows() {
  const rows = [];
  (await loadAll()).forEach((doc, d) => {
    const one = system(doc);
    one?.errors.forEach((error) => {
      const m = error.mentions[0];
      const row = { d, doc, error, mention: m, facets: { error: data.classes[error.error] }, words: error.mentions.map((n) => phraseOf(doc, n, one)).join(" | ") };
      for (const side of ["key", "response"]) row[side] = error[side] === null ? "" : titleOf(doc, side === "key" ? doc.key : one, error[side]);
      for (const [name, feature] of Object.entries(doc.features)) row.facets[name] = feature.names[feature.of[m]];
      row.facets.document = data.documents[d].short;
      if (error.mentions.some((n) => passes(doc, n, doc.key.home[n]))) rows.push(row);
    });
  });
  return rows;
}

const matches = (...words) => words.some((some) => some.toLowerCase().includes(searched().toLowerCase()));

async function errors() {
  if (data.documents.length > 1000 && documents.filter(Boolean).length < data.documents.length) say("All documents are read, which takes a while.");
  const all = (await errorRows()).filter((row) => matches(row.words, row.key, row.response));
  const leaves = (row, but) => Object.entries(state.facets).every(([name, values]) => name === but || values.includes(row.facets[name]));
  const rows = all.filter((row) => leaves(row, null));
  const names = [...new Set([...Object.keys(state.facets), ...all.flatMap((row) => Object.keys(row.facets))])].filter((name) => name in state.facets || new Set(all.map((row) => row.facets[name])).size > 1);
  const facet = (name) => {
    const counts = new Map((state.facets[name] ?? []).map((value) => [value, 0]));
    for (const row of all) if (leaves(row, name)) counts.set(row.facets[name], (counts.get(row.facets[name]) ?? 0) + 1);
    const limit = state.more[`facet-${name}`] ?? 12;
    const values = [...counts].sort((a, b) => b[1] - a[1]).slice(0, limit);
    return values.length > 0 && h("fieldset", h("legend", heading(name)), values.map(([value, count], i) =>
      h("label", h("input", { type: "checkbox", checked: state.facets[name]?.includes(value), id: `facet-${name}-${i}`, "data-facet": `${name}=${value}`, onchange: (event) => {
        toggleFacet(name, value);
        render({ focus: event.target.id });
      } }), ` ${value} `, h("span", { class: "count" }, String(count)))),
      more(`facet-${name}`, limit, counts.size));
  };
  const { id: metric, title } = data.cost_metrics[0];
  const each = (row) => data.errors[state.system].errors[row.error.error].each[metric];
  const ofType = (row) => data.errors[state.system].errors[row.error.error].cost[metric];
  rows.sort((a, b) => b.error.mentions.length - a.error.mentions.length);
  const columns = [
    { name: "Error", value: (row) => row.facets.error, show: (row) => h("a", { href: address("text", row.d, row.mention) }, row.facets.error) },
    { name: "Words", value: (row) => row.words, show: (row) => h("bdi", short(row.words)) },
    { name: "Key entity", value: (row) => row.key, show: (row) => (row.key && h("a", { href: address("entities", row.d, row.error.key) }, h("bdi", short(row.key)))) },
    { name: "Response entity", value: (row) => row.response, show: (row) => h("bdi", short(row.response)) },
    { name: "Mentions", number: true, value: (row) => row.error.mentions.length },
    { name: "Cost of type", number: true, value: ofType, show: (row) => percent(ofType(row)) },
    data.documents.length > 1 && { name: "Document", value: (row) => row.facets.document, show: (row, before) => h("span", { class: before?.d === row.d ? "hidden" : null }, row.facets.document) },
  ].filter(Boolean);
  state.sort.errors ??= { column: 5, down: true };
  const flat = () => rows.map((row) => ({ document: row.doc.label, error: row.error.error, [`cost_${metric}`]: each(row), mentions: row.error.mentions.map((m) => wordsOf(row.doc, m, system(row.doc))).join(" | "),
    key_entity: nameOf(row.doc.key, row.error.key), key_title: short(row.key), response_entity: nameOf(system(row.doc), row.error.response), response_title: short(row.response),
    ...Object.fromEntries(Object.entries(row.facets).filter(([name]) => !["error", "document"].includes(name))) }));
  const clear = (name) => button(name, () => { state.facets = {}; state.search.errors = ""; state.compare = null; render(); });
  const chosen = sum(Object.values(state.facets).map((values) => values.length));
  return [
    h("h2", "Errors"), scopeBar(false, "Find errors by words"),
    h("p", { id: "error-count" }, `${plural(rows.length, "error")} of ${data.systems[state.system]}`, data.documents.length === 1 && ` in ${data.documents[0].short}`),
    h("div", { class: "bar" }, button("Save as CSV", () => save("errors.csv", csv(flat()))), button("Save as JSON", () => save("errors.json", JSON.stringify(flat(), null, 1))),
      chosen > 0 && clear("Clear filters")),
    h("div", { class: "faceted" },
      h("details", { class: "facets", open: state.drawer ?? matchMedia("(min-width: 821px)").matches, ontoggle: (event) => { state.drawer = event.target.open; } },
        h("summary", chosen ? `Filters (${chosen})` : "Filters"), names.map(facet)),
      rows.length ? sortable("errors", `The types that cost most points of ${title} come first, and in a type the errors of most mentions.`, columns, rows) :
        h("p", "No error matches. ", clear("Clear the filters"))),
  ];
}

function toggleFacet(name, value) {
  const chosen = state.facets[name] ?? [];
  state.facets[name] = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
  if (!state.facets[name].length) delete state.facets[name];
}

function stepRow(step) {
  const links = [...document.querySelectorAll("#errors tbody th a")];
  const here = links.indexOf(document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, here + step))]?.focus();
}

/** What Python takes for a number, which a spreadsheet may compute. */
const NUMBER = /^\s*[+-]?((\d(_?\d)*(\.(\d(_?\d)*)?)?|\.\d(_?\d)*)(e[+-]?\d(_?\d)*)?|inf(inity)?|nan)\s*$/i;

/** Text that no spreadsheet takes for a formula, as with -f csv. */
const safe = (text) => (/^[=+@\t\r-]/.test(text) && !NUMBER.test(text) ? `'${text}` : text);

function csv(rows) {
  const names = [...new Set(["document", ...rows.flatMap(Object.keys)])];
  const cell = (value) => `"${safe(String(value ?? "")).replaceAll('"', '""')}"`;
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => row.map(cell).join() + "\n").join("");
}

function save(name, content) {
  const link = h("a", { href: URL.createObjectURL(new Blob([content])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
