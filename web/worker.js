// Runs corefmeter on Pyodide. Everything is fetched from the folder of this page.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const text = async (path) => (await fetch(path)).text();

const loaded = (async () => {
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  for (const name of JSON.parse(await text("wheels.json"))) {
    python.unpackArchive(await (await fetch(`wheels/${name}`)).arrayBuffer(), "zip", { extractDir: "/packages" });
  }
  python.runPython(await text("run.py"));
  return python.globals.get("run");
})();

loaded.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: error.message }));

onmessage = async ({ data }) => {
  try {
    const result = (await loaded)(data.key, data.responses, data.options);
    postMessage(result.toJs({ dict_converter: Object.fromEntries }));
    result.destroy();
  } catch (error) {
    postMessage({ failed: error.message });
  }
};
