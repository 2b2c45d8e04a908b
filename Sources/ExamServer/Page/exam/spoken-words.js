/**
 * The words of an answer as they were heard or typed. A press on a word plays from there. Fillers, repetitions, words
 * in doubt and mistakes are marked. The server decides which words these are.
 */
import { make } from "../kit/screen.js";
import { mark, mistakeList } from "./transcript.js";

/** The seconds by which playing starts before a word: a word begins with a breath, and rough times may be late. */
const LEAD = { exact: 0.05, rough: 0.5 };

/** The marks of words, with their meaning for a screen reader and for the legend. */
const SIGNS = /** @type {const} */ ([
    { key: "isFiller", name: "filler", says: "fills a pause", one: "filler", many: "fillers" },
    { key: "isRepeated", name: "again", says: "repeated", one: "repetition", many: "repetitions" },
    { key: "isDoubtful", name: "doubt", says: "in doubt", one: "word in doubt", many: "words in doubt" },
]);

/** @typedef {Schemas["AnswerWords"] & {text: string}} Told the words of a transcript, with its text */

/**
 * Cuts words at the mistakes in them. Mistakes without a known place, or in words of another mistake, stand apart.
 *
 * @param {Schemas["SaidWord"][]} words
 * @param {Schemas["Mistake"][]} mistakes their places count Unicode characters, as those of words
 * @returns {{runs: {words: Schemas["SaidWord"][], mistake?: Schemas["Mistake"]}[], apart: Schemas["Mistake"][]}}
 */
export function runsOf(words, mistakes = []) {
    const ends = words.map(({ at, text }) => at + Array.from(text).length);
    /** @type {Map<number, Schemas["Mistake"]>} the mistakes by the words in them */
    const found = new Map();
    const apart = mistakes.filter((mistake) => {
        const { start = NaN, end = NaN } = mistake;
        const places = words.flatMap(({ at }, index) => at < end && (ends[index] ?? 0) > start ? [index] : []);
        if (places.length === 0 || places.some((place) => found.has(place))) return true;
        for (const place of places) found.set(place, mistake);
        return false;
    });
    /** @type {ReturnType<typeof runsOf>["runs"]} */
    const runs = [];
    words.forEach((word, index) => {
        const [mistake, last] = [found.get(index), runs.at(-1)];
        if (last && last.mistake === mistake) last.words.push(word);
        else runs.push({ words: [word], mistake });
    });
    return { runs, apart };
}

/**
 * Returns the words of a transcript, with a title and the meaning of their marks.
 *
 * @param {Told} told
 * @param {{name: string, title: string, mistakes?: Schemas["Mistake"][], play?: (at: number) => void}} about `name`:
 *     the answer's; `play`: plays from a second on, and does not move the focus
 * @returns {{block: HTMLElement, follow: (second: number) => void}} `follow(second)` marks the word being played
 */
export function wordsOf(told, { name, title, mistakes = [], play }) {
    /** @type {{place: HTMLElement, start: number, end: number}[]} */
    const timed = [];
    const made = (/** @type {Schemas["SaidWord"]} */ word) => {
        const signs = SIGNS.filter(({ key }) => word[key]);
        const about = {
            class: ["word", ...signs.map((sign) => sign.name)].join(" "),
            title: signs.map(({ says }) => says).join(", "),
        };
        const said = signs.length > 0 ? [make("span", { class: "unseen", text: `, ${about.title}` })] : [];
        const { text, start } = word;
        if (!play || start === undefined) return make("span", about, text, ...said);
        const tabindex = timed.length === 0 ? 0 : -1;
        const place = make("button", { type: "button", tabindex, ...about }, text, ...said);
        place.onclick = () => play(Math.max(0, start - (told.isRough ? LEAD.rough : LEAD.exact)));
        timed.push({ place, start, end: word.end ?? start });
        return place;
    };
    const { runs, apart } = runsOf(told.words, mistakes);
    const group = make("div", { class: "transcript words", lang: "en" });
    let end = 0;
    for (const { words, mistake } of runs) {
        const nodes = words.flatMap((word) => {
            const space = word.at > end && end > 0 ? [" "] : [];
            end = word.at + Array.from(word.text).length;
            return [...space, made(word)];
        });
        group.append(...(mistake ? [" ", mark(make("span", {}, ...nodes), mistake.correction)] : nodes));
    }
    const block = make("div", { class: "told" }, make("h4", { text: title }));
    if (timed.length > 0) {
        group.setAttribute("role", "group");
        group.setAttribute("aria-label", `Play ${name} from a word. The arrow keys go from word to word.`);
        // A screen reader would read a list of buttons. This reads as a sentence.
        block.append(make("p", { class: "unseen", lang: "en", text: told.text }));
        walk(group, timed.map(({ place }) => place));
    }
    block.append(group, ...mistakeList(apart), ...legend(told));
    const follow = (/** @type {number} */ second) => {
        const now = second > 0 ? timed.filter(({ start }) => start <= second).at(-1) : undefined;
        for (const word of timed) {
            // A pause after a word is not the word.
            const isNow = word === now && second < Math.max(word.end, word.start + 1);
            if (isNow) word.place.setAttribute("aria-current", "true");
            else word.place.removeAttribute("aria-current");
        }
    };
    return { block, follow };
}

/**
 * Lets the arrow keys, Home and End go from word to word. The Tab key stops only once.
 *
 * @param {HTMLElement} group
 * @param {HTMLElement[]} words
 */
function walk(group, words) {
    const go = (/** @type {number} */ index) => {
        const word = words[Math.max(0, Math.min(words.length - 1, index))];
        for (const each of words) each.tabIndex = each === word ? 0 : -1;
        return word;
    };
    group.addEventListener("focusin", ({ target }) => {
        const index = words.findIndex((word) => word === target);
        if (index >= 0) go(index);
    });
    group.addEventListener("keydown", (event) => {
        const at = words.findIndex((word) => word === event.target);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: words.length - 1 }[event.key];
        if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        go(to)?.focus();
    });
}

/**
 * Returns the source of the words, and the number and look of each kind of mark.
 *
 * @param {Told} told
 */
function legend({ words, source, recogniser, isVerbatim, isPartial, isRough }) {
    const facts = source === "own" ? [] : [
        `heard by the recogniser “${recogniser ?? "unknown"}”, which may be wrong`,
        isVerbatim === false && "fillers may be missing",
        isPartial && "parts are missing",
    ];
    const isTimed = words.some(({ start }) => start !== undefined);
    const line = [...facts, isRough && isTimed && "times are rough"].filter(Boolean).join(" · ");
    const signs = SIGNS.flatMap(({ key, name, one, many }) => {
        const count = words.filter((word) => word[key]).length;
        return count > 0 ? [" · ", make("span", { class: name, text: `${count} ${count === 1 ? one : many}` })] : [];
    });
    const parts = line ? [line, ...signs] : signs.slice(1);
    return parts.length > 0 ? [make("p", { class: "facts legend" }, ...parts)] : [];
}

/**
 * The current words of an answer and, beneath them, the heard words if the learner corrected them.
 */
export class SpokenWords {
    place = make("div", { class: "spoken" });
    /** @type {((second: number) => void)[]} */
    #follow = [];
    #drawn = "";

    /**
     * @param {{name: string, isOwn: boolean, play?: (at: number) => void}} about `isOwn`: whether the reader is the
     *     learner
     */
    constructor({ name, isOwn, play }) {
        this.name = name;
        this.isOwn = isOwn;
        this.play = play;
    }

    /**
     * Draws the words if they changed. What is open stays open.
     *
     * @param {Told[]} words of the answer
     * @param {{transcript?: string, mistakes?: Schemas["Mistake"][]}} checked the words that an assessor read, and the
     *     mistakes in them
     * @returns {boolean} whether there are words
     */
    draw(words, { transcript, mistakes }) {
        const now = JSON.stringify([words, transcript, mistakes]);
        if (now === this.#drawn) return words.length > 0;
        this.#drawn = now;
        const isOpen = this.place.querySelector("details")?.open ?? false;
        const own = words.find(({ source }) => source === "own");
        const heard = words.find(({ source }) => source === "recogniser");
        const made = (/** @type {Told} */ told, /** @type {string} */ title) => {
            const isChecked = told.text === transcript;
            const { block, follow } = wordsOf(told, {
                name: this.name, title, play: this.play, ...(isChecked && { mistakes }),
            });
            this.#follow.push(follow);
            return block;
        };
        this.#follow = [];
        this.place.replaceChildren();
        if (own) this.place.append(made(own, this.isOwn ? "What you said, in your words" : "What the candidate typed"));
        if (!heard) return Boolean(own);
        const block = made(heard, this.isOwn ? "What you said, as it was heard" : "What was heard");
        if (!own) this.place.append(block);
        else {
            const summary = make("summary", { text: "What was heard" });
            this.place.append(make("details", { ...(isOpen && { open: "" }) }, summary, block));
        }
        return true;
    }

    /** @param {number} second of the recording that is being played */
    follow(second) {
        for (const follow of this.#follow) follow(second);
    }
}
