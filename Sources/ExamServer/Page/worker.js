/**
 * Opens the page without a network. It keeps one version of the page, whole: the page and the files that it names.
 * Everything else, such as what a learner did, is never stored here. The server fills in the version and the addresses.
 */
const pageVersion = "pageVersion";
/** @type {string[]} */
const pageFiles = ["pageFiles"];

addEventListener("install", (event) => event.waitUntil(keepPage()));
addEventListener("activate", (event) => event.waitUntil(forgetOlderPages()));
addEventListener("fetch", (event) => {
    const { method, mode, url } = event.request;
    const { origin, pathname } = new URL(url);
    if (method !== "GET" || origin !== location.origin) return;
    if (mode === "navigate" && pathname === "/") event.respondWith(newestPage(event.request));
    else if (pageFiles.includes(pathname)) event.respondWith(keptFile(event.request));
});

/** Stores all of this version or nothing: another node may already serve the next one. */
async function keepPage() {
    const page = await fetch("/", { cache: "no-cache" });
    const text = await page.clone().text();
    if (!page.ok || !pageFiles.every((file) => text.includes(`"${file}"`))) {
        throw new Error("The server has another version of the page.");
    }
    const cache = await caches.open(pageVersion);
    await cache.addAll(pageFiles);
    await cache.put("/", page);
    await skipWaiting();
}

async function forgetOlderPages() {
    for (const name of await caches.keys()) if (name !== pageVersion) await caches.delete(name);
}

/** @param {Request} request */
async function newestPage(request) {
    try {
        return await fetch(request);
    } catch (problem) {
        const kept = await caches.match("/", { cacheName: pageVersion });
        if (kept) return kept;
        throw problem;
    }
}

/** @param {Request} request */
async function keptFile(request) {
    return (await caches.match(request.url, { cacheName: pageVersion })) ?? fetch(request);
}
