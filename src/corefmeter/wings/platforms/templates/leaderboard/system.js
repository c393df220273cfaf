// The page of a system: all its numbers, and their history.

const own = data.systems[name];
const rows = Object.keys(data.results);
const of = (row) => data.results[row];
const first = { name: "Data set", value: (row) => row, show: datasetLink };

function means() {
  const mean = (group) => data.means[group];
  const columns = [{ name: "Mean over", value: (group) => group, show: (group) => group || "all data sets" },
    rankColumn(mean), ...metricColumns((group) => mean(group).scores), intervalColumn(mean, Object.keys(data.means))];
  const lacking = datasetNames.filter((one) => !rows.includes(one));
  return [sortable("means", "Unweighted means, F1 in percent; a rank without parentheses was not tested", columns.filter(Boolean), Object.keys(data.means)),
    lacking.length > 0 && note(`No response to ${lacking.join(", ")}.`)];
}

function scores() {
  const columns = [first, rankColumn(of), ...metricColumns((row) => of(row).scores), intervalColumn(of, rows), reportColumn((row) => reportPage(row, name))];
  return [h("h2", "Data sets"),
    sortable("scores", `F1 in percent; rank and interval are of ${data.metrics[primary]}`, columns.filter(Boolean), rows),
    allRates(first, rows, (row) => of(row).scores)];
}

/** Where the system gained and lost since its last submission. */
function changes() {
  const [before, now] = data.history.slice(-2);
  if (!now) return null;
  const old = (row) => f1(before.scores[row], primary);
  const latest = (row) => f1(now.scores[row], primary);
  const difference = (row) => (old(row) === null || latest(row) === null ? null : latest(row) - old(row));
  const columns = [first, numberColumn("Before", old), numberColumn("Now", latest), {
    name: "Difference", number: true, value: difference, show: (row) => (difference(row) > 0 ? "+" : "") + percent(difference(row)),
    cell: (row) => ({ class: `number ${difference(row) > 0 ? "gain" : difference(row) < 0 ? "loss" : ""}` }),
  }];
  return [h("h2", "Since the last submission"),
    sortable("changes", `${data.metrics[primary]} of ${before.date} and ${now.date}`, columns, Object.keys(now.scores).filter((row) => row in before.scores && datasetNames.includes(row)))];
}

function past() {
  const mean = (entry) => f1(entry.mean, primary);
  const points = data.history.map((entry, i) => ({ x: i, y: mean(entry), name: entry.date, text: `${entry.date} ${entry.note}: ${percent(mean(entry))}` }));
  const columns = [{ name: "Date", value: (entry) => entry.date }, { name: "Note", value: (entry) => entry.note || (entry.again ? "scored again" : "–") },
    { name: "Version", value: (entry) => entry.signature.split("|")[0] }, numberColumn(`Mean ${data.metrics[primary]}`, mean)];
  return [h("h2", "History"),
    data.history.length > 1 && plot(points, "Submissions, oldest first", `Mean ${data.metrics[primary]}`, true),
    sortable("history", "All submissions", columns, data.history)];
}

const draw = () => [
  own.about && h("p", own.about),
  own.kind && note(`Kind: ${own.kind}`),
  means(), scores(), changes(), costTable(first, rows, of), cardTable(first, rows, of), past(), signature(),
];
start();
