/**
 * What must not be lost on its way to the server: it is sent until it is there, or until the server says that it does not take it.
 */
import { backOff } from "./closing.js";

/** Seconds that a wait lasts at most, whatever a server asks for. */
const LONGEST = 60;

/** What waits, and how each of them is tried at once. */
const waiting = new Set();
let onTheirWay = 0;

/** Tries at once whatever waits: the line is back, somebody has signed in, or wants it. */
export function hurry() {
    for (const goOn of [...waiting]) goOn();
}
addEventListener("online", hurry);
addEventListener("beforeunload", (event) => onTheirWay > 0 && event.preventDefault());

/** Whether the same request may be taken later; where there is no room for it, something has to be erased first. */
export const isPassing = ({ status, code }) => code !== "storage-full" && (status >= 500 || [0, 401, 408, 429].includes(status));

/** Seconds before the next attempt; without end where somebody has to sign in first. */
export function waitAfter({ status, retryAfter }, tries, chance) {
    if (status === 401) return Infinity;
    return Math.min(LONGEST, Math.max(retryAfter ?? 0, backOff(tries, chance)));
}

/**
 * @param {() => Promise<T>} action
 * @param {(problem: Problem | null) => void} tell what stands in the way just now
 * @returns {Promise<T>}
 * @throws {Problem} where it was refused
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

const pause = (seconds) =>
    new Promise((resolve) => {
        const goOn = () => {
            clearTimeout(timer);
            waiting.delete(goOn);
            resolve();
        };
        const timer = seconds === Infinity ? undefined : setTimeout(goOn, seconds * 1000);
        waiting.add(goOn);
    });

/** Answers to the questions of a test: the last one to each is kept, one after the other. */
export class Keeper {
    #send;
    #on;
    #waiting = new Map();
    /** What is on its way. */
    #current = null;
    #running = null;

    /**
     * @param {(question: string, given: {answer: object, seconds: number}) => Promise<void>} send
     * @param {object} on `changed(count, problem)`: so many are not kept yet, and why; `refused(problem)`
     */
    constructor(send, on) {
        this.#send = send;
        this.#on = on;
    }

    /** @param {number} seconds since the last one to this question: they add up */
    keep(question, answer, seconds) {
        const before = this.#waiting.get(question)?.seconds ?? 0;
        this.#waiting.set(question, { answer, seconds: before + seconds });
        this.#on.changed(this.#waiting.size, null);
        this.#running ??= this.#run();
    }

    /** What is not kept, as a hand-in takes it. */
    get open() {
        const all = new Map(this.#waiting);
        if (this.#current && !all.has(this.#current[0])) all.set(...this.#current);
        return [...all].map(([questionId, { answer }]) => ({ questionId, answer }));
    }

    /** Everything is kept, or so many seconds have passed. */
    async settle(seconds) {
        hurry();
        await Promise.race([this.#running, new Promise((resolve) => setTimeout(resolve, seconds * 1000))]);
    }

    async #run() {
        while (this.#waiting.size > 0) {
            const [question, given] = this.#waiting.entries().next().value;
            // Taken when it is sent, so that what is chosen meanwhile is not thrown away with it.
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

    /** Where an attempt failed and something else was chosen meanwhile, that goes. */
    #newest(question, given) {
        const later = this.#waiting.get(question);
        if (!later) return given;
        this.#waiting.delete(question);
        return Object.assign(given, { answer: later.answer, seconds: given.seconds + later.seconds });
    }
}

/** How long something is looked at: not while the page is in the background. */
export class Stopwatch {
    #now;
    #since = null;
    #seconds = 0;

    constructor(now = () => performance.now() / 1000) {
        this.#now = now;
    }

    /** Begins anew. */
    start(isSeen = !document.hidden) {
        this.#seconds = 0;
        this.#since = isSeen ? this.#now() : null;
    }

    see(isSeen) {
        this.#seconds += this.#since === null ? 0 : this.#now() - this.#since;
        this.#since = isSeen ? this.#now() : null;
    }

    /** Seconds since the last lap. */
    lap() {
        this.see(this.#since !== null);
        const seconds = Math.round(this.#seconds * 10) / 10;
        this.#seconds = 0;
        return seconds;
    }
}
