/** The links of a plan's tasks: started on this page if possible. */
import { api, Problem } from "../kit/api.js";
import { openLesson } from "../practice/lessons.js";
import { linkParts, NOT_HERE, sittingOf, sittingWords, startWords, titleWords } from "./plan-words.js";
import { button, make } from "../kit/screen.js";
import { offerTest, tests } from "../practice/tests.js";
import { drillOf } from "../practice/today.js";

/**
 * The ways from a plan: `open` and `redraw` lead to its screen, `sit` to the choice of an exam, `speak` to that of a
 * spoken drill, `results` to an exam's results.
 *
 * @typedef {object} PlanWays
 * @property {(told?: Schemas["Plan"]) => Promise<void>} open
 * @property {(told: Schemas["Plan"], words: string) => void} redraw
 * @property {(words: string) => void} tell shows a message after an action without a visible result
 * @property {(wanted: object) => Promise<void>} sit
 * @property {(drill: string) => Promise<void>} speak
 * @property {(session: string, goBack: () => Promise<void>, back: string) => Promise<void>} results
 */

/**
 * Returns a button, or the words for a task that this page cannot do.
 *
 * @param {{title: string, link: string}} task
 * @param {PlanWays} screen
 * @param {boolean} isMain
 */
export function starter(task, screen, isMain = false) {
    const words = startWords(task.link);
    if (!words) return make("p", { class: "facts", text: NOT_HERE });
    const made = button(words, () => start(task, screen), `${words}: ${titleWords(task.title)}`);
    if (isMain) made.className = "main";
    return make("p", { class: "actions" }, made);
}

/**
 * Returns an item of a list with a title, its reason and its button.
 *
 * @param {Schemas["PlanResource"]} one
 * @param {PlanWays} screen
 */
export const besideItem = (one, screen) =>
    make(
        "li",
        {},
        make("p", {}, make("b", { text: titleWords(one.title) }), make("br"), make(
            "span",
            { class: "facts", text: one.reason },
        )),
        starter(one, screen),
    );

/** @param {{title: string, link: string}} task @param {PlanWays} screen */
async function start(task, screen) {
    const { kind, name, rest } = linkParts(task.link);
    switch (kind) {
        case "sit":
            return screen.sit({ ...sittingOf(task.link), words: sittingWords(task) });
        case "drill":
            return drillOf({ packs: [name], ...(rest && { topics: [rest] }) }, () => screen.open());
        case "shadow":
            return screen.speak("shadowing");
        case "speak":
            return screen.speak(name);
        case "lesson":
            return openLesson(name);
        case "review":
            return screen.results(await reviewed(name === "session" ? rest : name), () => screen.open(), "Your week");
        case "test":
            await tests();
            if (name === "new") offerTest();
    }
}

/**
 * @param {string} name
 * @throws {Problem} if there is no exam to look at
 */
async function reviewed(name) {
    if (name !== "last") return name;
    const { sessions } = await api.sessions();
    const last = sessions.find(({ completedAt }) => completedAt);
    if (!last) throw new Problem(0, "You have sat no exam yet.", "After your first exam, its results are here.");
    return last.id;
}
