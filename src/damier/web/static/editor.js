// A field for programs, of one file or several: numbers of lines, indentation, a line that is marked, and what is written kept in this browser.

const INDENT = "    ";

/**
 * Makes `place` (editor.html) such a field. `key` is what its files are kept under; `changed` is called when a person writes. Returns what can be
 * asked of it, and done with it.
 */
export function editing(place, { key, changed = () => {} }) {
  const text = place.querySelector("textarea"), numbers = place.querySelector("pre"), band = place.querySelector(".marked");
  const list = place.querySelector("select");
  let files = {}; // what is written, by the names of files
  let shown = ""; // the file in the field
  let marked = null; // the file and the line that are to blame
  let leaves = false; // whether Tab leaves the field, as it does after Escape

  const height = () => parseFloat(getComputedStyle(text).lineHeight);

  function keep() {
    try { localStorage.setItem(key, JSON.stringify({ files, shown })); } catch { /* then it is not kept */ }
  }

  function draw() {
    const count = text.value.split("\n").length;
    if (Number(numbers.dataset.count) !== count) {
      numbers.dataset.count = count;
      numbers.textContent = Array.from({ length: count }, (_line, at) => at + 1).join("\n");
    }
    numbers.scrollTop = text.scrollTop;
    band.hidden = !(marked && marked.file === shown && marked.line <= count);
    if (band.hidden) return;
    band.style.height = `${height()}px`;
    band.style.top = `${parseFloat(getComputedStyle(text).paddingTop) + (marked.line - 1) * height() - text.scrollTop}px`;
  }

  function show(name) {
    shown = name;
    list.replaceChildren(...Object.keys(files).map((file) => new Option(file, file, false, file === shown)));
    list.closest(".row").hidden = Object.keys(files).length < 2;
    text.value = files[shown] ?? "";
    draw();
  }

  /** Replaces all files; the first is shown, or the one that is named. */
  function open(found, first = Object.keys(found)[0] ?? "") {
    files = { ...found };
    marked = null;
    show(first);
    keep();
  }

  /** Types in the place of what is chosen, so that it can be undone. */
  function type(written) {
    if (document.execCommand("insertText", false, written)) return;
    text.setRangeText(written, text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Indents the lines of what is chosen, or takes that back. */
  function indent(back) {
    const { value, selectionStart: from, selectionEnd: to } = text;
    if (!back && !value.slice(from, to).includes("\n")) return type(INDENT);
    const begin = value.lastIndexOf("\n", from - 1) + 1;
    const end = value.indexOf("\n", Math.max(begin, to - 1));
    const before = value.slice(begin, end < 0 ? value.length : end);
    const written = before.split("\n").map((line) => (back ? line.replace(/^(?: {1,4}|\t)/, "") : line && INDENT + line)).join("\n");
    if (written === before) return;
    text.setSelectionRange(begin, begin + before.length);
    type(written);
    if (from === to) text.setSelectionRange(Math.max(begin, from + written.length - before.length), Math.max(begin, from + written.length - before.length));
    else text.setSelectionRange(begin, begin + written.length);
  }

  text.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
    if (event.key === "Escape") leaves = true;
    else if (event.key === "Tab" && plain && !leaves) {
      event.preventDefault();
      indent(event.shiftKey);
    } else if (event.key === "Enter" && plain && !event.shiftKey) {
      const line = text.value.slice(text.value.lastIndexOf("\n", text.selectionStart - 1) + 1, text.selectionStart);
      event.preventDefault();
      type("\n" + line.match(/^[ \t]*/)[0] + (/:\s*(#.*)?$/.test(line) ? INDENT : ""));
    } else if (event.key !== "Shift" && event.key !== "Tab") leaves = false;
  });
  text.addEventListener("blur", () => { leaves = false; });
  text.addEventListener("scroll", draw);
  text.addEventListener("input", () => {
    files[shown ||= "agent.py"] = text.value;
    marked = null;
    draw();
    keep();
    changed();
  });
  list.addEventListener("change", () => { show(list.value); keep(); });
  new ResizeObserver(draw).observe(text);

  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(key)) ?? {}; } catch { /* nothing is kept, or nothing that can be read */ }
  files = kept.files ?? (text.value ? { "agent.py": text.value } : {}); // what was typed before this script had come
  show(kept.shown in files ? kept.shown : Object.keys(files)[0] ?? "");

  return {
    files: () => ({ ...files }),
    shown: () => shown,
    isEmpty: () => !Object.values(files).some((written) => written.trim()),
    open,
    /** Takes a file in: in the place of one that is called so, or of the only one. */
    take(name, written) {
      const others = name in files || Object.keys(files).length > 1 ? files : {};
      open({ ...others, [name]: written }, name);
    },
    /** Marks a line of a file; goes there with the keyboard where `focus` is true. */
    mark(file, line, focus = false) {
      if (!(file in files)) return;
      if (file !== shown) show(file);
      marked = { file, line };
      text.scrollTop = (line - 1) * height() - text.clientHeight / 2;
      draw();
      if (!focus) return;
      const before = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1), end = text.value.indexOf("\n", before);
      text.focus();
      text.setSelectionRange(before, end < 0 ? text.value.length : end);
    },
    unmark() {
      marked = null;
      draw();
    },
    forget() {
      try { localStorage.removeItem(key); } catch { /* nothing is kept */ }
    },
  };
}
