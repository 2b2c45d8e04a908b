/**
 * What a candidate may ask for: the server says it in each `state` (PROTOCOL.md, `allowed`), and it is shown. Pure.
 */

/** Which buttons there are, and which of them do something now. */
export class Offers {
    /** What was allowed at any time so far: its button stays, so that the others stay where they are. */
    #known = new Set();

    /**
     * @param {object} state of PROTOCOL.md
     * @param {boolean} isOpen whether the server listens
     * @returns {{shown: Set<string>, now: Set<string>}}
     */
    of({ allowed = [] }, isOpen) {
        for (const wish of allowed) this.#known.add(wish);
        // Whoever wants to go may go at any time; everything else is asked of the server.
        const shown = new Set([...this.#known, "leave"]);
        // One is where the other was.
        shown.delete(allowed.includes("continue") ? "pause" : "continue");
        return { shown, now: new Set(isOpen ? [...allowed, "leave"] : ["leave"]) };
    }
}

/** Whether `state` is one that a wish was to lead to: it is granted once. */
export function isGranted(wish, { allowed = [] }) {
    return !allowed.includes(wish);
}
