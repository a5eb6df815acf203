/*
 * Keeps the page itself at hand: it opens at once on a slow line, and without any it says what is
 * possible. Whether there is a newer one is found out meanwhile and told to who reads the old one.
 */

/* Another build is another worker, with a cache of its own; the build writes its name here. */
const CACHE = "okey101-page-BUILD";
const SCREEN = /^\/(new|matches|rules|settings|account|learn|[tm]\/[^/]+)?$/;
const FILES = /^\/(icon\.svg|manifest\.webmanifest)$/;

self.addEventListener("install", (event) => {
    self.skipWaiting();
    event.waitUntil(caches.open(CACHE).then((cache) => renew(cache, null)));
});

self.addEventListener("activate", (event) => event.waitUntil(begin()));

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== self.location.origin) return;
    if (url.pathname.startsWith("/api/rules/")) event.respondWith(fresh(request));
    if (url.pathname.startsWith("/api/")) return;
    if (request.mode === "navigate") event.respondWith(page(event));
    else if (url.pathname.startsWith("/assets/")) event.respondWith(kept(request));
    else if (FILES.test(url.pathname)) event.respondWith(fresh(request));
});

/* The files of the build before stay: a page of it may be open, and load more of them. */
async function begin() {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("okey101-page") && name !== CACHE);
    await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
    await self.clients.claim();
}

/* The page that is kept, and the network's for the next time. */
async function page(event) {
    const { request } = event;
    event.waitUntil(stillReached().catch(() => undefined));
    const path = new URL(request.url).pathname;
    const cache = await caches.open(CACHE);
    const old = SCREEN.test(path) ? await cache.match("/") : undefined;
    if (old) {
        const copy = old.clone();
        event.waitUntil(copy.text().then((text) => renew(cache, text)));
        return old;
    }
    event.waitUntil(renew(cache, null));
    return fetch(request).catch(async (error) => {
        const any = await cache.match("/");
        if (any) return any;
        throw error;
    });
}

/*
 * Asks for the page itself, whatever screen is shown: that of a table has words of its own, for
 * messengers. The windows are told where it differs from the old one.
 */
async function renew(cache, old) {
    try {
        const answer = await fetch("/", { cache: "no-cache" });
        if (!answer.ok || !isPage(answer)) return;
        await cache.put("/", answer.clone());
        if (old === null || (await answer.text()) === old) return;
        for (const client of await self.clients.matchAll()) client.postMessage("renewed");
    } catch {
        /* no network: the next visit asks again */
    }
}

function isPage(answer) {
    return answer.headers.get("Content-Type")?.startsWith("text/html");
}

/* From the network; what was kept is only for when there is none. */
async function fresh(request) {
    const cache = await caches.open(CACHE);
    try {
        const answer = await fetch(request);
        if (answer.ok) await keep(cache, request, answer);
        return answer;
    } catch (error) {
        const old = await cache.match(request);
        if (old) return old;
        throw error;
    }
}

/* A file whose name tells its contents never changes. */
async function kept(request) {
    const old = await caches.match(request);
    if (old) return old;
    const cache = await caches.open(CACHE);
    const answer = await fetch(request);
    if (answer.ok) await keep(cache, request, answer);
    return answer;
}

/* A device without room for it shows it all the same. */
const keep = (cache, request, answer) => cache.put(request, answer.clone()).catch(() => undefined);

/* Somebody waits: who, and at which family's table, the server says in cipher. */
self.addEventListener("push", (event) => {
    const { text, language, link } = event.data.json();
    const data = `/f/${encodeURIComponent(link)}`;
    const shown = { lang: language, tag: link, icon: "/icon-192.png", data };
    event.waitUntil(self.registration.showNotification(text, shown));
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(reach(event)));

/* Nothing comes through one that another key than the server's was shown for. */
async function stillReached() {
    const device = await self.registration.pushManager.getSubscription();
    const shown = device?.options.applicationServerKey;
    if (!shown) return; // there is none, or the browser does not say
    const letters = btoa(String.fromCharCode(...new Uint8Array(shown)));
    const its = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    await reach({ oldSubscription: device }, its);
}

/*
 * The browser's maker reaches it otherwise from now on: the server that knows it is told how. Where
 * `its` own key is given, only if that is not the server's.
 */
async function reach({ oldSubscription: old, newSubscription: given }, its) {
    const answer = await fetch("/api/me/push");
    const { key, endpoint, quiet_from, quiet_to } = answer.ok ? await answer.json() : {};
    if (!key || !endpoint || key === its || (old && old.endpoint !== endpoint)) return;
    if (its) await old.unsubscribe();
    const asked = { userVisibleOnly: true, applicationServerKey: key };
    const device = (given ?? (await self.registration.pushManager.subscribe(asked))).toJSON();
    const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
    const told = { endpoint: device.endpoint, ...device.keys, quiet_from, quiet_to, zone };
    const headers = { "Content-Type": "application/json" };
    await fetch("/api/me/push", { method: "PUT", headers, body: JSON.stringify(told) });
}

self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data));
});

/* In a window that shows no table, or in one of its own. */
async function open(path) {
    const windows = await self.clients.matchAll({ type: "window" });
    const free = windows.find(({ url }) => !new URL(url).pathname.startsWith("/t/"));
    if (!free) return self.clients.openWindow(path);
    await free.focus();
    return free.navigate(path);
}
