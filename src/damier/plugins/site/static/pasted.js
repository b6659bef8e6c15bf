// A file of the reader's own: put into the field, and handed to the lab in this tab.
import { ask, visit } from "./damier.js";

const form = document.querySelector("[data-room=pasted]");
const { name, text, file } = form.elements;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await ask("pasted.take", { name: name.value, text: text.value });
  if (answer) visit(answer.address);
});

form.addEventListener("click", (event) => {
  const example = document.querySelector(`[data-text="${event.target.dataset.example}"]`);
  if (!example) return;
  name.value = example.dataset.name;
  text.value = example.textContent;
  text.focus();
});

file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  name.value = chosen.name;
  text.value = await chosen.text();
});
