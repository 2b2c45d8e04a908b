/** Work that a teacher assigned, on the learner's first screen: each with its day and a button that begins it. */
import { longDay, workStateWords } from "../kit/assigned-api.js";
import { openLesson } from "../practice/lessons.js";
import { linkParts } from "./plan-words.js";
import { button, make } from "../kit/screen.js";
import { offerTest, tests } from "../practice/tests.js";
import { drillOf } from "../practice/today.js";

/** @typedef {Schemas["OwnAssignments"]["assignments"][number]} Assignment */
/** @typedef {Omit<Asked["makeExam"], "consent">} Spoken */

/** The days for which missing work is still shown. */
const SHOWN_DAYS = 28;

/** @param {Assignment} one */
const isDone = ({ state }) => state?.status === "done" || state?.status === "late";

/**
 * Returns the work to do: first the work that is still in time, by its due day, then the missing work, the newest
 * first. Pure.
 *
 * @param {Assignment[]} all in the order of their days
 * @param {string} today
 */
export function toDo(all, today) {
    const isRecent = (/** @type {Assignment} */ { due }) =>
        Date.parse(today) - Date.parse(due) <= SHOWN_DAYS * 86_400_000;
    const missing = all.filter((one) => one.state?.status === "missing" && isRecent(one));
    return [...all.filter(({ state }) => state?.status === "open"), ...missing.reverse()];
}

/**
 * Returns the rest of the list: work to do besides the first, then what is done and not yet due. Pure.
 *
 * @param {Assignment[]} all
 * @param {string} today
 */
export const besides = (all, today) => [
    ...toDo(all, today).slice(1),
    ...all.filter((one) => isDone(one) && one.due >= today),
];

/**
 * "by Wednesday 25 November"
 *
 * @param {Pick<Assignment, "due" | "state">} one
 */
export const dueWords = ({ due, state }) =>
    state?.status === "missing" ? `was due ${longDay(due)}` : `by ${longDay(due)}`;

/**
 * Returns the exam or spoken drill that work begins, without the consent. Null for other practice. Pure.
 *
 * @param {string} work
 * @returns {Spoken | null}
 */
export function speakingOf(work) {
    const { kind, name, rest } = linkParts(work);
    if (kind === "paper") return { format: name, paper: rest, mode: "test" };
    if (kind === "speak") return { drill: /** @type {Spoken["drill"]} */ (name) };
    if (kind !== "sit") return null;
    const format = name === "interview" ? name : "ielts-style";
    const part = /part(\d)$/.exec(work)?.[1];
    return part ? { format, part: Number(part), mode: "practice" } : { format, mode: "test" };
}

/**
 * Returns the text of the button that begins work.
 *
 * @param {string} work
 */
function beginWords(work) {
    const { kind } = linkParts(work);
    if (speakingOf(work)?.part) return "Begin this part";
    return { lesson: "Read the lesson", test: "Make a test", paper: "Begin the exam", sit: "Begin the exam" }[kind]
        ?? "Begin the drill";
}

/**
 * @typedef {object} AssignedWays
 * @property {(wishes: Spoken) => unknown} speak begins an exam or a spoken drill
 * @property {() => Promise<void>} back leads back to the list
 */

/** @param {Assignment} one @param {AssignedWays} ways */
async function begin({ work }, { speak, back }) {
    const wishes = speakingOf(work);
    if (wishes) return speak(wishes);
    const { kind, name, rest } = linkParts(work);
    if (kind === "lesson") return openLesson(name);
    if (kind === "drill") return drillOf({ packs: [name], ...(rest && { topics: [rest] }) }, back);
    await tests();
    offerTest();
}

/**
 * Returns the button that begins work.
 *
 * @param {Assignment} one
 * @param {AssignedWays} ways
 */
export const beginButton = (one, ways) =>
    button(beginWords(one.work), () => begin(one, ways), `${beginWords(one.work)}: ${one.title}`);

/** @param {Assignment} one @param {AssignedWays} ways */
export function assignedItem(one, ways) {
    const facts = [isDone(one) ? one.state && workStateWords(one.state) : dueWords(one), one.note];
    const words = make(
        "p",
        {},
        make("b", { text: one.title }),
        make("br"),
        make("span", { class: "facts", dir: "auto", text: facts.filter(Boolean).join(" · ") }),
    );
    return make("li", {}, words, ...(isDone(one) ? [] : [make("p", { class: "actions" }, beginButton(one, ways))]));
}
