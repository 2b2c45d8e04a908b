/** The words of an answer, if they were written down, with the mistakes marked and corrected. */
import { make } from "../kit/screen.js";

/**
 * Cuts a transcript at its mistakes. Mistakes without a known place, or overlapping another one, are listed separately.
 *
 * @param {string} transcript
 * @param {{original: string, correction: string, start?: number, end?: number}[]} mistakes places count Unicode
 *     characters
 * @returns {{pieces: (string | {original: string, correction: string})[], apart: Schemas["Mistake"][]}}
 */
export function cut(transcript, mistakes = []) {
    const letters = Array.from(transcript);
    /** @type {ReturnType<typeof cut>} */
    const { pieces, apart } = { pieces: [], apart: [] };
    let at = 0;
    for (const mistake of [...mistakes].sort((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity))) {
        const { start = NaN, end = NaN, correction } = mistake;
        if (!(start >= at && end > start && end <= letters.length)) {
            apart.push(mistake);
            continue;
        }
        if (start > at) pieces.push(letters.slice(at, start).join(""));
        pieces.push({ original: letters.slice(start, end).join(""), correction });
        at = end;
    }
    if (at < letters.length) pieces.push(letters.slice(at).join(""));
    return { pieces, apart };
}

/**
 * Returns a mistake with its correction. The hidden words between are for screen readers.
 *
 * @param {Node | string} original
 * @param {string} correction
 */
export const mark = (original, correction) =>
    make("mark", {}, make("del", {}, original), make("span", { class: "unseen", text: ", better: " }), " ", make(
        "ins",
        { text: correction },
    ));

/**
 * Returns a list of mistakes, or nothing without any.
 *
 * @param {Schemas["Mistake"][]} mistakes
 */
export const mistakeList = (mistakes) =>
    mistakes.length === 0 ? [] : [make("ul", { class: "transcript", lang: "en" }, ...mistakes.map(
        ({ original, correction }) => make("li", {}, mark(original, correction)),
    ))];

/**
 * @param {{transcript?: string, mistakes?: Schemas["Mistake"][], title?: string}} said
 * @returns {HTMLElement | null} null without a transcript
 */
export function transcriptOf({ transcript, mistakes, title = "What you said" }) {
    if (!transcript) return null;
    const { pieces, apart } = cut(transcript, mistakes);
    const words = make("p", { class: "transcript", lang: "en" });
    words.append(...pieces.map((piece) => typeof piece === "string" ? piece : mark(piece.original, piece.correction)));
    return make("div", {}, make("h4", { text: title }), words, ...mistakeList(apart));
}
