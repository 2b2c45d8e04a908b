/**
 * What a candidate may ask for: the server says it in each `state` (PROTOCOL.md, `allowed`), and it is shown. Pure.
 */

/**
 * Which buttons there are, and which of them do something now: those that are granted, and those that time alone will allow.
 *
 * @param {object} state of PROTOCOL.md
 * @param {boolean} isOpen whether the server listens
 * @param {number} passed seconds since the state came
 * @returns {{shown: Set<string>, now: Set<string>, later: Map<string, number>}} `later`: in how many seconds
 */
export function offers({ allowed = [], allowedIn = {} }, isOpen, passed) {
    const later = new Map(Object.entries(allowedIn).map(([wish, seconds]) => [wish, Math.max(0, seconds - passed)]));
    // Whoever wants to go may go at any time; everything else is asked of the server.
    return { shown: new Set([...allowed, ...later.keys(), "leave"]), now: new Set(isOpen ? [...allowed, "leave"] : ["leave"]), later };
}

/** Whether `state` is one that a wish was to lead to: it is granted once. */
export function isGranted(wish, { allowed = [] }) {
    return !allowed.includes(wish);
}
