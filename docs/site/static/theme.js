// The button for light and dark. Debian 12's Furo ships its script as an unbundled module, which browsers refuse to run
// from a page's plain script element, so the button would be dead and stay hidden.
document.documentElement.classList.remove("no-js");
window.addEventListener("DOMContentLoaded", () => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const others = () => (dark.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"]);
  const switch_theme = () => {
    const order = others();
    const theme = order[(order.indexOf(document.body.dataset.theme) + 1) % order.length];
    document.body.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  };
  for (const button of document.getElementsByClassName("theme-toggle")) button.addEventListener("click", switch_theme);
});
