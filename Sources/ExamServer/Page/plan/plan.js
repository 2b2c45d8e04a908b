/** A learner's plan: today's tasks, each with its start button, the week with its progress, and possible changes. */
import { changeButtons, lookAtAnother, takeButtons } from "./plan-change.js";
import { planner } from "../kit/plan-api.js";
import { besideItem, starter } from "./plan-links.js";
import {
    daysToTestWords,
    dayOf,
    habitWords,
    MARKS,
    nothingWords,
    stateWords,
    timeOf,
    titleWords,
    WEEKDAYS,
} from "./plan-words.js";
import { dayWords, streakWords } from "../practice/practice-words.js";
import { askProfile } from "./learner-profile.js";
import { announce, button, byId, fill, localButton, make, show } from "../kit/screen.js";

/** @typedef {import("./plan-links.js").PlanWays} PlanWays */

/**
 * The plan's screen, which all other screens of a plan lead back to.
 *
 * @implements {PlanWays}
 */
export class PlanScreen {
    /**
     * @param {Pick<PlanWays, "sit" | "speak" | "results"> & {makePlan: () => unknown}} ways to other parts of the page
     */
    constructor({ makePlan, sit, speak, results }) {
        this.makePlan = makePlan;
        this.sit = sit;
        this.speak = speak;
        this.results = results;
    }

    /** @param {Schemas["Plan"]} [told] the plan as the server sends it, if it is already known */
    async open(told) {
        draw(told ?? (await planner.told()), this);
        say("");
        show("plan");
    }

    /**
     * Redraws the screen after a change, with a message about it.
     *
     * @param {Schemas["Plan"]} told
     * @param {string} words
     */
    redraw(told, words) {
        draw(told, this);
        if (byId("plan").hidden) show("plan");
        else byId("plan-title").focus();
        scrollTo(0, 0);
        say(words);
    }

    /**
     * Shows a message after an action without a visible result.
     *
     * @param {string} words
     */
    tell(words) {
        say(words);
        announce(words);
    }

    /** Opens the profile as the server has it. */
    async profile() {
        const { profile } = await planner.told();
        return this.askProfile(profile ?? null);
    }

    /** @param {Schemas["LearnerProfile"] | null} profile null before the first one */
    askProfile(profile) {
        return askProfile(profile, this);
    }
}

/** @param {string} words */
const say = (words) => {
    byId("plan-said").textContent = words;
    byId("plan-said").hidden = words === "";
};

/** @param {Schemas["Plan"]} told @param {PlanScreen} screen */
function draw(told, screen) {
    const { day, daysToTest, profile, plan: week } = told;
    byId("plan-about").textContent = [dayWords(day, { dateStyle: "full" }), daysToTestWords(daysToTest)]
        .filter(Boolean)
        .join(" · ");
    byId("plan-none").hidden = Boolean(profile && week);
    byId("plan-there").hidden = !(profile && week);
    if (!profile) return offer(
        "You have no plan yet. Three taps make one: your goal, your test, your minutes a day.",
        "Make my plan",
        () => screen.makePlan(),
    );
    if (!week) return offer("This week has no plan yet.", "Plan this week", () => lookAtAnother(told, screen));
    drawToday(told, week, screen);
    drawWeek(told, week);
    fill(
        "plan-milestones",
        "plan-reached",
        week.milestones.map(({ date, title }) => make(
            "li",
            {},
            make("b", { text: dayWords(date) }),
            `: ${titleWords(title)}`,
        )),
    );
    fill("plan-resources", "plan-beside", week.resources.map((one) => besideItem(one, screen)));
    byId("plan-changes").replaceChildren(...changeButtons(told, screen));
    byId("plan-takes").replaceChildren(
        ...takeButtons(screen),
        localButton("Your profile", () => screen.askProfile(profile)),
    );
}

/**
 * Shows an offer in place of a missing plan.
 *
 * @param {string} words
 * @param {string} text
 * @param {() => unknown} action
 */
function offer(words, text, action) {
    byId("plan-none-words").textContent = words;
    const made = button(text, action);
    made.className = "main";
    byId("plan-none-actions").replaceChildren(made);
}

/** @param {Schemas["Plan"]} told @param {Schemas["StudyPlan"]} week @param {PlanScreen} screen */
function drawToday({ weekday, ticks = {}, today = [], streak, score, points, canPreview, ...told }, week, screen) {
    const tasks = (week.dailyTasks[weekday] ?? []).filter(({ id }) => today.includes(id));
    const next = tasks.find(({ id }) => ticks[id]?.state !== "done");
    byId("plan-nothing").textContent = tasks.length > 0 ? "" : nothingWords(
        told.begins,
        week.notes?.find(({ day }) => day === weekday)?.text,
    );
    byId("plan-nothing").hidden = tasks.length > 0;
    byId("plan-today").replaceChildren(
        ...tasks.map((task) => todayItem(task, ticks[task.id], timeOf(week, weekday, task), task === next, screen)),
    );
    byId("plan-missed").hidden = !canPreview;
    byId("plan-missed-actions").replaceChildren(...(canPreview
        ? [button("What another plan would change", () => lookAtAnother({ canPreview, ...told }, screen))]
        : []));
    byId("plan-streak").textContent = streakWords({ streak });
    byId("plan-habit").textContent = habitWords(score);
    fill("plan-points", "plan-next", points.map((text) => make("li", { text })));
}

const mark = (state = "open") => make("span", { class: `tick ${state}`, "aria-hidden": "true", text: MARKS[state] });

/**
 * Returns one of today's tasks. A finished task shows no reason any more.
 *
 * @param {Schemas["PlanTask"]} task
 * @param {any} tick
 * @param {string} time
 * @param {boolean} isNext
 * @param {PlanScreen} screen
 */
function todayItem(task, tick, time, isNext, screen) {
    const isDone = tick?.state === "done";
    const facts = [
        stateWords(tick),
        time,
        `${task.minutes} min`,
        task.carriedFrom && `from ${dayWords(task.carriedFrom)}`,
    ].filter(Boolean).join(" · ");
    const about = make("p", {}, mark(tick?.state), make("b", { text: titleWords(task.title) }), make("br"), make(
        "span",
        { class: "facts", text: facts },
    ));
    return make("li", { class: "planned", id: `task-${task.id}` }, about, ...(isDone ? [] : [
        make("p", { text: task.reason }),
        starter(task, screen, isNext),
    ]));
}

/** @param {Schemas["Plan"]} told @param {Schemas["StudyPlan"]} week */
function drawWeek({ day, ticks = {} }, week) {
    const { notes = [] } = week;
    byId("plan-version").textContent = `Week of ${dayWords(week.weekOf)}, version ${week.version}`;
    const days = WEEKDAYS.filter((name) =>
        (week.dailyTasks[name] ?? []).length > 0 || notes.some((note) => note.day === name));
    byId("plan-week").replaceChildren(
        ...days.map((name) => dayOfWeek(name, dayOf(week.weekOf, name) === day, ticks, week)),
    );
    byId("plan-notes").replaceChildren(
        ...notes.filter((note) => !note.day).map(({ text }) => make("li", { text })),
    );
}

/**
 * @param {Schemas["Plan"]["weekday"]} name
 * @param {boolean} isToday
 * @param {Record<string,any>} ticks
 * @param {Schemas["StudyPlan"]} week
 */
function dayOfWeek(name, isToday, ticks, week) {
    const tasks = week.dailyTasks[name] ?? [];
    const done = tasks.filter(({ id }) => ticks[id]?.state === "done").length;
    const date = dayWords(dayOf(week.weekOf, name), { day: "numeric", month: "short" });
    const title = make("h3", { text: `${name}, ${date}${isToday ? " · today" : ""}` });
    const count = tasks.length > 0 ? [make("p", { class: "facts", text: `${done} of ${tasks.length} done` })] : [];
    const lines = tasks.map((task) => {
        const { state } = ticks[task.id] ?? {};
        const facts = [timeOf(week, name, task) || `${task.minutes} min`, stateWords(ticks[task.id])].join(" · ");
        return make("li", {}, mark(state), make("span", {}, titleWords(task.title), make("br"), make(
            "span",
            { class: "facts", text: facts },
        )));
    });
    const notes = (week.notes ?? []).filter((note) => note.day === name).map(({ text }) => make(
        "p",
        { class: "facts", text },
    ));
    return make(
        "section",
        { class: isToday ? "day-of-week today" : "day-of-week" },
        title,
        ...count,
        ...(lines.length > 0 ? [make("ul", { class: "lines" }, ...lines)] : []),
        ...notes,
    );
}
