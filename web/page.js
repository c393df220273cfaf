// The page: hands files and options to the worker, and shows what comes back.

const $ = (id) => document.getElementById(id);
const worker = new Worker("worker.js", { type: "module" });

worker.onmessage = ({ data }) => {
  if (data.ready) {
    $("score").disabled = false;
    $("state").textContent = "Ready.";
    document.body.dataset.ready = "";
    return;
  }
  if (data.failed) {
    $("state").textContent = `The page cannot run here: ${data.failed}`;
    return;
  }
  $("score").disabled = false;
  $("state").textContent = data.status ? "Not scored." : "Done.";
  $("table").textContent = data.table;
  $("messages").textContent = data.messages;
  $("made").hidden = !data.page;
  if (data.page) {
    URL.revokeObjectURL($("save").href);
    $("save").href = URL.createObjectURL(new Blob([data.page], { type: "text/html" }));
    $("report").src = $("save").href;
  }
  $("results").hidden = false;
  document.body.dataset.status = data.status;
};

for (const area of document.querySelectorAll(".drop")) {
  const input = area.querySelector("input");
  area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("over"); });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    if (input.multiple || event.dataTransfer.files.length === 1) input.files = event.dataTransfer.files;
  });
}

$("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("score").disabled = true;
  $("state").textContent = "Scoring …";
  delete document.body.dataset.status;
  const content = async (file) => [file.name, new Uint8Array(await file.arrayBuffer())];
  const [key, ...responses] = await Promise.all([...$("key").files, ...$("responses").files].map(content));
  worker.postMessage({ key, responses, options: $("options").value });
});
