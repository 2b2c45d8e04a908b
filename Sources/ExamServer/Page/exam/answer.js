/** One answer among the results: its question, its length, its waveform, and its recording on request. */
import { api } from "../kit/api.js";
import { measures } from "./delivery.js";
import { ownWords } from "./own-words.js";
import { taskAsked } from "./pictures.js";
import { saidOf } from "./said.js";
import { attempt, button, make } from "../kit/screen.js";
import { SpokenWords } from "./spoken-words.js";
import { transcriptOf } from "./transcript.js";
import { waveform, waveformWords } from "./waveform.js";
import { answerKey, answerTitle, clock, endWords, scoreWords, seconds } from "../kit/words.js";

/**
 * The share of clipped samples above which clipping is reported. `oracy check` reports the same share as a problem.
 */
const LOUD = 0.002;

/** The suffixes of recordings' files. */
const ENDINGS = {
    "audio/ogg": "opus",
    "audio/opus": "opus",
    "audio/wav": "wav",
    "audio/flac": "flac",
    "audio/mpeg": "mp3",
};

/**
 * Returns the file name of a saved recording.
 *
 * @param {{part: number, order: number, number?: number, attempt: number}} answer
 * @param {string} type its media type
 */
export const fileName = ({ part, order, number = order, attempt }, type) =>
    `part${part}-question${number}${attempt > 1 ? `-attempt${attempt}` : ""}.${ENDINGS[type] ?? "sound"}`;

/**
 * Whether something was measured.
 *
 * @param {number | null | undefined} value
 * @returns {value is number}
 */
const isKnown = (value) => (value ?? -1) >= 0;

/**
 * Returns the item of an answer.
 *
 * @param {Schemas["ResultAnswer"] & {number?: number}} answer `number` of its question
 * @param {{session: string, changed: () => Promise<void>, again?: (answer: string) => unknown}} [desk] a place for the
 *     candidate's typed words, with what to do after a change; `again` gives the answer with this name again
 * @returns {{item: HTMLLIElement, draw: Function, hear: Function, tell: Function, listen: Function}} `draw(answer)`
 *     adds the waveform, scores and transcript, which may come later than the answer; `hear({said, gaps})` the
 *     assessors' findings on it; `tell({delivery, pauses, words, text, comments})` the measurements, the words with
 *     their times and the markers' comments; `listen(at)` plays it from a second on
 */
export function answerItem(answer, desk) {
    const name = answerTitle(answer);
    const item = make("li", { class: "answer" }, make("h3", { text: name }), ...asked(answer));
    const speech = isKnown(answer.speech) ? `${seconds(answer.speech)} of it speech` : "";
    const latency = isKnown(answer.responseLatency) && `began after ${seconds(answer.responseLatency)}`;
    const share = answer.clippedShare ?? 0;
    const clipped = share >= LOUD && `${(share * 100).toFixed(1)} % too loud`;
    const introduces = answer.purpose === "introduction";
    const aside = introduces
        ? "your introduction: only you can play it, and it is not marked"
        : answer.practice && "for practice: it does not count";
    const facts = [
        aside,
        isKnown(answer.duration) && seconds(answer.duration),
        speech,
        latency,
        clipped,
        answer.end && endWords(answer.end),
    ];
    const [found, place, counted, noted, opinions, measured] = Array.from({ length: 6 }, () => make("div"));
    item.append(place);
    const { part, order, number, attempt, recording } = answer;
    const sound = recording
        ? new Recording({ part, order, number, attempt, recording }, name, (played, second) => {
            drawn?.mark(played);
            spoken.follow(second);
        })
        : null;
    const play = (/** @type {number} */ at) => sound && playFrom(sound, at, { stays: true });
    const spoken = new SpokenWords({ name, isOwn: Boolean(desk), ...(sound && { play }) });
    // The words stand under the sound to which they belong.
    if (sound) item.append(sound.place);
    const own = desk && sound && !introduces && ownWords({ ...desk, id: answer.id, name, open: () => sound.open() });
    item.append(
        found,
        spoken.place,
        ...(own ? [own.desk] : []),
        counted,
        noted,
        make("p", { class: "facts", text: facts.filter(Boolean).join(" · ") }),
        opinions,
        measured,
    );

    const again = desk?.again;
    if (again && sound && !aside) {
        const say = button("Say it again", () => again(answerKey(answer)), `Say it again: ${name}`);
        item.append(make("p", { class: "actions" }, say));
    }

    /** @type {ReturnType<typeof waveform> | null} */
    let drawn = null;
    /** @type {Schemas["TimeRange"][]} */
    let pauses = [];
    const picture = ({ peaks, duration, speech }) => {
        if (drawn || !peaks?.length) return;
        drawn = waveform(peaks, waveformWords(peaks, duration, speech));
        place.append(drawn.picture);
        drawn.hatch(pauses, duration);
        if (sound) drawn.seek((share) => playFrom(sound, share * duration));
    };
    const listen = (at) => sound?.play(at);
    /** @type {{transcript?: string, mistakes?: Schemas["Mistake"][]}} */
    let checked = {};
    /** @type {import("./spoken-words.js").Told[]} */
    let told = [];
    let shown;
    const say = changes(({ scores, transcript, mistakes }) => {
        shown = transcript;
        checked = { transcript, mistakes };
        const words = scoreWords(scores);
        // The words come with the answer, their times later with the measurements.
        const isTimed = spoken.draw(told, checked);
        const parts = [
            words && make("p", { class: "score", text: words }),
            !isTimed && transcriptOf({ transcript, mistakes }),
        ];
        found.replaceChildren(...parts.filter(Boolean));
    });
    let latest = answer;
    const draw = (answer) => {
        const { scores, transcript, mistakes } = answer;
        latest = answer;
        say({ scores, transcript, mistakes, told });
        picture(answer);
    };
    const measure = changes(({ delivery, pauses: found = [] }) => {
        pauses = found;
        drawn?.hatch(pauses, answer.duration);
        const parts = [
            delivery && make("p", { text: delivery.evidence }),
            measures("What was measured in the sound", delivery?.lines),
        ];
        measured.replaceChildren(...parts.filter(Boolean));
    });
    const hear = changes(({ said, gaps }) => {
        opinions.replaceChildren(...saidOf({ said, gaps }, { transcript: shown, listen, mayAgree: Boolean(desk) }));
    });
    const note = changes((comments) => noted.replaceChildren(
        ...(comments.length > 0 ? [commentsOf(comments, listen)] : []),
    ));
    const count = changes((text) => {
        const title = text?.source === "own" ? "What was counted in your words" : "What was counted in the heard words";
        counted.replaceChildren(...[measures(title, text?.lines)].filter(Boolean));
    });
    const tell = ({ delivery, pauses, words = [], text, comments = [] }) => {
        measure({ delivery, pauses });
        note(comments);
        told = words;
        draw(latest);
        if (own) own.draw({ words, pauses });
        count(text);
    };
    draw(answer);
    return { item, draw, hear, tell, listen };
}

/**
 * Returns the question, or the card's text, with a picture or the alternatives.
 *
 * @param {Partial<Schemas["ResultAnswer"]>} answer
 * @returns {(Element | string)[]}
 */
export function asked({ text, ...task }) {
    const { card } = task;
    if (!card) return [text ? make("p", { class: "asked", text, lang: "en" }) : "", ...taskAsked(task)];
    const points = card.points.map((point) => make("li", { text: point }));
    return [make(
        "div",
        { class: "card asked", lang: "en" },
        make("p", {}, make("b", { text: card.topic })),
        make("ul", {}, ...points),
        make("p", { text: card.explain }),
    )];
}

/**
 * Returns the markers' comments on moments, each with a button to hear that moment.
 *
 * @param {Schemas["MarkComment"][]} comments
 * @param {(at: number) => void} listen
 */
function commentsOf(comments, listen) {
    const items = comments.map(({ at, text }) => {
        const button = make(
            "button",
            { type: "button", text: clock(at), "aria-label": `Listen at ${clock(at)}: ${text}` },
        );
        button.onclick = () => attempt(button, () => listen(at));
        return make("li", {}, button, ` ${text}`);
    });
    return make("div", {}, make("h4", { text: "What your marker noted" }), make("ul", { class: "comments" }, ...items));
}

/** @param {Recording} sound @param {number} at @param {{stays?: boolean}} [options] */
const playFrom = (sound, at, options) => attempt(null, () => sound.play(at, options));

/** Returns a function that draws only if something changed, so that opened details and players stay as they are. */
function changes(draw) {
    let drawn;
    return (what) => {
        const now = JSON.stringify(what);
        if (now !== drawn) draw(what);
        drawn = now;
    };
}

/** A recording that is fetched on request, and its player. */
export class Recording {
    /** @type {Promise<HTMLAudioElement> | null} */
    #opening = null;

    /**
     * @param {{part: number, order: number, number?: number, attempt: number, recording: string}} answer
     * @param {string} name
     * @param {(played: number, second: number) => void} mark called with the part that was played, 0 … 1, and its
     *     last second
     * @param {(player: HTMLAudioElement) => void} opened called when there is a player
     */
    constructor(answer, name, mark, opened = () => {}) {
        this.opened = opened;
        this.answer = answer;
        this.name = name;
        this.mark = mark;
        const button = make("button", { type: "button", text: "Listen", "aria-label": `Listen to ${name}` });
        this.place = make("div", { class: "listen" }, button);
        button.onclick = () => attempt(button, () => this.play(0));
    }

    /**
     * Fetches it once.
     *
     * @returns {Promise<HTMLAudioElement>}
     * @throws {Problem}
     */
    open() {
        this.#opening ??= this.#fetched().catch((problem) => {
            this.#opening = null;
            throw problem;
        });
        return this.#opening;
    }

    /**
     * Plays from a second on.
     *
     * @param {number} at
     * @param {{stays?: boolean}} options `stays`: does not move the focus
     */
    async play(at, { stays = false } = {}) {
        const player = await this.open();
        player.currentTime = at;
        if (!stays) player.focus();
        await player.play().catch(() => {});
    }

    async #fetched() {
        const sound = await api.recording(this.answer.recording);
        const address = URL.createObjectURL(sound);
        const player = make("audio", { controls: "", src: address, "aria-label": `Recording of ${this.name}` });
        player.ontimeupdate = () => {
            const { currentTime, duration } = player;
            this.mark(duration > 0 ? currentTime / duration : 0, currentTime);
        };
        // Not every browser plays every kind of recording, but other programs do.
        const saved = {
            href: address,
            download: fileName(this.answer, sound.type),
            text: "This browser cannot play the recording. Save it instead.",
        };
        player.onerror = () => player.replaceWith(make("a", saved));
        this.place.replaceChildren(player);
        this.opened(player);
        return player;
    }
}
