/**
 * The learner's home: today's plan in short, exams with a search, progress, practice, tests, and what to work on.
 */
import { api } from "../kit/api.js";
import { person, planner } from "../kit/plan-api.js";
import { BAND_WORDS, daysToTestWords, nothingWords, stateWords, titleWords } from "./plan-words.js";
import { practice } from "../kit/practice-api.js";
import { dayWords, of, streakWords, testTitle } from "../practice/practice-words.js";
import { drawProgress } from "./progress.js";
import { button, byId, fill, make, show } from "../kit/screen.js";
import { figuresOf } from "../practice/statistics.js";
import { score } from "../practice/test-result.js";
import { date, examTitle, modeWords, statusWords } from "../kit/words.js";

/** The number of recent exams and tests to show. */
const RECENT = 3;
/** The maximum number of pages of older exams that a search reads. */
const MOST_PAGES = 20;

/** @param {any} on `plan()`, `makePlan()`, `exams()`, `open(session)`: shows its results */
export async function front(on) {
    const [told, day, board, page, choices, who] = await Promise.all([
        planner.told(),
        practice.today(),
        practice.tests(),
        api.sessions(),
        api.choices(),
        person.told(),
    ]);
    await drawPerson(who, told);
    drawPlan(told, on);
    fill("front-points", "front-next", told.points.map((text) => make("li", { text })));
    drawExams(page, choices, on);
    drawProgress(told.progress.exams);
    byId("front-streak").textContent = streakWords(day);
    byId("front-figures").replaceChildren(
        ...figuresOf(day).flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })]),
    );
    fill("front-tests", "front-tested", board.recent.slice(0, RECENT).map(testItem));
    byId("bands").replaceChildren(
        ...BAND_WORDS.flatMap(([band, words]) => [make("dt", { text: `Band ${band}` }), make("dd", { text: words })]),
    );
    show("front");
}

/**
 * @param {Schemas["Profile"]} who
 * @param {Schemas["Plan"]} told
 */
async function drawPerson({ fullName, picture }, { profile }) {
    const name = fullName ?? profile?.name;
    byId("front-person").hidden = !name && !picture;
    byId("front-name").textContent = name ?? "";
    const address = picture ? await person.picture().catch(() => null) : null;
    byId("front-picture").hidden = !address;
    if (address) byId("front-picture").src = address;
}

/**
 * @param {Schemas["Plan"]} told
 * @param {any} on
 */
function drawPlan({ profile, plan, today = [], ticks = {}, weekday, daysToTest, begins }, on) {
    const main = (text, action) => {
        const made = button(text, action);
        made.className = "main";
        return make("p", { class: "actions" }, made);
    };
    if (!profile) {
        const words = "A plan says what to do today, and why. It ticks off what you have done.";
        return byId("front-plan").replaceChildren(
            make("h2", { text: "Your plan" }),
            make("p", { text: words }),
            main("Make my plan", () => on.makePlan()),
        );
    }
    const tasks = (plan?.dailyTasks[weekday] ?? []).filter(({ id }) => today.includes(id));
    const done = tasks.filter(({ id }) => ticks[id]?.state === "done").length;
    const words = !plan
        ? "This week has no plan yet."
        : tasks.length === 0 ? nothingWords(begins) : `${done} of ${of(tasks.length, "task")} done.`;
    const lines = tasks.map((task) => make(
        "li",
        { text: `${titleWords(task.title)}, ${task.minutes} min: ${stateWords(ticks[task.id])}` },
    ));
    const test = daysToTestWords(daysToTest);
    byId("front-plan").replaceChildren(
        make(
            "h2",
            { text: "Today" },
        ), make("p", { text: [words, test && `${test[0].toUpperCase()}${test.slice(1)}.`].filter(Boolean).join(" ") }),
        ...(lines.length > 0 ? [make("ul", {}, ...lines)] : []), main("Go to your plan", () => on.plan()));
}

/** @param {Schemas["PracticeTest"]} test */
const testItem = (test) => make(
    "li",
    {},
    make("p", {}, make("b", { text: testTitle(test) }), make("br"), dayWords(test.submittedAt)),
    ...(test.result ? [score(test.result)] : []),
);

// Exams.

/** @param {Schemas["Sessions"]} page @param {Schemas["Choices"]} choices @param {any} on */
function drawExams(page, choices, on) {
    const { sessions } = page;
    byId("front-no-exams").hidden = sessions.length > 0;
    byId("front-exams").replaceChildren(...sessions.slice(0, RECENT).map((session) => examItem(session, choices, on)));
    byId("front-exams-actions").replaceChildren(button("Sit an exam", on.exams));
    const all = byId("front-all");
    all.hidden = sessions.length <= RECENT;
    all.open = false;
    byId("exam-search").value = "";
    let known = null;
    all.ontoggle = async () => {
        if (!all.open || known) return;
        known = page.sessions;
        const list = () => found(known, choices, on);
        byId("exam-search").oninput = list;
        list();
        known = await everything(page);
        list();
    };
}

/**
 * Returns all pages of exams, or those read before the line was lost.
 *
 * @param {Schemas["Sessions"]} page
 */
async function everything({ sessions, next }) {
    const all = [...sessions];
    for (let pages = 0; next && pages < MOST_PAGES; pages += 1) {
        const page = await api.sessions(next).catch(() => ({ sessions: [], next: undefined }));
        all.push(...page.sessions);
        next = page.next;
    }
    return all;
}

/** @param {Schemas["Session"]} session */
const facts = (session) =>
    [date(session.startedAt), modeWords(session.mode), statusWords(session.status)].filter(Boolean).join(" · ");

/**
 * Returns the exams that contain all words of a search. Pure.
 *
 * @param {Schemas["Session"][]} sessions
 * @param {Schemas["Choices"]} choices
 * @param {string} search
 */
export function matching(sessions, choices, search) {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return sessions.filter((session) => {
        const text =
            `${examTitle(session, choices)} ${facts(session)} ${String(session.startedAt).slice(0, 10)}`.toLowerCase();
        return words.every((word) => text.includes(word));
    });
}

/** @param {Schemas["Session"][]} sessions @param {Schemas["Choices"]} choices @param {any} on */
function found(sessions, choices, on) {
    const search = byId("exam-search").value;
    const some = matching(sessions, choices, search);
    byId("exam-found").textContent = search.trim()
        ? `${of(some.length, "exam")} of ${sessions.length} found`
        : of(some.length, "exam");
    byId("exam-list").replaceChildren(...some.map((session) => examItem(session, choices, on)));
}

/** @param {Schemas["Session"]} session @param {Schemas["Choices"]} choices @param {any} on */
function examItem(session, choices, on) {
    const title = examTitle(session, choices);
    const open = button("Results", () => on.open(session.id), `Results: ${title}, ${date(session.startedAt)}`);
    return make(
        "li",
        {},
        make("p", {}, make("b", { text: title }), make("br"), make("span", { class: "facts", text: facts(session) })),
        make("p", { class: "actions" }, open),
    );
}
