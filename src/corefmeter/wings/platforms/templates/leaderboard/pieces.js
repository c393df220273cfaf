// Pieces of all pages of a leaderboard, which also has those of the report. Every number is one of the data block; only
// differences are computed. Each page has a function `draw`, which returns the content for a state.

const data = JSON.parse($("data").textContent);
const { name, primary } = data;
const metricNames = Object.keys(data.metrics);
const datasetNames = Object.keys(data.datasets);
const systemNames = Object.keys(data.systems);
const state = { sort: {}, more: {} };

function render({ focus = null } = {}) {
  $("view").replaceChildren(h("div", draw()));
  if (focus) $(focus)?.focus();
  document.body.dataset.ready = "true";
}

/** Draw the page; an address may end in the id of a row. */
function start() {
  render();
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  row?.classList.add("pinned");
  row?.scrollIntoView();
}

const note = (...children) => h("p", { class: "note" }, children);
const link = (page, text, properties = {}) => h("a", { href: data.root + page, ...properties }, text);
const systemLink = (one) => link(data.systems[one].page, one.split(/(?<=[+_])/).flatMap((part, i) => (i ? [h("wbr"), part] : [part])));
const datasetLink = (one) => link(data.datasets[one].page, one);

/** The report of a pair, if there is one. */
function reportPage(dataset, one) {
  const [folder, file] = [data.datasets[dataset].page, data.systems[one].page].map((page) => page.split("/").pop());
  const report = `reports/${folder.replace(/\.html$/, "")}/${file}`;
  return data.reports.includes(report) ? report : null;
}

/** The page of a pair: its report if there is one, or its row on the page of the data set. */
const pairPage = (dataset, one) => reportPage(dataset, one) ?? `${data.datasets[dataset].page}#${encodeURIComponent(one)}`;

const f1 = (scores, metric) => scores?.[metric]?.f1 ?? null;
const limits = (interval) => (interval ? `[${percent(interval[0])}, ${percent(interval[1])}]` : "–");

/** A rank, and the ranks that the data allow. */
function shownRank(standing) {
  if ((standing?.rank ?? null) === null) return "–";
  const [first, last] = standing.ranks ?? [];
  return standing.ranks ? `${standing.rank} (${first === last ? first : `${first}–${last}`})` : String(standing.rank);
}

const rankRange = ([first, last]) => (first === last ? `rank ${first}` : `ranks ${first} to ${last}`);

/** The uncertainty of a score in words. */
function uncertainty(standing) {
  const ranks = standing.ranks ? `the data allow ${rankRange(standing.ranks)}` : "differences were not tested";
  return standing.interval ? `${100 * data.level}% interval ${limits(standing.interval)}; ${ranks}` : ranks;
}

function checkbox(text, checked, action) {
  const id = `check-${text.toLowerCase().replaceAll(" ", "-")}`;
  return h("label", h("input", { id, type: "checkbox", checked, onchange: (event) => action(event.target.checked, id) }), " ", text);
}

/** Columns of the standing of a row, which `of` gives; of intervals only if some are known. */
const rankColumn = (of, title = "Rank") => ({ name: title, title: "In parentheses: the ranks that the data allow", number: true, rising: true, value: (row) => of(row).rank, show: (row) => shownRank(of(row)) });
const intervalColumn = (of, rows) => rows.some((row) => of(row).interval) &&
  { name: "Interval", title: `${100 * data.level}% interval of ${data.metrics[primary]}`, number: true, value: (row) => of(row).interval?.[0], show: (row) => limits(of(row).interval) };

/** What ranks mean where differences were tested. */
const onRanks = () => `After a rank, in parentheses: the ranks that the data allow at ${data.alpha}. Systems have the same rank only if none of them differ significantly; systems with different ranks may not differ, either. Tests compare systems on the same documents, so that systems may differ although their intervals overlap.`;

/** Columns of the F1 of all metrics; `of` gives the scores of a row. */
const metricColumns = (of) => metricNames.map((metric) => numberColumn(data.metrics[metric], (row) => f1(of(row), metric)));
const numberColumn = (title, value) => ({ name: title, number: true, value, show: (row) => percent(value(row)) });

/** A column of links to reports, if there are some. */
const reportColumn = (pageOf) => data.reports.length > 0 && { name: "Report", value: pageOf, show: (row) => (pageOf(row) ? link(pageOf(row), "report", { "aria-label": `report of ${row}` }) : "–") };

/** Recall, precision and F1 of all metrics, below a heading that opens. */
function allRates(first, rows, of) {
  const columns = metricNames.flatMap((metric) => [["recall", "R"], ["precision", "P"], ["f1", "F1"]]
    .filter(([rate]) => rows.some((row) => rate in of(row)[metric]))
    .map(([rate, letter]) => numberColumn(`${data.metrics[metric]} ${letter}`, (row) => of(row)[metric][rate])));
  return details("recall and precision", sortable("rates", "Recall, precision and F1 in percent", [first, ...columns], rows));
}

/** What each error type costs, with counts if the key is not hidden. */
function costTable(first, rows, of) {
  const known = rows.filter((row) => of(row).costs);
  if (!known.length) return null;
  const costed = Object.keys(Object.values(of(known[0]).costs)[0]);
  const metric = costed.includes(primary) ? primary : costed[0];
  const found = Object.entries(data.errors).filter(([error]) => known.some((row) => of(row).costs[error][metric]));
  const columns = found.map(([error, title]) => ({
    ...numberColumn(title, (row) => of(row).costs[error][metric]),
    show: (row) => [percent(of(row).costs[error][metric]), of(row).errors && h("span", { class: "interval" }, plural(of(row).errors[error], "error"))],
  }));
  return [h("h2", "Costs of errors"),
    note(`The rise of ${data.metrics[metric] ?? metric} (F1 in points) if all errors of a type, and no others, are repaired.`),
    sortable("costs", "Cost by error type", [first, ...columns], known)];
}

/** The card: what detection and linking lose, and the score of each mention type. */
function cardTable(first, rows, of) {
  const known = rows.filter((row) => of(row).losses);
  if (!known.length) return null;
  const types = [...new Set(known.flatMap((row) => Object.keys(of(row).types)))];
  const losses = [["detection", "Lost by detection"], ["linking", "Lost by linking"]];
  const columns = [...losses.map(([loss, title]) => numberColumn(title, (row) => of(row).losses[loss])),
    ...types.map((type) => numberColumn(`${type} F1`, (row) => of(row).types[type])).filter((column) => known.some((row) => column.value(row)))];
  const ofTypes = columns.length > losses.length;
  return [h("h2", "Detection and linking"),
    note(`How many points of ${data.metrics[primary]} are lost because mentions are missing or extra (detection), and because found mentions have wrong links (linking). Together these are all that is missing to 100.`),
    sortable("card", `Lost points of ${data.metrics[primary]} F1${ofTypes ? ", and F1 of finding mentions of each type" : ""}`, [first, ...columns], known)];
}

/** A plot of points {x, y, name, page, text}; a line joins them if `joined`. */
function plot(points, xName, yName, joined = false) {
  const known = points.filter((point) => point.x !== null && point.y !== null);
  const hidden = points.length - known.length;
  const missing = hidden > 0 && !joined && note(`${plural(hidden, "system")} without both scores ${hidden === 1 ? "is" : "are"} not in the plot.`);
  if (!known.length) return missing;
  const width = Math.min(760, Math.max(320, document.querySelector("main").clientWidth - 40));
  const [height, left, bottom] = [width < 500 ? 320 : 420, 62, 46];
  const axisOf = (values, from, to) => {
    const steps = axisSteps(values, 5);
    const pad = (steps.at(-1) - steps[0]) * 0.04;
    return { steps, at: (value) => from + ((value - steps[0] + pad) / (steps.at(-1) - steps[0] + 2 * pad)) * (to - from) };
  };
  const x = axisOf(known.map((point) => point.x), left, width - 16);
  const y = axisOf(known.map((point) => point.y), height - bottom, 20);
  const tickText = (value) => String(Number((100 * value).toFixed(4)));
  const taken = [];
  /** Whether a name would cover another one, or be as near to another point as to its own. */
  const isTaken = (point, [from, to, at]) => taken.some(([start, end, other]) => from < end && start < to && Math.abs(at - other) < 12) ||
    known.some((one) => one !== point && from < x.at(one.x) + 9 && x.at(one.x) - 9 < to && Math.abs(at - y.at(one.y) - 4) < 22);
  function nameOf(point) {
    const length = 6.2 * point.name.length;
    const px = x.at(point.x);
    const places = [[px + 8, 4], [px - 8 - length, 4], [px - length / 2, -9], [px - length / 2, 17], [px + 8, -9], [px + 8, 17], [px - 8 - length, -9], [px - 8 - length, 17]];
    for (const [from, below] of places) {
      const box = [from, from + length, y.at(point.y) + below];
      if (from < left || from + length > width || isTaken(point, box)) continue;
      taken.push(box);
      return label(from, box[2], point.name, "start");
    }
    return null;
  }
  const names = known.map(nameOf);
  const unnamed = names.includes(null) && note("Some names have no room: point at a dot to see its name.");
  return [missing, unnamed, h("svg:svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `${yName} by ${xName}` },
    x.steps.map((value) => !joined && [line(x.at(value), 20, `V${height - bottom}`), label(x.at(value), height - bottom + 16, tickText(value))]),
    y.steps.map((value) => [line(left, y.at(value), `H${width - 10}`), label(left - 6, y.at(value) + 4, tickText(value), "end")]),
    label((left + width) / 2, height - 8, xName), label(6, 12, yName, "start"),
    joined && h("svg:path", { class: "line", d: known.map((point, i) => `${i ? "L" : "M"}${x.at(point.x)} ${y.at(point.y)}`).join("") }),
    known.map((point, i) => {
      const mark = [h("svg:circle", { cx: x.at(point.x), cy: y.at(point.y), r: 5 }), h("svg:title", point.text), names[i]];
      return point.page ? h("svg:a", { href: data.root + point.page, "aria-label": point.text }, mark) : h("svg:g", mark);
    }))];
}

const signature = () => [h("h2", "Options"), note("All options that change a number: ", h("code", { class: "signature" }, data.signature.split("|").flatMap((part, i) => (i ? ["|", h("wbr"), part] : [part]))))];
