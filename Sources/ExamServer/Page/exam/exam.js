/**
 * An exam on this page: the microphone's sound goes up, events come down, the examiner is heard, and the screen shows
 * the state.
 *
 * It decides nothing about the exam: the server does (PROTOCOL.md). The microphone's blocks of 20 ms are the only clock
 * here.
 */
import { isGranted } from "./allowed.js";
import { api } from "../kit/api.js";
import { BLOCK_SECONDS, Blocks } from "./blocks.js";
import { Connection } from "./connection.js";
import { ExamScreen } from "./exam-screen.js";
import { hasTone, isSlow } from "./exam-settings.js";
import { Needle } from "./level.js";
import { Player } from "./player.js";
import { canEncode, OpusEncoder } from "./opus.js";
import { troubles } from "../kit/troubles.js";

/** The number of blocks after which an unfulfilled wish is reported as impossible: 2 s. */
const PATIENCE = 100;

/** The speed of a slower examiner. */
const SLOW = 0.8;

export class Exam {
    #microphone;
    #blocks = new Blocks(canEncode ? OpusEncoder : undefined);
    #needle = new Needle();
    #connection;
    #player;
    #screen;
    /** @type {LiveState | null} */
    #state = null;
    /** The number of blocks from the microphone so far, and when the state came. */
    #heard = 0;
    #stateAt = 0;
    /**
     * The candidate's wish, and its time.
     *
     * @type {{for: string, at: number} | null}
     */
    #wish = null;
    /** @type {{release(): Promise<void>} | null} */
    #wakeLock = null;
    #ended;

    /**
     * Begins at once. Call it in the press of a button, so that the browser allows the examiner's sound.
     *
     * @param {Schemas["Exam"]} exam the answer of POST /v1/exams
     * @param {import("./microphone.js").Microphone} microphone closed when the exam ends here
     * @param {(reason: EndOfExam) => void} ended called once, with the reason from `Connection`
     */
    constructor(exam, microphone, ended) {
        const { session, live } = exam;
        this.session = session;
        this.#microphone = microphone;
        this.#ended = ended;
        this.#screen = new ExamScreen(exam, {
            ask: (wish) => this.#ask(wish),
            leave: () => this.#connection.leave(),
            notes: (text) => this.#connection.keep("notes", { type: "notes", text }),
            fetchPicture: (url) => api.picture(url, this.#connection.token),
            wake: () => {
                this.#player.wake();
                this.#microphone.wake();
            },
        });
        this.#player = new Player((url) => api.clip(url, this.#connection.token), {
            started: (prompt) => {
                this.#connection.keepHappened("prompt", { type: "began", prompt });
            },
            ended: (prompt) => this.#connection.keepHappened("prompt", { type: "played", prompt }),
            failed: (prompt, reason) => {
                this.#screen.showWarning(troubles.clipFailed);
                this.#connection.keepHappened("prompt", { type: "notPlayed", prompt, reason });
            },
            waiting: (isWaiting) => {
                if (isWaiting) this.#screen.showWarning(troubles.clipLate);
                else this.#screen.takeBack(troubles.clipLate);
            },
            muted: () => this.#showSilence(),
        }, () => (isSlow() ? SLOW : 1));
        const renewToken = async () => {
            const answer = await api.liveToken(session);
            return (answer.live ?? answer).token;
        };
        this.#connection = new Connection({ path: live.path, token: live.token, renewToken }, this.#blocks, {
            welcome: ({ state, notes, events }) => {
                // A reloaded page gets its notes back if the server sends them.
                if (notes) this.#screen.restoreNotes(notes);
                if (state) this.#show({ ...state, n: events });
                // The page that lost the microphone may be closed, and this one has it.
                if (state?.trouble === "microphoneGone" && !microphone.isAway) microphone.onback();
            },
            event: (event, isHistory) => this.#event(event, isHistory),
            warning: (warning) => this.#screen.showWarning(warning),
            status: (status, code) => this.#screen.showConnection(status, code),
            ended: (reason) => this.#end(reason),
        });
        microphone.onblock = (block) => this.#hear(block);
        microphone.onstopped = () => this.#showSilence();
        microphone.onlost = () => this.#connection.keepHappened("microphone", { type: "lost", what: "microphone" });
        microphone.onback = () => {
            this.#connection.keepHappened("microphone", { type: "back", what: "microphone" });
            this.#screen.showWarning(null);
        };
        // The reason may become clearer while the microphone is away.
        microphone.onmissing = () => this.#state && this.#screen.show(this.#inWords(this.#state));
        if (microphone.isAway) microphone.onlost();
        addEventListener("beforeunload", warnOfLeaving);
        document.addEventListener("visibilitychange", this.#keepAwake);
        this.#keepAwake();
    }

    /** Asks the candidate whether to leave, as the button does. */
    askToLeave() {
        this.#screen.askToLeave();
    }

    /** @param {Int16Array} block */
    #hear(block) {
        // The silence of a missing microphone is not the candidate's silence, and would look like the microphone's
        // return.
        if (!this.#microphone.isAway) this.#blocks.record(block);
        this.#heard += 1;
        this.#connection.tick();
        const level = this.#needle.hear(block);
        if (this.#heard % 5 !== 0) return;
        this.#screen.showLevel(level);
        this.#screen.showLag(this.#connection.lag);
        this.#screen.showTime((this.#heard - this.#stateAt) * BLOCK_SECONDS);
        if (this.#wish && this.#heard - this.#wish.at > PATIENCE) {
            this.#wish = null;
            this.#screen.showWarning({ title: "That is not possible at this moment." });
        }
    }

    /** @param {any} event @param {boolean} isHistory */
    #event(event, isHistory) {
        switch (event.type) {
            case "state":
                // Earlier states: the welcome contained the current one.
                return isHistory || this.#show(event);
            case "play":
                // Words from before a page came back are of interest only while they are being spoken.
                if (isHistory && this.#state?.activity !== "examinerSpeaking") return;
                this.#screen.showWords(event);
                this.#player.fetchAhead(event.ahead ?? []);
                return this.#player.play(event);
            case "stored":
                return this.#screen.count(event);
            case "stop":
                return this.#player.stop(event.prompt);
        }
    }

    /** Shows whether the browser blocks the loudspeaker or the microphone until a button is pressed. */
    #showSilence() {
        this.#screen.showSoundOff(this.#player.isMuted, this.#microphone.isStopped);
    }

    /** @param {LiveState} state */
    #show(state) {
        const isNewTurn = state.activity === "waitingForSpeech" && this.#state?.activity !== "waitingForSpeech";
        if (isNewTurn && hasTone()) this.#player.tone();
        this.#state = state;
        this.#stateAt = this.#heard;
        if (this.#wish && isGranted(this.#wish.for, state)) this.#wish = null;
        this.#screen.show(this.#inWords(state));
        this.#connection.standStill(state.trouble === "lineSlow");
        this.#connection.keepHappened("shown", { type: "shown", event: state.n });
    }

    /**
     * The server knows that the microphone is gone, and this page knows the reason.
     *
     * @param {LiveState} state
     */
    #inWords(state) {
        return state.trouble === "microphoneGone" && this.#microphone.isAway
            ? { ...state, trouble: this.#microphone.trouble }
            : state;
    }

    /** @param {string} wish */
    #ask(wish) {
        if (this.#connection.happened({ type: "ask", for: wish })) this.#wish = { for: wish, at: this.#heard };
        else this.#screen.showWarning({
            title: "The connection is lost just now.",
            detail: "Please try again when it is back.",
        });
    }

    /** @param {EndOfExam} reason */
    #end(reason) {
        removeEventListener("beforeunload", warnOfLeaving);
        document.removeEventListener("visibilitychange", this.#keepAwake);
        this.#wakeLock?.release().catch(() => {});
        this.#microphone.close();
        this.#blocks.close();
        this.#player.close();
        this.#screen.close();
        this.#ended(reason);
    }

    /**
     * Keeps the screen awake. Otherwise a telephone that is not touched during two minutes of speaking would turn off
     * its screen and microphone. Some browsers cannot prevent that.
     */
    #keepAwake = async () => {
        if (document.hidden) return;
        this.#wakeLock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    };
}

/**
 * Makes the browser ask whether to leave the page. The words are the browser's own.
 *
 * @param {Event} event
 */
function warnOfLeaving(event) {
    event.preventDefault();
}
