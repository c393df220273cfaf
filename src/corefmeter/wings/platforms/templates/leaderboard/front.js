// The front page: systems × data sets.

Object.assign(state, { metric: primary, group: "", kind: "", heat: false, intervals: false, hidden: new Set(), x: null, y: null });
/** The kind of systems without one. */
const OTHER = "other";
const groups = Object.keys(data.means);
const named = [...new Set(Object.values(data.systems).map((one) => one.kind))].filter(Boolean).sort();
const kinds = ["", ...named, ...(named.length && Object.values(data.systems).some((one) => !one.kind) ? [OTHER] : [])];

const inGroup = () => datasetNames.filter((one) => !state.group || data.datasets[one].groups.includes(state.group));
const shownSystems = () => systemNames.filter((one) => !state.kind || (data.systems[one].kind || OTHER) === state.kind);
const ofGroup = () => (state.group ? `the data sets of “${state.group}”` : "all data sets");
const meanOf = (one) => data.means[state.group][one];

/** A column of scores: `of` gives the cell of a system, `page` where it leads. */
function scoreColumn(heading, title, of, page) {
  const value = (one) => f1(of(one)?.scores, state.metric);
  const values = systemNames.map(value).filter((score) => score !== null);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const ofPrimary = state.metric === primary;
  /** The shade of a cell in the heat map, from 0 for the lowest score to 9. */
  const shade = (score) => (highest > lowest ? Math.round((9 * (score - lowest)) / (highest - lowest)) : 9);
  return {
    name: heading, title, number: true, value,
    show: (one) => (value(one) === null ? "–" : [link(page(one), percent(value(one)), { title: ofPrimary ? uncertainty(of(one)) : null }),
      state.intervals && ofPrimary && of(one).interval && [h("span", { class: "interval" }, limits(of(one).interval)), of(one).ranks && h("span", { class: "interval" }, rankRange(of(one).ranks))]]),
    cell: (one) => (value(one) === null ? { title: of(one) ? "no response to some data sets" : "no response" } :
      { class: `number${value(one) === highest ? " best" : ""}${state.heat ? ` heat${shade(value(one))}` : ""}` }),
  };
}

function board() {
  const isPrimary = state.metric === primary;
  const lacks = (one) => {
    const lacking = inGroup().filter((dataset) => !data.results[dataset][one]);
    return `lacks ${lacking.length > 1 ? plural(lacking.length, "data set") : lacking}`;
  };
  const shown = inGroup().filter((one) => !state.hidden.has(one));
  const columns = [
    { name: "System", value: (one) => one, show: (one) => [systemLink(one), h("span", { class: "kind" }, ` ${[data.systems[one].kind, !meanOf(one).scores && lacks(one)].filter(Boolean).join(", ")}`)], cell: (one) => ({ title: data.systems[one].about || null }) },
    scoreColumn(`Mean of ${inGroup().length}`, `Unweighted mean of ${plural(inGroup().length, "data set")}`, meanOf, (one) => data.systems[one].page),
    isPrimary && rankColumn(meanOf, "Rank of mean"),
    ...shown.map((dataset) => scoreColumn(dataset, data.datasets[dataset].about || null, (one) => data.results[dataset][one], (one) => pairPage(dataset, one))),
  ].filter(Boolean);
  const missing = data.missing === "zero" ? "A missing response counts as 0." : "A system that lacks a data set has no mean.";
  const untested = inGroup().filter((dataset) => Object.values(data.results[dataset]).every((cell) => !cell.ranks));
  const isTested = systemNames.some((one) => meanOf(one).ranks);
  const why = untested.length ? `differences on ${untested.join(", ")} were not tested` : "a data set has too few documents";
  const warning = isPrimary ? !isTested && `The order of the means was not tested, since ${why}: it may be due to chance.` :
    `Differences of ${data.metrics[state.metric]} were not tested; only ${data.metrics[primary]} has ranks and intervals.`;
  return [warning && h("p", { class: "warning" }, warning),
    sortable("board", `${data.metrics[state.metric]} F1 in percent; the mean is over ${ofGroup()}${shown.length < inGroup().length ? ", also hidden ones" : ""}; the highest of all systems is bold${state.heat ? ", the color goes from the lowest to the highest" : ""}`, columns, shownSystems(), { sort: { column: 1, down: true } }),
    note(`The mean weighs each data set the same. ${missing} ${isPrimary && (isTested || state.intervals) ? onRanks() : ""}`)];
}

/** What can be an axis: the mean of each metric, and the chosen metric on each data set. */
const axes = () => Object.fromEntries([
  ...metricNames.map((metric) => [`m:${metric}`, `Mean ${data.metrics[metric]}${state.group && ` (${state.group})`}`]),
  ...datasetNames.map((dataset) => [`d:${dataset}`, `${data.metrics[state.metric]} on ${dataset}`]),
]);

function axisValue(axis, one) {
  const chosen = axis.slice(2);
  return axis.startsWith("m:") ? f1(meanOf(one).scores, chosen) : f1(data.results[chosen][one]?.scores, state.metric);
}

function plotted() {
  const all = axes();
  const ids = Object.keys(all);
  const x = state.x ?? `m:${state.metric}`;
  const y = state.y ?? (datasetNames.length > 1 ? `d:${inGroup()[0]}` : ids.find((id) => id !== x) ?? x);
  const points = shownSystems().map((one) => {
    const [across, up] = [axisValue(x, one), axisValue(y, one)];
    return { x: across, y: up, name: one, page: data.systems[one].page, text: `${one}: ${all[x]} ${percent(across)}, ${all[y]} ${percent(up)}` };
  });
  return [h("h2", "Two scores of each system"),
    h("div", { class: "bar" }, choice("Horizontal", "x", ids, Object.values(all), x), choice("Vertical", "y", ids, Object.values(all), y)),
    plot(points, all[x], all[y])];
}

/** The scores of unchanged responses that another version, another key or other options changed. */
function moved() {
  const rows = Object.entries(data.history).flatMap(([system, versions]) => versions.flatMap((entry, i) => (!entry.again ? [] :
    Object.entries(entry.scores).flatMap(([dataset, scores]) => metricNames.map((metric) => (
      { system, dataset, metric: data.metrics[metric], before: f1(versions[i - 1].scores[dataset], metric), after: f1(scores, metric), from: versions[i - 1].signature, to: entry.signature }))))))
    .filter((row) => row.before !== null && row.before !== row.after);
  if (!rows.length) return null;
  const text = (heading, key) => ({ name: heading, value: (row) => row[key] });
  const columns = [text("System", "system"), text("Data set", "dataset"), text("Metric", "metric"),
    numberColumn("Before", (row) => row.before), numberColumn("After", (row) => row.after), text("From", "from"), text("To", "to")];
  return [h("h2", "Score changes"), h("p", "These scores changed although the response did not: the version, the options or the key changed."),
    sortable("moved", "Scores that changed", columns, rows)];
}

/** A choice of a value of the state. */
function choice(text, key, values, titles, value = state[key]) {
  const change = (i) => { state[key] = values[i]; render({ focus: `pick-${text.toLowerCase().replaceAll(" ", "-")}` }); };
  return picker(text, titles, values.indexOf(value), change);
}

function controls() {
  const toggle = (key) => (isOn, focus) => { state[key] = isOn; render({ focus }); };
  const all = (names) => names.map((one) => one || "all");
  return [h("div", { class: "bar" },
    choice("Metric", "metric", metricNames, Object.values(data.metrics)),
    groups.length > 1 && choice("Data sets", "group", groups, all(groups)),
    kinds.length > 1 && choice("Systems", "kind", kinds, all(kinds)),
    checkbox("Heat map", state.heat, toggle("heat")),
    checkbox("Intervals and possible ranks", state.intervals, toggle("intervals"))),
  datasetNames.length > 1 && h("details", { open: state.choosing, ontoggle: (event) => { state.choosing = event.target.open; } }, h("summary", "Columns"),
    h("div", { class: "choices" }, inGroup().map((one) => checkbox(one, !state.hidden.has(one), (isShown, focus) => {
      state.hidden[isShown ? "delete" : "add"](one);
      render({ focus });
    }))))];
}

/** The choices that the address keeps, for Back and for links, with their possible values. */
const CHOICES = { metric: metricNames, group: groups, kind: kinds, heat: [false, true], intervals: [false, true] };

function keep() {
  const chosen = Object.entries(CHOICES).filter(([key, values]) => state[key] !== (key === "metric" ? primary : values[0]));
  const text = new URLSearchParams(chosen.map(([key]) => [key, state[key]]));
  history.replaceState(null, "", `#${text}`);
}

function readChoices() {
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    const value = CHOICES[key]?.find((one) => String(one) === text);
    if (value !== undefined) state[key] = value;
  }
}

function draw() {
  keep();
  return [controls(), board(),
    h("h2", "Data sets"),
    h("ul", datasetNames.map((one) => h("li", datasetLink(one), data.datasets[one].about && ` – ${data.datasets[one].about}`,
      h("span", { class: "kind" }, ` ${data.datasets[one].groups.join(", ")}`)))),
    moved(), plotted(), signature()];
}
readChoices();
// A browser that goes back puts old choices into the controls after the page is drawn.
addEventListener("pageshow", () => render());
start();
