/**
 * What a learner reads of a plan: the same words as in the terminal. Pure.
 */
import { dayWords, of, percent, WEEKDAYS } from "./practice-words.js";

export { WEEKDAYS };

/** A mark for those who see it. */
export const MARKS = { open: "○", partly: "◐", done: "✓" };

/** Where a task stands. */
export function stateWords({ state = "open", share, doneOn } = {}) {
    if (state === "done") return doneOn ? `done on ${dayWords(doneOn, { weekday: "long" })}` : "done";
    return state === "partly" ? `partly done: ${percent(share ?? 0)}` : "open";
}

export const daysToTestWords = (days) => (days === undefined ? "" : days === 0 ? "your test is today" : days === 1 ? "your test is tomorrow" : `${days} days to your test`);

/** Why today has no task. @param {string} [begins] the plan's first day, while that is to come; @param {string} [note] what the plan says of today */
export const nothingWords = (begins, note) => (begins ? `Your plan begins on ${dayWords(begins, { dateStyle: "full" })}.` : (note ?? "Nothing is planned for today."));

/** What is said after a first profile. @param {object} told as the server tells the plan that it made */
export function keptWords({ plan, begins }) {
    if (begins) return `Kept, and your week is planned. ${nothingWords(begins)}`;
    const isEmpty = Object.values(plan?.dailyTasks ?? {}).every((tasks) => tasks.length === 0);
    return isEmpty ? "Kept, but no day of this week has room for anything: the week says why." : "Kept, and your week is planned.";
}

/** How firmly something is a habit. @param {number} [score] 0 to 1 */
export function habitWords(score) {
    if (score === undefined) return "";
    const word = score < 0.1 ? "it begins" : score < 0.35 ? "it grows" : score < 0.65 ? "half of the way" : score < 0.85 ? "firm" : "very firm";
    return `Habit: ${Math.round(score * 100)} of 100, ${word}.`;
}

/** "Monday" of a week → "2026-11-23" */
export function dayOf(weekOf, weekday) {
    const [year, month, day] = weekOf.split("-").map(Number);
    return new Date(Date.UTC(year, month - 1, day + WEEKDAYS.indexOf(weekday))).toISOString().slice(0, 10);
}

/** When a task is to be done: "18:00–18:30"; empty where no block has it alone. */
export function timeOf(plan, weekday, task) {
    const block = (plan.timeBlocks[weekday] ?? []).find(({ tasks }) => tasks.includes(task.id));
    if (!block) return "";
    const minutes = ([hours, rest]) => Number(hours) * 60 + Number(rest);
    let begin = minutes(block.begin.split(":"));
    for (const id of block.tasks) {
        if (id === task.id) break;
        begin += plan.dailyTasks[weekday].find((each) => each.id === id)?.minutes ?? 0;
    }
    const clock = (at) => `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
    return `${clock(begin)}–${clock(begin + task.minutes)}`;
}

/** A link's parts: "sit:part2/food" → { kind: "sit", name: "part2", rest: "food" } */
export function linkParts(link) {
    const [, kind, name, rest] = /^([a-z]+):([^/]+)(?:\/(.*))?$/.exec(link) ?? [];
    return { kind, name, rest };
}

/** What a task is called by people: an exam's id says nothing to them. */
export const titleWords = (title) => title.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i, "your exam");

/** What the button of a task says; nothing where it needs a terminal. */
export function startWords(link) {
    const { kind, name } = linkParts(link);
    return { sit: "Go to the exam", drill: "Begin the drill", lesson: "Read the lesson", review: "Look at the results", test: name === "new" ? "Make a test" : "Go to the test" }[kind] ?? "";
}

/** What stands above the choice of an exam that a plan asks for. */
export function sittingWords({ title, command, link }) {
    const { name, rest } = linkParts(link);
    if (name === "full" || (name === "interview" && !rest)) return `Your plan: ${title}.`;
    return `Your plan: ${title}. This page sits whole exams; one ticks the part as well. The part alone, in a terminal: ${command}`;
}

/** Which format of exam a link means, and about what. */
export function sittingOf(link) {
    const { name, rest } = linkParts(link);
    return name === "interview" ? { format: "interview" } : { format: "ielts-style", topic: rest };
}

/** The field that a problem names, and what is wrong with it. */
export function fault(detail = "") {
    const [, field, words] = /^(?:profile\.)?([A-Za-z]+)(?:\[\d+\])?: (.*)$/.exec(detail) ?? [];
    return field ? { field, words } : null;
}

export const BANDS = Array.from({ length: 11 }, (_, place) => 4 + place / 2);

/** What speaking sounds like at a band: our own words, no official ones. */
export const BAND_WORDS = [
    [9, "You say what you mean at once, on any subject. If you stop, it is to think of what to say, not of how to say it."],
    [8, "Long, clear talk with exact words; a rare slip that you notice yourself. It is easy to listen to all the time."],
    [7, "You speak at length without effort. Words are chosen well most of the time, and mistakes do not get in the way."],
    [6, "You keep talking and are understood, but you look for words, repeat yourself, or lose the thread now and then."],
    [5, "Familiar things go well. On others you stop often, use the same few words and simple sentences, and correct yourself."],
    [4, "Short answers with long stops. Simple facts come across; it takes the listener work, and links between ideas are missing."],
];

/** Measures that are followed from exam to exam, as the terminal has them. */
export const MEASURES = {
    phonationTimeRatio: { name: "Time speaking", unit: "%", digits: 0 },
    longestPause: { name: "Longest pause", unit: "s", digits: 1 },
    pausesPerMinute: { name: "Pauses", unit: "a minute", digits: 1 },
    speechRate: { name: "Speech rate", unit: "syllables a second", digits: 1 },
    meanLengthOfRun: { name: "Length of run", unit: "syllables", digits: 1 },
    speech: { name: "Speech", unit: "s", digits: 0 },
};

/** "Speech rate: 3.1 syllables a second in the last exam, 2.8 in the first of 4." */
export function progressWords(name, values) {
    const { name: title, unit, digits } = MEASURES[name];
    if (values.length === 0) return `${title}: no exam has enough speech for it.`;
    const [first, last] = [values[0], values.at(-1)].map((value) => value.toFixed(digits));
    const now = `${title}: ${last} ${unit} in the last exam`;
    return values.length === 1 ? `${now}.` : `${now}, ${first} in the first of ${of(values.length, "exam")}.`;
}
