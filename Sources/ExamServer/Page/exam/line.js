/** Measures the line as an exam uses it: sends a second of sound to the server and gets it back. */
import { api } from "../kit/api.js";

/** The bytes of a second of sound as it will be sent: Opus at 32 kbit/s, or samples. */
const SECOND = { opus: 4_000, pcm: 32_000 };

/** The minimum number of bytes for measuring a rate. With fewer, the delay dominates. */
const LEAST = 16_000;

/**
 * @param {"opus" | "pcm"} sound the form in which the exam will send it
 * @returns {Promise<{delay: number, share: number}>} `delay` in both directions, in seconds; `share`: the line's rate
 *     in both directions as a multiple of the rate that the exam needs
 */
export async function measureLine(sound) {
    const bytes = Math.max(SECOND[sound], LEAST);
    await api.echo(1); // Opens the connection.
    const delay = Math.min(await seconds(1), await seconds(1));
    const carried = Math.max((await seconds(bytes)) - delay, 0.001);
    return { delay, share: bytes / SECOND[sound] / carried };
}

/** @param {number} bytes */
async function seconds(bytes) {
    const began = performance.now();
    await api.echo(bytes);
    return (performance.now() - began) / 1000;
}

/**
 * Returns what the measurement means for an exam. `share` is for both directions one after the other, so one direction
 * alone carries about twice as much.
 *
 * @param {{delay: number, share: number}} measured
 */
export function lineWords({ delay, share }) {
    const milliseconds = `${Math.round(delay * 1000)} ms there and back`;
    if (share < 1) {
        return (
            `Slow (${milliseconds}). An exam is possible; ` +
            "it will stand still now and then until the line has caught up."
        );
    }
    if (delay > 1) {
        return `Your line is fast enough, but answers slowly (${milliseconds}): the examiner will seem to hesitate.`;
    }
    return `Fine (${milliseconds}).`;
}
