// Before anything is painted: the colours that the reader chose earlier on this machine.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* a browser that keeps nothing shows what the system prefers */ }

addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement, button = document.getElementById("theme");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => { button.textContent = isDark() ? button.dataset.light : button.dataset.dark; };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* chosen for this page only */ }
    label();
  });
  for (const link of document.querySelectorAll("a[data-language]")) { // the same page, in another language
    link.addEventListener("click", () => {
      const here = new URL(location.href);
      here.searchParams.set("lang", link.dataset.language);
      link.href = here.href;
    });
  }
  let onScreen; // paper is white, whatever the screen shows
  addEventListener("beforeprint", () => { onScreen = root.dataset.theme; root.dataset.theme = "light"; });
  addEventListener("afterprint", () => { if (onScreen) root.dataset.theme = onScreen; else delete root.dataset.theme; });
  label();
});
