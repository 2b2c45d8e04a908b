/**
 * What a learner reads, by the names of the protocol. Plain and calm; no name of a program's inside gets through.
 */

/** A short headline and what it means for the candidate. @returns {[string, string]} */
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
            return state.trouble ? ["Interrupted.", trouble(state.trouble)] : ["Paused.", "The clock stands still."];
        default:
            return ["One moment, please.", ""];
    }
}

const storing = (count) => {
    if (!count) return "Your answers are being stored.";
    return count === 1 ? "1 answer is being stored." : `${count} answers are being stored.`;
};

const ASKED_AGAIN = "The question will then be asked again.";
const TROUBLES = {
    noMicrophone: `There is no microphone. Plug one in. ${ASKED_AGAIN}`,
    microphoneGone: `The microphone is gone. Plug it in again. ${ASKED_AGAIN}`,
    microphoneMoved: `The recording was switched to another device. ${ASKED_AGAIN}`,
    microphoneSuspended: `The microphone is switched off. Turn it on in the system's sound settings. ${ASKED_AGAIN}`,
    microphoneMuted: `The microphone is muted. Turn it on. ${ASKED_AGAIN}`,
    microphoneStalled: `The microphone delivers no sound. Check its cable or its switch. ${ASKED_AGAIN}`,
    stalled: "No sound arrived for some seconds. The exam goes on when the connection is back.",
    soundLost: "Some of the sound was lost. The question will be asked again.",
    roomClosed: "The exam was left. It goes on where it was.",
    processEnded: "The server was started again. The exam goes on where it was.",
};
const trouble = (name) => TROUBLES[name] ?? "The exam goes on when the trouble is over.";

/** What `part` and `order` are called: "Part 2 of 3: Long turn · Question 1". */
export function placeWords({ part, partTitle, order }, parts) {
    if (part === undefined) return "";
    const last = parts?.length > 1 ? ` of ${Math.max(...parts.map((each) => each.number))}` : "";
    const place = `Part ${part}${last}` + (partTitle ? `: ${partTitle}` : "");
    return order > 0 ? `${place} · Question ${order}` : place;
}

/** Why there is no microphone. @returns {{title: string, detail: string}} */
export function microphoneWords(problem) {
    switch (problem.name) {
        case "NotAllowedError":
        case "SecurityError":
            return {
                title: "The microphone was not allowed.",
                detail:
                    "Without it there is no exam. Open the site settings beside the address at the top of the browser, " +
                    "allow the microphone, and try again. Some systems ask in their own privacy settings too.",
            };
        case "NotFoundError":
        case "OverconstrainedError":
            return { title: "No microphone was found.", detail: "Plug one in, or turn on your headset, and try again." };
        case "NotReadableError":
        case "AbortError":
            return {
                title: "The microphone cannot be used.",
                detail:
                    "Another program may be using it. Close that program, or unplug the microphone and plug it in again; " +
                    "then try again.",
            };
        case "TypeError":
            return {
                title: "This address cannot use a microphone.",
                detail: "Browsers allow it only through https, or on the computer on which the server runs.",
            };
        default:
            return { title: "The microphone could not be started.", detail: "Try again, or try another browser." };
    }
}

export const verdictWords = {
    waiting: "Please say a sentence or two: where you live, and what you like there.",
    "too quiet": "Too quiet. Move closer to the microphone, or turn it up in the system's sound settings.",
    fine: "Fine: the microphone hears you well.",
    "too loud": "Too loud. Move away from the microphone a little, or turn it down in the system's sound settings.",
};

/** Why a live exam ended here, though it is not over. @returns {{title: string, detail: string}} */
export function endedWords({ why, title, detail }) {
    const words = {
        left: ["You have left the exam.", "What you said is stored. You can go on with it from the list of your exams."],
        gone: ["This exam is no longer there.", "It may have been erased."],
        elsewhere: ["The exam goes on in another window.", "Only one window at a time can hold it. You can take it over here."],
        fault: ["The exam had to stop here.", "This page and the server misunderstood each other. What you said is stored."],
        refused: ["The server does not let this exam go on.", ""],
    }[why];
    return { title: words[0], detail: [words[1], title, detail].filter(Boolean).join(" ") };
}

/** How an exam ended, in `outcome`'s words. */
export const outcomeWords = (outcome) =>
    ({ completed: "completed", withdrawn: "withdrawn", outOfTime: "out of time" })[outcome] ?? "not finished";

/** Where a session stands, in `status`'s words, or "storing": it is over, and not all of it has arrived. */
export const statusWords = (status) =>
    ({
        storing: "being stored",
        in_progress: "not finished",
        completed: "waiting to be looked at",
        processing: "being looked at",
        evaluated: "results are there",
        failed: "the results could not be made",
    })[status] ?? status;

/** How an answer ended, in `end`'s words; a word of a later version is left out. */
export function endWords(end) {
    const known = {
        finished: "finished",
        noAnswer: "no answer",
        timeUp: "time was up",
        declared: "declared finished",
        withdrawn: "withdrawn",
        deviceLost: "broken off: the microphone was lost",
    };
    return known[String(end).split(/[ .:(]/)[0]] ?? "";
}

/** 12.34 → "12.3 s", 75.4 → "1 min 15 s". */
export function seconds(value) {
    if (!(value >= 0)) return "";
    if (value < 59.95) return `${value.toFixed(1)} s`;
    const whole = Math.round(value);
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Seconds left as a clock shows them, the begun one included: 42.3 → "0:43". */
export function clock(value) {
    const whole = Math.max(0, Math.ceil(value));
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** "2026-11-21T10:00:00Z" in the learner's own way of writing dates. */
export function date(text) {
    const moment = new Date(text);
    return Number.isNaN(moment.valueOf()) ? "" : moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
