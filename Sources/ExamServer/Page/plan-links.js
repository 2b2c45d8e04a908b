/** The links of a plan's tasks: started on this page if possible, and otherwise shown as a command for a terminal. */
import { api, Problem } from "./api.js";
import { openLesson } from "./lessons.js";
import { linkParts, sittingOf, sittingWords, startWords, titleWords } from "./plan-words.js";
import { button, make } from "./screen.js";
import { offerTest, tests } from "./tests.js";
import { drillOf } from "./today.js";

/** Functions that lead to other parts of the page: `sit(wanted)`, `results(session, goBack, back)`, `plan()`. */
let ways = {};
export const setWays = (all) => (ways = all);

/**
 * Returns a button, or the command to type.
 *
 * @param {{title: string, link: string, command: string}} task
 * @param {boolean} isMain
 */
export function starter(task, isMain = false) {
    const words = startWords(task.link);
    if (!words) return make("p", {}, "In a terminal: ", make("code", { text: task.command }));
    const made = button(words, () => start(task), `${words}: ${titleWords(task.title)}`);
    if (isMain) made.className = "main";
    return make("p", { class: "actions" }, made);
}

async function start(task) {
    const { kind, name, rest } = linkParts(task.link);
    switch (kind) {
        case "sit":
            return ways.sit({ ...sittingOf(task.link), words: sittingWords(task) });
        case "drill":
            return drillOf({ packs: [name], ...(rest && { topics: [rest] }) }, ways.plan);
        case "lesson":
            return openLesson(name);
        case "review":
            return ways.results(await reviewed(name === "session" ? rest : name), ways.plan, "Your plan");
        case "test":
            await tests();
            if (name === "new") offerTest();
    }
}

/** @throws {Problem} if there is no exam to look at */
async function reviewed(name) {
    if (name !== "last") return name;
    const { sessions } = await api.sessions();
    const last = sessions.find(({ completedAt }) => completedAt);
    if (!last) throw new Problem(0, "You have sat no exam yet.", "When you have, its results can be looked at here.");
    return last.id;
}
