/** The texts about a plan. Pure. */
import { dayWords, percent, WEEKDAYS } from "../practice/practice-words.js";
import { of } from "../kit/words.js";

export { WEEKDAYS };

/** Visual marks of states. */
export const MARKS = { open: "○", partly: "◐", done: "✓" };

/**
 * Returns the state of a task in words.
 *
 * @param {{state?: string, share?: number, doneOn?: string} | undefined} tick undefined if nothing was done for it
 */
export function stateWords(tick) {
    const { state = "open", share, doneOn } = tick ?? {};
    if (state === "done") return doneOn ? `done on ${dayWords(doneOn, { weekday: "long" })}` : "done";
    return state === "partly" ? `partly done: ${percent(share ?? 0)}` : "open";
}

/** @param {number | undefined} days */
export const daysToTestWords = (days) => (days === undefined ? "" : days === 0
    ? "your test is today"
    : days === 1 ? "your test is tomorrow" : `${days} days to your test`);

/**
 * Returns why today has no task.
 *
 * @param {string} [begins] the plan's first day, if it is in the future
 * @param {string} [note] the plan's own note on today
 */
export const nothingWords = (begins, note) => (begins
    ? `Your plan begins on ${dayWords(begins, { dateStyle: "full" })}.`
    : (note ?? "Nothing is planned for today."));

/**
 * Returns the message after saving a first profile.
 *
 * @param {Partial<Schemas["Plan"]>} told the new plan as the server sends it
 */
export function keptWords({ plan, begins }) {
    if (begins) return `Kept, and your week is planned. ${nothingWords(begins)}`;
    const isEmpty = Object.values(plan?.dailyTasks ?? {}).every((tasks) => tasks.length === 0);
    return isEmpty
        ? "Kept, but no day of this week has room for anything: the week says why."
        : "Kept, and your week is planned.";
}

/**
 * Returns the strength of a habit in words.
 *
 * @param {number} [score] 0 to 1
 */
export function habitWords(score) {
    if (score === undefined) return "";
    const word = score < 0.1
        ? "it begins"
        : score < 0.35 ? "it grows" : score < 0.65 ? "half of the way" : score < 0.85 ? "firm" : "very firm";
    return `Habit: ${Math.round(score * 100)} of 100, ${word}.`;
}

/**
 * "Monday" of a week → "2026-11-23"
 *
 * @param {string} weekOf
 * @param {Schemas["Plan"]["weekday"]} weekday
 */
export function dayOf(weekOf, weekday) {
    const [year, month, day] = weekOf.split("-").map(Number);
    return new Date(Date.UTC(year, month - 1, day + WEEKDAYS.indexOf(weekday))).toISOString().slice(0, 10);
}

/**
 * Returns the time of a task: "18:00–18:30". Empty if it has no block of its own.
 *
 * @param {Schemas["StudyPlan"]} plan
 * @param {Schemas["Plan"]["weekday"]} weekday
 * @param {{id: string, minutes: number}} task
 */
export function timeOf(plan, weekday, task) {
    const block = (plan.timeBlocks[weekday] ?? []).find(({ tasks }) => tasks.includes(task.id));
    if (!block) return "";
    const [hours, minutes] = block.begin.split(":").map(Number);
    let begin = hours * 60 + minutes;
    for (const id of block.tasks) {
        if (id === task.id) break;
        begin += plan.dailyTasks[weekday]?.find((each) => each.id === id)?.minutes ?? 0;
    }
    const clock = (/** @type {number} */ at) =>
        `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
    return `${clock(begin)}–${clock(begin + task.minutes)}`;
}

/**
 * Returns a link's parts: "sit:part2/food" → { kind: "sit", name: "part2", rest: "food" }
 *
 * @param {string} link
 */
export function linkParts(link) {
    const [, kind, name, rest] = /^([a-z]+):([^/]+)(?:\/(.*))?$/.exec(link) ?? [];
    return { kind, name, rest };
}

/**
 * Returns a title for people, in which an exam's id and the name of a command are replaced.
 *
 * @param {string} title
 */
export const titleWords = (title) =>
    title.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i, "your exam")
        .replace("with oracy progress", "in Progress");

/**
 * Returns the text of a task's button. Empty if this page cannot do it.
 *
 * @param {string} link
 */
export function startWords(link) {
    const { kind, name } = linkParts(link);
    return {
        sit: "Go to the exam",
        drill: "Begin the drill",
        shadow: "Go to the drill",
        speak: "Go to the drill",
        lesson: "Read the lesson",
        review: "Look at the results",
        test: name === "new" ? "Make a test" : "Go to the test",
    }[kind] ?? "";
}

/**
 * Returns the text above the choice of an exam that a plan asks for.
 *
 * @param {{title: string, link: string}} task
 */
export function sittingWords({ title, link }) {
    const { name, rest } = linkParts(link);
    if (name === "full" || (name === "interview" && !rest)) return `Your plan: ${title}.`;
    return `Your plan: ${title}. Sit a whole exam: it ticks this part as well.`;
}

/**
 * Returns the format and topic of the exam that a link means.
 *
 * @param {string} link
 */
export function sittingOf(link) {
    const { name, rest } = linkParts(link);
    return name === "interview" ? { format: "interview" } : { format: "ielts-style", topic: rest };
}

/** The words for a task that this page cannot do. */
export const NOT_HERE = "This page cannot do this task.";

/** Returns the field named by a problem, and the error. */
export function fault(detail = "") {
    const [, field, words] = /^(?:profile\.)?([A-Za-z]+)(?:\[\d+\])?: (.*)$/.exec(detail) ?? [];
    return field ? { field, words } : null;
}

export const BANDS = Array.from({ length: 11 }, (_, place) => 4 + place / 2);

/**
 * The descriptions of speaking at each band. They are our own and not official.
 *
 * @type {[band: number, words: string][]}
 */
export const BAND_WORDS = [
    [
        9,
        "You say what you mean at once, on any subject. " +
            "If you stop, it is to think of what to say, not of how to say it.",
    ],
    [
        8,
        "Long, clear talk with exact words; a rare slip that you notice yourself. " +
            "It is easy to listen to all the time.",
    ],
    [
        7,
        "You speak at length without effort. " +
            "Words are chosen well most of the time, and mistakes do not get in the way.",
    ],
    [
        6,
        "You keep talking and are understood, but you look for words, " +
            "repeat yourself, or lose the thread now and then.",
    ],
    [
        5,
        "Familiar things go well. On others you stop often, " +
            "use the same few words and simple sentences, and correct yourself.",
    ],
    [
        4,
        "Short answers with long stops. Simple facts come across; " +
            "it takes the listener work, and links between ideas are missing.",
    ],
];

/** The measures that are compared between exams. */
export const MEASURES = {
    phonationTimeRatio: { name: "Time speaking", unit: "%", digits: 0 },
    longestPause: { name: "Longest pause", unit: "s", digits: 1 },
    pausesPerMinute: { name: "Pauses", unit: "a minute", digits: 1 },
    speechRate: { name: "Speech rate", unit: "syllables a second", digits: 1 },
    meanLengthOfRun: { name: "Length of run", unit: "syllables", digits: 1 },
    speech: { name: "Speech", unit: "s", digits: 0 },
};
