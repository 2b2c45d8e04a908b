/** An exam that a marker has taken: its description, and giving it back. */
import { api } from "../kit/api.js";
import { announce, sure } from "../kit/screen.js";
import { date, sealWords, seconds } from "../kit/words.js";

/**
 * The facts about an exam that its marker may know, without the candidate.
 *
 * @param {Schemas["MarkingTask"]} task
 */
export function taskWords({ answers, seconds: length, due, markedAt, isThird, held, seal, markHeld }) {
    const facts = [answers === 1 ? "1 answer" : `${answers} answers`, seconds(length)];
    if (markedAt) facts.push(`marked on ${date(markedAt)}`);
    else if (due) facts.push(`yours until ${date(due)}`);
    if (isThird) facts.push("two others differ: your marks decide");
    if (markHeld) facts.push("a machine’s mark waits for yours");
    facts.push(sealWords({ held, seal }));
    return facts.filter(Boolean).join(" · ");
}

/**
 * @param {string} task
 * @returns {Promise<boolean>} whether it was given back
 */
export async function giveBack(task) {
    const text = "Another marker can take it. Your draft is erased.";
    if (!(await sure({ title: "Give this exam back?", text, yes: "Give it back", no: "Keep it" }))) return false;
    await api.giveBack(task);
    announce("The exam was given back.");
    return true;
}
