// The view Card: the tables of `corefmeter card`, a sentence on each, and charts of distances and windows.

const LEFT_OUT = "Mention types left out";

/** What each table tells: by its section and first header, or by its section. */
const MEANINGS = {
  "Detection and linking apart": "How much of the loss is due to missing and extra mentions (detection), and how much to wrong links between mentions (linking).",
  Mentions: "How many mentions of each group are found.",
  "Mentions/tokens": "How many mentions are found, by their number of tokens.",
  "Mentions/zero": "How many mentions are found: those with words (no), and empty nodes such as dropped pronouns (yes).",
  Entities: "How well the entities of each group are resolved (LEA). An entity is in the group of its names, or else of most of its mentions.",
  [LEFT_OUT]: "The score as if only the mentions of a row had been annotated in key and response.",
  "Long texts": "How many pairs of mentions of an entity are found, by the distance between the two mentions.",
  "Long texts/span in tokens": "How well entities are resolved, by the distance from their first to their last mention.",
  "Long texts/windows": "What it costs to work in windows of the text: the score of the whole text; inside windows, without the links between them; and with the entities of the windows joined as in the key.",
  "Entities by size": "How well small and large entities are resolved, by their number of mentions.",
  "The largest entities of the key": "Share: the part of the entity that is in its best response entity. Purity: the part of that response entity that is right. Fragments: response entities over which it is spread.",
  "The text of the answer": "What the changes cost that the system made to the text when it copied it.",
  "Within and across documents": "How well links within documents and between documents are found.",
  "Coverage of the text": "How completely the system copied the text.",
};

function meaningOf(section, by = "") {
  return MEANINGS[`${section}/${by.startsWith("windows") ? "windows" : by}`] ?? MEANINGS[section] ?? "";
}

function card() {
  const sections = Map.groupBy(data.card, ({ caption }) => caption.split(": ")[0]);
  const byType = data.card.filter(({ caption, header }) => /^(Mentions|Entities)(:|$)/.test(caption) && !["tokens", "zero"].includes(header[0]));
  const features = new Set(byType.map(({ header }) => header[0]));
  return [
    h("h2", "Card"),
    data.card_missing && h("p", { class: "warning" }, data.card_missing),
    data.card.length > 0 && h("p", { class: "note" }, "Each row is the score of a part of the data. ", h("a", { href: "#help" }, "How to read this"), " explains the rows. ", sameCommand([...features], " --all")),
    [...sections].map(([section, tables]) => {
      const meanings = new Set(tables.map(({ header }) => meaningOf(section, header[0])));
      return [h("h3", section), meanings.size === 1 && h("p", [...meanings]), beside(tables.map((table) => cardTable(table, meanings.size > 1)))];
    }),
    data.card.some(({ rows }) => rows.flat().some((cell) => cell.endsWith("†"))) && h("p", { class: "note" }, undefinedText()),
  ];
}

function cardTable(table, withMeaning) {
  const { header, rows } = table;
  const [section, of] = table.caption.split(": ");
  const by = header[0] && !["entity", "mentions"].includes(header[0]) ? ` by ${header[0].replaceAll("_", " ")}` : "";
  const caption = section + by + (of ? `: ${of}` : "");
  const shown = caption.replace(/: mentions, F1$/, "");
  const chosen = header.findIndex((name) => name === "F1" || name === "share");
  // The columns with scores: F1 or share of one response, else those of all metrics or responses.
  const columns = range(header.length).filter((c) => (chosen < 0 ? c && !["key", "response", "mentions"].includes(header[c]) : c === chosen));
  return [/apart$|^span|^windows/.test(header[0]) && of !== "mentions" && cardChart(shown, table, columns),
    scroll(caption, h("table", h("caption", shown !== section && [h("strong", shown), h("br")], withMeaning && meaningOf(section, header[0]) + " ", cardText(table, columns)),
      h("thead", h("tr", header.map((name, c) => (name ? colHead(name.replaceAll("_", " "), c > 0) : h("td"))))),
      h("tbody", rows.map(([name, ...cells]) => h("tr", rowHead(name), cells.map((cell) => number(cell)))))))];
}

/** How many mentions or links of the key a row must have to be called the lowest. */
const FEW = 20;

const isNumber = (cell) => /^[\d.]+$/.test(cell);
const isDifference = ([name]) => /^(lost|price|brought|interaction)/.test(name);

function cardChart(caption, { header, rows }, columns) {
  const single = header[columns[0]] === "F1";
  const lane = (row, marks) => marks.filter(([, c]) => isNumber(row[c])).map(([shape, c]) => [shape, row[c] / 100]);
  const lanes = (row) => (single ? [lane(row, Object.entries(RATES).map(([shape, name]) => [shape, header.indexOf(name)]))] : columns.map((c) => lane(row, [["f1", c]])));
  return chart(single ? `${caption}: ◀ recall, ▶ precision, ● F1` : `${caption}: F1`, rows.filter((row) => !isDifference(row)).map((row) => [row[0], lanes(row)]),
    single ? [] : columns.map((c) => header[c]));
}

// What a table says: its differences, else where scores are lowest and highest.
function cardText({ caption, header, rows }, columns) {
  const differences = rows.filter(isDifference);
  if (!differences.length && (!header[0] || caption.endsWith(": mentions"))) return "Counts on which the scores are based.";
  const size = header.indexOf("key");
  return columns.map((c) => {
    const known = rows.filter((row) => isNumber(row[c]) && (size < 0 || row[size] >= FEW)).sort((a, b) => a[c] - b[c]);
    const shown = differences.length ? differences : known.slice(0, 1);
    if (!shown.length) return `no row has ${FEW} in the key`;
    if (!differences.length && known.length > 1 && known[0][c] === known.at(-1)[c]) return `${header[c]}: ${known[0][c]} in all rows`;
    const few = !differences.length && known.length < rows.filter((row) => isNumber(row[c])).length;
    return `${header[c]}: ` + (differences.length ? "" : "lowest for ") + shown.map((row) => `${row[0]} (${row[c]})`).join(", ") + (few ? ` of rows with ${FEW} or more in the key` : "");
  }).join("; ") + ".";
}
