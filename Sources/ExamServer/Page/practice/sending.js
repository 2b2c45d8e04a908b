/** Sends data that must not be lost until the server has it, or refuses it. */
import { backOff } from "../kit/closing.js";

/** The maximum wait in seconds, even if the server requests a longer one. */
const LONGEST = 60;

/** The waiting requests, each with a function to try at once. */
const waiting = new Set();
let onTheirWay = 0;

/** Tries all waiting requests without delay, because the line is back, the user has signed in, or asks for it. */
export function hurry() {
    for (const goOn of [...waiting]) goOn();
}
addEventListener("online", hurry);
addEventListener("beforeunload", (event) => onTheirWay > 0 && event.preventDefault());

/**
 * Whether the same request may succeed later. If the storage is full, something must be erased first.
 *
 * @param {{status: number, code?: string}} problem
 */
export const isPassing = ({ status, code }) =>
    code !== "storage-full" && (status >= 500 || [0, 401, 408, 429].includes(status));

/**
 * Returns the seconds before the next attempt. Infinite if the user must sign in first.
 *
 * @param {{status: number, retryAfter?: number}} problem
 * @param {number} tries
 * @param {number} [chance]
 */
export function waitAfter({ status, retryAfter }, tries, chance) {
    if (status === 401) return Infinity;
    return Math.min(LONGEST, Math.max(retryAfter ?? 0, backOff(tries, chance)));
}

/**
 * @param {() => Promise<T>} action
 * @param {(problem: import("../kit/api.js").Problem | null) => void} tell called with the current obstacle
 * @returns {Promise<T>}
 * @throws {Problem} if it was refused
 * @template T
 */
export async function sendUntilThere(action, tell) {
    onTheirWay += 1;
    try {
        for (let tries = 0; ; tries += 1) {
            try {
                return await action();
            } catch (problem) {
                if (!("status" in problem) || !isPassing(problem)) throw problem;
                tell(problem);
                await pause(waitAfter(problem, tries));
            }
        }
    } finally {
        onTheirWay -= 1;
        tell(null);
    }
}

/** @param {number} seconds */
const pause = (seconds) =>
    new Promise((resolve) => {
        const goOn = () => {
            clearTimeout(timer);
            waiting.delete(goOn);
            resolve(undefined);
        };
        const timer = seconds === Infinity ? undefined : setTimeout(goOn, seconds * 1000);
        waiting.add(goOn);
    });

/** The answers to a test's questions. The last answer to each is saved, one after the other. */
export class Keeper {
    #send;
    #on;
    /** @type {Map<string, {answer: any, seconds: number}>} */
    #waiting = new Map();
    /**
     * The answer on its way, with its question.
     *
     * @type {[string, {answer: any, seconds: number}] | null}
     */
    #current = null;
    /** @type {Promise<void> | null} */
    #running = null;

    /**
     * @param {(question: string, given: {answer: any, seconds: number}) => Promise<unknown>} send
     * @param {{changed: (count: number, problem: any) => void, refused: (problem: any) => void}} on
     *     `changed(count, problem)`: the number of unsaved answers, and the reason; `refused(problem)`
     */
    constructor(send, on) {
        this.#send = send;
        this.#on = on;
    }

    /**
     * Saves an answer in place of an earlier one to the same question.
     *
     * @param {string} question
     * @param {any} answer in the server's form
     * @param {number} seconds of looking at the question so far, as the server counts them
     */
    keep(question, answer, seconds) {
        this.#waiting.set(question, { answer, seconds });
        this.#on.changed(this.#waiting.size, null);
        this.#running ??= this.#run();
    }

    /** The unsaved answers by their questions. */
    get unsent() {
        const all = new Map(this.#waiting);
        if (this.#current && !all.has(this.#current[0])) all.set(...this.#current);
        return [...all];
    }

    /** The unsaved answers, in the form for handing in. */
    get open() {
        return this.unsent.map(([questionId, { answer }]) => ({ questionId, answer }));
    }

    /**
     * Waits until everything is saved, or this many seconds have passed.
     *
     * @param {number} seconds
     */
    async settle(seconds) {
        hurry();
        await Promise.race([this.#running, new Promise((resolve) => setTimeout(resolve, seconds * 1000))]);
    }

    async #run() {
        while (this.#waiting.size > 0) {
            const [question, given] = this.#waiting.entries().next().value;
            // Removed when it is sent, so that a newer choice is not removed with it.
            this.#waiting.delete(question);
            this.#current = [question, given];
            try {
                await sendUntilThere(
                    () => this.#send(question, this.#newest(question, given)),
                    (problem) => problem && this.#on.changed(this.#waiting.size + 1, problem),
                );
                this.#current = null;
                this.#on.changed(this.#waiting.size, null);
            } catch (problem) {
                this.#waiting.clear();
                this.#on.refused(problem);
            }
            this.#current = null;
        }
        this.#running = null;
    }

    /** Returns the newer answer if another one was chosen while an attempt failed. */
    #newest(question, given) {
        const later = this.#waiting.get(question);
        if (!later) return given;
        this.#waiting.delete(question);
        return Object.assign(given, later);
    }
}

/** Measures how long something is visible, without the time that the page is in the background. */
export class Stopwatch {
    #now;
    /** @type {number | null} */
    #since = null;
    #seconds = 0;

    constructor(now = () => performance.now() / 1000) {
        this.#now = now;
    }

    /** Starts again. */
    start(isSeen = !document.hidden) {
        this.#seconds = 0;
        this.#since = isSeen ? this.#now() : null;
    }

    /** @param {boolean} isSeen */
    see(isSeen) {
        this.#seconds += this.#since === null ? 0 : this.#now() - this.#since;
        this.#since = isSeen ? this.#now() : null;
    }

    /** Returns the seconds since the last lap. */
    lap() {
        this.see(this.#since !== null);
        const seconds = Math.round(this.#seconds * 10) / 10;
        this.#seconds = 0;
        return seconds;
    }
}
