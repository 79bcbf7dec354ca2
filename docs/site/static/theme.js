// The button for light and dark, and the system's choice. Debian 12's Furo ships its script as an unbundled module, which
// browsers refuse to run from a page's plain script element, so the button would be dead and stay hidden; and its style
// sheet has lost the rules for a system that prefers dark, so that "auto" would be light around dark code.
document.documentElement.classList.remove("no-js");
window.addEventListener("DOMContentLoaded", () => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let theme = localStorage.getItem("theme") || "auto";
  const apply = () => {
    document.body.dataset.theme = theme === "auto" && dark.matches ? "dark" : theme;
  };
  apply();
  dark.addEventListener("change", apply);
  const others = () => (dark.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"]);
  const switch_theme = () => {
    const order = others();
    theme = order[(order.indexOf(theme) + 1) % order.length];
    localStorage.setItem("theme", theme);
    apply();
  };
  for (const button of document.getElementsByClassName("theme-toggle")) button.addEventListener("click", switch_theme);
});
