/**
 * Slows speech without changing its pitch: overlapping pieces of the sound, each at the position that best continues
 * the one before (WSOLA: Verhelst & Roelands, ICASSP 1993).
 */

/** Seconds of a piece: at least two periods of a deep voice. Pieces overlap by half. */
const PIECE = 0.04;

/** The seconds around its place in which a piece is searched for: half a period of a voice of 50 Hz. */
const REACH = 0.01;

/** Samples are compared 16,000 times a second, which is enough for a voice. */
const COMPARED = 16000;

/**
 * The most seconds that a clip gets longer. The server waits five seconds for the end of a clip that takes longer than
 * it should.
 */
const MOST_LONGER = 4;

/**
 * Returns the speed for a clip. Long clips are slowed less.
 *
 * @param {number} length seconds
 * @param {number} wanted such as 0.8
 */
export const speedOf = (length, wanted) => Math.max(wanted, length / (length + MOST_LONGER));

/**
 * @param {Float32Array} samples
 * @param {number} rate samples a second
 * @param {number} speed 0.5 … 1
 * @returns {Float32Array} as many samples as the speed makes of them, give or take a piece
 */
export function slowed(samples, rate, speed) {
    const step = Math.round((PIECE / 2) * rate);
    const [piece, last] = [2 * step, samples.length - 2 * step];
    if (speed >= 1 || last <= piece) return samples;
    const window = Float32Array.from({ length: piece }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / piece));
    const made = new Float32Array(Math.floor(samples.length / speed) + piece);
    let [place, written] = [0, 0];
    for (let number = 1; ; number += 1) {
        for (let n = 0; n < piece; n += 1) made[written + n] += samples[place + n] * window[n];
        written += step;
        const due = Math.floor(number * step * speed);
        if (due > last || written + piece > made.length) return made.subarray(0, written + step);
        place = best(samples, due, Math.min(place + step, last), { rate, piece, last });
    }
}

/**
 * Returns the position near `due` whose sound is most like the sound that would have come next.
 *
 * @param {Float32Array} samples
 * @param {number} due
 * @param {number} next
 * @param {{rate: number, piece: number, last: number}} of
 */
function best(samples, due, next, { rate, piece, last }) {
    const [reach, hop] = [Math.round(REACH * rate), Math.max(1, Math.round(rate / COMPARED))];
    let [found, most] = [due, -Infinity];
    for (let place = Math.max(0, due - reach); place <= Math.min(last, due + reach); place += 2 * hop) {
        let likeness = 0;
        for (let n = 0; n < piece; n += 4 * hop) likeness += samples[place + n] * samples[next + n];
        if (likeness > most) [found, most] = [place, likeness];
    }
    return found;
}
