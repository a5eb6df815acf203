/* Keeps the page itself at hand, so that it opens without a network and says what is wrong. */

/* Another build is another worker, with a cache of its own; the build writes its name here. */
const CACHE = "okey101-page-BUILD";
const FILES = /^\/(icon\.svg|manifest\.webmanifest)$/;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(begin()));

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== self.location.origin) return;
    if (url.pathname.startsWith("/api/")) return;
    if (request.mode === "navigate") event.respondWith(fresh(request, "/"));
    else if (url.pathname.startsWith("/assets/")) event.respondWith(kept(request));
    else if (FILES.test(url.pathname)) event.respondWith(fresh(request, request));
});

async function begin() {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("okey101-page") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
}

/* From the network; what was kept is only for when there is none. */
async function fresh(request, key) {
    const cache = await caches.open(CACHE);
    try {
        const answer = await fetch(request);
        const page = answer.headers.get("Content-Type")?.startsWith("text/html");
        if (answer.ok && (key !== "/" || page)) await cache.put(key, answer.clone());
        return answer;
    } catch (error) {
        const old = await cache.match(key);
        if (old) return old;
        throw error;
    }
}

/* A file whose name tells its contents never changes. */
async function kept(request) {
    const cache = await caches.open(CACHE);
    const old = await cache.match(request);
    if (old) return old;
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
}
