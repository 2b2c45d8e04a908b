/** Light or dark colours, or the system's choice. It is stored in this browser and applied before anything is drawn. */
const KEPT = "oracy.theme";

/**
 * The choice, which lives only as long as the page if the browser blocks storage.
 *
 * @type {string}
 */
let chosen = read();

function read() {
    try {
        return localStorage.getItem(KEPT) ?? "system";
    } catch {
        return "system";
    }
}

function apply() {
    // Without the attribute the system decides (kit/tokens.css).
    if (chosen === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
}

export const theme = {
    get: () => chosen,
    apply,
    /** @param {string} name "system", "light" or "dark" */
    set(name) {
        chosen = name;
        apply();
        try {
            localStorage.setItem(KEPT, name);
        } catch {
            // The choice stays in effect until the page is closed.
        }
    },
};
