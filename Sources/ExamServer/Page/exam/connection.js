/**
 * The live protocol's WebSocket. It says hello, sends the microphone's blocks, delivers events once and in order, and
 * reconnects by itself if the line breaks (PROTOCOL.md).
 *
 * ```
 *  connecting ──welcome──▶ open ──closed, silent for too long, or offline──▶ waiting ──back-off──▶ connecting
 *       └───────────────────┴── a code that does not say "go on" ──▶ ended
 * ```
 */
import { BLOCK_SECONDS } from "./blocks.js";
import { afterClose, backOff } from "../kit/closing.js";

/**
 * 100 ms a message, as PROTOCOL.md advises. Blocks kept while the line was broken are sent 50 at a time, the maximum.
 */
const LIVE_BLOCKS = 5;
const MOST_BLOCKS = 50;

/**
 * The maximum number of blocks sent and not heard yet, 2 s. On a slow line the others wait in `Blocks`, so that other
 * messages do not wait behind them for long.
 */
const MOST_UNHEARD = 100;

/** The number of blocks between the server's acknowledgements. */
const ACKS = 10;

/** The number of unheard blocks at which the server is told how many were recorded: half a second. */
const TOLD_UNHEARD = 25;

/** The seconds in which a connection must be opened and welcomed. */
const OPENING = 10;

/**
 * The parts of `heartbeat` after which this page asks a silent server whether it is alive, gives it up, and sends a
 * message if it has sent none. These are earlier than necessary: the server suspends the exam after a whole heartbeat,
 * and the exam does not notice a line that is replaced before that.
 */
const ASKED = 0.2;
const GIVEN_UP = 0.6;
const SAID = 0.4;

/**
 * @typedef {object} ConnectionEvents
 * @property {(message: any) => void} welcome
 * @property {(message: any, isHistory: boolean) => void} event
 * @property {(message: Shown) => void} warning
 * @property {(status: string, code?: number) => void} status
 * @property {(reason: EndOfExam) => void} ended
 */

export class Connection {
    #path;
    #token;
    #renewToken;
    #blocks;
    #on;
    /** @type {WebSocket | null} */
    #socket = null;
    #status = "waiting";
    #events = 0;
    #cursor = 0;
    #standing = new Map();
    /** Every block before this one was heard. */
    #heardBefore = 0;
    /**
     * The block at which the exam was suspended because of the line. Later blocks are not wanted until the earlier ones
     * were heard.
     *
     * @type {number | null}
     */
    #stillFrom = null;
    #toldBlock = 0;
    /**
     * The next block at the last tick.
     *
     * @type {number | null}
     */
    #nextBefore = null;
    #tries = 0;
    #heartbeat = 5;
    #heardAt = 0;
    #saidAt = 0;
    /** @type {{title?: string, detail?: string, retryAfter?: number, url?: string} | null} */
    #error = null;
    #history = 0;
    /** @type {(() => void) | null} */
    #retry = null;
    /** @type {number | null} */
    #timer = null;
    /** @type {number | null} */
    #watch = null;

    /**
     * @param {{path: string, token: string, renewToken: () => Promise<string>}} exam `path` and `token` of POST
     *     /v1/exams; `renewToken` returns a new live token
     * @param {import("./blocks.js").Blocks} blocks
     * @param {ConnectionEvents} on `welcome(message)`; `event(message, isHistory)`, history being the events before
     *     this connection; `warning(message)`; `status("connecting" | "open" | "waiting", code)` with the code of the
     *     close; and finally, once, `ended({why, title, detail, outcome})` with why being over, left, gone, elsewhere,
     *     fault, signedOut or refused
     */
    constructor({ path, token, renewToken }, blocks, on) {
        this.#path = path;
        this.#token = token;
        this.#renewToken = renewToken;
        this.#blocks = blocks;
        this.#on = on;
        // Blocks also trigger the checks: a hidden page's timers may be slow, but its audio is not.
        this.#watch = setInterval(() => this.tick(), 500);
        addEventListener("online", this.#goOn);
        addEventListener("offline", this.#stop);
        this.#connect();
    }

    /** The current live token, with which clips are fetched. */
    get token() {
        return this.#token;
    }

    get isOpen() {
        return this.#status === "open";
    }

    /** The seconds recorded and not yet acknowledged, including the time for both directions. */
    get lag() {
        return Math.max(0, (this.#blocks.next ?? 0) - this.#heardBefore) * BLOCK_SECONDS;
    }

    /**
     * Sends a message about this moment. Without a connection it is dropped.
     *
     * @param {object} message
     * @returns {boolean} whether it was sent
     */
    say(message) {
        if (this.isOpen) this.#send(message);
        return this.isOpen;
    }

    /**
     * Sends an event of this moment, which counts between the blocks recorded before and after it.
     *
     * @param {object} message
     * @returns {boolean} whether it was sent
     */
    happened(message) {
        return this.say(this.#dated(message));
    }

    /**
     * Sends a message that is valid until the next one with the same name: now, and again after each reconnection.
     *
     * @param {string} name
     * @param {object} message
     */
    keep(name, message) {
        this.#standing.set(name, message);
        this.say(message);
    }

    /**
     * Like `keep`, for an event of this moment.
     *
     * @param {string} name
     * @param {object} message
     */
    keepHappened(name, message) {
        this.keep(name, this.#dated(message));
    }

    /**
     * Suspends sending until the line has caught up, or resumes it.
     *
     * @param {boolean} isStill
     */
    standStill(isStill) {
        this.#stillFrom = isStill ? (this.#stillFrom ?? this.#blocks.next) : null;
    }

    /** @param {object} message */
    #dated(message) {
        return this.#blocks.next === null ? message : { ...message, block: this.#blocks.next };
    }

    /** Sends new blocks, and checks the time. */
    tick() {
        const { next } = this.#blocks;
        // If nothing more is recorded, the rest is sent at once, because later events are only heard after it.
        this.#pump(next === this.#nextBefore ? 1 : LIVE_BLOCKS);
        this.#nextBefore = next;
        const now = performance.now() / 1000;
        if (this.#status === "connecting" && now - this.#heardAt > OPENING) return this.#lost();
        if (!this.isOpen) return;
        if (now - this.#heardAt > this.#heartbeat * GIVEN_UP) return this.#lost();
        const isQuiet = now - this.#saidAt > this.#heartbeat * SAID;
        if (isQuiet || now - Math.max(this.#heardAt, this.#saidAt) > this.#heartbeat * ASKED) {
            this.#send({ type: "ping", at: Math.round(now * 1000) });
        }
    }

    /** Leaves the exam. The server closes the connection. If it is not reachable, the page does. */
    leave() {
        const socket = this.#socket;
        if (this.say({ type: "leave" })) setTimeout(() => socket?.close(1000), 2000);
        this.#end({ why: "left" });
    }

    #setStatus(status, code) {
        this.#status = status;
        if (status !== "ended") this.#on.status(status, code);
    }

    #connect(node = location.href) {
        const address = new URL(this.#path, node);
        address.protocol = address.protocol.replace("http", "ws");
        this.#heardAt = performance.now() / 1000;
        this.#error = null;
        this.#setStatus("connecting");
        const socket = new WebSocket(address, "oracy.live.1");
        socket.onopen = () => {
            this.#send({
                type: "hello",
                token: this.#token,
                events: this.#events,
                blocks: this.#blocks.range,
                acks: ACKS,
                sound: this.#blocks.sound,
                shows: true,
            });
        };
        socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
        socket.onclose = ({ code }) => this.#closed(code);
        this.#socket = socket;
    }

    /** @param {object} message */
    #send(message) {
        this.#put(JSON.stringify(message));
    }

    /** @param {string | ArrayBuffer} data */
    #put(data) {
        this.#saidAt = performance.now() / 1000;
        this.#socket?.send(data);
    }

    /** @param {any} message */
    #receive(message) {
        this.#heardAt = performance.now() / 1000;
        switch (message.type) {
            case "welcome":
                return this.#welcomed(message);
            case "heard":
                this.#heardBefore = message.block;
                this.#blocks.heard(message.block);
                return this.#pump();
            case "error":
                if (message.code === "warning") this.#on.warning(message);
                else this.#error = message;
                return;
            default:
                // A message without a number is unimportant or from a later version. An event seen before was sent
                // twice.
                if (!(message.n > this.#events)) return;
                this.#events = message.n;
                this.#on.event(message, message.n <= this.#history);
                if (message.type === "over") this.#end({ why: "over", outcome: message.outcome });
        }
    }

    /** @param {any} message */
    #welcomed(message) {
        this.#tries = 0;
        this.#history = message.events;
        this.#heartbeat = message.heartbeat ?? this.#heartbeat;
        this.#blocks.begin(message.block);
        // Blocks that are no longer kept cannot be on their way.
        this.#heardBefore = this.#toldBlock = this.#cursor = Math.max(message.block, this.#blocks.first);
        this.#setStatus("open");
        this.#on.welcome(message);
        for (const standing of this.#standing.values()) this.#send(standing);
        this.#pump();
    }

    /** @param {number} least the minimum number of blocks for a message */
    #pump(least = LIVE_BLOCKS) {
        if (!this.isOpen) return;
        this.#skip();
        this.#cursor = Math.max(this.#cursor, this.#blocks.first);
        for (;;) {
            const waiting = Math.min(this.#stillFrom ?? Infinity, this.#blocks.ready ?? 0) - this.#cursor;
            const room = this.#heardBefore + MOST_UNHEARD - this.#cursor;
            // The last blocks before the suspension may be fewer than a message has.
            if (waiting < (this.#stillFrom === null ? least : 1) || room < LIVE_BLOCKS) break;
            const whole = waiting < LIVE_BLOCKS ? waiting : waiting - (waiting % LIVE_BLOCKS);
            const count = Math.min(whole, room, MOST_BLOCKS);
            this.#put(this.#blocks.message(this.#cursor, count));
            this.#cursor += count;
        }
        const next = this.#blocks.next ?? 0;
        if (next - this.#heardBefore < TOLD_UNHEARD || next - this.#toldBlock < TOLD_UNHEARD) return;
        this.#toldBlock = next;
        this.#send({ type: "recorded", block: next });
    }

    /** Discards blocks recorded during a suspension, once the server has heard everything before it. */
    #skip() {
        // The last few blocks are not acknowledged individually.
        const { next } = this.#blocks;
        if (next === null || this.#stillFrom === null || this.#cursor < this.#stillFrom) return;
        if (this.#heardBefore + ACKS <= this.#stillFrom) return;
        this.#blocks.heard(next);
        this.#heardBefore = this.#cursor = next;
        this.#stillFrom = null;
    }

    /**
     * Replaces the connection after too long a silence: the browser may not notice for minutes that the line is dead.
     */
    #lost() {
        this.#deafen()?.close();
        this.#closed(1006);
    }

    /** Returns the socket, whose events are ignored from now on. */
    #deafen() {
        const socket = this.#socket;
        if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
        return socket;
    }

    /** @param {number} code */
    async #closed(code) {
        const error = this.#error;
        const { again, token, wait, why } = afterClose(code, this.isOpen);
        if (!again) return this.#end({ why: why ?? "left", title: error?.title, detail: error?.detail });
        this.#setStatus("waiting", code);
        const tries = this.#tries;
        this.#tries += 1;
        const seconds = error?.retryAfter ?? wait ?? backOff(tries);
        // Another node's address is tried once. If it cannot be reached, our own server's load balancer may know a
        // better one.
        const url = code === 4421 ? error?.url : undefined;
        this.#retry = () => this.#again(token, url);
        this.#timer = setTimeout(this.#retry, seconds * 1000);
    }

    async #again(needsToken, url) {
        clearTimeout(this.#timer);
        this.#retry = null;
        if (needsToken) {
            try {
                this.#token = await this.#renewToken();
            } catch (problem) {
                // 5xx and a broken line are temporary, but refusals are permanent.
                if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
                    const { status } = problem;
                    const why = status === 401 ? "signedOut" : status === 409 ? "over" : "refused";
                    return this.#end({ why, title: problem.title, detail: problem.detail });
                }
                return this.#closed(4401);
            }
        }
        if (this.#status === "waiting") this.#connect(url);
    }

    /** The browser reports that the network is back, so there is no reason to wait. */
    #goOn = () => this.#retry?.();

    /** The browser reports that the network is gone. The socket would notice later. */
    #stop = () => this.#retry === null && this.#lost();

    /** @param {EndOfExam} reason */
    #end(reason) {
        if (this.#status === "ended") return;
        this.#setStatus("ended");
        clearTimeout(this.#timer);
        clearInterval(this.#watch);
        removeEventListener("online", this.#goOn);
        removeEventListener("offline", this.#stop);
        const socket = this.#deafen();
        if (reason.why !== "left") socket?.close();
        this.#on.ended(reason);
    }
}
