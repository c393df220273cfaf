// The options: menus, the link that carries them, and the words of the command line.
// menus.json is written from the registries of corefmeter. A preset sets the other menus, which can then be changed.

const menus = await (await fetch("menus.json")).json();

/** What is chosen: null where the preset, or the default, decides. */
const chosen = { preset: null, metrics: null, match: null, singletons: null };

const menuOf = (name) => menus.find((menu) => menu.name === name);
const choiceTitle = (menu, value) => menu.choices.find((choice) => choice.name === value)?.title ?? value;

/** The value of an option where nothing is chosen. */
function usual(name) {
  const preset = menuOf("preset").choices.find((choice) => choice.name === chosen.preset);
  return preset?.sets[name] ?? menuOf(name).default;
}

const valueOf = (name) => chosen[name] ?? usual(name);

/** The options in words of the command line. */
export function commandWords() {
  const words = [];
  for (const { name, option } of menus) if (chosen[name] !== null) words.push(option, String(chosen[name]));
  return { words, more: $("more").value };
}

/** The fragment of a link to the page with these options; it names no files. */
function optionsLink() {
  const given = Object.entries(chosen).filter(([, value]) => value !== null).map(([name, value]) => [name, String(value)]);
  if ($("more").value.trim()) given.push(["more", $("more").value.trim()]);
  return given.length ? "#" + new URLSearchParams(given).toString().replaceAll("%2C", ",") : "";
}

/** Take the options of the address; what it names and is not known is returned. */
export function readLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  const unknown = [];
  for (const name of Object.keys(chosen)) chosen[name] = null;
  for (const [name, text] of given) {
    const known = menuOf(name)?.choices.map((choice) => choice.name);
    const values = name === "metrics" ? text.split(",") : [text];
    if (name === "more") continue;
    if (known && values.every((value) => known.includes(value))) chosen[name] = name === "metrics" ? values : text;
    else unknown.push(`${name}=${text}`);
  }
  $("more").value = given.get("more") ?? "";
  showMenus();
  return unknown;
}

function choose(menu, value) {
  if (menu.name === "preset") for (const name of Object.keys(chosen)) chosen[name] = null;
  chosen[menu.name] = String(value) === String(usual(menu.name)) ? null : value;
  showChosen();
  changed();
}

/** Keep the options in the address, so that it can be copied or bookmarked. */
function changed() {
  history.replaceState(history.state, "", optionsLink() || location.pathname + location.search);
}

function row(menu, choice) {
  const type = menu.many ? "checkbox" : "radio";
  const id = `${menu.name}-${choice.name || "none"}`;
  const input = h("input", { type, id, name: menu.name, value: choice.name, onchange: () => {
    const marked = [...document.querySelectorAll(`#menu-${menu.name} input:checked`)].map((one) => one.value);
    choose(menu, menu.many ? marked : choice.name || null);
  } });
  return h("label", { for: id }, input, h("span", null, h("strong", null, choice.title), " ", h("span", { class: "about" }, choice.about)));
}

function showMenus() {
  $("menus").replaceChildren(...menus.map((menu) => h("details", { class: "menu", name: "menus", id: `menu-${menu.name}` },
    h("summary", null, h("span", { class: "name" }, menu.title), h("span", { class: "value" })),
    h("fieldset", null, h("legend", null, menu.about), menu.choices.map((choice) => row(menu, choice))))));
  showChosen();
}

function showChosen() {
  for (const menu of menus) {
    const value = valueOf(menu.name);
    for (const input of document.querySelectorAll(`#menu-${menu.name} input`)) {
      input.checked = menu.many ? value.includes(input.value) : input.value === (value ?? "");
    }
    const text = menu.many ? value.map((one) => choiceTitle(menu, one)).join(", ") || "none" : choiceTitle(menu, value ?? "");
    document.querySelector(`#menu-${menu.name} .value`).textContent = text;
  }
}

$("more").addEventListener("input", changed);
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector(".menu[open]");
  if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
});
