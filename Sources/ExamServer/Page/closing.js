/**
 * What a page does when its connection ends: the table of codes in PROTOCOL.md, and how long to wait before the next attempt.
 */

/** `again`: another connection is opened; `token`: with a new live token; `wait`: after so many seconds, else the back-off's. */
const CODES = {
    1000: { again: false },
    1001: { again: true, wait: 1 },
    1003: { again: false, why: "fault" },
    1007: { again: false, why: "fault" },
    1009: { again: false, why: "fault" },
    4400: { again: false, why: "fault" },
    4401: { again: true, token: true },
    4404: { again: false, why: "gone" },
    4408: { again: true },
    4409: { again: false, why: "elsewhere" },
    4410: { again: false, why: "over" },
    4421: { again: true },
    4429: { again: true },
    4500: { again: true, wait: 1 },
};

/**
 * @param {number} code of the close; those that nobody named, 1006 of a broken line among them, are the network's doing: another
 *     attempt
 * @param {boolean} wasOpen whether the server had welcomed this connection. A token that was good and is not any more was
 *     replaced by another page's: to replace that one's in turn would have the two take the exam from each other for ever.
 */
export function afterClose(code, wasOpen) {
    if (code === 4401 && wasOpen) return CODES[4409];
    return CODES[code] ?? { again: true };
}

/**
 * Seconds before attempt `tries` (0, 1, 2 …): 0.25, doubled each time, 5 at most. Chance takes off up to half, so that the pages
 * of a server that was started again do not all come at once.
 *
 * @param {number} chance 0 … 1
 */
export function backOff(tries, chance = Math.random()) {
    const longest = Math.min(0.25 * 2 ** tries, 5);
    return Math.max(0.25, longest * (1 - chance / 2));
}
