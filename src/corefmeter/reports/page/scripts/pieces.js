// Pieces that several views have: tables, the legend, what is shown, the filter of Compare.

function button(text, action, properties = {}) {
  return h("button", { type: "button", onclick: action, ...properties }, text);
}

function picker(label, values, value, action) {
  const id = `pick-${label.toLowerCase().replaceAll(" ", "-")}`;
  const select = h("select", { id, onchange: (event) => action(Number(event.target.value)) },
    values.map((text, i) => h("option", { value: i, selected: i === value }, text)));
  return h("span", { class: "picker" }, h("label", { for: id }, label), select);
}

/** A wide thing, which scrolls by itself. */
const scroll = (label, ...children) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, ...children);
const details = (name, content) => h("details", h("summary", `Details: ${name}`), content);
const beside = (...parts) => h("div", { class: "beside" }, parts);
const colHead = (name, isNumber = false) => h("th", { scope: "col", class: isNumber ? "number" : null }, name);
const rowHead = (...children) => h("th", { scope: "row" }, ...children);
const number = (...children) => h("td", { class: "number" }, ...children);

const kindOf = (column) => (column.number ? "number" : column.hide ? "id" : null);

/** A table whose columns can be sorted: columns are {name, of, title, value, show, number, hide, cell}; `show` also gets the row before, `hide` is for a phone. */
function sortable(id, caption, columns, rows, properties = {}) {
  const limit = state.more[id] ?? properties.limit ?? 200;
  let sort = state.sort[id] ?? properties.sort;
  if (sort?.key) { // the columns may be others than at the click
    const column = columns.findIndex((one) => keyOf(one) === sort.key);
    sort = column < 0 ? properties.sort : { ...sort, column };
  }
  let shown = rows;
  if (sort) {
    const by = columns[sort.column].value;
    shown = [...rows].sort((a, b) => {
      const [x, y] = [by(a) ?? null, by(b) ?? null];
      if (x === null || y === null) return (x === null) - (y === null);
      const less = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
      return sort.down ? -less : less;
    });
  }
  const head = columns.map((column, c) => h("th", {
    scope: "col", class: kindOf(column),
    "aria-sort": sort?.column === c ? (sort.down ? "descending" : "ascending") : null,
  }, button(column.name + (sort?.column === c ? (sort.down ? " ▾" : " ▴") : ""), () => {
    state.sort[id] = { key: keyOf(column), down: sort?.column === c ? !sort.down : Boolean(column.number && !column.rising) };
    render({ focus: `${id}-sort-${c}` });
  }, { id: `${id}-sort-${c}`, title: column.title, "aria-label": column.of && `${column.name} of ${column.of}` })));
  const body = shown.slice(0, limit).map((row, i) => {
    const cells = columns.map((column, c) => h(c ? "td" : "th", { scope: c ? null : "row", class: kindOf(column), ...column.cell?.(row) },
      column.show ? column.show(row, shown[i - 1]) : String(column.value(row) ?? "")));
    return h("tr", properties.row?.(row), cells);
  });
  return scroll(caption,
    h("table", { id, class: "sortable" }, h("caption", caption), h("thead", properties.heads, h("tr", head)), h("tbody", body)),
    more(id, limit, shown.length));
}

const keyOf = (column) => `${column.name} ${column.of ?? ""}`;

/** Round values for an axis from the least to the greatest of some values, about `count` of them. */
function axisSteps(values, count = 6) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const rough = (high - low || 0.01) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((n) => n * power >= rough * 0.999);
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  return range(Math.max(1, last - first) + 1).map((i) => (first + i) * step);
}

/** The colors of several responses in charts. */
const series = (names) => names.length > 1 && h("p", { class: "legend" }, "From top to bottom:", names.map((name, s) =>
  h("span", h("svg:svg", { width: 14, height: 10, class: `s${s % 4}`, "aria-hidden": "true" }, h("svg:path", { d: "M0 0H14V10H0Z" })), " " + name)));

const SHAPES = { recall: "l0 -5l-7 5l7 5z", precision: "l0 -5l7 5l-7 5z", f1: "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z" };

// A chart of rows [name, lanes]; a lane, one a response, has marks [shape, value], or one bar ["bar", value]. Values are
// fractions; the axis is in percent and goes as far as the values.
function chart(caption, rows, names = []) {
  const marks = rows.flatMap(([, lanes]) => lanes.flat());
  const bars = marks[0]?.[0] === "bar";
  const steps = axisSteps([...(bars ? [0] : []), ...marks.map(([, value]) => value)], 5);
  const room = widthOfView() - 40;
  const width = Math.min(room, Math.max(300, (room - 48) / 2));
  const left = Math.min(150, 0.34 * width);
  const x = (value) => left + ((width - left - 48) * (value - steps[0])) / (steps.at(-1) - steps[0]);
  let y = 0;
  const drawn = rows.map(([name, lanes]) => {
    const top = y + 8;
    y += lanes.length * 14 + 6;
    return [label(left - 8, (top + y) / 2, cut(name, Math.floor(left / 6)), "end"),
      lanes.map((lane, s) => h("svg:g", { class: `s${s % 4}` }, drawLane(lane, x, top + s * 14)))];
  });
  const axis = steps.map((value) => [line(x(value), 0, `V${y}`), label(x(value), y + 14, String(Number((100 * value).toFixed(4))))]);
  return h("figure", h("figcaption", caption), series(names),
    h("svg:svg", { viewBox: `0 0 ${width} ${y + 20}`, width, role: "img", "aria-label": caption }, axis, drawn));
}

function drawLane(marks, x, y) {
  const ends = marks.map(([, value]) => x(value));
  return [ends.length > 1 && line(Math.min(...ends), y, `H${Math.max(...ends)}`), marks.map(([shape, value], i) => (shape === "bar" ?
    [line(x(0), y - 5, `H${ends[i]}v10H${x(0)}z`, "mark"), label(Math.max(x(0), ends[i]) + 5, y + 4, percent(value), "start")] :
    line(ends[i], y, SHAPES[shape], "mark")))];
}

const line = (x, y, path, kind = "axis") => h("svg:path", { d: `M${x} ${y}${path}`, class: kind });
const label = (x, y, text, anchor = "middle") => h("svg:text", { x, y, "text-anchor": anchor }, text);

const cut = (text, room) => (text.length > room ? text.slice(0, room - 1) + "…" : text);
const short = (text) => cut(text, 60);

/** What an entity of a side is called: the words of the mention that names it, else its name in the file. */
function titleOf(doc, side, e) {
  const m = side.called[e];
  return doc.words || typeof doc.at[m] === "string" ? phraseOf(doc, m, side) : nameOf(side, e);
}

/** The number of the sentence that a token is in, counted from 1; the token where sentences are not known. */
const sentenceNumber = (doc, token) => (doc.sentences?.length ? lastUpTo(doc.sentences, token) + 1 : token);

const more = (id, limit, size) => size > limit && button(`Show more (${size - limit} left)`, () => { state.more[id] = limit * 5; render(); });

function legend() {
  return h("p", { class: "legend" }, [..."cimxo"].map((code) =>
    h("span", h("svg:svg", { width: 14, height: 14, "aria-hidden": "true" }, tick(code, 7, 7)), " " + (code === "i" ? `${STATUS.a[0]} or ${STATUS.u[0]}` : MARKS[code]))),
  h("span", "The axis counts sentences; distances are in words."));
}

/** A tick of the strip: shape and colour say the same. */
function tick(code, x, y, title = null) {
  const kind = STATUS[code]?.[2] ?? "other";
  const shape = {
    right: `M${x} ${y - 5}V${y + 5}`,
    wrong: `M${x} ${y - 5}L${x + 4} ${y}L${x} ${y + 5}L${x - 4} ${y}Z`,
    missing: `M${x - 3} ${y - 4}H${x + 3}V${y + 4}H${x - 3}Z`,
    extra: `M${x - 4} ${y}H${x + 4}M${x} ${y - 4}V${y + 4}`,
    other: `M${x - 3} ${y - 3}l6 6M${x + 3} ${y - 3}l-6 6`,
  }[kind];
  return h("svg:path", { d: shape, class: `tick ${kind}` }, title && h("svg:title", title));
}

const system = (doc) => doc.systems[state.system];

/** What is shown: the response, the document, the words searched for, and the filter of Compare. */
function scopeBar(withDocument, search = null, more = null) {
  return h("div", { class: "bar" },
    data.systems.length > 1 && picker("Response", data.systems, state.system, (s) => { state.system = s; render(); }),
    withDocument && data.documents.length > 1 && [picker("Document", data.documents.map((one) => one.short), state.doc, (d) => { state.pin = null; go(state.view, d); }),
      button("Previous document", () => stepDocument(-1), { title: "Key [" }), button("Next document", () => stepDocument(1), { title: "Key ]" })],
    search && searchBox(search), more,
    state.compare && h("span", { class: "chip" }, `Only ${state.compare.of} where ${sideText(state.compare)}`,
      button("×", () => { state.compare = null; render(); }, { "aria-label": "Remove the filter" })));
}

/** Whether the filter of Compare leaves a mention, or a key entity. */
function passes(doc, m, entity) {
  const filter = state.compare;
  if (!filter) return true;
  const [a, b] = [doc.systems[filter.a], doc.systems[filter.b]];
  const right = (one) => {
    if (!one) return false;
    if (filter.of === "mentions") return m !== null && "ca".includes(one.status[m]);
    return entity >= 0 && one.category[entity] === "1";
  };
  if (filter.of === "mentions" && (m === null || doc.key.home[m] < 0)) return false;
  if (filter.of === "entities" && entity < 0) return false;
  return { both: right(a) && right(b), only_a: right(a) && !right(b), only_b: !right(a) && right(b), neither: !right(a) && !right(b) }[filter.side];
}
