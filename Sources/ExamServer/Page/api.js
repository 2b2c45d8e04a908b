/**
 * The server's REST, as this page uses it. The bearer token lives in this tab alone: it is gone when the tab is.
 */

const KEPT_TOKEN = "oracy.token";

/** What went wrong, in the words of a problem document (RFC 9457). */
export class Problem extends Error {
    /**
     * @param {number} status of HTTP; 0 where the server was not reached
     * @param {string} code for programs: the last part of the document's type
     * @param {number} [retryAfter] seconds after which the server wants to be asked again
     */
    constructor(status, title, detail = "", code = "", retryAfter = undefined) {
        super(title);
        Object.assign(this, { status, title, detail, code, retryAfter });
    }
}

/** An eighth of the bytes where the browser plays Ogg/Opus; WAV plays everywhere. */
export const CLIP_FORMS = new Audio().canPlayType("audio/ogg; codecs=opus") ? "audio/ogg, audio/wav;q=0.5" : "audio/wav";

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
    /** The papers that were made for this learner. */
    papers: () => json("GET", "/v1/papers"),
    paper: (paper) => json("GET", path`/v1/papers/${paper}`),
    makePaper: (wishes) => json("POST", "/v1/papers", wishes),
    retryPaper: (paper) => json("POST", path`/v1/papers/${paper}/retry`),
    erasePaper: (paper) => request("DELETE", path`/v1/papers/${paper}`),
    makeExam: (wishes) => json("POST", "/v1/exams", wishes),
    liveToken: (session) => json("POST", path`/v1/exams/${session}/live`),
    /** A page of them, the latest first. @param {string} [before] `next` of the page before */
    sessions: (before) => json("GET", "/v1/sessions" + (before ? `?before=${encodeURIComponent(before)}` : "")),
    results: (session) => json("GET", path`/v1/sessions/${session}/results`),
    /** What becomes of them. @param {string | null} last id of the last event that came @returns {Promise<Response>} a stream of events */
    events: (session, last, signal) =>
        request("GET", path`/v1/sessions/${session}/events`, undefined, token.get(), last === null ? {} : { "Last-Event-ID": last }, signal),
    /** What was measured, counted and said of the answers, and what the marks come to. */
    assessment: (session) => json("GET", path`/v1/sessions/${session}/assessment`),
    /** One file that tells all of it, its sound included. @returns {Promise<Blob>} */
    report: async (session) => (await request("GET", path`/v1/sessions/${session}/report`)).blob(),
    /** Keeps what was said in an answer, in the candidate's own words; no words: forgets them. */
    keepTranscript: (session, answer, text) => request("PUT", path`/v1/sessions/${session}/answers/${answer}/transcript`, { text }),
    erase: (session) => request("DELETE", path`/v1/sessions/${session}`),
    /** Who else answers may be sent to, and which of them the candidate agreed to. */
    consents: () => json("GET", "/v1/consents"),
    agree: (recipient) => request("PUT", path`/v1/consents/${recipient}`),
    takeConsentBack: (recipient) => request("DELETE", path`/v1/consents/${recipient}`),
    /** Who else read the candidate's exams. */
    readings: () => json("GET", "/v1/readings"),

    // A marker's.
    tasks: () => json("GET", "/v1/marking"),
    /** @returns {Promise<object | null>} null where nothing waits */
    takeNext: async () => {
        const answer = await request("POST", "/v1/marking");
        return answer.status === 204 ? null : answer.json();
    },
    task: (task) => json("GET", path`/v1/marking/${task}`),
    giveBack: (task) => request("DELETE", path`/v1/marking/${task}`),
    keepDraft: (task, marks) => request("PUT", path`/v1/marking/${task}/draft`, marks),
    saveMarks: (task, marks) => request("PUT", path`/v1/marking/${task}/sheet`, marks),
    agreement: () => json("GET", "/v1/agreement"),

    // A teacher's.
    group: (group, before) => json("GET", path`/v1/groups/${group}/sessions` + (before ? `?before=${encodeURIComponent(before)}` : "")),
    askForMarks: (session, markers) => request("POST", path`/v1/sessions/${session}/marking`, { markers }),

    /** A recording of an answer. @returns {Promise<Blob>} */
    recording: async (url) => (await request("GET", url)).blob(),
    /** So many bytes go to the server and come back. */
    echo: async (bytes) => (await request("POST", "/v1/line-check", new Uint8Array(bytes))).arrayBuffer(),
    /** A sentence of the examiner's. @returns {Promise<ArrayBuffer>} */
    greeting: async () => (await request("GET", "/v1/exams/greeting", undefined, token.get(), { Accept: CLIP_FORMS })).arrayBuffer(),
    /** A clip of the examiner's, with an exam's own token. @returns {Promise<ArrayBuffer>} */
    clip: async (url, live) => (await request("GET", url, undefined, live, { Accept: CLIP_FORMS })).arrayBuffer(),
    /** A picture to speak about, with an exam's own token, as an image shows it. @returns {Promise<string>} */
    picture: async (url, live) => dataURL(await (await request("GET", url, undefined, live)).blob()),
};

/** A blob as an address: this page shows no picture from elsewhere. @returns {Promise<string>} */
export const dataURL = (blob) =>
    new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(blob);
    });

/** Whatever stands in an address as its own piece. */
export const path = ([first, ...rest], ...names) => first + rest.map((after, index) => encodeURIComponent(names[index]) + after).join("");

export async function json(method, path, body, headers) {
    return (await request(method, path, body, token.get(), headers)).json();
}

/** @throws {Problem} where the answer is no success, or none came */
export async function request(method, path, body, bearer = token.get(), headers = {}, signal = undefined) {
    if (bearer) headers.Authorization = `Bearer ${bearer}`;
    const isBytes = body instanceof Uint8Array;
    if (body !== undefined) headers["Content-Type"] ??= isBytes ? "application/octet-stream" : "application/json";
    let answer;
    try {
        answer = await fetch(path, { method, headers, body: isBytes ? body : body && JSON.stringify(body), cache: "no-store", signal });
    } catch {
        throw new Problem(0, "The server cannot be reached.", "Check your connection to the network, then try again.");
    }
    if (answer.ok) return answer;
    const said = await answer.json().catch(() => ({}));
    const code = String(said.type ?? "").split("/").pop();
    const retryAfter = Number(answer.headers.get("Retry-After")) || undefined;
    if (code === "maintenance") throw new Problem(answer.status, ...maintenanceWords(said.detail, retryAfter), code, retryAfter);
    throw new Problem(answer.status, said.title ?? `The server said ${answer.status}.`, said.detail, code, retryAfter);
}

/** Nothing is broken, and nobody need do anything but wait. */
function maintenanceWords(detail, retryAfter) {
    const when = retryAfter >= 60 ? `in about ${Math.ceil(retryAfter / 60)} min` : "in a minute";
    return ["The server is being looked after.", [detail, `What you have done is kept. Please try again ${when}.`].filter(Boolean).join(" ")];
}
