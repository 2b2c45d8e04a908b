/** After the first plan: two minutes with the examiner, so that a learner hears and sees at once what this is. */
import { api } from "../kit/api.js";
import { refusalOf } from "../exam/ready.js";
import { attempt, byId, show } from "../kit/screen.js";

/**
 * What the taster asks for: two short questions on one topic.
 *
 * @type {Omit<Asked["makeExam"], "consent">}
 */
const WISHES = { format: "questions", questions: 2, mode: "practice" };

/**
 * Offers the taster to a learner who has not spoken here and can do so in this browser. Others go on at once.
 *
 * @param {{begin: (wishes: Asked["makeExam"], length: string) => unknown, done: () => unknown}} on
 */
export async function offerTaster(on) {
    const [{ sessions }, { consent }] = await Promise.all([api.sessions(), api.choices()]);
    if (sessions.length > 0 || refusalOf(globalThis)) return on.done();
    byId("taster-consent").textContent = consent;
    byId("taster-begin").onclick = (event) =>
        attempt(event.target, () => on.begin({ ...WISHES, consent: true }, "It takes about two minutes."));
    byId("taster-later").onclick = (event) => attempt(event.target, on.done);
    show("taster");
}
