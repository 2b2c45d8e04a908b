/** The first visit: three taps for the goal, the day of the test, and minutes and days. They make the first plan. */
import { person, planner } from "../kit/plan-api.js";
import { dayWords, WEEKDAYS } from "../practice/practice-words.js";
import { practice } from "../kit/practice-api.js";
import { announce, attempt, button, byId, localButton, make, show } from "../kit/screen.js";

/** The name in the profile of a learner who gave none. It is not shown as a name. */
export const NO_NAME = "Learner";

/**
 * What a learner says in three taps.
 *
 * @typedef {object} Said
 * @property {number} [band]
 * @property {"interview"} [kind] if the goal is not an exam
 * @property {string} [day] the day of the test
 * @property {number} [minutes] a day
 * @property {Schemas["Plan"]["weekday"][]} [days]
 */

/**
 * The questions, each with its answers: the words, what a learner says with them, and a second line.
 *
 * @param {Date} now
 * @returns {{title: string, answers: [text: string, said: Said, more?: string][]}[]}
 */
export const questions = (now) => [
    {
        title: "What is your goal?",
        answers: [
            ...[6, 6.5, 7, 7.5, 8].map((band) => /** @type {[string, Said]} */ ([`Band ${band}`, { band }])),
            ["No band, just speak better", {}],
            ["A job interview", { kind: "interview" }],
        ],
    },
    {
        title: "When is your test?",
        answers: [
            ...[[14, "In two weeks"], [30, "In a month"], [60, "In two months"], [90, "In three months"]].map(
                ([days, text]) => {
                    const day = dayIn(now, Number(days));
                    return /** @type {[string, Said, string]} */ ([text, { day }, `about ${dayWords(day)}`]);
                },
            ),
            ["No date yet", {}],
        ],
    },
    {
        title: "How much time do you have?",
        answers: [
            ["10 minutes", { minutes: 10, days: WEEKDAYS }, "every day"],
            ["20 minutes", { minutes: 20, days: WEEKDAYS }, "every day"],
            ["30 minutes", { minutes: 30, days: WEEKDAYS.slice(0, 5) }, "Monday to Friday"],
            ["60 minutes", { minutes: 60, days: WEEKDAYS.slice(0, 5) }, "Monday to Friday"],
            ["60 minutes", { minutes: 60, days: WEEKDAYS.slice(5) }, "Saturday and Sunday"],
        ],
    },
];

/** @param {Date} now @param {number} days */
function dayIn(now, days) {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
    return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
        .map((part) => String(part).padStart(2, "0"))
        .join("-");
}

/**
 * Returns the profile for the chosen answers. The learner can add the rest later, in "Your profile".
 *
 * @param {Said} said
 * @param {string} name
 * @returns {Asked["setProfile"]}
 */
export function profileOf({ band, kind, day, minutes = 20, days = WEEKDAYS }, name) {
    return {
        name: name || NO_NAME,
        stage: "Preparing",
        targetRole: kind === "interview" ? "A job interview" : band === undefined ? "Speak better" : `Band ${band}`,
        timeBudgetHoursPerDay: Math.round((minutes / 60) * 100) / 100,
        availableDays: days,
        format: kind ?? "exam",
        ...(band !== undefined && { goalBand: band }),
        ...(day && { testDate: day }),
    };
}

/**
 * @param {{done: () => unknown, notNow: () => unknown, more: () => unknown}} on `more()`: the whole profile instead
 */
export function firstVisit(on) {
    const every = questions(new Date());
    /** @type {Said[]} */
    const said = [];

    const take = async (/** @type {Said} */ answer) => {
        said.push(answer);
        if (said.length < every.length) return draw();
        const name = (await person.told().catch(() => null))?.fullName ?? "";
        const all = Object.assign({}, ...said);
        try {
            await planner.keepProfile(profileOf(all, name));
        } catch (problem) {
            said.pop(); // The same tap tries again.
            throw problem;
        }
        // The plan does not depend on it.
        if (all.minutes) await practice.settle({ minutesADay: all.minutes }).catch(() => {});
        await on.done();
        announce("Your plan is made. Here is your first step.");
    };

    const draw = () => {
        const { title, answers } = every[said.length];
        byId("start-step").textContent = `Step ${said.length + 1} of ${every.length}`;
        byId("start-bar").value = said.length + 1;
        byId("start-title").textContent = title;
        byId("start-answers").replaceChildren(...answers.map(([text, answer, more]) => {
            // Only the last tap needs the network.
            const isLast = said.length === every.length - 1;
            const made = (isLast ? button : localButton)(text, () => take(answer));
            if (more) made.append(make("span", { class: "facts", text: ` ${more}` }));
            return made;
        }));
        byId("start-own").hidden = said.length !== 1;
        byId("start-back").hidden = said.length === 0;
        byId("start-title").focus();
        announce(`Step ${said.length + 1} of ${every.length}`);
    };

    byId("start-day").value = "";
    byId("start-day").min = dayIn(new Date(), 0);
    byId("start-own").onsubmit = (event) => {
        event.preventDefault();
        const day = byId("start-day").value;
        if (day) attempt(event.submitter, () => take({ day }));
        else byId("start-day").focus();
    };
    byId("start-back").onclick = () => {
        said.pop();
        draw();
    };
    byId("start-later").onclick = (event) => attempt(event.target, on.notNow);
    byId("start-more").onclick = (event) => attempt(event.target, on.more);
    show("start");
    draw();
}
