/**
 * The microphone's screen: permission, which one, and whether it hears the learner well. Nothing of it is kept or sent.
 */
import { levelWord, Needle, Verdict } from "./level.js";
import { Microphone } from "./microphone.js";
import { attempt, byId, make, show, showLevel, showProblem } from "./screen.js";
import { microphoneWords, verdictWords } from "./words.js";

/**
 * @param {object} on `begin(microphone)`, called in a press of a button: whoever takes the microphone closes it; `back()`
 */
export function checkMicrophone(on) {
    let microphone = null;

    const listen = async (device) => {
        microphone?.close();
        microphone = null;
        try {
            microphone = await Microphone.open({ device, headphones: byId("headphones").checked });
        } catch (problem) {
            asks(true);
            return showProblem(microphoneWords(problem));
        }
        // Taken away again, for the browser's own reasons, before it was used.
        microphone.onlost = () => showProblem(microphoneWords({ name: "NotReadableError" }));
        microphone.onblock = meter();
        offer(await microphone.devices());
        asks(false);
    };

    const back = () => {
        microphone?.close();
        on.back();
    };

    byId("allow").onclick = (event) => attempt(event.target, () => listen().then(() => microphone && byId("device").focus()));
    byId("device").onchange = () => attempt(null, () => listen(byId("device").value));
    byId("headphones").onchange = () => microphone && attempt(null, () => listen(byId("device").value));
    byId("begin").onclick = (event) => attempt(event.target, () => microphone && on.begin(microphone));
    byId("check-back").onclick = byId("listening-back").onclick = (event) => attempt(event.target, back);
    asks(true);
    show("check");
}

function asks(isAsking) {
    byId("asking").hidden = !isAsking;
    byId("listening").hidden = isAsking;
}

function offer(devices) {
    const options = devices.map(({ id, label }, index) =>
        make("option", { value: id, text: label || `Microphone ${index + 1}` }),
    );
    byId("device").replaceChildren(...options);
    byId("device").value = devices.find((device) => device.inUse)?.id ?? devices[0]?.id;
}

/** Shows each block: the needle ten times a second, the verdict when it changes. */
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
