// The graph of a game's positions: the form is a question, the answer a picture; all of it stands in the address.
import { ask, put } from "./damier.js";
import { zoomed } from "./zoom.js";

const form = document.getElementById("choices");
const size = zoomed(document.querySelector(".tree-stage"), document.getElementById("zoom"));

async function change(values, push) {
  const answer = await ask("graph.show", values);
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
