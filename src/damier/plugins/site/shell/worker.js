// The Python of one reader: damier itself, which answers one question after the other.
const files = new Map(), sizes = new Map(); // bytes that have come, by file; and how large each is
const fetched = globalThis.fetch.bind(globalThis);

/** Fetches a file of the site, and tells how much of it is there. */
globalThis.fetch = async (place, options) => {
  const response = await fetched(place, options), name = new URL(response.url).pathname.split("/").at(-1);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  if (!sizes.has(name)) return response;
  count(name, response.clone().body); // the response itself, which has an address, the browser keeps compiled
  return response;
};

async function count(name, body) {
  for await (const chunk of body) {
    files.set(name, (files.get(name) ?? 0) + chunk.byteLength);
    postMessage({ loaded: [...files.values()].reduce((all, part) => all + part, 0) });
  }
}

let tab; // damier.plugins.site.tab

async function begin({ base, edition, own, sizes: known }) {
  for (const [name, size] of Object.entries(known)) sizes.set(name, size);
  const { loadPyodide } = await import(`${base}pyodide/pyodide.mjs?${edition}`);
  const packed = fetch(`${base}damier.pack?${edition}`).then((response) =>
    new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const python = await loadPyodide({ indexURL: `${base}pyodide/`, env: { HOME: "/", DAMIER_CACHE: "/cache", DAMIER_PROOFS: "off" } });
  postMessage({ stage: "opens" });
  unpack(new Uint8Array(await packed), "/site", python.FS);
  python.runPython("import sys\nsys.path.insert(0, '/site')");
  tab = python.pyimport("damier.plugins.site.tab");
  tab.begin(JSON.stringify(own));
  postMessage({ stage: "ready" });
}

/** Writes the files of a pack, as `build.py` makes it, into a folder. */
function unpack(bytes, folder, system) {
  let at = bytes.indexOf(10) + 1; // behind the line that lists them
  for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)))) {
    const place = `${folder}/${name}`;
    system.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    system.writeFile(place, bytes.subarray(at, at += size));
  }
}

function answered({ address, body, language }) {
  const found = tab.answer(address, body, language), [status, kind, content] = found.toJs();
  found.destroy();
  return { status, kind, content };
}

addEventListener("message", async ({ data }) => {
  try {
    if (data.begin) await begin(data.begin);
    else postMessage({ id: data.id, ...answered(data) });
  } catch (error) {
    postMessage({ id: data.id, failed: String(error?.message ?? error) });
  }
});
