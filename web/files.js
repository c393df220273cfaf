// The files: one key, and responses with names. The helpers h, $ and button are those of report.js.

/** Characters that the command line does not take in the name of a response. */
const RESERVED = /[=/\\*?[]/g;

let key = null;
let responses = [];

/** The files as they are sent to the worker, read when they are needed. */
export async function readFiles() {
  const content = async ({ file, name }) => ({ name, file: file.name, data: new Uint8Array(await file.arrayBuffer()) });
  return { key: await content({ file: key }), responses: await Promise.all(responses.map(content)) };
}

/** What is missing or wrong, as a message and the element to go to; null if nothing is. */
export function findMissing() {
  if (!key) return ["Choose a key file, or try the example.", $("key-file")];
  if (!responses.length) return ["Choose one or more responses, or try the example.", $("response-files")];
  const wrong = responses.findIndex(({ name }, i) => !name || name.match(RESERVED) || responses.some((one, j) => j < i && one.name === name));
  if (wrong < 0) return null;
  return ["Give each response a name of its own, without = / \\ * ? [", document.querySelectorAll("#response-list input")[wrong]];
}

export function setKey(files) {
  if (files.length !== 1) return;
  [key] = files;
  showKey();
}

export function addResponses(files) {
  for (const file of files) responses.push({ file, name: freeName(file.name.replace(RESERVED, "-")) });
  showResponses();
}

export function setFiles(keyFile, responseFiles) {
  responses = [];
  setKey([keyFile]);
  addResponses(responseFiles);
}

/** A name that no response has: the second of a file name gets a number, as on the command line. */
function freeName(name) {
  let free = name;
  for (let n = 2; responses.some((one) => one.name === free); n++) free = `${name} (${n})`;
  return free;
}

const size = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

function showKey() {
  $("key-list").replaceChildren(h("li", null, h("span", { class: "file" }, key.name), h("span", { class: "size" }, size(key.size))));
}

function showResponses(focus = null) {
  $("response-list").replaceChildren(...responses.map((one, i) => h("li", null,
    h("input", { type: "text", value: one.name, "aria-label": `Name of response ${i + 1}, file ${one.file.name}`, title: one.file.name, spellcheck: "false", oninput: (event) => { one.name = event.target.value.trim(); } }),
    h("span", { class: "size" }, size(one.file.size)),
    button("×", () => { responses.splice(i, 1); showResponses(Math.min(i, responses.length - 1)); }, { "aria-label": `Remove ${one.name}` }))));
  if (focus !== null) ($("response-list").children[focus]?.querySelector("button") ?? $("response-files")).focus();
}

function acceptDrops(input, accept) {
  input.addEventListener("change", () => { accept([...input.files]); input.value = ""; });
  const area = input.parentElement;
  area.addEventListener("dragover", () => area.classList.add("over"));
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => { area.classList.remove("over"); accept([...event.dataTransfer.files]); });
}

acceptDrops($("key-file"), setKey);
acceptDrops($("response-files"), addResponses);
// A file that misses an area must not replace the page.
for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
