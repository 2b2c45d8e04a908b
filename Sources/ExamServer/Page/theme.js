/**
 * Light, dark, or as the system has it: kept in this browser, and there before anything is drawn.
 */
const KEPT = "oracy.theme";
const AS_THE_SYSTEM = "screen and (prefers-color-scheme: dark)";

/** Where the browser blocks storage, a choice lives as long as the page. */
let chosen = read();

function read() {
    try {
        return localStorage.getItem(KEPT) ?? "system";
    } catch {
        return "system";
    }
}

function apply() {
    document.getElementById("dark").media = { dark: "screen", light: "not all" }[chosen] ?? AS_THE_SYSTEM;
}

export const theme = {
    get: () => chosen,
    /** @param {"system" | "light" | "dark"} name */
    set(name) {
        chosen = name;
        apply();
        try {
            localStorage.setItem(KEPT, name);
        } catch {
            // It holds until the page is closed.
        }
    },
};

apply();
