import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { texts } from "./lib/i18n.svelte";
import { me } from "./lib/me.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the app");
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  // The page that was kept is an older one: nothing is lost on the start page by showing the newer.
  navigator.serviceWorker.addEventListener("message", (event) => {
    if (event.data === "renewed" && location.pathname === "/") location.reload();
  });
}

void me.look();
try {
  await texts.use(texts.language);
  target.replaceChildren();
  mount(App, { target });
} catch (error) {
  // Its words are those of an older page, or there is no network: it says so in both languages.
  target.querySelector("p")?.removeAttribute("hidden");
  console.error(error);
}
