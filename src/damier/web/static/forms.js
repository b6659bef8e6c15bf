// Before anything is painted: a form without an address is a script's. The browser never sends it, which would put a key into the address;
// what is submitted before its script is there waits for it.
let early = [];
addEventListener("submit", (event) => {
  if (event.target.hasAttribute("action")) return;
  event.preventDefault();
  if (!early) return;
  event.stopImmediatePropagation();
  early.push([event.target, event.submitter]);
}, true);

addEventListener("DOMContentLoaded", () => { // every module has run
  const waiting = new Map(early); // a form once, however often it was sent
  early = null;
  for (const [form, button] of waiting) if (form.isConnected) form.requestSubmit(button?.isConnected ? button : undefined);
});
