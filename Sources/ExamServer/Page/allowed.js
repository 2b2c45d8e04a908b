/**
 * What a candidate may ask for, as far as a state tells it: the format decides, and may still say no. Pure.
 */

/**
 * @param {object} state of PROTOCOL.md
 * @param {boolean} isOpen whether the server listens
 * @param {"test" | "practice" | undefined} mode undefined until the server has said it
 * @returns {{ever: Set<string>, now: Set<string>}} what this exam can ever allow, and what it allows now
 */
export function allowed(state, isOpen, mode) {
    const ever = new Set(["repeat", "finish", "leave", "withdraw"]);
    // The day itself has no pauses, and its minute of preparation is a minute.
    if (mode === "practice") for (const wish of ["ready", "pause", "goOn"]) ever.add(wish);
    const isPaused = state.activity === "suspended" && !state.trouble;
    ever.delete(isPaused ? "pause" : "goOn");

    // Whoever wants to go may go at any time; everything else is asked of the server.
    const now = new Set(["leave"]);
    if (isOpen && state.stage === "testing") {
        now.add("withdraw");
        if (state.recording) now.add("repeat").add("finish");
        if (state.activity === "preparing") now.add("ready");
        if (state.activity !== "suspended") now.add("pause");
        if (isPaused) now.add("goOn");
    }
    return { ever, now: new Set([...now].filter((wish) => ever.has(wish))) };
}

/** Whether `state` is one that a wish was to lead to. */
export function isGranted(wish, { stage, activity, recording }) {
    if (stage !== "testing") return true;
    switch (wish) {
        case "repeat":
            return activity === "examinerSpeaking";
        case "finish":
            return !recording;
        case "ready":
            return activity !== "preparing";
        case "pause":
            return activity === "suspended";
        case "goOn":
            return activity !== "suspended";
        default:
            return false;
    }
}
