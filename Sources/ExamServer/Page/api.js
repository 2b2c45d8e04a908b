/**
 * The server's REST, as this page uses it. The bearer token lives in this tab alone: it is gone when the tab is.
 */

const KEPT_TOKEN = "oracy.token";

/** What went wrong, in the words of a problem document (RFC 9457). */
export class Problem extends Error {
    /** @param {number} status of HTTP; 0 where the server was not reached */
    constructor(status, title, detail = "") {
        super(title);
        this.status = status;
        this.title = title;
        this.detail = detail;
    }
}

/** An eighth of the bytes where the browser plays Ogg/Opus; WAV plays everywhere. */
const CLIP_FORMS = new Audio().canPlayType("audio/ogg; codecs=opus") ? "audio/ogg, audio/wav;q=0.5" : "audio/wav";

/** Where the browser blocks storage the token lives as long as the page. */
let kept = null;
const stored = (use) => {
    try {
        return use(sessionStorage);
    } catch {
        return null;
    }
};

export const token = {
    get: () => stored((storage) => storage.getItem(KEPT_TOKEN)) ?? kept,
    set: (value) => {
        kept = value;
        stored((storage) => storage.setItem(KEPT_TOKEN, value));
    },
    forget: () => {
        kept = null;
        stored((storage) => storage.removeItem(KEPT_TOKEN));
    },
};

export const api = {
    me: () => json("GET", "/v1/me"),
    choices: () => json("GET", "/v1/exams/choices"),
    makeExam: (wishes) => json("POST", "/v1/exams", wishes),
    liveToken: (session) => json("POST", `/v1/exams/${encodeURIComponent(session)}/live`),
    /** A page of them, the latest first. @param {string} [before] `next` of the page before */
    sessions: (before) => json("GET", "/v1/sessions" + (before ? `?before=${encodeURIComponent(before)}` : "")),
    /** @param {number} [wait] seconds that the server may hold the answer back until an assessment is there (RFC 7240) */
    results: (session, wait = 0) =>
        json("GET", `/v1/sessions/${encodeURIComponent(session)}/results`, undefined, wait > 0 ? { Prefer: `wait=${wait}` } : {}),
    /** What was measured and counted in the answers, without anybody's opinion. */
    assessment: (session) => json("GET", `/v1/sessions/${encodeURIComponent(session)}/assessment`),
    /** One file that tells all of it, its sound included. @returns {Promise<Blob>} */
    report: async (session) => (await request("GET", `/v1/sessions/${encodeURIComponent(session)}/report`)).blob(),
    /** Keeps what was said in an answer, in the candidate's own words; no words: forgets them. */
    keepTranscript: (session, answer, text) =>
        request("PUT", `/v1/sessions/${encodeURIComponent(session)}/answers/${encodeURIComponent(answer)}/transcript`, { text }),
    erase: (session) => request("DELETE", `/v1/sessions/${encodeURIComponent(session)}`),
    /** A recording of an answer. @returns {Promise<Blob>} */
    recording: async (url) => (await request("GET", url)).blob(),
    /** So many bytes go to the server and come back. */
    echo: async (bytes) => (await request("POST", "/v1/line-check", new Uint8Array(bytes))).arrayBuffer(),
    /** A sentence of the examiner's. @returns {Promise<ArrayBuffer>} */
    greeting: async () => (await request("GET", "/v1/exams/greeting", undefined, token.get(), { Accept: CLIP_FORMS })).arrayBuffer(),
    /** A clip of the examiner's, with an exam's own token. @returns {Promise<ArrayBuffer>} */
    clip: async (url, live) => (await request("GET", url, undefined, live, { Accept: CLIP_FORMS })).arrayBuffer(),
};

async function json(method, path, body, headers) {
    return (await request(method, path, body, token.get(), headers)).json();
}

/** @throws {Problem} where the answer is no success, or none came */
async function request(method, path, body, bearer = token.get(), headers = {}) {
    if (bearer) headers.Authorization = `Bearer ${bearer}`;
    const isBytes = body instanceof Uint8Array;
    if (body !== undefined) headers["Content-Type"] = isBytes ? "application/octet-stream" : "application/json";
    let answer;
    try {
        answer = await fetch(path, { method, headers, body: isBytes ? body : body && JSON.stringify(body), cache: "no-store" });
    } catch {
        throw new Problem(0, "The server cannot be reached.", "Check your connection to the network, then try again.");
    }
    if (answer.ok) return answer;
    const said = await answer.json().catch(() => ({}));
    throw new Problem(answer.status, said.title ?? `The server said ${answer.status}.`, said.detail);
}
