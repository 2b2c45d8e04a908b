/**
 * A line, as an exam needs it: a second of sound goes to the server and comes back.
 */
import { api } from "./api.js";

/** Bytes of a second of sound as it will be sent: Opus at 32 kbit/s, or samples. */
const SECOND = { opus: 4_000, pcm: 32_000 };

/** The least that is sent to measure a rate: less says more about the delay. */
const LEAST = 16_000;

/**
 * @param {"opus" | "pcm"} sound how the exam will send it
 * @returns {Promise<{delay: number, share: number}>} `delay` there and back, in seconds; `share`: how many times as much as the exam
 *     needs the line carries, there and back
 */
export async function measureLine(sound) {
    const bytes = Math.max(SECOND[sound], LEAST);
    await api.echo(1); // Opens the connection.
    const delay = Math.min(await seconds(1), await seconds(1));
    const carried = Math.max((await seconds(bytes)) - delay, 0.001);
    return { delay, share: bytes / SECOND[sound] / carried };
}

async function seconds(bytes) {
    const began = performance.now();
    await api.echo(bytes);
    return (performance.now() - began) / 1000;
}

/** What that means for an exam. `share` is of both ways, one after the other: half of it is one way's. */
export function lineWords({ delay, share }) {
    const milliseconds = `${Math.round(delay * 1000)} ms there and back`;
    if (share < 1) return `Slow (${milliseconds}). An exam is possible; it will stand still now and then until the line has caught up.`;
    if (delay > 1) return `Your line is fast enough, but answers slowly (${milliseconds}): the examiner will seem to hesitate.`;
    return `Fine (${milliseconds}).`;
}
