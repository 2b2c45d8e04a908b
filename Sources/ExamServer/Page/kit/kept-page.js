/** Lets the browser keep the page, so that it opens without a network (worker.js). */
export function keepPage() {
    // Browsers offer it only over https and on this machine.
    if (!("serviceWorker" in navigator)) return;
    navigator.serviceWorker.register("/page/worker.js", { scope: "/", updateViaCache: "none" }).catch(() => {
        // The page works without it as long as there is a network.
    });
}
