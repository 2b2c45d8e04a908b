/**
 * Results as they come: server-sent events (PROTOCOL.md). They are read with `fetch`, since a browser's own EventSource sends no token.
 */
import { api, Problem } from "./api.js";
import { backOff } from "./closing.js";

/** Text in, events out, in whatever pieces it comes. */
export class EventReader {
    #rest = "";
    #event = {};

    /** @param {string} text @returns {{id: string, name: string, data: object}[]} those that ended in it */
    read(text) {
        const lines = (this.#rest + text).split("\n");
        this.#rest = lines.pop();
        return lines.map((line) => this.#line(line.replace(/\r$/, ""))).filter(Boolean);
    }

    /** An empty line ends an event; one that begins with a colon says that the line stands. */
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

/** Whoever may not have the results may not have them later. */
const FINAL = [401, 403, 404];

/**
 * Follows what becomes of a session's results, until it is told to stop: over lost lines, and from where it was. A page in the background
 * follows nothing, and catches up when it is looked at.
 *
 * @param {(event: {name: string, data: object}) => void} on
 * @returns {() => void} stops
 */
export const follow = (session, on) => followStream((last, signal) => api.events(session, last, signal), on);

/** Any other stream of events. @param {(last: string | null, signal: AbortSignal) => Promise<Response>} open */
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

/** Until somebody looks at the page. */
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
