/* Keeps the page itself at hand, so that it opens without a network and says what is wrong. */

const CACHE = "okey101-page";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== self.location.origin) return;
    if (url.pathname.startsWith("/api/") || url.pathname.startsWith("/ws/")) return;
    event.respondWith(answer(request, url));
});

async function answer(request, url) {
    const cache = await caches.open(CACHE);
    const page = request.mode === "navigate";
    const key = page ? "/" : request;
    if (url.pathname.startsWith("/assets/")) {
        const kept = await cache.match(key);
        if (kept) return kept;
    }
    try {
        const fresh = await fetch(request);
        if (fresh.ok) await cache.put(key, fresh.clone());
        return fresh;
    } catch (error) {
        const kept = await cache.match(key);
        if (kept) return kept;
        throw error;
    }
}
