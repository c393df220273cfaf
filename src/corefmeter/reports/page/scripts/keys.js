// Search, messages and keys.

function searchBox(label) {
  return h("span", { class: "picker", role: "search" }, h("label", { for: "search" }, label),
    h("input", { id: "search", type: "search", value: searched(), oninput: (event) => {
      state.search[state.view] = event.target.value;
      clearTimeout(typed);
      typed = setTimeout(findTyped, 250);
    }, onkeydown: (event) => {
      if (event.key === "Enter") findTyped();
    } }), state.view === "text" && h("span", { class: "count", id: "found", role: "status" }));
}

/** The words searched for in the view. */
const searched = () => state.search[state.view] ?? "";

/** The time at which what was typed is searched for; Enter does it at once, and again for the next place. */
let typed = null;

function findTyped() {
  clearTimeout(typed);
  if ($("search") && state.view === "text") findWords(typed === null);
  else if ($("search")) render({ focus: "search" });
  typed = null;
}

function say(message) {
  $("say").textContent = message;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { $("say").textContent = ""; }, 4000);
}

const KEYS = {
  j: () => stepError(1), k: () => stepError(-1), n: () => stepMention(1), p: () => stepMention(-1),
  "[": () => stepDocument(-1), "]": () => stepDocument(1), e: togglePin,
  "/": () => $("search")?.focus(), "?": () => $("keys").showModal(),
};

/** The links to views, which are numbered: there is none to Compare for one response. */
const viewLinks = () => document.querySelectorAll("nav a:not([hidden])");

function leave() {
  if (document.activeElement?.matches("input, select")) document.activeElement.blur();
  else if (state.view === "entities" && state.pin) go("entities");
  else if (state.pin || state.mention !== null) { letGo(); if (!open) render(); }
  else if (state.compare || Object.keys(state.facets).length || searched()) { state.compare = null; state.facets = {}; state.search = {}; render(); }
}

document.addEventListener("keydown", (event) => {
  if (!data || event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  if (event.key === "Escape") return leave();
  if (event.target.matches("input, select, textarea")) return;
  const view = viewLinks()[event.key - 1];
  const action = view ? () => go(view.hash.slice(1)) : KEYS[event.key];
  if (action) { event.preventDefault(); action(); }
});
