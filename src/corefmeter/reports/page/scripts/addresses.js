// Addresses of views, documents and mentions.

/** How an address names a document; half a surrogate pair, which no address can hold, is replaced. */
const named = (doc) => encodeURIComponent(data.documents[doc].label.toWellFormed());

function address(view, doc, rest) {
  const parts = [view];
  if (doc !== undefined && doc !== null) parts.push(named(doc));
  if (rest !== undefined && rest !== null) parts.push(rest);
  return "#" + parts.join("/");
}

/** Views are in the history without an address in a frame of a notebook, and on the page that scores files. */
const framed = location.href === "about:srcdoc" || "framed" in document.body.dataset;

const currentAddress = () => (framed ? history.state ?? "" : location.hash);

function setAddress(target, replace = false) {
  history[replace ? "replaceState" : "pushState"](target, "", framed ? undefined : target);
}

function follow(event) {
  const link = event.target.closest('a[href^="#"]');
  if (!data || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  setAddress(link.getAttribute("href"));
  navigate();
}

function go(view, doc = state.doc, rest = null) {
  const target = ["entities", "text"].includes(view) ? address(view, doc, rest) : address(view);
  if (currentAddress() === target) return render();
  setAddress(target);
  return navigate();
}

function readAddress() {
  const [view, label, rest] = currentAddress().slice(1).split("/");
  state.view = VIEWS.includes(view) ? view : "overview";
  if (label !== undefined) {
    let name = label;
    try { name = decodeURIComponent(label); } catch { /* as it is */ }
    const doc = data.documents.findIndex((one) => one.label.toWellFormed() === name);
    if (doc >= 0 && doc !== state.doc) { state.doc = doc; state.pin = null; state.mention = null; }
  }
  const number = rest === undefined ? null : Number(rest);
  if (state.view === "text") state.mention = Number.isInteger(number) && rest !== "" ? number : null;
  if (state.view === "entities") state.pin = Number.isInteger(number) ? { side: "key", entity: number } : null;
}
