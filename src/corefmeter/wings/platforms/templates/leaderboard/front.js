// The front page: systems × data sets.

Object.assign(state, { metric: primary, group: "", kind: "", heat: false, intervals: false, hidden: new Set(), x: `m:${primary}`, y: null });
state.sort.board = { column: 1, down: true };
const groups = Object.keys(data.means);
const kinds = ["", ...[...new Set(Object.values(data.systems).map((one) => one.kind))].filter(Boolean).sort()];

const inGroup = () => datasetNames.filter((one) => !state.group || data.datasets[one].groups.includes(state.group));
const shownSystems = () => systemNames.filter((one) => !state.kind || data.systems[one].kind === state.kind);
const meanOf = (one) => data.means[state.group][one];

/** A column of scores: `of` gives the cell of a system, `page` where it leads. */
function scoreColumn(heading, title, of, page) {
  const value = (one) => f1(of(one)?.scores, state.metric);
  const values = shownSystems().map(value).filter((score) => score !== null);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const ofPrimary = state.metric === primary;
  /** The shade of a cell in the heat map, from 0 for the lowest score to 9. */
  const shade = (score) => (highest > lowest ? Math.round((9 * (score - lowest)) / (highest - lowest)) : 9);
  return {
    name: heading, title, number: true, value,
    show: (one) => (value(one) === null ? "–" : [link(page(one), percent(value(one)), { title: ofPrimary ? uncertainty(of(one)) : null }),
      state.intervals && ofPrimary && h("span", { class: "interval" }, limits(of(one).interval))]),
    cell: (one) => (value(one) === null ? { title: of(one) ? "no response to some data sets" : "no response" } :
      { class: `number${value(one) === highest ? " best" : ""}${state.heat ? ` heat${shade(value(one))}` : ""}` }),
  };
}

function board() {
  const shown = inGroup().filter((one) => !state.hidden.has(one));
  const columns = [
    { name: "System", value: (one) => one, show: (one) => [systemLink(one), h("span", { class: "kind" }, ` ${data.systems[one].kind}`)], cell: (one) => ({ title: data.systems[one].about || null }) },
    scoreColumn("Mean", `Unweighted mean of ${plural(inGroup().length, "data set")}`, meanOf, (one) => data.systems[one].page),
    state.metric === primary && standingColumns(meanOf)[0],
    ...shown.map((dataset) => scoreColumn(dataset, data.datasets[dataset].about || null, (one) => data.results[dataset][one], (one) => pairPage(dataset, one))),
  ].filter(Boolean);
  const missing = data.missing === "zero" ? "A missing response counts as 0." : "A system that lacks a data set has no mean.";
  return [sortable("board", `${data.metrics[state.metric]} F1 in percent; the mean is over ${state.group || "all data sets"}; best in bold`, columns, shownSystems()),
    note(`The mean weighs each data set the same. ${missing} Ranks are by the mean of ${data.metrics[primary]}. A rank such as 3 (2–5) means that the data allow the ranks 2 to 5: one system is significantly better at ${data.alpha}, and all systems after the fifth are significantly worse. A rank without parentheses was not tested.`)];
}

/** What can be an axis: the mean of each metric, and the chosen metric on each data set. */
const axes = () => Object.fromEntries([
  ...metricNames.map((metric) => [`m:${metric}`, `Mean ${data.metrics[metric]}`]),
  ...datasetNames.map((dataset) => [`d:${dataset}`, `${data.metrics[state.metric]} on ${dataset}`]),
]);

function axisValue(axis, one) {
  const chosen = axis.slice(2);
  return axis.startsWith("m:") ? f1(meanOf(one).scores, chosen) : f1(data.results[chosen][one]?.scores, state.metric);
}

function plotted() {
  const all = axes();
  const ids = Object.keys(all);
  state.y ??= datasetNames.length > 1 ? `d:${datasetNames[0]}` : ids.find((id) => id !== state.x) ?? state.x;
  const points = shownSystems().map((one) => {
    const [x, y] = [axisValue(state.x, one), axisValue(state.y, one)];
    return { x, y, name: one, page: data.systems[one].page, text: `${one}: ${all[state.x]} ${percent(x)}, ${all[state.y]} ${percent(y)}` };
  });
  return [h("h2", "Two scores of each system"),
    h("div", { class: "bar" }, choice("Horizontal", "x", ids, Object.values(all)), choice("Vertical", "y", ids, Object.values(all))),
    plot(points, all[state.x], all[state.y])];
}

/** The scores of unchanged responses that another version, another key or other options changed. */
function moved() {
  const rows = Object.entries(data.history).flatMap(([system, versions]) => versions.flatMap((entry, i) => (!entry.again ? [] :
    Object.entries(entry.scores).flatMap(([dataset, scores]) => metricNames.map((metric) => (
      { system, dataset, metric: data.metrics[metric], before: f1(versions[i - 1].scores[dataset], metric), after: f1(scores, metric), from: versions[i - 1].signature, to: entry.signature }))))))
    .filter((row) => row.before !== row.after);
  if (!rows.length) return null;
  const text = (heading, key) => ({ name: heading, value: (row) => row[key] });
  const columns = [text("System", "system"), text("Data set", "dataset"), text("Metric", "metric"),
    numberColumn("Before", (row) => row.before), numberColumn("After", (row) => row.after), text("From", "from"), text("To", "to")];
  return [h("h2", "Score changes"), h("p", "These scores changed although the response did not: the version, the options or the key changed."),
    sortable("moved", "Scores that changed", columns, rows)];
}

/** A choice of a value of the state. */
function choice(text, key, values, titles) {
  const change = (i) => { state[key] = values[i]; render({ focus: `pick-${text.toLowerCase().replaceAll(" ", "-")}` }); };
  return picker(text, titles, values.indexOf(state[key]), change);
}

function controls() {
  const toggle = (key) => (isOn, focus) => { state[key] = isOn; render({ focus }); };
  const all = (names) => names.map((one) => one || "all");
  return [h("div", { class: "bar" },
    choice("Metric", "metric", metricNames, Object.values(data.metrics)),
    groups.length > 1 && choice("Data sets", "group", groups, all(groups)),
    kinds.length > 1 && choice("Systems", "kind", kinds, all(kinds)),
    checkbox("Heat map", state.heat, toggle("heat")),
    checkbox("Intervals", state.intervals, toggle("intervals"))),
  datasetNames.length > 1 && h("details", { open: state.choosing, ontoggle: (event) => { state.choosing = event.target.open; } }, h("summary", "Choose data sets"),
    h("div", { class: "choices" }, inGroup().map((one) => checkbox(one, !state.hidden.has(one), (isShown, focus) => {
      state.hidden[isShown ? "delete" : "add"](one);
      render({ focus });
    }))))];
}

const draw = () => [
  controls(), board(), moved(), plotted(),
  h("h2", "Data sets"),
  h("ul", datasetNames.map((one) => h("li", datasetLink(one), data.datasets[one].about && ` – ${data.datasets[one].about}`,
    h("span", { class: "kind" }, ` ${data.datasets[one].groups.join(", ")}`)))),
  signature(),
];
start();
