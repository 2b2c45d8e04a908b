/**
 * The live protocol's WebSocket: says hello, sends the microphone's blocks, hands over events once and in order, and comes back
 * by itself where the line breaks (PROTOCOL.md).
 *
 * ```
 *  connecting ──welcome──▶ open ──closed, silent for too long, or offline──▶ waiting ──back-off──▶ connecting
 *       └───────────────────┴── a code that does not say "go on" ──▶ ended
 * ```
 */
import { BLOCK_SECONDS } from "./blocks.js";
import { afterClose, backOff } from "./closing.js";

/** 100 ms a message, as PROTOCOL.md advises; what was kept over a broken line goes 50 at a time, the most it allows. */
const LIVE_BLOCKS = 5;
const MOST_BLOCKS = 50;

/**
 * Blocks that may be on their way and not heard yet, 2 s: on a slow line the rest waits in `Blocks`, so that what else is said does
 * not wait behind it for long.
 */
const MOST_UNHEARD = 100;

/** How many blocks apart the server says what it has heard. */
const ACKS = 10;

/** Blocks that were not heard from which on the server is told how far this side is: half a second. */
const TOLD_UNHEARD = 25;

/** Seconds in which a connection has to be open and welcomed. */
const OPENING = 10;

/**
 * Parts of `heartbeat` after which a silent server is asked whether it is there, and given up; and after which this side says
 * something. Earlier than need be: the server pauses the exam after a whole one, and a line that is replaced before that is not
 * noticed by the exam.
 */
const ASKED = 0.2;
const GIVEN_UP = 0.6;
const SAID = 0.4;

export class Connection {
    #path;
    #token;
    #renewToken;
    #blocks;
    #on;
    #socket = null;
    #status = "waiting";
    #events = 0;
    #cursor = 0;
    #standing = new Map();
    /** Every block before this one was heard. */
    #heardBefore = 0;
    /** Where the exam came to stand still because of the line: blocks after it are not wanted until those before it were heard. */
    #stillFrom = null;
    #toldBlock = 0;
    /** The block to come when time last passed. */
    #nextBefore = null;
    #tries = 0;
    #heartbeat = 5;
    #heardAt = 0;
    #saidAt = 0;
    #error = null;
    #history = 0;
    #retry = null;
    #timer = null;
    #watch = null;

    /**
     * @param {object} exam `path` and `token` of POST /v1/exams; `renewToken`, which gives another live token
     * @param {import("./blocks.js").Blocks} blocks
     * @param {object} on `welcome(message)`; `event(message, isHistory)`, history being what happened before this connection;
     *     `warning(message)`; `status("connecting" | "open" | "waiting", code)`, the code being that of the close; and once, last, `ended({why, title, detail,
     *     outcome})`, why being over, left, gone, elsewhere, fault or refused
     */
    constructor({ path, token, renewToken }, blocks, on) {
        this.#path = path;
        this.#token = token;
        this.#renewToken = renewToken;
        this.#blocks = blocks;
        this.#on = on;
        // Blocks drive the watch too: a hidden page's timers may be slow, its audio is not.
        this.#watch = setInterval(() => this.tick(), 500);
        addEventListener("online", this.#goOn);
        addEventListener("offline", this.#stop);
        this.#connect();
    }

    /** The live token that counts now: clips are fetched with it. */
    get token() {
        return this.#token;
    }

    get isOpen() {
        return this.#status === "open";
    }

    /** Seconds that were recorded and not heard yet, as far as is known here: the way there and back is in it. */
    get lag() {
        return Math.max(0, (this.#blocks.next ?? 0) - this.#heardBefore) * BLOCK_SECONDS;
    }

    /** Says something about this moment; where nobody listens just now it is not said. @returns {boolean} whether it was */
    say(message) {
        if (this.isOpen) this.#send(message);
        return this.isOpen;
    }

    /** Says what happens here now: it counts between the blocks that were recorded before and after. @returns {boolean} whether it was said */
    happened(message) {
        return this.say(this.#dated(message));
    }

    /** Says something that holds until it is said anew under the same name: now, and again after each reconnection. */
    keep(name, message) {
        this.#standing.set(name, message);
        this.say(message);
    }

    /** As `keep`, of something that happens here now. */
    keepHappened(name, message) {
        this.keep(name, this.#dated(message));
    }

    /** The exam stands still until the line has caught up, or goes on again. */
    standStill(isStill) {
        this.#stillFrom = isStill ? (this.#stillFrom ?? this.#blocks.next) : null;
    }

    #dated(message) {
        return this.#blocks.next === null ? message : { ...message, block: this.#blocks.next };
    }

    /** New blocks may be there, and time has passed. */
    tick() {
        const { next } = this.#blocks;
        // Where nothing more is recorded, what is left waits for nothing: what happened since is heard after it.
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

    /** The candidate goes. The server closes; where it is not there, the page does. */
    leave() {
        const socket = this.#socket;
        if (this.say({ type: "leave" })) setTimeout(() => socket.close(1000), 2000);
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
            this.#send({ type: "hello", token: this.#token, events: this.#events, blocks: this.#blocks.range, acks: ACKS, sound: this.#blocks.sound, shows: true });
        };
        socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
        socket.onclose = ({ code }) => this.#closed(code);
        this.#socket = socket;
    }

    #send(message) {
        this.#put(JSON.stringify(message));
    }

    #put(data) {
        this.#saidAt = performance.now() / 1000;
        this.#socket.send(data);
    }

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
                // What has no number is news of no consequence, or from a later version; what was seen before is sent twice.
                if (!(message.n > this.#events)) return;
                this.#events = message.n;
                this.#on.event(message, message.n <= this.#history);
                if (message.type === "over") this.#end({ why: "over", outcome: message.outcome });
        }
    }

    #welcomed(message) {
        this.#tries = 0;
        this.#history = message.events;
        this.#heartbeat = message.heartbeat ?? this.#heartbeat;
        this.#blocks.begin(message.block);
        // What is not kept any more is on no way to anybody.
        this.#heardBefore = this.#toldBlock = this.#cursor = Math.max(message.block, this.#blocks.first);
        this.#setStatus("open");
        this.#on.welcome(message);
        for (const standing of this.#standing.values()) this.#send(standing);
        this.#pump();
    }

    /** @param {number} least how many blocks are worth a message */
    #pump(least = LIVE_BLOCKS) {
        if (!this.isOpen) return;
        this.#skip();
        this.#cursor = Math.max(this.#cursor, this.#blocks.first);
        for (;;) {
            const waiting = Math.min(this.#stillFrom ?? Infinity, this.#blocks.ready) - this.#cursor;
            const room = this.#heardBefore + MOST_UNHEARD - this.#cursor;
            // The last blocks before the exam stood still may be fewer than a message has.
            if (waiting < (this.#stillFrom === null ? least : 1) || room < LIVE_BLOCKS) break;
            const whole = waiting < LIVE_BLOCKS ? waiting : waiting - (waiting % LIVE_BLOCKS);
            const count = Math.min(whole, room, MOST_BLOCKS);
            this.#put(this.#blocks.message(this.#cursor, count));
            this.#cursor += count;
        }
        const { next } = this.#blocks;
        if (next - this.#heardBefore < TOLD_UNHEARD || next - this.#toldBlock < TOLD_UNHEARD) return;
        this.#toldBlock = next;
        this.#send({ type: "recorded", block: next });
    }

    /** Where the exam stands still and has heard all that was said before, what was recorded meanwhile is of no use. */
    #skip() {
        // Which of the last few blocks were heard is not said of each.
        if (this.#stillFrom === null || this.#cursor < this.#stillFrom || this.#heardBefore + ACKS <= this.#stillFrom) return;
        this.#blocks.heard(this.#blocks.next);
        this.#heardBefore = this.#cursor = this.#blocks.next;
        this.#stillFrom = null;
    }

    /** Nothing was heard for too long: the browser may not notice for minutes that the line is dead. */
    #lost() {
        const socket = this.#socket;
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.close();
        this.#closed(1006);
    }

    async #closed(code) {
        const error = this.#error;
        const { again, token, wait, why } = afterClose(code, this.isOpen);
        if (!again) return this.#end({ why: why ?? "left", title: error?.title, detail: error?.detail });
        this.#setStatus("waiting", code);
        const tries = this.#tries;
        this.#tries += 1;
        const seconds = error?.retryAfter ?? wait ?? backOff(tries);
        // Another node's address is tried once; where it cannot be reached, whoever shares out the work at our own may know
        // better.
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
                // 5xx and a broken line pass; that this exam is not to be had does not.
                if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
                    const why = problem.status === 409 ? "over" : "refused";
                    return this.#end({ why, title: problem.title, detail: problem.detail });
                }
                return this.#closed(4401);
            }
        }
        if (this.#status === "waiting") this.#connect(url);
    }

    /** The browser says that the network is back: no reason to wait any longer. */
    #goOn = () => this.#retry?.();

    /** The browser says that the network is gone; the socket would find out later. */
    #stop = () => this.#retry === null && this.#lost();

    #end(reason) {
        if (this.#status === "ended") return;
        this.#setStatus("ended");
        clearTimeout(this.#timer);
        clearInterval(this.#watch);
        removeEventListener("online", this.#goOn);
        removeEventListener("offline", this.#stop);
        const socket = this.#socket;
        socket.onopen = socket.onmessage = socket.onclose = null;
        if (reason.why !== "left") socket.close();
        this.#on.ended(reason);
    }
}
