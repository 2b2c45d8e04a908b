/** The texts about practice. Pure. */
import { of } from "../kit/words.js";

/**
 * 7.52 → "7.5", 10 → "10"
 *
 * @param {number} value
 */
export const oneDecimal = (value) => String(Math.round(value * 10) / 10);

/**
 * 0.12 → "12 %"
 *
 * @param {number} share
 */
export const percent = (share) => `${Math.round(share * 100)} %`;

/**
 * Returns the state of a streak, and the effect of today on it. A rest day has none.
 *
 * @param {{streak: Schemas["PracticeDay"]["streak"], isRestDay?: boolean}} day
 */
export function streakWords({ streak: { days, longest, hasToday, isAtRisk }, isRestDay }) {
    const most = longest > days ? ` The longest was ${of(longest, "day")}.` : "";
    if (isRestDay) return `${days === 0 ? "No streak yet" : `Streak: ${of(days, "day")}`}.${most}`;
    if (days === 0) return `No streak yet: a day with practice begins one.${most}`;
    if (hasToday) return `Streak: ${of(days, "day")}, with today.${most}`;
    const then = isAtRisk ? "Yesterday was missed: practise today to keep it." : "Practise today to continue it.";
    return `Streak: ${of(days, "day")}. ${then}${most}`;
}

/**
 * Returns the amount for the rest of a day.
 *
 * @param {{due: number, new: number, isRestDay?: boolean}} day
 */
export function loadWords({ due, new: fresh, isRestDay }) {
    const rest = isRestDay ? " Today is a rest day: practise if you like." : "";
    if (due + fresh === 0) return `Nothing is left for today.${rest}`;
    return `${[due > 0 && `${due} due`, fresh > 0 && `${fresh} new`].filter(Boolean).join(" and ")}.${rest}`;
}

/**
 * Returns the name of an answer to give again, with its question.
 *
 * @param {Schemas["PracticeDay"]["again"][number]} due
 */
export const againWords = ({ name, question }) => capital(question ? `${name}: ${question}` : name);

/** @param {{minutesToday: number, minutesADay: number}} day */
export const minutesWords = ({ minutesToday, minutesADay }) =>
    `${oneDecimal(minutesToday)} of ${of(minutesADay, "minute")} today`;

/** The headings of explanations. */
export const verdictWords = {
    right: "Right.",
    wrong: "Not right.",
    partly: "Partly right. It does not count as right.",
    nearMiss: "Nearly: look at the spelling. It does not count as right.",
};

export const roleWords = { new: "new", due: "due", extra: "extra practice" };

/**
 * "a", "b" …
 *
 * @param {number} place
 */
export const letter = (place) => "abcdefghi"[place] ?? "";

/**
 * Returns the option for a key: by its letter, or its number from 1.
 *
 * @param {string} key
 * @param {number} count
 * @returns {number} −1 if no option has the key
 */
export function placeOf(key, count) {
    const place = Math.max("abcdefghi".indexOf(key.toLowerCase()), "123456789".indexOf(key));
    return key.length === 1 && place < count ? place : -1;
}

/**
 * Returns an answer as text.
 *
 * @param {any} answer
 * @param {{options?: string[], premises?: string[]}} question
 */
export function answerWords(answer, { options = [], premises = [] } = {}) {
    const texts = (/** @type {number[]} */ places, /** @type {string} */ between) =>
        places.map((place) => options[place] ?? letter(place)).join(between);
    switch (answer?.type) {
        case "multipleResponse":
            return texts(answer.selectedOptions, "; ");
        case "ordering":
            return texts(answer.order, " → ");
        case "matching":
            return answer.matches
                .map((/** @type {number} */ option, /** @type {number} */ place) =>
                    `${premises[place]}: ${texts([option], "")}`)
                .join("; ");
        case "multipleChoice":
            return options[answer.selectedOption] ?? letter(answer.selectedOption);
        case "fillInTheBlank":
            return answer.textAnswer;
        case "calculation":
            return answer.numericAnswer;
        default:
            return "";
    }
}

/** "Done: 8 of 10 right at once, 2 repetitions." */
export function doneWords({ right, count, repeated }) {
    return `Done: ${right} of ${count} right at once${repeated > 0 ? `, ${of(repeated, "repetition")}` : ""}.`;
}

/**
 * Returns the question before a test is handed in.
 *
 * @param {number[]} open the numbers of unanswered questions, from 1
 */
export function handInWords(open) {
    const warning = "You cannot change your answers afterwards.";
    if (open.length === 0) return `${warning} Every question has an answer.`;
    const which = open.length > 5 ? "" : `: ${open.join(", ")}`;
    return `${warning} ${of(open.length, "question")} ${open.length === 1 ? "has" : "have"} no answer${which}.`;
}

/**
 * Returns the state of a test in words.
 *
 * @param {Schemas["PracticeTest"]} test
 */
export function testStateWords({ state, count, answered, written = 0, scheduledFor, result }) {
    switch (state) {
        case "generating":
            return `Being written: ${written} of ${of(count, "question")}`;
        case "ready":
            return scheduledFor ? `For ${dayWords(scheduledFor)}` : "Ready";
        case "inProgress":
            return `In progress: ${answered} of ${count} answered`;
        case "failed":
            return "Could not be made";
        case "submitted":
            return "Handed in; it will be graded";
        case "graded":
            return result ? `${result.percentage} %: ${result.right} of ${result.count} right` : "Graded";
        default:
            return "";
    }
}

/**
 * Returns the course and the topics of a test.
 *
 * @param {{topics?: string[], difficulty?: string, count: number, courseName?: string}} test
 */
export function testTitle({ topics = [], difficulty, count, courseName }) {
    const about = topics.length === 0 ? "any topic" : topics.length > 4
        ? `${topics.slice(0, 3).join(", ")} and ${topics.length - 3} more topics`
        : topics.join(", ");
    const what = `${of(count, "question")} on ${about}${difficulty ? `, ${difficulty.toLowerCase()}` : ""}`;
    return courseName ? `${courseName}: ${what}` : what;
}

/**
 * Returns "2026-11-25" in the learner's own format.
 *
 * @param {string | undefined} text
 * @param {Intl.DateTimeFormatOptions} style
 */
export function dayWords(text, style = { dateStyle: "medium" }) {
    const [year, month, day] = String(text).slice(0, 10).split("-").map(Number);
    const date = new Date(year, month - 1, day);
    return Number.isNaN(date.valueOf()) ? "" : date.toLocaleDateString(undefined, style);
}

/**
 * 305 → "5:05"
 *
 * @param {number} seconds
 */
export const lengthWords = (seconds) =>
    `${Math.floor(Math.round(seconds) / 60)}:${String(Math.round(seconds) % 60).padStart(2, "0")}`;

/** The levels of mastery from 0, at which nothing lasting has been learned. */
export const MASTERY = [
    "not learned yet",
    "seen",
    "known for a day",
    "known for a week",
    "known for three weeks",
    "known for three months",
];

/** @type {Schemas["Plan"]["weekday"][]} */
export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/**
 * Cuts an example's sentence into the text before the item's words, these words, and the text after them.
 *
 * @param {string} text
 */
export function cutExample(text) {
    const parts = text.split("*");
    return parts.length === 3 ? parts : [text, "", ""];
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
