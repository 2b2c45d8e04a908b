/** Light or dark colours, or the system's choice. It is stored in this browser and applied before anything is drawn. */
const KEPT = "oracy.theme";
const AS_THE_SYSTEM = "screen and (prefers-color-scheme: dark)";

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
    const media = { dark: "screen", light: "not all" }[chosen] ?? AS_THE_SYSTEM;
    document.getElementById("dark")?.setAttribute("media", media);
}

export const theme = {
    get: () => chosen,
    /** @param {string} name "system", "light" or "dark" */
    set(name) {
        chosen = name;
        apply();
        try {
            localStorage.setItem(KEPT, name);
        } catch {
            // The choice holds until the page is closed.
        }
    },
};

apply();
