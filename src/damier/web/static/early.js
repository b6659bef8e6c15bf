// Before anything is painted: what a person does before the script that it is for is there waits for it, once, however often it was done. A form
// without an address is a script's: the browser never sends it, which would put a key into the address. So is a button that sends no form, and
// opens nothing by itself.
let early = new Map(); // a form or a button -> what is done once all scripts are there

/** Holds an event back as long as scripts are missing. */
function hold(event, element, later) {
  event.stopImmediatePropagation();
  early.set(element, later);
}

addEventListener("submit", (event) => {
  const form = event.target, button = event.submitter;
  if (form.hasAttribute("action")) return;
  event.preventDefault();
  if (early) hold(event, form, () => form.requestSubmit(button?.isConnected ? button : undefined));
}, true);

addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (!early || !button || button.popoverTargetElement || (button.type === "submit" && button.form)) return;
  hold(event, button, () => button.click());
}, true);

addEventListener("DOMContentLoaded", () => { // every module has run
  const waiting = early;
  early = null;
  for (const [element, act] of waiting) if (element.isConnected) act();
});
