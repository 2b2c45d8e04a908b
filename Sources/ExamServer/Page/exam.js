/**
 * An exam as this page sits it: the microphone goes up, events come down, the examiner is heard, the screen shows where it is.
 *
 * It decides nothing about the exam: the server does (PROTOCOL.md). A block of the microphone, 20 ms, is the only clock here.
 */
import { isGranted } from "./allowed.js";
import { api } from "./api.js";
import { BLOCK_SECONDS, Blocks } from "./blocks.js";
import { Connection } from "./connection.js";
import { ExamScreen } from "./exam-screen.js";
import { Needle } from "./level.js";
import { Player } from "./player.js";
import { canEncode, OpusEncoder } from "./opus.js";
import { troubles } from "./troubles.js";

/** Blocks after which a wish that was not granted is said to be impossible: 2 s. */
const PATIENCE = 100;

export class Exam {
    #microphone;
    #blocks = new Blocks(canEncode ? OpusEncoder : undefined);
    #needle = new Needle();
    #connection;
    #player;
    #screen;
    #state = null;
    /** How many blocks came from the microphone, until now and until the state came. */
    #heard = 0;
    #stateAt = 0;
    /** What the candidate wished, and when. */
    #wish = null;
    #wakeLock = null;
    #ended;

    /**
     * Begins at once: call it in a press of a button, so that the browser lets the examiner be heard.
     *
     * @param {object} exam the answer of POST /v1/exams
     * @param {import("./microphone.js").Microphone} microphone closed when the exam ends here
     * @param {(reason: object) => void} ended called once, with what `Connection` says
     */
    constructor(exam, microphone, ended) {
        const { session, live } = exam;
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
        });
        const renewToken = async () => {
            const answer = await api.liveToken(session);
            return (answer.live ?? answer).token;
        };
        this.#connection = new Connection({ path: live.path, token: live.token, renewToken }, this.#blocks, {
            welcome: ({ state, notes, events }) => {
                // A page that was loaded anew has its notes back, where the server sends them.
                if (notes) this.#screen.restoreNotes(notes);
                if (state) this.#show({ ...state, n: events });
                // The page that lost the microphone may be gone, and this one has it.
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
        // Why it is away may become clearer while it is.
        microphone.onmissing = () => this.#state && this.#screen.show(this.#inWords(this.#state));
        if (microphone.isAway) microphone.onlost();
        addEventListener("beforeunload", warnOfLeaving);
        document.addEventListener("visibilitychange", this.#keepAwake);
        this.#keepAwake();
    }

    #hear(block) {
        // The silence of a microphone that is not there is no silence of the candidate's, and would be taken for its return.
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

    #event(event, isHistory) {
        switch (event.type) {
            case "state":
                // How it came to be where it is: the welcome said where.
                return isHistory || this.#show(event);
            case "play":
                // What was said before a page came back is of interest only if it is still being said.
                if (isHistory && this.#state?.activity !== "examinerSpeaking") return;
                this.#screen.showWords(event);
                this.#player.fetchAhead(event.ahead ?? []);
                return this.#player.play(event);
            case "stop":
                return this.#player.stop(event.prompt);
        }
    }

    /** Whether the browser keeps the loudspeaker or the microphone still until a button is pressed. */
    #showSilence() {
        this.#screen.showSoundOff(this.#player.isMuted, this.#microphone.isStopped);
    }

    #show(state) {
        this.#state = state;
        this.#stateAt = this.#heard;
        if (this.#wish && isGranted(this.#wish.for, state)) this.#wish = null;
        this.#screen.show(this.#inWords(state));
        this.#connection.standStill(state.trouble === "lineSlow");
        this.#connection.keepHappened("shown", { type: "shown", event: state.n });
    }

    /** The server knows that the microphone is gone; this side, why. */
    #inWords(state) {
        return state.trouble === "microphoneGone" && this.#microphone.isAway ? { ...state, trouble: this.#microphone.trouble } : state;
    }

    #ask(wish) {
        if (this.#connection.happened({ type: "ask", for: wish })) this.#wish = { for: wish, at: this.#heard };
        else this.#screen.showWarning({ title: "The connection is lost just now.", detail: "Please try again when it is back." });
    }

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

    /** Nobody touches a telephone while speaking for two minutes: it would go dark, and deaf. Browsers that cannot help it do not. */
    #keepAwake = async () => {
        if (document.hidden) return;
        this.#wakeLock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    };
}

/** The browser asks whether the page is really to be left; the words are its own. */
function warnOfLeaving(event) {
    event.preventDefault();
}
