// Drawing: from an address to a view.

const DRAW = { overview, compare, entities, text, errors, card, help: () => null };
let rendered = Promise.resolve();
let turn = 0;
let widthDrawn = 0;

function render({ focus = null } = {}) {
  const mine = ++turn;
  rendered = (async () => {
    const { view } = state;
    widthDrawn = widthOfView();
    for (const link of document.querySelectorAll("nav a")) {
      if (link.getAttribute("href") === `#${view}`) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    }
    $("help").hidden = view !== "help";
    const parts = await DRAW[view]();
    if (mine !== turn) return;
    if (view !== "text") open = null;
    $("view").hidden = view === "help";
    const caret = focus && $(focus)?.selectionStart;
    $("view").replaceChildren(...(parts ?? []).flat(9).filter((part) => part instanceof Node));
    if (view === "text") showMention();
    document.title = `${TITLES[VIEWS.indexOf(view)]} – ${data.title}`;
    if (focus) $(focus)?.focus();
    if (typeof caret === "number") $(focus)?.setSelectionRange(caret, caret);
    document.body.dataset.ready = `${view}`;
  })();
  return rendered;
}

function navigate() {
  const before = { view: state.view, doc: state.doc };
  const toTop = () => state.view !== before.view && state.mention === null && !state.pin && scrollTo(0, 0);
  readAddress();
  if (state.view === "text" && open && before.view === "text" && before.doc === state.doc) { showMention(); return rendered; }
  return render().then(toTop);
}

/** Show the data blocks of the page; the page that scores files calls this for each report. */
async function start() {
  data = await unpacked("overview-data");
  state = { view: "overview", system: 0, doc: 0, mention: null, pin: null, compare: null, facets: {}, search: {}, sort: {}, more: {} };
  documents.length = 0;
  document.querySelector('nav a[href="#compare"]').hidden = data.systems.length < 2;
  viewLinks().forEach((link, i) => { link.querySelector("kbd").textContent = i + 1; });
  $("show-keys").addEventListener("click", KEYS["?"]);
  readAddress();
  return render();
}

/** Draw charts again when there is another width for them, as when a phone is turned. */
const widthOfView = () => document.querySelector("main").clientWidth;
let later = null;
new ResizeObserver(() => {
  clearTimeout(later);
  later = setTimeout(() => data && widthOfView() !== widthDrawn && state.view !== "text" && render(), 200);
}).observe(document.querySelector("main"));

window.addEventListener("popstate", () => data && navigate());
document.addEventListener("click", follow);
$("overview-data") && start();
