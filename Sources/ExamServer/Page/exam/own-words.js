/**
 * A place in which a learner types the words of one answer, or corrects those that were heard, while it plays, with
 * buttons to go back a little, to play slower, and to jump to each pause. Typed words replace the heard words, which
 * are kept.
 */
import { api } from "../kit/api.js";
import { Draft } from "../kit/drafts.js";
import { announce, attempt, inside, make } from "../kit/screen.js";
import { clock } from "../kit/words.js";

/** The seconds that one press goes back: a phrase. */
const BACK = 3;
const SLOW = 0.75;

/**
 * @param {{session: string, id: string, name: string, open: () => Promise<HTMLAudioElement>, changed: () =>
 *     Promise<void>}} about `name`: the answer's name; `open`: its player; `changed`: called after other words were
 *     saved
 * @returns {{desk: HTMLDetailsElement, draw: Function}} `draw({words, pauses})`: fills in the current words
 */
export function ownWords({ session, id, name, open, changed }) {
    const field = make(
        "textarea",
        { rows: "5", lang: "en", maxlength: "20000", "aria-label": `What you said in ${name}` },
    );
    const places = make("p", { class: "pauses" });
    const status = make("span", { class: "facts", role: "status" });
    let kept = "";
    /** The words that were heard. Empty if none were. */
    let heard = "";
    let hasOwn = false;
    /** The text on its way to the server. A press of the button also leaves the field, which saves as well. */
    let sending = /** @type {string | null} */ (null);
    /** Whether the learner typed here. From then on the server's words, which may be older, never replace them. */
    let isTyped = false;
    const draft = new Draft("words", session, id);

    const play = button("Play or pause", `Play or pause ${name}`, async () => {
        const player = await open();
        if (player.paused) await player.play().catch(() => {});
        else player.pause();
    });
    const back = button(`Back ${BACK} s`, `Back ${BACK} seconds`, async () => {
        const player = await open();
        player.currentTime = Math.max(0, player.currentTime - BACK);
        await player.play().catch(() => {});
    });
    const slower = button("Slower", "Slower", async () => {
        const player = await open();
        const isSlow = slower.getAttribute("aria-pressed") !== "true";
        player.playbackRate = isSlow ? SLOW : 1;
        slower.setAttribute("aria-pressed", String(isSlow));
    });
    slower.setAttribute("aria-pressed", "false");

    const save = async () => {
        const typed = field.value.trim();
        if (typed === kept || typed === sending) return;
        // Without words of the learner's own, the heard words are shown.
        if (!typed && !hasOwn) return restore();
        await send(typed);
    };
    const send = async (/** @type {string} */ typed) => {
        isTyped = true;
        sending = typed;
        try {
            await api.keepTranscript(session, id, typed);
        } finally {
            sending = null;
        }
        kept = typed;
        draft.drop();
        hasOwn = Boolean(typed);
        status.textContent = typed ? "Your words are kept." : "Your words were removed.";
        if (!typed) restore();
        label();
        await changed();
    };
    /** Fills in what was heard. */
    const restore = () => {
        isTyped = false;
        draft.drop();
        field.value = kept = heard;
    };
    const keep = button("Keep these words", `Keep what you typed for ${name}`, save);
    const undo = button("Back to what was heard", `Go back to what was heard in ${name}`, () => send(""));
    // Text is saved when the learner leaves the field.
    field.onchange = () => attempt(null, save);
    field.oninput = () => {
        isTyped = true;
        draft.keep(field.value);
        status.textContent = "";
    };
    field.onkeydown = (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        play.click();
    };

    const desk = make(
        "details",
        { class: "own-words" },
        make("summary", { text: "Type what you said" }),
        make("p", { class: "hint", text:
            "Write it as you said it, mistakes included: only then can your words be counted. Esc plays and pauses." }),
        make("p", { class: "actions" }, play, back, slower),
        places,
        field,
        make("p", { class: "actions" }, keep, undo, status),
    );
    const label = () => {
        const words = hasOwn ? "Change your words" : heard ? "Correct the words" : "Type what you said";
        if (inside(desk, "summary").textContent !== words) inside(desk, "summary").textContent = words;
        undo.hidden = !hasOwn || !heard;
    };
    label();
    const unsent = draft.get();
    if (unsent !== undefined) {
        isTyped = desk.open = true;
        field.value = unsent;
        status.textContent = "You typed this before. It is not kept yet.";
    }
    let shown = "";
    /** @param {{words: import("./spoken-words.js").Told[], pauses?: Schemas["TimeRange"][]}} now */
    const draw = ({ words, pauses = [] }) => {
        const own = words.find(({ source }) => source === "own")?.text ?? "";
        heard = words.find(({ source }) => source === "recogniser")?.text ?? "";
        if (!isTyped && document.activeElement !== field) {
            hasOwn = Boolean(own);
            if ((own || heard) !== kept) field.value = kept = own || heard;
        }
        label();
        const now = JSON.stringify(pauses);
        if (now === shown) return;
        shown = now;
        const stamps = pauses.filter(({ start }) => start > 0).map((pause) => stamp(pause, open));
        places.replaceChildren(...(stamps.length > 0 ? ["You paused at ", ...stamps] : []));
    };
    return { desk, draw };
}

/**
 * A button that plays from just before a pause.
 *
 * @param {Schemas["TimeRange"]} pause
 * @param {() => Promise<HTMLAudioElement>} open
 */
function stamp({ start, end }, open) {
    const length = (end - start).toFixed(1);
    return button(clock(Math.floor(start)), `Pause of ${length} seconds at ${clock(Math.floor(start))}`, async () => {
        const player = await open();
        player.currentTime = Math.max(0, start - 1);
        await player.play().catch(() => {});
    }, { class: "quiet", title: `${length} s` });
}

/**
 * @param {string} text
 * @param {string} label
 * @param {() => unknown} action
 * @param {Record<string, string>} attributes
 */
function button(text, label, action, attributes = {}) {
    const made = make("button", { type: "button", text, "aria-label": label, ...attributes });
    made.onclick = () => attempt(made, action);
    return made;
}
