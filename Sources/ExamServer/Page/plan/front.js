/**
 * Today: one card with the one thing to do now, and below it other assigned work, the streak, the minutes of today and
 * the goal.
 */
import { api } from "../kit/api.js";
import { assigned } from "../kit/assigned-api.js";
import { assignedItem, beginButton, besides, dueWords, toDo } from "./assigned.js";
import { NO_NAME } from "./first-visit.js";
import { person, planner } from "../kit/plan-api.js";
import { starter } from "./plan-links.js";
import { daysToTestWords, nothingWords, startWords, stateWords, titleWords } from "./plan-words.js";
import { practice } from "../kit/practice-api.js";
import { againItem } from "../practice/today.js";
import { loadWords, oneDecimal, streakWords } from "../practice/practice-words.js";
import { button, byId, fill, make, show } from "../kit/screen.js";
import { date, examTitle, modeWords } from "../kit/words.js";

/** The days after which an unfinished exam is no longer the first thing to do. */
const GO_ON_DAYS = 7;

/**
 * @typedef {object} FrontWays
 * @property {() => unknown} makePlan
 * @property {boolean} isAsked whether a learner who is new has been asked already, and said "Not now"
 * @property {(session: string) => unknown} goOn continues an exam
 * @property {() => unknown} drill continues or begins today's drill
 * @property {import("./plan-links.js").PlanWays} screen
 * @property {import("./assigned.js").AssignedWays} assigned the ways from assigned work
 */

/** @param {FrontWays} on */
export async function front(on) {
    const [told, day, page, who, work] = await Promise.all([
        planner.told(),
        practice.today(),
        api.sessions(),
        person.told(),
        assigned.own(),
    ]);
    const first = toDo(work, day.day)[0];
    const isNew = !told.profile && page.sessions.length === 0 && day.statistics.answers === 0;
    if (isNew && !on.isAsked && !first) return on.makePlan();
    await drawPerson(who, told);
    const next = nextThing(page.sessions, told, day, Date.now(), first);
    // The choices are many bytes, and only needed for an exam's title.
    const choices = next.kind === "exam" ? await api.choices() : { formats: [], papers: [] };
    byId("front-plan").replaceChildren(...card(next, { told, day, choices }, on));
    byId("front-plan").dataset.kind = next.kind;
    drawGlance(told, day);
    // An exam or a practice that was begun before stays on the card. Then the list has all assigned work.
    const others = next.kind === "assigned" || !first ? besides(work, day.day) : [first, ...besides(work, day.day)];
    fill("front-assigned-list", "front-assigned", others.map((one) => assignedItem(one, on.assigned)));
    fill("front-again-list", "front-again", day.again.map(againItem));
    fill("front-points", "front-next", told.points.map((text) => make("li", { text })));
    show("front");
}

/**
 * Returns the one thing to do: to continue an exam or a drill, the first assigned work, to make a plan, the plan's next
 * task, a drill, or something extra. Pure.
 *
 * @param {Schemas["Session"][]} sessions newest first
 * @param {Partial<Schemas["Plan"]>} told
 * @param {Pick<Schemas["PracticeDay"], "drill" | "due" | "new">} day
 * @param {number} now milliseconds
 * @param {import("./assigned.js").Assignment} [work] the first assigned work to do
 * @returns {{kind: "exam", session: Schemas["Session"]} | {kind: "task", task: Schemas["PlanTask"]} |
 *     {kind: "assigned", work: import("./assigned.js").Assignment} | {kind: "drill" | "plan" | "due" | "done"}}
 */
export function nextThing(sessions, told, day, now, work = undefined) {
    const left = sessions.find(({ status, held, startedAt }) =>
        status === "in_progress" && held !== "client" && now - Date.parse(startedAt) < GO_ON_DAYS * 86_400_000);
    if (left) return { kind: "exam", session: left };
    if (day.drill) return { kind: "drill" };
    if (work) return { kind: "assigned", work };
    if (!told.profile) return { kind: "plan" };
    const task = todaysTasks(told).find(({ id, link }) => told.ticks?.[id]?.state !== "done" && startWords(link));
    if (task) return { kind: "task", task };
    return { kind: day.due + day.new > 0 ? "due" : "done" };
}

/** @param {Partial<Schemas["Plan"]>} told */
const todaysTasks = ({ plan, weekday, today = [] }) =>
    (plan?.dailyTasks[weekday ?? "Monday"] ?? []).filter(({ id }) => today.includes(id));

/**
 * Returns the card's contents.
 *
 * @param {ReturnType<typeof nextThing>} next
 * @param {{told: Schemas["Plan"], day: Schemas["PracticeDay"],
 *     choices: Pick<Schemas["Choices"], "formats" | "papers">}} about
 * @param {FrontWays} on
 */
function card(next, { told, day, choices }, on) {
    /** @param {string} text @param {() => unknown} action @param {string} [label] */
    const main = (text, action, label) => {
        const made = button(text, action, label);
        made.className = "main";
        return make("p", { class: "actions" }, made);
    };
    const words = (/** @type {string} */ above, /** @type {string} */ title, /** @type {string[]} */ ...below) => [
        make("p", { class: "above", text: above }),
        make("h2", { text: title }),
        ...below.filter(Boolean).map((text) => make("p", { text })),
    ];
    switch (next.kind) {
        case "exam": {
            const { session } = next;
            const title = examTitle(session, choices);
            const facts = [date(session.startedAt), modeWords(session.mode)].filter(Boolean).join(" · ");
            const safe = `Begun ${facts}. What you said is safe, and the exam goes on where you left it.`;
            const label = `Go on: ${title}, ${date(session.startedAt)}`;
            return [...words("You are in an exam", title, safe), main("Go on", () => on.goOn(session.id), label)];
        }
        case "drill": {
            const { done, count } = day.drill ?? { done: 0, count: 0 };
            const title = `${count - done} of ${count} questions left`;
            return [...words("You are in a drill", title), main("Go on with your drill", on.drill)];
        }
        case "assigned": {
            const { work } = next;
            const made = beginButton(work, on.assigned);
            made.className = "main";
            const parts = words(`From your teacher · ${dueWords(work)}`, work.title, work.note ?? "");
            return [...parts, make("p", { class: "actions" }, made)];
        }
        case "plan": {
            const about = "Three taps: your goal, your test, your minutes a day. Then every day has one next step.";
            return [...words("Welcome", "Make your plan", about), main("Make my plan", on.makePlan)];
        }
        case "task": {
            const { task } = next;
            const done = todaysTasks(told).filter(({ id }) => told.ticks?.[id]?.state === "done").length;
            const state = told.ticks?.[task.id]?.state === "partly" ? stateWords(told.ticks[task.id]) : "";
            const facts = [`${task.minutes} min`, state].filter(Boolean).join(" · ");
            const above = `Today · ${done + 1} of ${todaysTasks(told).length}`;
            return [...words(above, titleWords(task.title), facts, task.reason), starter(task, on.screen, true)];
        }
        case "due":
            return [
                ...words("Today", "Today's drill", `${loadWords(day)} ${planWords(told)}`),
                main("Begin today's drill", on.drill),
            ];
        default: {
            const above = todaysTasks(told).length > 0 ? "Done for today" : "Today";
            const made = main("Practise something extra", on.drill);
            return [...words(above, "Nothing is left for today", planWords(told)), made];
        }
    }
}

/** Returns why the plan has no open task for today. @param {Schemas["Plan"]} told */
function planWords(told) {
    if (!told.plan) return "This week has no plan yet: look at “Your week”.";
    return todaysTasks(told).length > 0 ? "Everything in your plan for today is done." : nothingWords(told.begins);
}

// At a glance.

/** @param {Schemas["Plan"]} told @param {Schemas["PracticeDay"]} day */
function drawGlance({ profile, daysToTest, goal }, day) {
    const share = Math.min(1, day.minutesToday / Math.max(1, day.minutesADay));
    byId("front-ring").setAttribute("stroke-dasharray", `${Math.round(share * 100)} 100`);
    byId("front-days").textContent = String(day.streak.days);
    byId("front-streak").textContent = streakWords(day);
    byId("front-minutes").textContent = `${oneDecimal(day.minutesToday)} of ${day.minutesADay} min`;
    byId("front-goal").textContent = profile?.goalBand === undefined || profile.goalBand === null
        ? "None yet"
        : `Band ${profile.goalBand}`;
    byId("front-distance").hidden = !goal;
    byId("front-distance").textContent = goal ?? "";
    byId("front-test").textContent = daysToTestWords(daysToTest) || "No date yet";
}

/**
 * @param {Schemas["Profile"]} who
 * @param {Schemas["Plan"]} told
 */
async function drawPerson({ fullName, picture }, { profile }) {
    const name = fullName ?? (profile?.name === NO_NAME ? undefined : profile?.name);
    byId("front-person").hidden = !name && !picture;
    byId("front-name").textContent = name ?? "";
    const address = picture ? await person.picture().catch(() => null) : null;
    byId("front-picture").hidden = !address;
    if (address) byId("front-picture").src = address;
}
