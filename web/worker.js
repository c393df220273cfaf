// Runs corefmeter on Pyodide. Everything is loaded from the folder of this page.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = (path) => new URL(path, import.meta.url).href;
const files = new Map();
const ask = self.fetch;

// Pyodide asks for its files by fetch: those that are loaded are not loaded again.
self.fetch = (resource, options) => {
  const file = files.get(new URL(resource.url ?? resource, import.meta.url).href);
  return file ? Promise.resolve(new Response(file)) : ask(resource, options);
};

async function loadFiles(sizes) {
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  postMessage({ loaded, total });
  for (const path of Object.keys(sizes)) {
    const response = await ask(here(path));
    if (!response.ok) throw new Error(`${path} is not there (status ${response.status})`);
    const chunks = [];
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      loaded += value.length;
      postMessage({ loaded, total });
    }
    files.set(here(path), new Blob(chunks, { type: response.headers.get("Content-Type") ?? "" }));
  }
}

async function startPython() {
  const sizes = await (await ask(here("files.json"))).json();
  await loadFiles(sizes);
  const python = await loadPyodide({ indexURL: here("pyodide/") });
  for (const path of Object.keys(sizes).filter((name) => name.endsWith(".whl"))) {
    python.unpackArchive(await files.get(here(path)).arrayBuffer(), "zip", { extractDir: "/packages" });
  }
  python.runPython(await (await ask(here("run.py"))).text());
  files.clear();
  return python.globals;
}

const started = startPython();
started.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: error.message }));

onmessage = async ({ data: { task, ...message } }) => {
  let python;
  try { python = await started; } catch { return; }
  try {
    const answer = task === "report"
      ? python.get("make_report")(message.key, message.responses, message.words, message.more)
      : python.get("save_scores")(message.name);
    postMessage(answer.toJs({ dict_converter: Object.fromEntries }));
    answer.destroy();
  } catch (error) {
    postMessage({ failed: error.message });
  }
};
