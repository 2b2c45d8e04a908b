/** The first screen of practice: today's amount, and the choice of what to practise. */
import { openDrill } from "./drill.js";
import { hashOf } from "../kit/address.js";
import { practice } from "../kit/practice-api.js";
import { againWords, loadWords, minutesWords, streakWords } from "./practice-words.js";
import { attempt, button, byId, fill, make, show, showProblem, sure } from "../kit/screen.js";
import { of } from "../kit/words.js";

/** A drill of today's items, or of this many questions if they are extra. */
const EXTRA = { extra: true, count: 10 };

export async function today() {
    const [day, packs] = await Promise.all([practice.today(), practice.packs()]);
    byId("today-card").replaceChildren(...card(day));
    fill("today-again-list", "today-again", day.again.map(againItem));
    offerWishes(packs, day);
    show("today");
}

/**
 * @param {Schemas["PracticeDay"]} day
 * @returns {HTMLElement[]}
 */
export function card(day) {
    const bar = make("progress", {
        max: String(day.minutesADay),
        value: String(Math.min(day.minutesADay, day.minutesToday)),
        "aria-label": "Minutes practised today",
    });
    const parts = [
        make("p", { class: "streak", text: streakWords(day) }),
        make("p", { text: minutesWords(day) }),
        bar,
        make("p", { text: loadWords(day) }),
    ];
    const actions = make("p", { class: "actions" });
    const add = (text, action) => {
        const made = button(text, action);
        if (actions.childElementCount === 0) made.className = "main";
        actions.append(made);
    };
    const { drill } = day;
    if (drill) add(`Go on with your drill: ${drill.done} of ${drill.count} done`, () => begin(() => practice.resume()));
    else if (day.due + day.new > 0) add("Begin today's drill", () => drillOf({}));
    else add("Practise something extra", () => drillOf(EXTRA));
    return [...parts, actions];
}

/**
 * Returns a link that asks the question of an answer again.
 *
 * @param {Schemas["PracticeDay"]["again"][number]} due
 */
export function againItem(due) {
    const href = hashOf("speak/again", due.session, due.answer);
    return make("li", {}, make("a", { href, text: againWords(due), lang: "en" }));
}

/**
 * Begins a drill. If nothing is due today, offers extra practice.
 *
 * @param {Schemas["NewDrill"]} wish
 * @param {() => Promise<void>} leave leads back
 */
export async function drillOf(wish, leave = today) {
    try {
        await begin(() => practice.begin(wish), leave);
    } catch (problem) {
        if (problem.code !== "nothing-to-practise") throw problem;
        const title = "None of this is due today.";
        if (wish.extra) return showProblem({ title, detail: "Choose something else, or open a lesson." });
        const text =
            "You can practise what is not due yet, as extra practice. It does not change when things are due.";
        if (!(await sure({ title, text, yes: "Practise extra", no: "Not now" }))) return;
        await drillOf({ ...wish, onlyDue: false, ...EXTRA, count: wish.count ?? EXTRA.count }, leave);
    }
}

const begin = (make, leave = today) => openDrill(make, { leave, again: () => drillOf({}) });

// Choosing what to practise.

/**
 * @param {Answered["practicePacks"]["packs"]} packs
 * @param {Schemas["PracticeDay"]} day
 */
function offerWishes(packs, { drill }) {
    const group = (label, some) => make("optgroup", { label }, ...some.map(option));
    const option = ({ id, title, due }) => make(
        "option",
        { value: id, text: due > 0 ? `${title} (${due} due)` : title },
    );
    const lessons = packs.filter(({ lesson, isOpen }) => lesson && isOpen);
    const chosen = byId("wish-pack").value;
    byId("wish-pack").replaceChildren(
        make("option", { value: "", text: "Everything" }),
        group("Packs", packs.filter(({ lesson }) => !lesson)),
    );
    if (lessons.length > 0) byId("wish-pack").append(group("Lessons that are open", lessons));
    byId("wish-pack").value = packs.some(({ id }) => id === chosen) ? chosen : "";
    const topics = () => {
        const some = packs.filter(({ id }) => !byId("wish-pack").value || id === byId("wish-pack").value);
        const names = [...new Set(some.flatMap(({ topics }) => topics))].sort((one, other) => one.localeCompare(other));
        byId("wish-topic").replaceChildren(
            make("option", { value: "", text: "Any" }),
            ...names.map((name) => make("option", { value: name, text: name })),
        );
    };
    byId("wish-pack").onchange = topics;
    topics();
    // "Only what is due" and "also what is not due" exclude each other.
    byId("wish-due").onchange = () => byId("wish-due").checked && (byId("wish-extra").checked = false);
    byId("wish-extra").onchange = () => byId("wish-extra").checked && (byId("wish-due").checked = false);
    byId("wish-left").hidden = !drill;
    byId("wish-left").textContent = drill
        ? `It replaces the drill that you left. Its ${of(drill.done, "answer")} counted.`
        : "";
    byId("drill-wish").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, () => drillOf(wish()));
    };
}

/** @returns {Schemas["NewDrill"]} */
export function wish() {
    const names = /** @type {const} */ (["pack", "topic", "difficulty", "count"]);
    const [pack, topic, difficulty, count] = names.map((name) => byId(`wish-${name}`).value);
    return {
        ...(pack && { packs: [pack] }),
        ...(topic && { topics: [topic] }),
        ...(difficulty && { difficulty: /** @type {"Easy" | "Medium" | "Hard"} */ (difficulty) }),
        ...(Number(count) > 0 && { count: Number(count) }),
        ...(byId("wish-due").checked && { onlyDue: true }),
        ...(byId("wish-extra").checked && { extra: true }),
    };
}
