// All games: a game is found by typing; own games are loaded, and what is known exactly about each is worked out, after the page is there.
import { ask, put } from "./damier.js";

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

document.querySelector("[data-find]").addEventListener("input", ({ target }) => {
  const wanted = plain(target.value.trim()).split(/\s+/);
  let found = 0;
  for (const group of document.querySelectorAll(".group")) {
    const games = [...group.querySelectorAll(".game")];
    for (const game of games) game.hidden = !wanted.every((word) => plain(game.textContent).includes(word));
    const shown = games.filter((game) => !game.hidden).length;
    group.hidden = !shown;
    found += shown;
  }
  document.querySelector("[data-none]").hidden = found > 0;
});

for (const place of document.querySelectorAll("[data-card]")) {
  const answer = await ask("gallery.card", { game: place.dataset.card });
  if (answer) put(answer.parts);
}

for (const place of document.querySelectorAll("[data-facts]")) {
  const answer = await ask("gallery.facts", { game: place.dataset.facts });
  if (answer) put(answer.parts);
  else place.textContent = "";
}
