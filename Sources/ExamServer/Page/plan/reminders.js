/** Reminders of unfinished tasks: the browser's notification at a time of day, while the page is open. */
import { assigned } from "../kit/assigned-api.js";
import { planner } from "../kit/plan-api.js";
import { titleWords } from "./plan-words.js";
import { of } from "../kit/words.js";

const KEPT = "oracy.reminder";
/** The milliseconds between two checks of the clock. */
const LOOK_EVERY = 20_000;

/** The choice, which lives only as long as the page if the browser blocks storage. */
let chosen = read();

function read() {
    try {
        return JSON.parse(localStorage.getItem(KEPT) ?? "null") ?? { isOn: false, at: "18:00" };
    } catch {
        return { isOn: false, at: "18:00" };
    }
}

export const reminder = {
    get: () => chosen,
    /** @param {{isOn?: boolean, at?: string, last?: string}} change `at`: "18:00"; `last`: the day of the last one */
    set(change) {
        chosen = { ...chosen, ...change };
        try {
            localStorage.setItem(KEPT, JSON.stringify(chosen));
        } catch {
            // The choice stays in effect until the page is closed.
        }
    },
};

/**
 * Whether a reminder is due: once a day, from its time on. Pure.
 *
 * @param {{isOn: boolean, at: string, last?: string}} reminder
 * @param {Date} now
 */
export function isTime({ isOn, at, last }, now) {
    const [hours, minutes] = at.split(":").map(Number);
    return isOn && last !== dayOf(now) && now.getHours() * 60 + now.getMinutes() >= hours * 60 + minutes;
}

/** @param {Date} now */
export const dayOf = (now) =>
    [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/** Returns the reminder's text. Nothing if all tasks are done. Pure. */
/** @param {Partial<Schemas["Plan"]>} told */
export function reminderWords({ plan, weekday, today = [], ticks = {} }) {
    const open = (weekday ? plan?.dailyTasks[weekday] ?? [] : []).filter(({ id }) =>
        today.includes(id) && ticks[id]?.state !== "done");
    if (open.length === 0) return "";
    const [{ title, minutes }] = open;
    return `${titleWords(title)}: ${of(minutes, "minute")}${open.length > 1 ? `, and ${open.length - 1} more` : ""}`;
}

/**
 * Returns the reminder of assigned work that is due today. Empty without such work. Pure.
 *
 * @param {Pick<Schemas["OwnAssignments"]["assignments"][number], "title" | "due" | "state">[]} work
 * @param {string} today
 */
export function assignedWords(work, today) {
    const due = work.filter((one) => one.due === today && one.state?.status === "open");
    return due.length > 0 ? `Due today: ${due.map(({ title }) => title).join(", ")}` : "";
}

/** Starts checking the clock. */
export function remind() {
    setInterval(async () => {
        if (!isTime(chosen, new Date()) || globalThis.Notification?.permission !== "granted") return;
        reminder.set({ last: dayOf(new Date()) });
        try {
            const [told, work] = await Promise.all([planner.told(), assigned.own()]);
            const words = [assignedWords(work, told.day), reminderWords(told)].filter(Boolean).join("\n");
            if (words) new Notification("Oracy: today's plan", { body: words, tag: "oracy-plan" });
        } catch {
            // The user is signed out, the line is gone, or this browser shows notifications only for installed pages.
        }
    }, LOOK_EVERY);
}

/**
 * Asks the browser for permission.
 *
 * @returns {Promise<string>} the message for the learner; empty if it is granted
 */
export async function permission() {
    const none = "This browser cannot show notifications of pages.";
    if (!("Notification" in globalThis)) return none;
    try {
        const answer = await Notification.requestPermission();
        if (answer === "granted") return "";
        return (
            "The browser does not allow notifications of this page. " +
            "Allow them in its settings for this site, then try again."
        );
    } catch {
        return none;
    }
}
