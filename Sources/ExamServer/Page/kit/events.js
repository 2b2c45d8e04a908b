/**
 * Results as server-sent events (PROTOCOL.md). They are read with `fetch`, because a browser's own EventSource cannot
 * send a token.
 */
import { api, Problem } from "./api.js";
import { backOff } from "./closing.js";

/** @typedef {{id: string, name: string, data: any}} StreamEvent */

/** Converts text to events, in pieces of any size. */
export class EventReader {
    #rest = "";
    /** @type {Record<string, string>} */
    #event = {};

    /** @param {string} text @returns {StreamEvent[]} the events that ended in it */
    read(text) {
        const lines = (this.#rest + text).split("\n");
        this.#rest = lines.pop() ?? "";
        return lines.map((line) => this.#line(line.replace(/\r$/, ""))).filter(Boolean);
    }

    /**
     * An empty line ends an event. A line that begins with a colon keeps the connection alive.
     *
     * @param {string} line
     * @returns {StreamEvent | null}
     */
    #line(line) {
        if (line === "") {
            const { id, event, data } = this.#event;
            this.#event = {};
            return data === undefined ? null : { id, name: event ?? "message", data: JSON.parse(data) };
        }
        const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (name) this.#event[name] = value;
        return null;
    }
}

/** Statuses that will not change by trying again. */
const FINAL = [401, 403, 404];

/**
 * Follows changes in a session's results until it is stopped, across broken lines and without gaps. A page in the
 * background does not follow, and catches up when it is visible again.
 *
 * @param {string} session
 * @param {(event: StreamEvent) => void} on
 * @returns {() => void} stops
 */
export const follow = (session, on) => followStream((last, signal) => api.events(session, last, signal), on);

/**
 * Follows any other stream of events.
 *
 * @param {(last: string | null, signal: AbortSignal) => Promise<Response>} open
 * @param {(event: StreamEvent) => void} on
 */
export function followStream(open, on) {
    /** @type {string | null} */
    let last = null;
    /** @type {AbortController | null} */
    let line = null;
    let isOver = false;
    const turned = () => document.hidden && line?.abort();
    document.addEventListener("visibilitychange", turned);
    const stop = () => {
        isOver = true;
        line?.abort();
        document.removeEventListener("visibilitychange", turned);
    };

    async function listen() {
        line = new AbortController();
        const answer = await open(last, line.signal);
        if (!answer.body) return;
        const [reader, pieces] = [new EventReader(), answer.body.pipeThrough(new TextDecoderStream()).getReader()];
        for (;;) {
            const { value, done } = await pieces.read();
            if (done || isOver) return;
            for (const event of reader.read(value)) {
                last = event.id;
                if (event.name === "erased") stop();
                on(event);
            }
        }
    }

    async function goOn() {
        for (let tries = 0; !isOver; tries += 1) {
            await looked();
            const before = last;
            try {
                if (!isOver) await listen();
            } catch (problem) {
                if (problem instanceof Problem && FINAL.includes(problem.status)) stop();
            }
            if (last !== before) tries = 0;
            await new Promise((resolve) => setTimeout(resolve, backOff(tries) * 1000));
        }
    }
    goOn();
    return stop;
}

/**
 * Waits until the page is visible.
 *
 * @returns {Promise<void>}
 */
const looked = async () => {
    if (!document.hidden) return;
    await new Promise((resolve) => {
        const seen = () => {
            if (document.hidden) return;
            document.removeEventListener("visibilitychange", seen);
            resolve(undefined);
        };
        document.addEventListener("visibilitychange", seen);
    });
};
