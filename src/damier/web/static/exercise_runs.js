// The runs of this browser: what was marked of each exercise, so that a page that is loaded again stands as it stood; and the list of those finished.

const KEPT = "damier-exercises";
const MOST = 50; // runs that are remembered

function all() {
  try { return JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { return {}; }
}

function write(runs) {
  try { localStorage.setItem(KEPT, JSON.stringify(runs)); } catch { /* then nothing outlasts this page */ }
}

/** What is known of a run: `items` by number, each {before, answers, given_up, points, closed}; `done` once it is finished. */
export function run(name) {
  const found = all()[name];
  return found && typeof found.items === "object" ? found : { items: {} };
}

export function keep(name, record) {
  const runs = all();
  delete runs[name];
  const known = Object.keys(runs), isDone = (each) => Boolean(runs[each].done);
  const names = [...known.filter((each) => !isDone(each)), ...known.filter(isDone)]; // what is finished goes last
  for (const old of names.slice(0, Math.max(0, names.length - MOST + 1))) delete runs[old];
  write({ ...runs, [name]: record });
}

export function forget(name) {
  const { [name]: _gone, ...others } = all();
  write(others);
}

/** The finished ones, the last first: [name, {title, total, of, when}]. */
export function finished() {
  return Object.entries(all()).filter(([, record]) => record.done).map(([name, record]) => [name, record.done]).reverse();
}

export function forgetFinished() {
  write(Object.fromEntries(Object.entries(all()).filter(([, record]) => !record.done)));
}

/** The answers that were marked of each of `count` exercises, in their order. */
export function markings(record, count) {
  return Array.from({ length: count }, (_each, at) => {
    const item = record.items[at + 1];
    if (!item) return [];
    return item.given_up ? item.before : [...item.before, item.answers];
  });
}
