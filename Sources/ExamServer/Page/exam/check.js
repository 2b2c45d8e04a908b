/**
 * The check before an exam: the loudspeaker, and whether the microphone hears the learner well. The learner's
 * words are neither stored nor sent.
 */
import { hashOf, replaceNext, settle } from "../kit/address.js";
import { api } from "../kit/api.js";
import { levelWord, Needle, Verdict } from "./level.js";
import { Microphone } from "./microphone.js";
import { attempt, byId, make, show, showLevel, showProblem } from "../kit/screen.js";
import { microphoneWords, verdictWords } from "../kit/words.js";

/** Closes the microphone of the check that is shown. */
let close = () => {};

/** Ends a check that Back or a link has left. */
export const endCheck = () => close();

/**
 * @param {{length?: string, begin?: string}} words a sentence about the length, and the label of the button to begin
 * @param {{begin: (microphone: Microphone) => unknown, back: () => unknown}} on `begin(microphone)`, called in the
 *     press of a button: the receiver must close the microphone; `back()`
 * @param {string} [session] the exam that is continued: a reload of the check then leads to it again
 */
export function checkMicrophone({ length = "", begin = "Begin the exam" }, on, session) {
    /** @type {Microphone | null} */
    let microphone = null;
    close();
    close = () => {
        microphone?.close();
        microphone = null;
    };

    const listen = async (/** @type {string | undefined} */ device = undefined) => {
        microphone?.close();
        microphone = null;
        try {
            microphone = await Microphone.open({ device, headphones: byId("headphones").checked });
        } catch (problem) {
            asks(true);
            return showProblem(microphoneWords(problem));
        }
        // The browser took it away for its own reasons before it was used.
        microphone.onlost = () => showProblem(microphoneWords({ name: "NotReadableError" }));
        microphone.onblock = meter();
        offer(await microphone.devices());
        asks(false);
    };

    const back = () => {
        close();
        on.back();
    };

    byId("allow").onclick = (event) => attempt(
        event.target,
        () => listen().then(() => microphone && byId("device").focus()),
    );
    byId("device").onchange = () => attempt(null, () => listen(byId("device").value));
    byId("headphones").onchange = () => microphone && attempt(null, () => listen(byId("device").value));
    byId("begin").onclick = (event) => attempt(event.target, async () => {
        if (!microphone) return;
        await on.begin(microphone);
        // From now on the exam owns it.
        close = () => {};
    });
    byId("hear").onclick = (event) => attempt(event.target, hear);
    byId("loudspeaker").textContent = "";
    byId("length").textContent = length;
    byId("begin").textContent = begin;
    byId("check-back").onclick = byId("listening-back").onclick = (event) => attempt(event.target, back);
    asks(true);
    show("check");
    if (!session) return;
    replaceNext();
    settle(hashOf("speak/exam", session));
}

/** Plays the examiner's greeting. Only the learner knows whether it was heard. */
async function hear() {
    const context = new AudioContext();
    try {
        const sound = await context.decodeAudioData(await api.greeting());
        const source = new AudioBufferSourceNode(context, { buffer: sound });
        source.connect(context.destination);
        byId("loudspeaker").textContent = "The examiner is speaking…";
        const ended = new Promise((resolve) => (source.onended = resolve));
        source.start();
        // If the browser blocks sound, it never ends.
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, (sound.duration + 2) * 1000))]);
        const isSilent = context.state !== "running";
        byId("loudspeaker").textContent = isSilent
            ? "The browser plays no sound. Is a loudspeaker or a headset connected?"
            : "Did you hear “you are ready to begin”? " +
                "If not, check the volume, or that the sound goes to the right device.";
    } finally {
        context.close();
    }
}

/** @param {boolean} isAsking */
function asks(isAsking) {
    byId("asking").hidden = !isAsking;
    byId("listening").hidden = isAsking;
}

/** @param {{id: string, label: string, inUse: boolean}[]} devices */
function offer(devices) {
    const options = devices.map(({ id, label }, index) =>
        make("option", { value: id, text: label || `Microphone ${index + 1}` }),
    );
    byId("device").replaceChildren(...options);
    byId("device").value = devices.find((device) => device.inUse)?.id ?? devices[0]?.id;
}

/** Shows each block: the level ten times a second, the verdict when it changes. */
function meter() {
    const needle = new Needle();
    const verdict = new Verdict();
    let blocks = 0;
    return (block) => {
        const level = needle.hear(block);
        verdict.hear(block);
        if ((blocks += 1) % 5 !== 0) return;
        showLevel(byId("check-meter"), byId("check-level"), level, levelWord(level));
        const place = byId("verdict");
        if (place.dataset.verdict === verdict.word && place.textContent) return;
        place.dataset.verdict = verdict.word;
        place.textContent = verdictWords[verdict.word];
    };
}
