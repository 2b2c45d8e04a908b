/**
 * The server's REST interface, as used by this page. The bearer token exists only in this tab and is deleted with it.
 */

const KEPT_TOKEN = "oracy.token";

/** An error in the form of a problem document (RFC 9457). */
export class Problem extends Error {
    /**
     * @param {number} status of HTTP; 0 if the server was not reached
     * @param {string} code for programs: the last part of the document's type
     * @param {number} [retryAfter] the seconds after which the server wants to be asked again
     */
    constructor(status, title, detail = "", code = "", retryAfter = undefined) {
        super(title);
        Object.assign(this, { status, title, detail, code, retryAfter });
    }
}

/** Ogg/Opus, an eighth of the bytes, if the browser plays it. WAV plays everywhere. */
export const CLIP_FORMS = new Audio().canPlayType("audio/ogg; codecs=opus")
    ? "audio/ogg, audio/wav;q=0.5"
    : "audio/wav";

/** The token if the browser blocks storage. It then lives as long as the page. */
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
    /** Returns the papers made for this learner. */
    papers: () => json("GET", "/v1/papers"),
    paper: (paper) => json("GET", path`/v1/papers/${paper}`),
    makePaper: (wishes) => json("POST", "/v1/papers", wishes),
    retryPaper: (paper) => json("POST", path`/v1/papers/${paper}/retry`),
    erasePaper: (paper) => request("DELETE", path`/v1/papers/${paper}`),
    makeExam: (wishes) => json("POST", "/v1/exams", wishes),
    liveToken: (session) => json("POST", path`/v1/exams/${session}/live`),
    /** Returns a page of exams, latest first. @param {string} [before] `next` of the previous page */
    sessions: (before) => json("GET", "/v1/sessions" + (before ? `?before=${encodeURIComponent(before)}` : "")),
    results: (session) => json("GET", path`/v1/sessions/${session}/results`),
    /**
     * Follows changes in the results.
     *
     * @param {string | null} last the id of the last event received
     * @returns {Promise<Response>} a stream of events
     */
    events: (session, last, signal) =>
        request(
            "GET",
            path`/v1/sessions/${session}/events`,
            undefined,
            token.get(),
            last === null ? {} : { "Last-Event-ID": last },
            signal,
        ),
    /** Returns the measurements and findings on the answers, and the result of the marks. */
    assessment: (session) => json("GET", path`/v1/sessions/${session}/assessment`),
    /** Returns one file with everything about the exam, including its sound. @returns {Promise<Blob>} */
    report: async (session) => (await request("GET", path`/v1/sessions/${session}/report`)).blob(),
    /** Stores the candidate's typed words of an answer. An empty text removes them. */
    keepTranscript: (session, answer, text) => request(
        "PUT",
        path`/v1/sessions/${session}/answers/${answer}/transcript`,
        { text },
    ),
    erase: (session) => request("DELETE", path`/v1/sessions/${session}`),
    /** Returns the possible recipients of answers, and the candidate's consents. */
    consents: () => json("GET", "/v1/consents"),
    agree: (recipient) => request("PUT", path`/v1/consents/${recipient}`),
    takeConsentBack: (recipient) => request("DELETE", path`/v1/consents/${recipient}`),
    /** Returns other people's readings of the candidate's exams. */
    readings: () => json("GET", "/v1/readings"),

    // For markers.
    tasks: () => json("GET", "/v1/marking"),
    /** @returns {Promise<object | null>} null if no exam is waiting */
    takeNext: async () => {
        const answer = await request("POST", "/v1/marking");
        return answer.status === 204 ? null : answer.json();
    },
    task: (task) => json("GET", path`/v1/marking/${task}`),
    giveBack: (task) => request("DELETE", path`/v1/marking/${task}`),
    keepDraft: (task, marks) => request("PUT", path`/v1/marking/${task}/draft`, marks),
    saveMarks: (task, marks) => request("PUT", path`/v1/marking/${task}/sheet`, marks),
    agreement: () => json("GET", "/v1/agreement"),

    // For teachers.
    group: (group, before) => json(
        "GET",
        path`/v1/groups/${group}/sessions` + (before ? `?before=${encodeURIComponent(before)}` : ""),
    ),
    askForMarks: (session, markers) => request("POST", path`/v1/sessions/${session}/marking`, { markers }),

    /** Returns the recording of an answer. @returns {Promise<Blob>} */
    recording: async (url) => (await request("GET", url)).blob(),
    /** Sends this many bytes to the server and gets them back. */
    echo: async (bytes) => (await request("POST", "/v1/line-check", new Uint8Array(bytes))).arrayBuffer(),
    /** Returns the examiner's greeting. @returns {Promise<ArrayBuffer>} */
    greeting: async () =>
        (await request("GET", "/v1/exams/greeting", undefined, token.get(), { Accept: CLIP_FORMS })).arrayBuffer(),
    /** Returns one of the examiner's clips with an exam's own token. @returns {Promise<ArrayBuffer>} */
    clip: async (url, live) => (await request("GET", url, undefined, live, { Accept: CLIP_FORMS })).arrayBuffer(),
    /**
     * Returns a picture of a question, with an exam's own token, as the address of an image.
     *
     * @returns {Promise<string>}
     */
    picture: async (url, live) => dataURL(await (await request("GET", url, undefined, live)).blob()),
};

/** Returns a blob as a data URL, because this page shows no pictures from other servers. @returns {Promise<string>} */
export const dataURL = (blob) =>
    new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(blob);
    });

/** Builds an address whose inserted parts are each escaped. */
export const path = ([first, ...rest], ...names) =>
    first + rest.map((after, index) => encodeURIComponent(names[index]) + after).join("");

export async function json(method, path, body, headers) {
    return (await request(method, path, body, token.get(), headers)).json();
}

/** @throws {Problem} if the answer is not successful, or none came */
export async function request(method, path, body, bearer = token.get(), headers = {}, signal = undefined) {
    if (bearer) headers.Authorization = `Bearer ${bearer}`;
    const isBytes = body instanceof Uint8Array;
    if (body !== undefined) headers["Content-Type"] ??= isBytes ? "application/octet-stream" : "application/json";
    let answer;
    try {
        answer = await fetch(
            path,
            { method, headers, body: isBytes ? body : body && JSON.stringify(body), cache: "no-store", signal },
        );
    } catch {
        throw new Problem(0, "The server cannot be reached.", "Check your connection to the network, then try again.");
    }
    if (answer.ok) return answer;
    const said = await answer.json().catch(() => ({}));
    const code = String(said.type ?? "").split("/").pop();
    const retryAfter = Number(answer.headers.get("Retry-After")) || undefined;
    if (code === "maintenance") {
        throw new Problem(answer.status, ...maintenanceWords(said.detail, retryAfter), code, retryAfter);
    }
    throw new Problem(answer.status, said.title ?? `The server said ${answer.status}.`, said.detail, code, retryAfter);
}

/** The message for a planned interruption, in which the learner only needs to wait. */
function maintenanceWords(detail, retryAfter) {
    const when = retryAfter >= 60 ? `in about ${Math.ceil(retryAfter / 60)} min` : "in a minute";
    return [
        "The server is being looked after.",
        [detail, `What you have done is kept. Please try again ${when}.`].filter(Boolean).join(" "),
    ];
}
