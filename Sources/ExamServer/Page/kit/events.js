/**
 * Results as server-sent events (PROTOCOL.md). They are read with `fetch`, because a browser's own EventSource cannot
 * send a token.
 */
import { api, Problem } from "./api.js";
import { backOff } from "./closing.js";

/** Converts text to events, in pieces of any size. */
export class EventReader {
    #rest = "";
    #event = {};

    /** @param {string} text @returns {{id: string, name: string, data: object}[]} the events that ended in it */
    read(text) {
        const lines = (this.#rest + text).split("\n");
        this.#rest = lines.pop();
        return lines.map((line) => this.#line(line.replace(/\r$/, ""))).filter(Boolean);
    }

    /** An empty line ends an event. A line that begins with a colon keeps the connection alive. */
    #line(line) {
        if (line === "") {
            const { id, event, data } = this.#event;
            this.#event = {};
            return data === undefined ? null : { id, name: event ?? "message", data: JSON.parse(data) };
        }
        const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
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
 * @param {(event: {name: string, data: object}) => void} on
 * @returns {() => void} stops
 */
export const follow = (session, on) => followStream((last, signal) => api.events(session, last, signal), on);

/** Follows any other stream of events. @param {(last: string | null, signal: AbortSignal) => Promise<Response>} open */
export function followStream(open, on) {
    let [last, line, isOver] = [null, null, false];
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

/** Waits until the page is visible. */
const looked = () =>
    new Promise((resolve) => {
        if (!document.hidden) return resolve();
        const seen = () => {
            if (document.hidden) return;
            document.removeEventListener("visibilitychange", seen);
            resolve();
        };
        document.addEventListener("visibilitychange", seen);
    });
