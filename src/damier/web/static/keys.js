// What keys need on every page: whatever scrolls sideways can be reached with them, and a drawer that is open closes by Escape.

/** What scrolls sideways can be scrolled with keys, too; what does not is no stop on their way. */
function reach() {
  for (const inside of document.querySelectorAll("main svg.damier, main .wide > table")) {
    const box = inside.parentElement, scrolls = box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === "auto";
    if (scrolls && box.tabIndex < 0) { box.tabIndex = 0; box.dataset.reached = ""; }
    if (!scrolls && "reached" in box.dataset) { box.removeAttribute("tabindex"); delete box.dataset.reached; }
  }
}

addEventListener("DOMContentLoaded", () => {
  let asked = 0;
  const soon = () => { cancelAnimationFrame(asked); asked = requestAnimationFrame(reach); };
  new MutationObserver(soon).observe(document.getElementById("main"), { childList: true, subtree: true });
  addEventListener("resize", soon);
  soon();
});

addEventListener("keydown", (event) => {
  const drawer = event.key === "Escape" && !event.defaultPrevented && !event.isComposing && event.target.closest?.("main details[open]");
  if (!drawer || event.target.matches("select")) return; // Escape closes the list of a choice first
  drawer.open = false;
  drawer.querySelector("summary").focus();
});
