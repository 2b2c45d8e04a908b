/** A learner's settings for exams, stored in this browser and shown in an exam's menu. */
import { choose, isChosen } from "../kit/choices.js";
import { byId } from "../kit/screen.js";

/**
 * The settings by the ids of their boxes, and whether they are on at first.
 *
 * @type {["show-time" | "show-words" | "slow-examiner" | "turn-tone" | "letter-keys", boolean][]}
 */
const SETTINGS = [
    ["show-time", true],
    ["show-words", true],
    ["slow-examiner", false],
    ["turn-tone", false],
    ["letter-keys", true],
];

const KEPT = "oracy.exam.";

/** @param {() => void} changed called after a change */
export function offerSettings(changed) {
    for (const [id, otherwise] of SETTINGS) {
        const box = byId(id);
        box.checked = isChosen(KEPT + id, otherwise);
        box.onchange = () => {
            choose(KEPT + id, box.checked);
            changed();
        };
    }
}

/** Whether the examiner speaks more slowly. */
export const isSlow = () => byId("slow-examiner").checked;

/** Whether a tone says that it is the candidate's turn. */
export const hasTone = () => byId("turn-tone").checked;
