// The first page: own games are loaded, and what is known exactly about each game is worked out, after the page is there, one after the other.
import { ask, put } from "./damier.js";

for (const place of document.querySelectorAll("[data-card]")) {
  const answer = await ask("gallery.card", { game: place.dataset.card });
  if (answer) put(answer.parts);
}

for (const place of document.querySelectorAll("[data-facts]")) {
  const answer = await ask("gallery.facts", { game: place.dataset.facts });
  if (answer) put(answer.parts);
  else place.textContent = "";
}
