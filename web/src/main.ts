import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { texts } from "./lib/i18n.svelte";
import { me } from "./lib/me.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the app");
await Promise.all([texts.use(texts.language), me.look()]);
mount(App, { target });

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  navigator.serviceWorker.register("/sw.js").catch(() => undefined);
}
