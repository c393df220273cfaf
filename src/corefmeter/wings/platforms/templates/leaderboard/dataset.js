// The page of a data set: all systems.

const own = data.datasets[name];
const of = (row) => data.results[row];
const rows = Object.keys(data.results).sort((a, b) => f1(of(b).scores, primary) - f1(of(a).scores, primary));
const isTested = rows.some((row) => of(row).ranks);
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}. `;
const first = { name: "System", value: (row) => row, show: systemLink };

function scores() {
  const letters = isTested && { name: "Letters", title: `Systems that share a letter do not differ significantly at ${data.alpha}`, value: (row) => of(row).letters, show: (row) => of(row).letters || "–" };
  const columns = [first, rankColumn(of), ...metricColumns((row) => of(row).scores), intervalColumn(of, rows), letters, reportColumn((row) => reportPage(name, row))];
  return [sortable("scores", `F1 in percent${isTested ? `; rank, interval and letters are of ${data.metrics[primary]}` : ""}`, columns.filter(Boolean), rows, { row: (row) => ({ id: row }) }),
    isTested && note(`Systems that share a letter do not differ significantly at ${data.alpha}. ${onRanks()}`)];
}

const draw = () => [
  own.about && h("p", own.about),
  own.groups.length > 0 && note(own.groups.join(", ")),
  !isTested && h("p", { class: "warning" }, "Differences were not tested; ranks are places by score. ", own.notes.map(sentence)),
  isTested && own.notes.map((text) => note(sentence(text))),
  scores(),
  allRates(first, rows, (row) => of(row).scores),
  costTable(first, rows, of),
  cardTable(first, rows, of),
  data.keys && [h("h2", "Data"), note(link(own.page.replace(/html$/, "json"), "All results by document"), ', for "corefmeter compare --results".')],
  signature(),
];
start();
