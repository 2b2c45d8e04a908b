/**
 * Whether an exam is possible here, found out before the choice of an exam and the consent: the address, the browser,
 * the microphone and the line. Nothing is recorded, and the browser asks for nothing.
 */
import { lineWords, measureLine } from "./line.js";
import { canEncode } from "./opus.js";
import { byId } from "../kit/screen.js";
import { troubles } from "../kit/troubles.js";

/**
 * Returns why there can be no exam here. Null if there can.
 *
 * @param {{isSecureContext: boolean, AudioWorkletNode?: unknown, navigator: {mediaDevices?: unknown}}} browser
 */
export function refusalOf({ isSecureContext, AudioWorkletNode, navigator }) {
    if (!isSecureContext) return troubles.insecureAddress;
    return navigator.mediaDevices && AudioWorkletNode ? null : troubles.oldBrowser;
}

/** Shows the refusal in place of the choice of an exam, or otherwise what the check found. */
export function checkReady() {
    const refusal = refusalOf(globalThis);
    byId("refused").hidden = !refusal;
    byId("ready").hidden = byId("choices").hidden = Boolean(refusal);
    if (refusal) {
        byId("refused-title").textContent = refusal.title;
        byId("refused-detail").textContent = refusal.detail;
        return;
    }
    tell("ready-microphone", "wait", "Looking for a microphone…");
    tell("line", "wait", "Your line is being measured…");
    lookForMicrophone().catch(() => tell("ready-microphone", "wait", "The microphone is checked after this."));
    checkLine();
}

/**
 * @param {"ready-microphone" | "line"} place
 * @param {"good" | "bad" | "wait"} sign
 * @param {string} words
 */
function tell(place, sign, words) {
    byId(place).dataset.sign = sign;
    byId(place).textContent = words;
}

async function lookForMicrophone() {
    const all = await navigator.mediaDevices.enumerateDevices();
    if (!all.some(({ kind }) => kind === "audioinput")) {
        const { title, detail } = troubles.noMicrophoneFound;
        return tell("ready-microphone", "bad", `${title} ${detail}`);
    }
    // Some browsers do not tell whether the microphone is allowed.
    const name = /** @type {PermissionName} */ ("microphone");
    const permission = await navigator.permissions?.query({ name }).catch(() => null);
    if (!permission) return tell("ready-microphone", "good", "A microphone is there.");
    const look = () => {
        const { title, detail } = troubles.microphoneNotAllowed;
        if (permission.state === "denied") tell("ready-microphone", "bad", `${title} ${detail}`);
        else tell("ready-microphone", "good", "A microphone is there.");
    };
    permission.onchange = look;
    look();
}

/** Measures the line once for a visit of this screen. */
async function checkLine() {
    try {
        const measured = await measureLine(canEncode ? "opus" : "pcm");
        tell("line", measured.share < 1 || measured.delay > 1 ? "bad" : "good", `Line: ${lineWords(measured)}`);
    } catch (problem) {
        const { title = "The line could not be measured.", detail = "" } = problem;
        tell("line", "bad", `${title} ${detail}`);
    }
}
