/**
 * What a user wrote and the server does not have yet. It is kept in this tab until the server has it, so that it
 * survives a reload and another sign-in. Another user of the tab does not get it.
 */
const KEPT = "oracy.draft.";

let writer = "";

/**
 * Names the user who writes from now on.
 *
 * @param {string} user
 */
export const writesAs = (user) => (writer = user);

/** Forgets all drafts: the user signs out. */
export function forgetDrafts() {
    stored((storage) => {
        for (const key of Object.keys(storage)) if (key.startsWith(KEPT)) storage.removeItem(key);
    });
}

/** One draft, of a value that can be written as JSON. */
export class Draft {
    #key;

    /** @param {(string | number)[]} names what is written, such as the words of an answer */
    constructor(...names) {
        this.#key = KEPT + names.join(" ");
    }

    /** @returns {any} undefined if there is none */
    get() {
        const text = stored((storage) => storage.getItem(this.#key));
        if (!text) return undefined;
        const { user, value } = JSON.parse(text);
        return user === writer ? value : undefined;
    }

    /** @param {unknown} value */
    keep(value) {
        stored((storage) => storage.setItem(this.#key, JSON.stringify({ user: writer, value })));
    }

    drop() {
        stored((storage) => storage.removeItem(this.#key));
    }
}

/**
 * @template Value
 * @param {(storage: Storage) => Value} use
 */
function stored(use) {
    try {
        return use(sessionStorage);
    } catch {
        return null; // The browser blocks storage, or it is full: the draft lives as long as the page.
    }
}
