// Search, messages and keys.

function searchBox(label) {
  return h("span", { class: "picker", role: "search" }, h("label", { for: "search" }, label),
    h("input", { id: "search", type: "search", value: state.search, onkeydown: (event) => {
      if (event.key !== "Enter") return;
      state.search = event.target.value;
      if (state.view === "text") findWords(); else render({ focus: "search" });
    } }));
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
  ...Object.fromEntries(VIEWS.map((view, i) => [String(i + 1), () => go(view)])),
};

function leave() {
  if (document.activeElement?.matches("input, select")) document.activeElement.blur();
  else if (state.pin || state.mention !== null) { letGo(); if (!open) render(); }
  else if (state.compare || Object.keys(state.facets).length || state.search) { state.compare = null; state.facets = {}; state.search = ""; render(); }
}

document.addEventListener("keydown", (event) => {
  if (!data || event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  if (event.key === "Escape") return leave();
  if (event.target.matches("input, select, textarea")) return;
  const action = KEYS[event.key];
  if (action) { event.preventDefault(); action(); }
});
