/**
 * The addresses of screens: the part of the page's address after the `#`, such as `#/learn/tests`. Back, Forward and a
 * reload lead to a screen by its address. The server never sees it.
 */

/** Whether the next screen takes the place of the current address instead of following it. */
let replaces = true;

/**
 * Returns the parts of an address: "#/speak/results/1" → ["speak", "results", "1"]
 *
 * @param {string} hash
 */
export const partsOf = (hash) => hash.replace(/^#\/?/, "").split("/").filter(Boolean).map((part) => {
    try {
        return decodeURIComponent(part);
    } catch {
        return part; // Typed by hand.
    }
});

/**
 * Returns an address for links and comparisons.
 *
 * @param {string[]} parts
 */
export const hashOf = (...parts) => `#/${parts.flatMap((part) => part.split("/")).map(encodeURIComponent).join("/")}`;

/**
 * Makes the address that of the screen that is shown now.
 *
 * @param {string} hash
 */
export function settle(hash) {
    if (hash !== location.hash) {
        if (replaces) history.replaceState(null, "", hash);
        else history.pushState(null, "", hash);
    }
    replaces = false;
}

/** Lets the next screen take the place of the current one, to which Back should not lead. */
export const replaceNext = () => (replaces = true);

/**
 * Opens the screen that an address leads to. If a different screen is shown, that one takes its place in the history.
 *
 * @param {() => unknown} open
 */
export async function arriving(open) {
    replaces = true;
    try {
        await open();
    } finally {
        replaces = false;
    }
}
