/**
 * One answer among the results: what was asked, how long it was, its picture, and its recording when it is asked for.
 */
import { api } from "./api.js";
import { attempt, make } from "./screen.js";
import { transcriptOf } from "./transcript.js";
import { waveform, waveformWords } from "./waveform.js";
import { endWords, scoreWords, seconds } from "./words.js";

/** Clipping is told from the share on that `oracy check` calls a problem. */
const LOUD = 0.002;

/** How files of recordings end. */
const ENDINGS = { "audio/ogg": "opus", "audio/opus": "opus", "audio/wav": "wav", "audio/flac": "flac", "audio/mpeg": "mp3" };

/** What a saved recording is called. @param {string} type its media type */
export const fileName = ({ part, order, attempt }, type) =>
    `part${part}-question${order}${attempt > 1 ? `-attempt${attempt}` : ""}.${ENDINGS[type] ?? "sound"}`;

/** @returns {{item: HTMLLIElement, draw: Function}} `draw(answer)` adds picture, scores and transcript, which may be there later than the answer */
export function answerItem(answer) {
    const name = `Part ${answer.part}, question ${answer.order}` + (answer.attempt > 1 ? `, attempt ${answer.attempt}` : "");
    const item = make("li", { class: "answer" }, make("h3", { text: name }));
    if (answer.card) item.append(card(answer.card));
    else if (answer.text) item.append(make("p", { class: "asked", text: answer.text, lang: "en" }));
    const speech = answer.speech >= 0 ? `${seconds(answer.speech)} of it speech` : "";
    const latency = answer.responseLatency >= 0 && `began after ${seconds(answer.responseLatency)}`;
    const clipped = answer.clippedShare >= LOUD && `${(answer.clippedShare * 100).toFixed(1)} % too loud`;
    const facts = [answer.duration >= 0 && seconds(answer.duration), speech, latency, clipped, answer.end && endWords(answer.end)];
    item.append(make("p", { class: "facts", text: facts.filter(Boolean).join(" · ") }));
    const found = item.appendChild(make("div"));
    const place = item.appendChild(make("div"));
    let [drawn, told] = [null, ""];
    const tell = ({ scores, transcript, mistakes }) => {
        const now = JSON.stringify([scores, transcript, mistakes]);
        if (now === told) return;
        told = now;
        const words = scoreWords(scores);
        const parts = [words && make("p", { class: "score", text: words }), transcriptOf({ transcript, mistakes })];
        found.replaceChildren(...parts.filter(Boolean));
    };
    const draw = (answer) => {
        tell(answer);
        const { peaks, duration, speech } = answer;
        if (drawn || !peaks?.length) return;
        drawn = waveform(peaks, waveformWords(peaks, duration, speech));
        place.append(drawn.picture);
    };
    draw(answer);
    if (answer.recording) item.append(listen(answer, name, (played) => drawn?.mark(played)));
    return { item, draw };
}

/** The card that was on the screen. */
const card = ({ topic, points, explain }) =>
    make(
        "div",
        { class: "card asked", lang: "en" },
        make("p", {}, make("b", { text: topic })),
        make("ul", {}, ...points.map((text) => make("li", { text }))),
        make("p", { text: explain }),
    );

/** A button that fetches the recording and makes room for a player. */
function listen(answer, name, mark) {
    const button = make("button", { type: "button", text: "Listen", "aria-label": `Listen to ${name}` });
    const place = make("div", { class: "listen" }, button);
    button.onclick = () =>
        attempt(button, async () => {
            const sound = await api.recording(answer.recording);
            const address = URL.createObjectURL(sound);
            const player = make("audio", { controls: "", src: address, "aria-label": `Recording of ${name}` });
            player.ontimeupdate = () => mark(player.duration > 0 ? player.currentTime / player.duration : 0);
            // Not every browser plays every kind of recording; other programs do.
            const saved = { href: address, download: fileName(answer, sound.type), text: "This browser cannot play it: save it" };
            player.onerror = () => player.replaceWith(make("a", saved));
            place.replaceChildren(player);
            player.focus();
            await player.play().catch(() => {});
        });
    return place;
}
