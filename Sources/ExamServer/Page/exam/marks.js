/** An exam's marks with their sources: who gave each, on which answers, and further findings. */
import { make } from "../kit/screen.js";
import { answerName, CRITERIA, mark } from "../kit/words.js";

/** The messages for missing marks, by the exam's state. */
const INSTEAD = {
    unfinished: "The exam is not over yet.",
    storing: "The last answers are being stored; they are shown here as they arrive.",
    none: "This server does not score answers. Listen to them yourself, or with a person who knows the exam.",
    waiting: "The answers are being assessed.",
    failed: "The assessment failed. The recordings are kept.",
};
const NOT_ASSESSED = "Not assessed: these answers have not been judged, so there are no scores.";

/**
 * @param {{status: string, assessment: string, scores?: object, marking?: {asked: number, done: number},
 *     answers?: import("../kit/words.js").Titled[]}} results of a session
 * @param {any} [result] the result of all marks, with their sources
 * @returns {HTMLElement} numbers only for criteria that were marked; a message for the others
 */
export function marksOf({ status, assessment, scores, marking, answers = [] }, result) {
    const made = make("div");
    const have = marking?.asked === 1 ? "person has" : "people have";
    const people =
        marking && marking.done < marking.asked && `${marking.done} of ${marking.asked} ${have} marked this exam.`;
    const given = Object.keys(CRITERIA).some((name) =>
        typeof scores?.[name] === "number" || markIn(result, name) !== undefined);
    if (!given) {
        const why = status === "in_progress" ? "unfinished" : status === "storing" ? "storing" : assessment;
        made.append(make("p", { text: INSTEAD[why] ?? NOT_ASSESSED }));
    } else made.append(list(scores, result));
    if (people) made.append(make("p", { class: "facts", text: people }));
    const sources = sourcesOf(result, answers);
    if (sources) made.append(sources);
    return made;
}

/** Returns a mark. Undefined if it was not given. */
const traitIn = (result, name) => (name === "topicRelevance" ? result?.topicRelevance : result?.criteria?.[name]);
const markIn = (result, name) => (name === "overall" ? result?.overall : traitIn(result, name)?.outcome)?.mark;

/** @param {any} scores @param {any} result */
function list(scores, result) {
    const list = make("dl", { class: "scores" });
    for (const [name, title] of Object.entries(CRITERIA)) {
        const given = markIn(result, name) ?? scores?.[name];
        const beside = name === "overall" ? result?.label ?? "unofficial" : traitIn(result, name)?.basis;
        const words = make("dd", { text: typeof given === "number" ? mark(given) : "not assessed" });
        if (typeof given === "number" && beside) words.append(" ", make("span", { class: "facts", text: beside }));
        list.append(make("dt", { text: title }), words);
    }
    return list;
}

/**
 * Returns the sources in an expandable list.
 *
 * @param {any} result
 * @param {import("../kit/words.js").Titled[]} answers
 * @returns {HTMLElement | null}
 */
function sourcesOf(result, answers) {
    const nameOf = (/** @type {string} */ name) => answerName(name, answers);
    const traits = Object.entries(CRITERIA).flatMap(([name, title]) => {
        const trait = traitIn(result, name);
        return trait && (trait.evidence.length > 0 || trait.beside.length > 0) ? [[title, trait]] : [];
    });
    if (traits.length === 0) return null;
    const parts = traits.flatMap(([title, { outcome, evidence, beside, unmarked }]) => [
        make("dt", { text: title }),
        make(
            "dd",
            {},
            ...(outcome.missing ? [make("p", { text: `No mark: ${outcome.missing}.` })] : []),
            lines([
                ...evidence.map((/** @type {unknown} */ each) => evidenceWords(each, nameOf)),
                ...beside.filter(({ outcome }) => !outcome.missing).map((each) =>
                    `${evidenceWords(each, nameOf)}. It does not count.`),
                ...unmarked.map(({ name, source, reason }) => `${source}: no mark for ${nameOf(name)}: ${reason}`),
            ]),
        ),
    ]);
    const rules = make("p", { class: "facts", text: `Combined by the rules ${result.rules}.` });
    return make(
        "details",
        {},
        make("summary", { text: "Sources of the marks" }), make("dl", { class: "measures" }, ...parts),
        rules,
    );
}

/** @param {string[]} texts */
const lines = (texts) => make("ul", {}, ...texts.map((text) => make("li", { text })));

/**
 * "llama3.1 (3 of 7b2f): 6.5 for Part 1, question 2; asked 3 times: 6, 6.5, 7".
 *
 * @param {any} evidence
 * @param {(name: string) => string} nameOf returns an answer's name for people
 */
export function evidenceWords({ source, scope, scale, outcome, runs }, nameOf = answerName) {
    const who = source.kind === "human" ? `${source.id}, a person` : `${source.id} (${source.version})`;
    const given = outcome.missing
        ? `no mark: ${outcome.missing}`
        : mark(outcome.mark) + (scale === "band" ? "" : ` on its own scale, “${scale}”`);
    const of = scope.answer ? ` for ${nameOf(scope.answer.name)}` : " for the whole exam";
    const marks = runs?.map(({ mark: each }) => (each === undefined ? "none" : mark(each))) ?? [];
    const asked = marks.length > 0 ? `; asked ${marks.length} times: ${marks.join(", ")}` : "";
    return `${who}: ${given}${of}${asked}`;
}
