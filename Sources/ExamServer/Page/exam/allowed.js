/**
 * The wishes that a candidate may make now. The server lists them in each `state` (PROTOCOL.md, `allowed`), and the
 * page shows them. Pure.
 */

/**
 * Returns the buttons to show, and which of them work now: those for granted wishes, and those for wishes that will be
 * granted after some time.
 *
 * @param {Partial<LiveState>} state
 * @param {boolean} isOpen whether the server is connected
 * @param {number} passed seconds since the state came
 * @returns {{shown: Set<string>, now: Set<string>, later: Map<string, number>}} `later`: the seconds until each wish is
 *     granted
 */
export function offers({ allowed = [], allowedIn = {} }, isOpen, passed) {
    const later = new Map(Object.entries(allowedIn).map(([wish, seconds]) => [wish, Math.max(0, seconds - passed)]));
    // The candidate may always leave. All other wishes need the server.
    return {
        shown: new Set([...allowed, ...later.keys(), "leave"]),
        now: new Set(isOpen ? [...allowed, "leave"] : ["leave"]),
        later,
    };
}

/**
 * Whether `state` results from granting a wish: each wish is granted only once.
 *
 * @param {string} wish
 * @param {Partial<LiveState>} state
 */
export function isGranted(wish, { allowed = [] }) {
    return !allowed.includes(wish);
}
