/**
 * The time left to a candidate, counted by the microphone's clock between two states from the server.
 *
 * The server sends the seconds until the nearest limit. A limit of this answer is shown from its first second. A limit
 * of the whole part or exam does not limit this answer, so it is shown only when it is near (`timeWarning`). The page
 * tells the two apart by their ends: a part's limit ends at the same moment as it did during the answer before.
 *
 * The clock of a talk may begin with its first word. Until then the server sends the part's limit, which would be wrong
 * here: the page shows no time, but says that it begins with the first word.
 */

/** If the first limit in a part has at most this many seconds, it is the answer's own. Limits of parts are longer. */
const LONGEST_ANSWER = 150;

/** A new limit of an answer is a whole number of seconds, give or take this. The rest of a part's limit need not be. */
const WHOLE = 0.02;

/** Seconds by which two ends of the same limit may differ. */
const SAME = 0.5;

export class TimeLeft {
    /** @type {number | null} */
    #left = null;
    #isPreparation = false;
    #isBeforeTalk = false;
    #stands = false;
    #whole = 1;
    #what = "";
    /** The exam's time at which the limit of this answer ends, and that of the previous answer in the same part. */
    #end = NaN;
    #endBefore = NaN;
    #isOwn = false;
    /** Whether the limit in this answer was a whole number at first, so that its clock runs from the beginning. */
    #isRunning = false;
    #turn = "";
    /** @type {number | undefined} */
    #part = undefined;

    /** @param {LiveState} state */
    show(state) {
        this.#isPreparation = state.preparationSeconds !== undefined;
        this.#stands = state.activity === "suspended";
        if (state.answerSeconds !== undefined) this.#tellApart(state, state.answerSeconds);
        this.#isBeforeTalk = Boolean(state.card) && state.activity === "waitingForSpeech" && !this.#isRunning;
        const isShown = this.#isPreparation ||
            (state.answerSeconds !== undefined && (state.card || state.timeWarning || this.#isOwn));
        const left = state.preparationSeconds ?? state.answerSeconds ?? null;
        this.#left = isShown && state.stage === "testing" ? left : null;
        // The first value of a limit is a full bar.
        const what = `${state.part} ${state.order} ${this.#isPreparation} ${this.#isBeforeTalk}`;
        if (what !== this.#what) this.#whole = 1;
        this.#what = what;
        this.#whole = Math.max(this.#whole, this.#left ?? 0);
    }

    /**
     * Finds out whether a limit is the answer's own.
     *
     * @param {LiveState} state
     * @param {number} seconds
     */
    #tellApart({ part, turn, order, at = 0 }, seconds) {
        const end = at + seconds;
        if (part !== this.#part) this.#end = NaN;
        this.#part = part;
        if (`${part} ${turn} ${order}` !== this.#turn) {
            this.#turn = `${part} ${turn} ${order}`;
            this.#endBefore = this.#end;
            this.#isRunning = Math.abs(seconds - Math.round(seconds)) <= WHOLE;
            this.#isOwn = Number.isNaN(this.#endBefore)
                ? seconds <= LONGEST_ANSWER
                : Math.abs(end - this.#endBefore) > SAME;
        }
        // The clock of a talk begins with its first word.
        if (end < this.#end - SAME) this.#isOwn = true;
        this.#end = end;
    }

    /** The seconds left when the limit was first announced. */
    get whole() {
        return this.#whole;
    }

    /** The seconds left when the state came. Null if no time is shown. */
    get left() {
        return this.#left;
    }

    /**
     * @param {number} passed seconds since the state came
     * @returns {{seconds: number, whole: number, isPreparation: boolean, isBeforeTalk: boolean} | null} null if no time
     *     is shown
     */
    at(passed) {
        if (this.#left === null) return null;
        const seconds = Math.max(0, this.#left - (this.#stands ? 0 : passed));
        return { seconds, whole: this.#whole, isPreparation: this.#isPreparation, isBeforeTalk: this.#isBeforeTalk };
    }
}
