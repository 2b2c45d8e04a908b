/**
 * The reaction to the end of a connection: the table of codes in PROTOCOL.md, and the delay before the next attempt.
 */

/**
 * `again`: open another connection; `token`: with a new live token; `wait`: after this many seconds instead of the
 * back-off's delay.
 *
 * @type {Record<number, {again: boolean, wait?: number, token?: boolean, why?: string}>}
 */
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
 * @param {number} code of the close. Unknown codes, including 1006 for a broken line, are caused by the network: try
 *     again
 * @param {boolean} wasOpen whether the server had welcomed this connection. If its token has become invalid, another
 *     page has replaced it. Replacing that page's token in turn would make the two pages take the exam from each other
 *     for ever.
 */
export function afterClose(code, wasOpen) {
    return CODES[code === 4401 && wasOpen ? 4409 : code] ?? { again: true };
}

/**
 * Returns the seconds before attempt `tries` (0, 1, 2 …): 0.25, doubled each time, at most 5. A random part of up to
 * half is subtracted, so that the pages of a restarted server do not all come at once.
 *
 * @param {number} tries
 * @param {number} chance 0 … 1
 */
export function backOff(tries, chance = Math.random()) {
    const longest = Math.min(0.25 * 2 ** tries, 5);
    return Math.max(0.25, longest * (1 - chance / 2));
}
