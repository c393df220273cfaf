// The page: asks the worker to score, and shows the report that comes back. report.js, which is the
// script of the report, is loaded before; h, $, say and start are its functions.

import { addResponses, findMissing, readFiles, setFiles } from "./files.js";
import { commandWords, readLink } from "./options.js";

const EXAMPLE = ["key.conll", "system-a.conll", "system-b.conll"];

let worker = null;
let waiting = null;
let last = Promise.resolve();
let html = "";

/** Start Python. The worker begins as a blob, because only then the policy of this page also binds it. */
function openWorker() {
  const address = JSON.stringify(new URL("worker.js", document.baseURI).href);
  const source = URL.createObjectURL(new Blob([`import ${address};`], { type: "text/javascript" }));
  worker = new Worker(source, { type: "module" });
  worker.onmessage = ({ data: message }) => receive(message);
  worker.onerror = (event) => receive({ failed: event.message ?? "its files cannot be loaded" });
}

function receive({ loaded, total, ready, failed, ...answer }) {
  if (total) return showProgress(loaded, total);
  if (ready) return showState("ready", waiting ? "Scoring …" : "Python is ready.");
  if (failed) {
    worker.terminate();
    worker = null;
    answer = { status: 1, messages: `Python stopped: ${failed}\nPress Score to start it again.` };
    if (!waiting) return showError(answer.messages);
  }
  const done = waiting;
  waiting = null;
  return done?.(answer);
}

/** The answer of the worker to a message, which it gets when the last one is answered. */
function ask(message) {
  last = last.then(() => new Promise((done) => {
    if (!worker) openWorker();
    waiting = done;
    worker.postMessage(message);
  }));
  return last;
}

function showState(state, text) {
  $("state").textContent = text;
  $("progress").hidden = state !== "loading";
  document.body.dataset.state = state;
}

function showProgress(loaded, total) {
  const mb = (bytes) => Math.round(bytes / 1e6);
  $("progress").max = total;
  $("progress").value = loaded;
  showState("loading", `Loading Python: ${mb(loaded)} of ${mb(total)} MB`);
}

function showError(text, state = "Not scored.") {
  $("error").textContent = text.trim();
  showState("failed", state);
}

/** Put the parts of a report into this page, which has its style and script already. */
function showReport(command) {
  const made = new DOMParser().parseFromString(html.replace(/<style>.*?<\/style>/s, ""), "text/html");
  $("made-title").textContent = made.title;
  $("signature").querySelector("code").textContent = made.querySelector("#help .signature").textContent;
  $("command").querySelector("code").textContent = command;
  $("report").replaceChildren(...made.querySelectorAll('nav, #view, #help, #keys, #say, script[type="application/octet-stream"]'));
  $("empty").hidden = true;
  $("made").hidden = false;
  return start();
}

async function score() {
  if ($("score").disabled) return;
  const missing = findMissing();
  if (missing) { showError(missing[0]); missing[1].focus(); return; }
  $("error").textContent = "";
  $("score").disabled = true;
  $("made").hidden = true;
  try {
    await makeReport();
  } catch (error) { // a file that is gone, for example
    showError(`The files could not be scored: ${error.message}`);
  }
  $("score").disabled = false;
}

async function makeReport() {
  if (document.body.dataset.state !== "loading") showState("running", "Scoring …");
  const files = await readFiles();
  const answer = await ask({ task: "report", ...files, ...commandWords() });
  if (answer.status) return showError(answer.messages);
  html = answer.output;
  await showReport(answer.command);
  showState("done", "Done.");
  $("result").scrollIntoView();
  return $("result").focus({ preventScroll: true });
}

function saveText(name, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function saveFile(name) {
  if (name === "report.html") return saveText(name, html);
  const answer = await ask({ task: "score", name });
  if (answer.status) return showError(answer.messages, "Not saved.");
  return saveText(name, answer.output);
}

async function tryExample() {
  const files = await Promise.all(EXAMPLE.map(async (name) => new File([await (await fetch(`examples/${name}`)).blob()], name)));
  setFiles(files[0], files.slice(1));
  await score();
}

/** Wait until the cache answers for the page, so that what is loaded first is kept, too. */
async function openCache() {
  if (!navigator.serviceWorker) return;
  const controlled = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  try {
    await navigator.serviceWorker.register("cache.js");
  } catch { return; }
  if (!navigator.serviceWorker.controller) await Promise.race([controlled, new Promise((done) => setTimeout(done, 2000))]);
}

function takeLink() {
  const unknown = readLink();
  if (unknown.length) showError(`The link has options that are not known here: ${unknown.join(", ")}`);
}

$("form").addEventListener("submit", (event) => { event.preventDefault(); score(); });
$("example").addEventListener("click", tryExample);
$("link").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied. It has the options and no file names.");
  } catch {
    say("Copy the address of this page: it has the options and no file names.");
  }
});
for (const one of document.querySelectorAll("[data-save]")) one.addEventListener("click", () => saveFile(one.dataset.save));
window.addEventListener("hashchange", takeLink);
takeLink();
await openCache();
openWorker();
