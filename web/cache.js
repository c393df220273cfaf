// The service worker: keeps the files of this version of the page, so that a second visit needs no network.

const PREFIX = `corefmeter ${registration.scope} `;
const NAME = `${PREFIX}DIGEST`;

/** The small files, which a page loads before this worker answers for it. */
const FIRST = FILES;

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(NAME);
  await cache.addAll(FIRST.map((path) => new Request(path, { cache: "no-cache" })));
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope)) event.respondWith(answer(event));
});

async function answer(event) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(event.request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(cache.put(event.request, response.clone()));
  return response;
}
