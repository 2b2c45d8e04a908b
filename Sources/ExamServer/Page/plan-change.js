/** Changes to a plan: a new plan with a preview, a new section, undoing the last change, and exports. */
import { besideItem, fill, plan, redraw, told } from "./plan.js";
import { planner } from "./plan-api.js";
import { startWords, titleWords } from "./plan-words.js";
import { WEEKDAYS } from "./practice-words.js";
import { attempt, button, byId, make, show } from "./screen.js";
import { saveFile } from "./save-file.js";

/** Asks for a new plan, and shows its changes. @param {object} now the plan as the server sends it */
export async function lookAtAnother({ canPreview }) {
    const anew = !canPreview;
    const preview = await planner.preview(anew);
    if (!preview.plan) return redraw(await planner.told(), "The plan holds: another one would be the same.");
    const lists = [
        ["Comes in", preview.added, ({ day, title }) => `${day}: ${titleWords(title)}`],
        ["Moves", preview.moved, ({ day, title, from }) => `${titleWords(title)}: from ${from} to ${day}`],
        ["Goes", preview.removed, ({ day, title }) => `${day}: ${titleWords(title)}`],
        ["Stays", preview.kept, ({ day, title }) => `${day}: ${titleWords(title)}`],
    ].filter(([, items]) => items.length > 0);
    byId("plan-change-lists").replaceChildren(
        ...lists.flatMap(([title, items, words]) => [make("h2", { text: title }), make("ul", {}, ...items.map((item) => make("li", { text: words(item) })))]),
        ...(lists.length === 0 ? [make("p", { text: "The other plan has no tasks either." })] : []),
    );
    byId("plan-take").onclick = (event) =>
        attempt(event.target, async () => {
            const taken = await planner.take(preview.plan.version, anew);
            redraw(taken, `Taken: version ${taken.plan.version}.`);
        });
    byId("plan-keep").onclick = (event) => attempt(event.target, () => plan());
    show("plan-change");
}

/** @returns {HTMLElement[]} */
export function changeButtons(now) {
    const anew = (text, section, words) =>
        button(text, async () => {
            const made = await planner.reroll(section);
            redraw(made, `${words} Version ${made.plan.version}. “Take the last change back” brings back what was.`);
        });
    return [
        button("Another plan…", () => lookAtAnother(now)),
        anew("Other tasks", "dailyTasks", "The tasks are made anew; what is done stays."),
        anew("Other times", "timeBlocks", "The times are made anew."),
        anew("Other resources", "resources", "The resources are made anew."),
        button("Take the last change back", async () => {
            const made = await planner.undo();
            redraw(made, `The last change is taken back. Version ${made.plan.version}.`);
        }),
    ];
}

/** @returns {HTMLElement[]} */
export const takeButtons = () => [
    button("Calendar", async () => {
        saveFile(await planner.calendar(), "oracy-plan.ics");
        told("The calendar was saved: open it with any calendar. It has your plans, an event a task.");
    }),
    button("Prep pack", prep),
];

async function prep() {
    const pack = await planner.prep();
    const lines = (texts) => texts.map((text) => make("li", { text }));
    byId("prep-outline").replaceChildren(...lines(pack.prepOutline));
    byId("prep-questions").replaceChildren(...lines(pack.starterQuestions));
    const days = [...pack.weeklyDrillPlan].sort((one, other) => WEEKDAYS.indexOf(one.day) - WEEKDAYS.indexOf(other.day));
    byId("prep-days").replaceChildren(...days.map(({ day, drills }) => make("section", { class: "day-of-week" }, make("h3", { text: day }), make("ul", { class: "lines" }, ...drills.map(drillLine)))));
    fill("prep-resources", "prep-beside", pack.resources.map(besideItem));
    byId("prep-back").onclick = (event) => attempt(event.target, () => plan());
    show("prep");
}

const drillLine = ({ title, minutes, link, command }) => {
    const facts = [`${minutes} min`, ...(startWords(link) ? [] : [command])].join(" · ");
    return make("li", {}, make("span", {}, titleWords(title), make("br"), make("span", { class: "facts", text: facts })));
};
