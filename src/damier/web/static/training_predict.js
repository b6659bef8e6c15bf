// "Predict this number": who learns says what a cell will hold before it is learnt from; the page says whether that is so, and counts.
import { put } from "./damier.js";

const form = document.getElementById("predict"), field = form.elements.said;
const verdict = document.querySelector("[data-verdict]"), tally = document.querySelector("[data-tally]");
let step = null, right = 0, asked = 0;

const filled = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Asks for the number of the step that comes next; nothing where none can be known. */
export function expect(next) {
  step = next?.asked ? next : null;
  const focused = form.contains(document.activeElement);
  form.hidden = !step;
  put({ asked: step ? step.asked : "" });
  if (form.hidden && focused) document.querySelector("[data-do=step]").focus({ preventScroll: true });
}

/** What was said of the last number is no more to be seen. */
export function forget() { verdict.textContent = ""; }

/** Calls `shown`, which takes the step, when a number was said; then says whether it is the one. */
export function listen(shown) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim(), said = Number(text.replace(",", ".").replace("−", "-").replace(/^\+/, ""));
    field.setCustomValidity(text !== "" && Number.isFinite(said) ? "" : field.dataset.wrong);
    if (!step || !form.reportValidity()) return;
    const is = Math.abs(said - step.value) <= step.within + 1e-12;
    const value = Number(step.value.toPrecision(6)).toString().replace(".", verdict.dataset.point).replace("-", "−");
    asked += 1;
    right += Number(is);
    field.value = "";
    shown();
    verdict.textContent = filled(is ? verdict.dataset.right : verdict.dataset.wrong, { said: text, value });
    tally.textContent = filled(tally.dataset.tally, { right, asked });
    if (!form.hidden) field.focus({ preventScroll: true });
  });
  field.addEventListener("input", () => field.setCustomValidity(""));
}
