/**
 * What was said in an answer, where somebody wrote it down, with what was wrong in it marked, and how it is said.
 */
import { make } from "./screen.js";

/**
 * A transcript cut at its mistakes; those whose place is not known, or overlaps another's, are apart.
 *
 * @param {string} transcript
 * @param {{original: string, correction: string, start?: number, end?: number}[]} mistakes places count Unicode characters
 * @returns {{pieces: (string | {original: string, correction: string})[], apart: object[]}}
 */
export function cut(transcript, mistakes = []) {
    const letters = Array.from(transcript);
    const [pieces, apart] = [[], []];
    let at = 0;
    for (const mistake of [...mistakes].sort((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity))) {
        const { start, end, correction } = mistake;
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

/** The words between are for those who do not see how it is marked. */
const mark = ({ original, correction }) =>
    make("mark", {}, make("del", { text: original }), make("span", { class: "unseen", text: ", better: " }), " ", make("ins", { text: correction }));

/** @returns {HTMLElement | null} nothing where nobody wrote it down */
export function transcriptOf({ transcript, mistakes, title = "What you said" }) {
    if (!transcript) return null;
    const { pieces, apart } = cut(transcript, mistakes);
    const words = make("p", { class: "transcript", lang: "en" });
    words.append(...pieces.map((piece) => (typeof piece === "string" ? piece : mark(piece))));
    const made = make("div", {}, make("h4", { text: title }), words);
    if (apart.length > 0) made.append(make("ul", { class: "transcript", lang: "en" }, ...apart.map((each) => make("li", {}, mark(each)))));
    return made;
}
