/** Says that the page cannot be loaded once one of its scripts has failed. Until then it only says that it loads. */
export function watchScripts() {
    addEventListener("error", ({ target }) => {
        if (target instanceof HTMLScriptElement) document.documentElement.dataset.broken = "";
    }, true);
}
