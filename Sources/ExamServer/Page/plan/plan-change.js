/** Changes to a plan: a new plan with a preview, a new section, undoing the last change, and exports. */
import { planner } from "../kit/plan-api.js";
import { besideItem } from "./plan-links.js";
import { NOT_HERE, startWords, titleWords } from "./plan-words.js";
import { WEEKDAYS } from "../practice/practice-words.js";
import { attempt, button, byId, fill, make, show } from "../kit/screen.js";
import { saveFile } from "../kit/save-file.js";

/**
 * Asks for a new plan, and shows its changes.
 *
 * @param {{canPreview?: boolean}} now the plan as the server sends it
 * @param {import("./plan-links.js").PlanWays} screen
 */
export async function lookAtAnother({ canPreview }, screen) {
    const anew = !canPreview;
    const preview = await planner.preview(anew);
    const { plan } = preview;
    if (!plan) return screen.redraw(await planner.told(), "The plan holds: another one would be the same.");
    /** @type {[string, Schemas["PlanChange"][], (change: Schemas["PlanChange"]) => string][]} */
    const every = [
        ["Comes in", preview.added ?? [], ({ day, title }) => `${day}: ${titleWords(title)}`],
        ["Moves", preview.moved ?? [], ({ day, title, from }) => `${titleWords(title)}: from ${from} to ${day}`],
        ["Goes", preview.removed ?? [], ({ day, title }) => `${day}: ${titleWords(title)}`],
        ["Stays", preview.kept ?? [], ({ day, title }) => `${day}: ${titleWords(title)}`],
    ];
    const lists = every.filter(([, items]) => items.length > 0);
    byId("plan-change-lists").replaceChildren(
        ...lists.flatMap(([title, items, words]) => [
            make("h2", { text: title }),
            make("ul", {}, ...items.map((item) => make("li", { text: words(item) }))),
        ]),
        ...(lists.length === 0
            ? [make("p", { text: "The other plan has no tasks either." })] : []),
    );
    byId("plan-take").onclick = (event) =>
        attempt(event.target, async () => {
            const taken = await planner.take(plan.version, anew);
            screen.redraw(taken, `Taken: version ${taken.plan?.version}.`);
        });
    byId("plan-keep").onclick = (event) => attempt(event.target, () => screen.open());
    show("plan-change");
}

/**
 * @param {Schemas["Plan"]} now
 * @param {import("./plan-links.js").PlanWays} screen
 * @returns {HTMLElement[]}
 */
export function changeButtons(now, screen) {
    /** @param {string} text @param {"resources" | "timeBlocks" | "dailyTasks"} section @param {string} words */
    const anew = (text, section, words) =>
        button(text, async () => {
            const made = await planner.reroll(section);
            screen.redraw(
                made,
                `${words} Version ${made.plan?.version}. “Take the last change back” brings back what was.`,
            );
        });
    return [
        button("Another plan…", () => lookAtAnother(now, screen)),
        anew("Other tasks", "dailyTasks", "The tasks are made anew; what is done stays."),
        anew("Other times", "timeBlocks", "The times are made anew."),
        anew("Other resources", "resources", "The resources are made anew."),
        button("Take the last change back", async () => {
            const made = await planner.undo();
            screen.redraw(made, `The last change is taken back. Version ${made.plan?.version}.`);
        }),
    ];
}

/**
 * @param {import("./plan-links.js").PlanWays} screen
 * @returns {HTMLElement[]}
 */
export const takeButtons = (screen) => [
    button("Calendar", async () => {
        saveFile(await planner.calendar(), "oracy-plan.ics");
        screen.tell("The calendar was saved: open it with any calendar. It has your plans, an event a task.");
    }),
    button("Prep pack", () => prep(screen)),
];

/** @param {import("./plan-links.js").PlanWays} screen */
async function prep(screen) {
    const pack = await planner.prep();
    const lines = (texts) => texts.map((text) => make("li", { text }));
    byId("prep-outline").replaceChildren(...lines(pack.prepOutline));
    byId("prep-questions").replaceChildren(...lines(pack.starterQuestions));
    const days = [...pack.weeklyDrillPlan].sort((one, other) =>
        WEEKDAYS.indexOf(one.day) - WEEKDAYS.indexOf(other.day));
    byId("prep-days").replaceChildren(...days.map(({ day, drills }) => make(
        "section",
        { class: "day-of-week" },
        make("h3", { text: day }),
        make("ul", { class: "lines" }, ...drills.map(drillLine)),
    )));
    fill("prep-resources", "prep-beside", pack.resources.map((one) => besideItem(one, screen)));
    byId("prep-back").onclick = (event) => attempt(event.target, () => screen.open());
    show("prep");
}

/** @param {Schemas["PlanTask"]} task */
const drillLine = ({ title, minutes, link }) => {
    const facts = [`${minutes} min`, ...(startWords(link) ? [] : [NOT_HERE])].join(" · ");
    return make(
        "li",
        {},
        make("span", {}, titleWords(title), make("br"), make("span", { class: "facts", text: facts })),
    );
};
