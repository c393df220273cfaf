// The page of a data set: all systems.

const own = data.datasets[name];
const of = (row) => data.results[row];
const rows = Object.keys(data.results).sort((a, b) => f1(of(b).scores, primary) - f1(of(a).scores, primary));
const first = { name: "System", value: (row) => row, show: systemLink };

function scores() {
  const letters = { name: "Letters", title: `Systems that share a letter do not differ significantly at ${data.alpha}`, value: (row) => of(row).letters, show: (row) => of(row).letters || "–" };
  const columns = [first, ...standingColumns(of), letters, ...metricColumns((row) => of(row).scores), reportColumn((row) => reportPage(name, row))];
  return [sortable("scores", `F1 in percent; rank, interval and letters are of ${data.metrics[primary]}`, columns.filter(Boolean), rows, { row: (row) => ({ id: row }) }),
    note(`Systems that share a letter do not differ significantly at ${data.alpha}. After a rank, in parentheses: the ranks that the data allow.`)];
}

const draw = () => [
  own.about && h("p", own.about),
  own.groups.length > 0 && note(own.groups.join(", ")),
  rows.every((row) => !of(row).ranks) && h("p", { class: "warning" }, "The systems were not compared. Ranks are places by score."),
  own.notes.map((text) => note(text)),
  scores(),
  allRates(first, rows, (row) => of(row).scores),
  costTable(first, rows, of),
  cardTable(first, rows, of),
  data.keys && [h("h2", "Data"), note(link(own.page.replace(/html$/, "json"), "All results by document"), ', for "corefmeter compare --results".')],
  signature(),
];
start();
