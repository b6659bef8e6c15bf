// Keeps the files of one edition of the site; a new edition has another name, and takes its place as a whole.
const EDITION = "{{ edition }}", FILES = {{ files }};
const here = new URL("./", location.href), place = (name) => new URL(name, here).href;

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(`damier-${here.pathname}-${EDITION}`);
  await cache.addAll(FILES.map((name) => new Request(place(name), { cache: "no-cache" })));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(`damier-${here.pathname}-`) && !name.endsWith(`-${EDITION}`)) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(here.href)) return;
  event.respondWith((async () => {
    const found = await caches.match(url.origin + url.pathname + (url.pathname === here.pathname ? "index.html" : ""), { cacheName: `damier-${here.pathname}-${EDITION}` });
    if (found) return found;
    if (request.mode === "navigate") return Response.redirect(here.href + "#/" + url.href.slice(here.href.length)); // an address of the lab, without its #
    return fetch(request);
  })());
});
