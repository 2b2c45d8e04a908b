/** The list of lessons by kind and level with the learner's progress, and a single lesson to read and practise. */
import { lessonItem } from "./lesson-items.js";
import { practice } from "../kit/practice-api.js";
import { capital, dayWords, percent } from "./practice-words.js";
import { all, announce, attempt, button, byId, make, show, showProblem } from "../kit/screen.js";
import { drillOf } from "./today.js";
import { say } from "../kit/voice.js";
import { of } from "../kit/words.js";

export async function lessons() {
    const categories = await practice.lessons();
    const all = categories.flatMap(({ lessons }) => lessons);
    const levels = [...new Set(all.flatMap(({ levels }) => levels))].sort();
    const topics = [...new Set(all.map(({ topic }) => topic))].sort();
    offer(byId("lesson-kind"), "Everything", categories);
    offer(byId("lesson-level"), "Every level", levels.map((level) => ({ id: level, title: level })));
    offer(byId("lesson-topic"), "Every topic", topics.map((topic) => ({ id: topic, title: capital(topic) })));
    for (const name of /** @type {const} */ (["lesson-kind", "lesson-level", "lesson-topic"])) {
        byId(name).onchange = () => {
            const count = draw(categories);
            announce(`${of(count, "lesson")} ${count === 1 ? "is" : "are"} listed.`);
        };
    }
    draw(categories);
    show("lessons");
}

/**
 * Offers choices. The earlier one stays, if it is among them.
 *
 * @param {HTMLSelectElement} select
 * @param {string} all
 * @param {{id: string, title: string}[]} choices
 */
function offer(select, all, choices) {
    const chosen = select.value;
    select.replaceChildren(
        ...[{ id: "", title: all }, ...choices].map(({ id, title }) => make("option", { value: id, text: title })),
    );
    select.value = choices.some(({ id }) => id === chosen) ? chosen : "";
}

/**
 * @param {Answered["lessons"]["categories"]} categories
 * @returns {number} the number of lessons listed
 */
function draw(categories) {
    const [kind, level, topic] = [byId("lesson-kind").value, byId("lesson-level").value, byId("lesson-topic").value];
    const listed = categories
        .filter(({ id }) => !kind || id === kind)
        .map((category) => ({
            ...category,
            about: categoryWords(category),
            lessons: category.lessons.filter((one) =>
                (!level || one.levels.includes(level)) && (!topic || one.topic === topic)),
        }))
        .filter(({ lessons }) => lessons.length > 0);
    byId("lesson-categories").replaceChildren(...listed.flatMap(({ title, about, lessons }) => [
        make("h2", { text: title }),
        make("p", { class: "facts", text: about }),
        make("ul", { class: "list" }, ...lessons.map(item)),
    ]));
    return listed.reduce((sum, { lessons }) => sum + lessons.length, 0);
}

/**
 * "34 % known · 2 of 12 lessons complete · last studied Nov 24, 2026"
 *
 * @param {Answered["lessons"]["categories"][number]} category
 */
export function categoryWords({ progress, completed, lastStudied, lessons }) {
    return [
        `${percent(progress)} known`,
        `${completed} of ${of(lessons.length, "lesson")} complete`,
        lastStudied && `last studied ${dayWords(lastStudied)}`,
    ].filter(Boolean).join(" · ");
}

/**
 * "20 items · A2 to C1 · 30 % known · read"
 *
 * @param {Answered["lessons"]["categories"][number]["lessons"][number]} lesson
 */
export function lessonWords({ items, levels, progress, lastStudied, isOpen, isRead }) {
    const range = levels.length > 1 ? `${levels[0]} to ${levels.at(-1)}` : levels[0];
    return [
        of(items, "item"),
        range,
        `${percent(progress)} known`,
        lastStudied && `last studied ${dayWords(lastStudied)}`,
        isRead && "read",
        !isOpen && "opens later",
    ].filter(Boolean).join(" · ");
}

/** @param {Answered["lessons"]["categories"][number]["lessons"][number]} lesson */
function item(lesson) {
    const { id, title, progress, isOpen } = lesson;
    const facts = make("span", { class: "facts", text: lessonWords(lesson) });
    const bar = make(
        "progress",
        { max: "1", value: String(progress), "aria-label": `How much of “${title}” you know` },
    );
    const actions = make("p", { class: "actions" }, button("Read", () => openLesson(id), `Read: ${title}`));
    const made = make("li", {}, make("p", {}, make("b", { text: title }), make("br"), facts), bar, actions);
    const practise = () => actions.append(button("Practise", () => practiseLesson(lesson), `Practise: ${title}`));
    if (isOpen) practise();
    else {
        const open = button("Open it now", async () => {
            await practice.openLesson(id);
            lesson.isOpen = true;
            facts.textContent = lessonWords(lesson);
            open.remove();
            practise();
            all(actions, "button").at(-1)?.focus();
            announce(`${title} is open: its items now come into your drills.`);
        }, `Open it now: ${title}`);
        actions.append(open);
    }
    return made;
}

const practiseLesson = ({ id }) => drillOf({ packs: [id], count: 10 });

/** @param {string} id */
export async function openLesson(id) {
    const [lesson, categories] = await Promise.all([practice.lesson(id), practice.lessons()]);
    const listed = categories.flatMap(({ lessons }) => lessons).find((each) => each.id === id);
    byId("lesson-title").textContent = lesson.title;
    byId("lesson-about").textContent = [
        categories.find((each) => listed && each.lessons.includes(listed))?.title,
        listed && lessonWords(listed),
    ].filter(Boolean).join(" · ");
    byId("lesson-items").replaceChildren(
        ...lesson.items.map((item) => lessonItem(item, () => say(practice.lessonSpeech(id, item.id), "lesson"))),
    );
    const isOpen = listed?.isOpen ?? true;
    byId("lesson-practise").hidden = !isOpen;
    byId("lesson-open").hidden = isOpen;
    byId("lesson-closed").hidden = isOpen;
    byId("lesson-practise").onclick = (event) => attempt(event.target, () => practiseLesson({ id }));
    byId("lesson-open").onclick = (event) =>
        attempt(event.target, async () => {
            await practice.openLesson(id);
            byId("lesson-open").hidden = byId("lesson-closed").hidden = true;
            byId("lesson-practise").hidden = false;
            byId("lesson-practise").focus();
            announce("The lesson is open: its items now come into your drills.");
        });
    byId("lesson-back").onclick = (event) => attempt(event.target, lessons);
    show("lesson", id);
    // The lesson is shown even if its reading cannot be recorded just now.
    practice.readLesson(id).catch((problem) => problem.status !== 0 && showProblem(problem));
}
