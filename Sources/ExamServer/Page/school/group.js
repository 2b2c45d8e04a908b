/** A teacher's group: its exams, to be read and to be sent to markers. */
import { api } from "../kit/api.js";
import { results } from "../exam/results.js";
import { announce, attempt, button, byId, make, show, sure } from "../kit/screen.js";
import { showAssigned } from "./assigning.js";
import { showMembers } from "./members.js";
import { date, examTitle, outcomeWords, scoreWords, sealWords, statusWords } from "../kit/words.js";

/**
 * @param {string} name
 * @param {boolean} isClass whether it is the class that the teacher has signed in to
 */
export async function group(name, isClass) {
    const [page, choices] = await Promise.all([api.group(name), api.choices()]);
    const back = isClass ? name : `Group ${name}`;
    const open = (session, whose) => results(session, () => group(name, isClass), { whose, back });
    byId("group-title").textContent = back;
    byId("members").hidden = true;
    if (isClass) await showMembers();
    await showAssigned(name, open);
    byId("group-none").hidden = page.sessions.length > 0;
    byId("group-sessions").replaceChildren();
    list(name, page, choices, open);
    show("group", name);
}

/**
 * Adds a page of exams to the list, and offers the next.
 *
 * @param {string} name
 * @param {Schemas["GroupSessions"]} page
 * @param {Schemas["Choices"]} choices
 * @param {(session: string, whose: string) => void} open
 */
function list(name, { sessions, next }, choices, open) {
    byId("group-sessions").append(...sessions.map((session) => item(session, examTitle(session, choices), open)));
    const older = byId("group-older");
    older.hidden = !next;
    older.onclick = () =>
        attempt(older, async () => {
            const page = await api.group(name, next);
            list(name, page, choices, open);
            announce(`${page.sessions.length} older exams are listed.`);
        });
}

/**
 * Returns a learner's own name, or the beginning of their id.
 *
 * @param {{user: string, username?: string, fullName?: string}} learner
 */
export const learnerWords = ({ user, username, fullName }) => fullName || username || `Learner ${user.slice(0, 8)}`;

/** "1 of 2 people have marked it" */
export const markingWords = (marking) =>
    marking && `${marking.done} of ${marking.asked} ${marking.asked === 1 ? "person has" : "people have"} marked it`;

/**
 * @param {Schemas["GroupSessions"]["sessions"][number]} session
 * @param {string} title
 * @param {(session: string, whose: string) => void} open
 */
function item(session, title, open) {
    const [who, when] = [learnerWords(session.learner), date(session.startedAt)];
    const isOver = session.status !== "in_progress";
    const facts = make("p");
    const tell = () => {
        const words = [
            title,
            when,
            isOver && outcomeWords(session.outcome),
            statusWords(session.status, { isOwn: false }),
            scoreWords(session.scores),
            session.markHeld && "a machine’s mark is held: a person should mark it",
            markingWords(session.marking),
            isOver && sealWords(session),
        ];
        facts.replaceChildren(make("b", { dir: "auto", text: who }), make("br"), words.filter(Boolean).join(" · "));
    };
    const offer = (text, action) => button(text, action, `${text}: ${who}, ${when}`);
    const actions = make("p", { class: "actions" }, offer("Results", () => open(session.id, `${who}, ${when}`)));
    /** @type {[number, string][]} */
    const choices = isOver ? [[1, "Have it marked…"], [2, "Have it marked twice…"]] : [];
    for (const [markers, text] of choices) {
        if (session.marking && session.marking.asked >= markers) continue;
        actions.append(offer(text, async () => {
            const hear = markers === 1 ? "One marker hears" : "Two markers hear";
            const text = `${hear} the answers without a name. Their marks are shown here when all have marked.`;
            if (!(await sure({ title: "Have this exam marked?", text, yes: "Have it marked", no: "Not now" }))) return;
            await api.askForMarks(session.id, markers);
            session.marking = { asked: markers, done: session.marking?.done ?? 0 };
            tell();
            actions.querySelectorAll("button").forEach((each) => each.textContent?.startsWith("Have") && each.remove());
            announce("It waits for its markers.");
        }));
    }
    tell();
    return make("li", {}, facts, actions);
}
