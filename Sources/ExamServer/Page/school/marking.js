/** A marker's list of work: waiting exams, exams taken, exams marked, and the agreement between markers. */
import { api } from "../kit/api.js";
import { openDesk } from "./desk.js";
import { announce, attempt, button, byId, make, show } from "../kit/screen.js";
import { giveBack, taskWords } from "./task.js";
import { CRITERIA, mark } from "../kit/words.js";

export async function marking() {
    const open = (/** @type {string} */ task) => openDesk(task, marking);
    await draw(open);
    byId("take-next").onclick = (event) =>
        attempt(event.target, async () => {
            const taken = await api.takeNext();
            if (taken) return open(taken.task);
            await draw(open);
            announce("Nothing waits just now.");
        });
    const agreement = byId("agreement");
    agreement.open = false;
    agreement.ontoggle = () => agreement.open && attempt(null, drawAgreement);
    show("marking");
}

/** @param {(task: string) => void} open */
async function draw(open) {
    const { taken, marked, waiting } = await api.tasks();
    byId("marking-waiting").textContent = waiting === 0
        ? "No exam waits to be marked."
        : waiting === 1 ? "1 exam waits to be marked." : `${waiting} exams wait to be marked.`;
    byId("none-taken").hidden = taken.length > 0;
    byId("none-marked").hidden = marked.length > 0;
    byId("taken").replaceChildren(...taken.map((task) => item(task, "Mark", open, () => draw(open))));
    byId("marked").replaceChildren(...marked.map((task) => item(task, "Look", open)));
}

/**
 * @param {Schemas["MarkingTask"]} task
 * @param {string} word
 * @param {(task: string) => void} open
 * @param {() => Promise<void>} [changed]
 */
function item(task, word, open, changed) {
    const about = make("p", {}, make("b", { text: task.title }), make("br"), taskWords(task));
    const offer = (text, action) => button(text, action, `${text}: ${task.title}, ${taskWords(task)}`);
    const actions = make("p", { class: "actions" }, offer(word, () => open(task.task)));
    if (changed) actions.append(offer("Give it back…", async () => (await giveBack(task.task)) && changed()));
    return make("li", {}, about, actions);
}

async function drawAgreement() {
    const { needed, markers } = await api.agreement();
    const about =
        "If two people marked the same exam, their marks are compared. " +
        `Figures are shown from ${needed} exams on. ` +
        "Kappa is 1 if they always agree, and 0 if they agree only by chance.";
    byId("agreement-about").textContent = about;
    const items = markers.map(({ marker, isYou, criteria }) => {
        const lines = criteria.map((figures) => make(
            "li",
            { text: `${CRITERIA[figures.name]}: ${agreementWords(figures, needed)}` },
        ));
        return make("li", {}, make("b", { text: isYou ? "You" : marker }), make("ul", {}, ...lines));
    });
    byId("agreement-list").replaceChildren(...items);
}

/**
 * "23 exams, 0.4 apart, 0.1 above the others, kappa 0.71"
 *
 * @param {{exams: number, meanDifference?: number, meanLead?: number, kappa?: number}} figures
 * @param {number} needed
 */
export function agreementWords({ exams, meanDifference, meanLead, kappa }, needed) {
    if (meanDifference === undefined || meanLead === undefined) {
        return `${exams} of the ${needed} exams that are needed`;
    }
    const lead = Math.abs(meanLead) < 0.005
        ? "as high as the others"
        : `${mark(Math.abs(meanLead))} ${meanLead > 0 ? "above" : "below"} the others`;
    return [`${exams} exams`, `${mark(meanDifference)} apart`, lead, kappa !== undefined && `kappa ${mark(kappa)}`]
        .filter(Boolean)
        .join(", ");
}
