/** The texts for learners by the names of the protocol. Plain and calm, without internal names of the program. */
import { troubles } from "./troubles.js";

/**
 * 1, "day" → "1 day"; 3, "day" → "3 days"
 *
 * @param {number} count
 * @param {string} what
 */
export const of = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/**
 * Returns a short headline, and its meaning for the candidate.
 *
 * @param {LiveState} state
 * @returns {[string, string]}
 */
export function stateWords(state) {
    switch (state.stage) {
        case "preparation":
            return ["One moment, please.", "The exam is about to begin."];
        case "processing":
            return ["The exam is over.", storing(state.storing)];
        case "completed":
            return ["The exam is over.", "All answers are stored."];
    }
    switch (state.activity) {
        case "examinerSpeaking":
            return ["The examiner is speaking.", ""];
        case "preparing":
            return ["Prepare:", state.notesAllowed ? "you may write notes." : "think about your answer."];
        case "waitingForSpeech":
            return ["Your turn:", "please speak."];
        case "speaking":
            return ["Listening…", ""];
        case "closing":
            return ["Listening…", "you may go on."];
        case "suspended":
            if (state.trouble === "lineSlow") return ["One moment, please.", trouble("lineSlow")];
            return state.trouble ? ["Interrupted.", trouble(state.trouble)] : ["Paused.", "The clock stands still."];
        default:
            return ["One moment, please.", ""];
    }
}

/** @param {number | undefined} count */
const storing = (count) => {
    if (!count) return "Your answers are being stored.";
    return count === 1 ? "1 answer is being stored." : `${count} answers are being stored.`;
};

const trouble = (name) =>
    troubles[name] ? sentence(troubles[name]) : "The exam continues when the problem is solved.";

/** @param {{title: string, detail: string}} advice */
export const sentence = ({ title, detail }) => `${title} ${detail}`;

/**
 * Returns the place in an exam: "Part 2 of 3: Long turn · Question 1".
 *
 * @param {Partial<LiveState>} state
 * @param {{number: number}[]} [parts]
 * @param {number} [number] of the question; 0 for words without an answer
 */
export function placeWords({ part, partTitle }, parts = [], number = 0) {
    if (part === undefined) return "";
    const last = parts.length > 1 ? ` of ${Math.max(...parts.map((each) => each.number))}` : "";
    const place = `Part ${part}${last}` + (partTitle ? `: ${partTitle}` : "");
    return number > 0 ? `${place} · Question ${number}` : place;
}

/**
 * Returns why there is no microphone, by the name of the error from getUserMedia or `Microphone`.
 *
 * @param {{name: string}} problem
 * @returns {{title: string, detail: string}}
 */
export function microphoneWords({ name }) {
    /** @type {Record<string, {title: string, detail: string}>} */
    const known = {
        NotAllowedError: troubles.microphoneNotAllowed,
        SecurityError: troubles.microphoneNotAllowed,
        NotFoundError: troubles.noMicrophoneFound,
        OverconstrainedError: troubles.noMicrophoneFound,
        NotReadableError: troubles.microphoneBusy,
        AbortError: troubles.microphoneBusy,
        InsecureAddress: troubles.insecureAddress,
        OldBrowser: troubles.oldBrowser,
        NoSoundOutput: troubles.noSoundOutput,
    };
    return known[name] ?? troubles.microphoneFailed;
}

export const verdictWords = {
    waiting: "Please say a sentence or two: where you live, and what you like there.",
    "too quiet": "Too quiet. Move closer to the microphone, or turn it up in the system's sound settings.",
    fine: "Fine: the microphone hears you well.",
    "too loud": "Too loud. Move away from the microphone a little, or turn it down in the system's sound settings.",
};

/**
 * Returns why a live exam ended here although it is not over.
 *
 * @param {EndOfExam} reason
 * @returns {{title: string, detail: string}}
 */
export function endedWords({ why, title, detail }) {
    /** @type {Record<string, [title: string, detail: string]>} */
    const known = {
        left: [
            "You have left the exam.",
            "What you said is stored. You can continue from the list of your exams.",
        ],
        gone: ["This exam is no longer there.", "It may have been erased."],
        elsewhere: [troubles.otherWindow.title, troubles.otherWindow.detail],
        fault: [
            "The exam had to stop here.",
            "This page and the server misunderstood each other. What you said is stored.",
        ],
        refused: ["The server refused to continue this exam.", ""],
    };
    const words = known[why];
    const more = why === "elsewhere" ? [] : [title && `${title.replace(/\.$/, "")}.`, detail];
    return { title: words[0], detail: [words[1], ...more].filter(Boolean).join(" ") };
}

/**
 * Returns how an exam ended, by `outcome`.
 *
 * @param {string | null | undefined} outcome
 */
export const outcomeWords = (outcome) =>
    ({ completed: "completed", withdrawn: "withdrawn", outOfTime: "out of time" })[outcome ?? ""] ?? "not finished";

/**
 * Returns the state of a session, by `status`, or "storing": it is over, and not everything has arrived.
 *
 * @param {string} status
 * @param {{isOwn?: boolean}} options whether its candidate reads it
 */
export const statusWords = (status, { isOwn = true } = {}) => {
    const words = {
        storing: "being stored",
        in_progress: "not finished",
        completed: "your answers are ready",
        processing: "being looked at",
        evaluated: "your results are ready",
        failed: "the results could not be made",
    }[status] ?? status;
    return isOwn ? words : words.replace(/^your /, "");
};

/**
 * Returns whether an exam was recorded elsewhere, and the state of its seal, in words. Empty for an exam that the
 * server held and whose marks rest on its seal.
 *
 * @param {{held: string, seal?: string}} session as the server tells it
 * @param {{state: string, stale: {what: string}[]}} [evidence]
 */
export function sealWords({ held, seal }, evidence) {
    const stale = [...new Set((evidence?.stale ?? []).map(({ what }) => what))];
    return [
        held === "client" && "recorded elsewhere",
        seal ? `sealed (${seal.slice(0, 8)})` : "not sealed yet",
        stale.length > 0 && `not resting on the seal: ${stale.join(", ")}`,
    ].filter(Boolean).join(" · ");
}

/** The names of scores, in their order. */
export const CRITERIA = {
    overall: "Overall",
    fluency: "Fluency",
    pronunciation: "Pronunciation",
    grammar: "Grammar",
    vocabulary: "Vocabulary",
    topicRelevance: "Topic relevance",
};

/**
 * Returns a mark as text, rounded to hundredths. 6.25 → "6.25", 7 → "7".
 *
 * @param {number} value
 */
export const mark = (value) => String(Math.round(value * 100) / 100);

/**
 * Returns an answer's name for people: "part1_q3" → "Part 1, question 3". Other names stay unchanged.
 *
 * @param {string} name
 * @param {Titled[]} answers those of the exam, if they are known: questions are numbered as they were asked
 */
export function answerName(name, answers = []) {
    const known = answers.find((answer) => answerKey(answer) === name);
    if (known) return answerTitle(known);
    const parts = /^part(\d+)_q(\d+)(?:_a(\d+))?$/.exec(name);
    if (!parts) return name;
    const [part, order, attempt] = parts.slice(1).map((digits) => (digits ? Number(digits) : 1));
    return answerTitle({ part, order, attempt });
}

/**
 * Returns an answer's name for programs: "part1_q3", and "part1_q3_a2" for a second attempt.
 *
 * @param {{part: number, order: number, attempt?: number}} answer
 */
export const answerKey = ({ part, order, attempt = 1 }) => `part${part}_q${order}` + (attempt > 1
    ? `_a${attempt}`
    : "");

/** @typedef {{part: number, order: number, number?: number, attempt?: number}} Titled */

/**
 * "Part 1, question 3, attempt 2"
 *
 * @param {Titled} answer `number` of its question, if it is known
 */
export const answerTitle = ({ part, order, number = order, attempt = 1 }) =>
    `Part ${part}, question ${number}` + (attempt > 1 ? `, attempt ${attempt}` : "");

/**
 * "Fluency 6 · Grammar 5.5". Empty if nothing was assessed.
 *
 * @param {Record<string, any> | null | undefined} scores
 */
export const scoreWords = (scores) =>
    Object.entries(CRITERIA)
        .filter(([name]) => typeof scores?.[name] === "number")
        .map(([name, title]) => `${title} ${mark(scores?.[name])}`)
        .join(" · ");

/**
 * Returns a session's title: its exam and questions, if the server still has them.
 *
 * @param {{format?: string, paper?: string, name: string, drill?: string}} session
 * @param {Pick<Schemas["Choices"], "formats" | "papers"> & Partial<Schemas["Choices"]>} choices
 */
export function examTitle(session, { formats, papers, drills = [] }) {
    const drill = drills.find(({ name }) => name === session.drill)?.title;
    if (drill) return drill;
    const format = formats.find(({ id }) => id === session.format)?.title;
    const paper = papers.find(({ id }) => id === session.paper)?.title;
    return format ? [format, paper].filter(Boolean).join(": ") : session.name;
}

/**
 * Returns how an exam was held, by `mode`. Empty if unknown.
 *
 * @param {string | null | undefined} mode
 */
export const modeWords = (mode) => ({ test: "test", practice: "practice" })[mode ?? ""] ?? "";

/**
 * Returns how an answer ended, by `end`. Words of later versions are left out.
 *
 * @param {string | null | undefined} end
 */
export function endWords(end) {
    const known = {
        finished: "finished",
        noAnswer: "no answer",
        timeUp: "time was up",
        declared: "declared finished",
        withdrawn: "withdrawn",
        startedAgain: "begun again: it does not count",
        deviceLost: "broken off: the microphone was lost",
    };
    return known[String(end).split(/[ .:(]/)[0]] ?? "";
}

/**
 * 12.34 → "12.3 s", 75.4 → "1 min 15 s".
 *
 * @param {number | null | undefined} value
 */
export function seconds(value) {
    if (value === null || value === undefined || !(value >= 0)) return "";
    if (value < 59.95) return `${value.toFixed(1)} s`;
    const whole = Math.round(value);
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/**
 * Returns the seconds left as a clock shows them, including the current second: 42.3 → "0:43".
 *
 * @param {number} value
 */
export function clock(value) {
    const whole = Math.max(0, Math.ceil(value));
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Returns "2026-11-21T10:00:00Z" in the learner's own format.
 *
 * @param {string | null | undefined} text
 */
export function date(text) {
    const moment = new Date(text ?? NaN);
    if (Number.isNaN(moment.valueOf())) return "";
    return moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
