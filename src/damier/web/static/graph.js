// The graph of a game's positions: the form is a question, the answer a picture; all of it stands in the address.
import { latestOnly, put } from "./damier.js";
import { zoomed } from "./zoom.js";

const form = document.getElementById("choices");
const stage = document.querySelector(".tree-stage");
const size = zoomed(stage, document.getElementById("zoom"));
const ask = latestOnly();

async function change(values, push) {
  stage.setAttribute("aria-busy", "true"); // a large graph takes seconds
  const answer = await ask("graph.show", values);
  stage.removeAttribute("aria-busy");
  if (!answer) return;
  put(answer.parts);
  size();
  if (push) history.pushState(null, "", answer.state.address);
}

form.addEventListener("submit", (event) => { event.preventDefault(); change(Object.fromEntries(new FormData(form)), true); });
form.addEventListener("change", (event) => { if (event.target.id === "kind") change(Object.fromEntries(new FormData(form)), true); });
addEventListener("popstate", () => {
  const { view: _view, ...values } = Object.fromEntries(new URL(location.href).searchParams);
  change(values, false);
});
size();
