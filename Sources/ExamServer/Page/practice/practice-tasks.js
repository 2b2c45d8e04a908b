/** Practice as a list: questions, drills and tests, newest first, and a single one of them. */
import { practice } from "../kit/practice-api.js";
import { all, announce, attempt, button, byId, inside, make, show, sure } from "../kit/screen.js";
import { date, of } from "../kit/words.js";

/** The number of tasks on a page, which "More" adds again, and the maximum that the server sends at once. */
const PAGE = 50;
const MOST = 200;

let limit = PAGE;

export async function tasks() {
    limit = PAGE;
    byId("tasks-incomplete").onchange = () => attempt(null, async () => {
        limit = PAGE;
        const count = await draw();
        announce(`${of(count, "task")} ${count === 1 ? "is" : "are"} listed.`);
        byId("tasks-incomplete").focus();
    });
    byId("more-tasks").onclick = (event) => attempt(event.target, async () => {
        const before = limit;
        limit += PAGE;
        await draw();
        byId("tasks-list").children[before]?.querySelector("button")?.focus();
    });
    await draw();
    show("tasks");
}

/** @returns {Promise<number>} the number of tasks listed */
async function draw() {
    const isIncomplete = byId("tasks-incomplete").checked;
    const list = await practice.tasks(isIncomplete, limit);
    byId("tasks-list").replaceChildren(...list.map(item));
    byId("no-tasks").hidden = list.length > 0;
    byId("no-tasks").textContent = isIncomplete
        ? "Everything is complete."
        : "Nothing yet: what you practise is listed here.";
    byId("more-tasks").hidden = list.length < limit || limit >= MOST;
    byId("tasks-most").hidden = list.length < MOST;
    return list.length;
}

/** @param {Schemas["Task"]} task */
export const taskFacts = ({ dueDate, isComplete }) => `${date(dueDate)} · ${isComplete ? "complete" : "incomplete"}`;

/**
 * Returns a task's buttons.
 *
 * @param {Schemas["Task"]} task
 * @param {{changed: () => void, gone: () => void}} on
 */
function actions(task, { changed, gone }) {
    const offer = (text, action) => button(text, action, `${text}: ${task.title}`);
    const text = task.isComplete ? "Mark incomplete" : "Mark complete";
    const mark = offer(text, async () => {
        await practice.markTask(task.id, !task.isComplete);
        task.isComplete = !task.isComplete;
        changed();
        const asked = again(task) ? " It is asked in your next drill." : "";
        announce(task.isComplete ? "Marked as complete." : `Marked as incomplete.${asked}`);
    });
    const remove = offer("Delete…", async () => {
        const text =
            "It is removed from the list for good. What you learned stays. If you practise it again, it is a new task.";
        if (!(await sure({ title: "Delete this task?", text, yes: "Delete for good", no: "Keep it" }))) return;
        await practice.deleteTask(task.id);
        await gone();
        announce("The task was deleted.");
    });
    return [mark, remove];
}

/**
 * Whether a marked task is asked again: only a question of a pack is, not a drill, a test or the learner's own task.
 *
 * @param {{id: string}} task
 */
const again = ({ id }) => id.includes("/");

/** @param {Schemas["Task"]} task */
function item(task) {
    const facts = make("span", { class: "facts" });
    const place = make("p", { class: "actions" });
    const made = make("li", {}, make("p", {}, make("b", { text: task.title }), make("br"), facts), place);
    const draw = () => {
        facts.textContent = taskFacts(task);
        place.replaceChildren(
            button("Look at it", () => open(task), `Look at it: ${task.title}`),
            ...actions(task, { changed, gone }),
        );
    };
    const changed = () => {
        if (byId("tasks-incomplete").checked && task.isComplete) return gone();
        draw();
        all(place, "button")[1].focus();
    };
    const gone = () => {
        const next = made.nextElementSibling ?? made.previousElementSibling;
        made.remove();
        (next?.querySelector("button") ?? byId("tasks-title")).focus();
        byId("no-tasks").hidden = byId("tasks-list").childElementCount > 0;
    };
    draw();
    return made;
}

/**
 * Shows a single task.
 *
 * @param {Schemas["Task"]} task
 */
function open(task) {
    const draw = () => {
        byId("task-text").textContent = task.title;
        byId("task-facts").textContent = `${taskFacts(task)} · ${kindWords(task.id)}`;
        byId("task-about").textContent = again(task)
            ? "A question that you mark incomplete is asked in your next drill, even before it is due." : "";
        const back = button("Back to the tasks", tasks);
        byId("task-actions").replaceChildren(...actions(task, { changed, gone: tasks }), back);
    };
    const changed = () => {
        draw();
        inside(byId("task-actions"), "button").focus();
    };
    draw();
    show("task");
}

/**
 * Returns the kind of a task by its id.
 *
 * @param {string} id
 */
export function kindWords(id) {
    if (/^drill-\d+$/.test(id)) return "a drill";
    if (id.startsWith("test-")) return "a test";
    if (id.startsWith("own-")) return "a task of your own";
    return `a question of ${id.split("/")[0]}`;
}
