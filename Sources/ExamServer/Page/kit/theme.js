/** Light or dark colours, or the system's choice. It is stored in this browser and applied before anything is drawn. */
const KEPT = "oracy.theme";
const AS_THE_SYSTEM = "screen and (prefers-color-scheme: dark)";

/** The choice, which lives only as long as the page if the browser blocks storage. */
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
            // The choice holds until the page is closed.
        }
    },
};

apply();
