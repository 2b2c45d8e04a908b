/** The answers of an exam by its parts, each part to be opened and closed. The introduction stands apart, closed. */
import { all, byId, inside, make } from "../kit/screen.js";
import { seconds } from "../kit/words.js";

/** The most answers for which all parts are open at first. With more, only the first marked part is open. */
const FEW = 6;

/** @typedef {{part: number, purpose?: string | null, duration?: number | null}} Placed */

/** The places for answers, by part. */
export class AnswerParts {
    /** @type {Map<string, {place: HTMLDetailsElement, list: HTMLOListElement}>} */
    #parts = new Map();
    /** Whether parts stay as the learner left them: a part that comes later is opened only at first. */
    #isTouched = false;

    constructor() {
        byId("answers").replaceChildren();
    }

    /**
     * Returns the list for an answer. Makes the list for the first answer of a part.
     *
     * @param {Placed} answer
     */
    listOf(answer) {
        const key = keyOf(answer);
        const known = this.#parts.get(key);
        if (known) return known.list;
        const list = make("ol", { class: "list" });
        const summary = make("summary", {});
        const place = make("details", { class: "part", "data-part": key }, summary, list);
        summary.onclick = () => (this.#isTouched = true);
        this.#parts.set(key, { place, list });
        const after = all(byId("answers"), ".part").find(({ dataset }) => dataset.part?.localeCompare(key) === 1);
        byId("answers").insertBefore(place, after ?? null);
        return list;
    }

    /**
     * Shows the number and the length of each part's answers.
     *
     * @param {Placed[]} answers
     */
    tell(answers) {
        const marked = [...this.#parts.keys()].filter((key) => !key.startsWith("introduction")).sort()[0];
        for (const [key, { place }] of this.#parts) {
            const some = answers.filter((answer) => keyOf(answer) === key);
            const words = partWords(some);
            const summary = inside(place, "summary");
            if (summary.textContent !== words) summary.textContent = words;
            if (!this.#isTouched) place.open = answers.length <= FEW || key === marked;
        }
    }
}

/** @param {Placed} answer */
const keyOf = ({ part, purpose }) => purpose === "introduction" ? "introduction" : `${String(part).padStart(3, "0")}`;

/**
 * "Part 1 · 4 answers · 2 min 3 s"
 *
 * @param {Placed[]} answers of one part
 */
export function partWords(answers) {
    const name = answers[0]?.purpose === "introduction" ? "Your introduction" : `Part ${answers[0]?.part}`;
    const count = `${answers.length} answer${answers.length === 1 ? "" : "s"}`;
    const length = answers.reduce((sum, { duration }) => sum + Math.max(0, duration ?? 0), 0);
    return [name, count, length > 0 && seconds(length)].filter(Boolean).join(" · ");
}
