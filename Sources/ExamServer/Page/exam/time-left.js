/**
 * The time left to a candidate, counted by the microphone's clock between two states from the server.
 *
 * A limit of the whole part or exam does not limit this answer. It is shown with a card, or when it is near
 * (`timeWarning`).
 */
export class TimeLeft {
    /** @type {number | null} */
    #left = null;
    #isPreparation = false;
    #stands = false;
    #whole = 1;
    #what = "";

    /** @param {LiveState} state */
    show(state) {
        this.#isPreparation = state.preparationSeconds !== undefined;
        this.#stands = state.activity === "suspended";
        const isShown = this.#isPreparation || (state.answerSeconds !== undefined && (state.card || state.timeWarning));
        const left = state.preparationSeconds ?? state.answerSeconds ?? null;
        this.#left = isShown && state.stage === "testing" ? left : null;
        // The first value of a limit is a full bar.
        const what = `${state.part} ${state.order} ${this.#isPreparation}`;
        if (what !== this.#what) this.#whole = 1;
        this.#what = what;
        this.#whole = Math.max(this.#whole, this.#left ?? 0);
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
     * @returns {{seconds: number, whole: number, isPreparation: boolean} | null} null if no time is shown
     */
    at(passed) {
        if (this.#left === null) return null;
        const seconds = Math.max(0, this.#left - (this.#stands ? 0 : passed));
        return { seconds, whole: this.#whole, isPreparation: this.#isPreparation };
    }
}
