/**
 * The server's REST interface, as used by this page. The bearer token exists only in this tab and is deleted with it.
 */

const KEPT_TOKEN = "oracy.token";

/** An error in the form of a problem document (RFC 9457). */
export class Problem extends Error {
    /**
     * @param {number} status of HTTP; 0 if the server was not reached
     * @param {string} code for programs: the last part of the document's type
     * @param {string} title
     * @param {number} [retryAfter] the seconds after which the server wants to be asked again
     */
    constructor(status, title, detail = "", code = "", retryAfter = undefined) {
        super(title);
        this.status = status;
        this.title = title;
        this.detail = detail;
        this.code = code;
        this.retryAfter = retryAfter;
    }
}

/** Ogg/Opus, an eighth of the bytes, if the browser plays it. WAV plays everywhere. */
export const CLIP_FORMS = new Audio().canPlayType("audio/ogg; codecs=opus")
    ? "audio/ogg, audio/wav;q=0.5"
    : "audio/wav";

/**
 * The token if the browser blocks storage. It then lives as long as the page.
 *
 * @type {string | null}
 */
let kept = null;

/**
 * @template Value
 * @param {(storage: Storage) => Value} use
 */
const stored = (use) => {
    try {
        return use(sessionStorage);
    } catch {
        return null;
    }
};

export const token = {
    get: () => stored((storage) => storage.getItem(KEPT_TOKEN)) ?? kept,
    /** @param {string} value */
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
    /** @returns {Promise<Answered["me"]>} */
    me: () => json("GET", "/v1/me"),
    /** @returns {Promise<Answered["choices"]>} */
    choices: () => json("GET", "/v1/exams/choices"),
    /**
     * Returns the papers made for this learner.
     *
     * @returns {Promise<Answered["ownPapers"]>}
     */
    papers: () => json("GET", "/v1/papers"),
    /** @param {string} paper @returns {Promise<Answered["ownPaper"]>} */
    paper: (paper) => json("GET", path`/v1/papers/${paper}`),
    /** @param {Asked["makePaper"]} wishes @returns {Promise<Answered["makePaper"]>} */
    makePaper: (wishes) => json("POST", "/v1/papers", wishes),
    /** @param {string} paper @returns {Promise<Answered["retryPaper"]>} */
    retryPaper: (paper) => json("POST", path`/v1/papers/${paper}/retry`),
    /** @param {string} paper */
    erasePaper: (paper) => request("DELETE", path`/v1/papers/${paper}`),
    /** @param {Asked["makeExam"]} wishes @returns {Promise<Answered["makeExam"]>} */
    makeExam: (wishes) => json("POST", "/v1/exams", wishes),
    /** @param {string} session @returns {Promise<Answered["renewLive"]>} */
    liveToken: (session) => json("POST", path`/v1/exams/${session}/live`),
    /**
     * Returns a page of exams or of spoken drills, latest first.
     *
     * @param {{kind?: "exam" | "drill", before?: string}} wish `before`: `next` of the previous page
     * @returns {Promise<Answered["sessions"]>}
     */
    sessions: ({ kind = "exam", before } = {}) =>
        json("GET", `/v1/sessions?kind=${kind}` + (before ? `&before=${encodeURIComponent(before)}` : "")),
    /** @param {string} session @returns {Promise<Answered["results"]>} */
    results: (session) => json("GET", path`/v1/sessions/${session}/results`),
    /**
     * Follows changes in the results.
     *
     * @param {string} session
     * @param {string | null} last the id of the last event received
     * @param {AbortSignal} signal
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
    /**
     * Returns the measurements and findings on the answers, and the result of the marks.
     *
     * @param {string} session
     * @returns {Promise<Answered["assessment"]>}
     */
    assessment: (session) => json("GET", path`/v1/sessions/${session}/assessment`),
    /**
     * Returns one file with everything about the exam, including its sound.
     *
     * @param {string} session
     * @returns {Promise<Blob>}
     */
    report: async (session) => (await request("GET", path`/v1/sessions/${session}/report`)).blob(),
    /**
     * Stores the candidate's typed words of an answer. An empty text removes them.
     *
     * @param {string} session
     * @param {string} answer
     * @param {Asked["putTranscript"]["text"]} text
     */
    keepTranscript: (session, answer, text) => request(
        "PUT",
        path`/v1/sessions/${session}/answers/${answer}/transcript`,
        { text },
    ),
    /** @param {string} session */
    erase: (session) => request("DELETE", path`/v1/sessions/${session}`),
    /**
     * Returns the possible recipients of answers, and the candidate's consents.
     *
     * @returns {Promise<Answered["consents"]>}
     */
    consents: () => json("GET", "/v1/consents"),
    /** @param {string} recipient */
    agree: (recipient) => request("PUT", path`/v1/consents/${recipient}`),
    /** @param {string} recipient */
    takeConsentBack: (recipient) => request("DELETE", path`/v1/consents/${recipient}`),
    /**
     * Returns other people's readings of the candidate's exams.
     *
     * @returns {Promise<Answered["readings"]>}
     */
    readings: () => json("GET", "/v1/readings"),

    // For markers.
    /** @returns {Promise<Answered["markingTasks"]>} */
    tasks: () => json("GET", "/v1/marking"),
    /** @returns {Promise<Answered["takeNext"] | null>} null if no exam is waiting */
    takeNext: async () => {
        const answer = await request("POST", "/v1/marking");
        return answer.status === 204 ? null : answer.json();
    },
    /** @param {string} task @returns {Promise<Answered["markingDesk"]>} */
    task: (task) => json("GET", path`/v1/marking/${task}`),
    /** @param {string} task */
    giveBack: (task) => request("DELETE", path`/v1/marking/${task}`),
    /** @param {string} task @param {Asked["putDraft"]} marks */
    keepDraft: (task, marks) => request("PUT", path`/v1/marking/${task}/draft`, marks),
    /** @param {string} task @param {Asked["putSheet"]} marks */
    saveMarks: (task, marks) => request("PUT", path`/v1/marking/${task}/sheet`, marks),
    /** @returns {Promise<Answered["agreement"]>} */
    agreement: () => json("GET", "/v1/agreement"),

    // For teachers.
    /** @param {string} group @param {string} [before] @returns {Promise<Answered["groupSessions"]>} */
    group: (group, before) => json(
        "GET",
        path`/v1/groups/${group}/sessions?kind=exam` + (before ? `&before=${encodeURIComponent(before)}` : ""),
    ),
    /** @param {string} session @param {number} markers */
    askForMarks: (session, markers) => request("POST", path`/v1/sessions/${session}/marking`, { markers }),

    /**
     * Returns the recording of an answer.
     *
     * @param {string} url
     * @returns {Promise<Blob>}
     */
    recording: async (url) => (await request("GET", url)).blob(),
    /**
     * Returns a sentence of a drill in the voice that the learner followed.
     *
     * @param {string} url
     * @returns {Promise<Blob>}
     */
    voice: async (url) => (await request("GET", url, undefined, token.get(), { Accept: CLIP_FORMS })).blob(),
    /**
     * Sends this many bytes to the server and gets them back.
     *
     * @param {number} bytes
     */
    echo: async (bytes) => (await request("POST", "/v1/line-check", new Uint8Array(bytes))).arrayBuffer(),
    /**
     * Returns the examiner's greeting.
     *
     * @returns {Promise<ArrayBuffer>}
     */
    greeting: async () =>
        (await request("GET", "/v1/exams/greeting", undefined, token.get(), { Accept: CLIP_FORMS })).arrayBuffer(),
    /**
     * Returns one of the examiner's clips with an exam's own token.
     *
     * @param {string} url
     * @param {string} live
     * @returns {Promise<ArrayBuffer>}
     */
    clip: async (url, live) => (await request("GET", url, undefined, live, { Accept: CLIP_FORMS })).arrayBuffer(),
    /**
     * Returns a picture of a question, with an exam's own token, as the address of an image.
     *
     * @param {string} url
     * @param {string} live
     * @returns {Promise<string>}
     */
    picture: async (url, live) => dataURL(await (await request("GET", url, undefined, live)).blob()),
};

/**
 * Returns a blob as a data URL, because this page shows no pictures from other servers.
 *
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
export const dataURL = (blob) =>
    new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result));
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(blob);
    });

/**
 * Builds an address whose inserted parts are each escaped.
 *
 * @param {TemplateStringsArray} texts
 * @param {(string | number)[]} names
 */
export const path = ([first, ...rest], ...names) =>
    first + rest.map((after, index) => encodeURIComponent(names[index]) + after).join("");

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 */
export async function json(method, path, body, headers) {
    return (await request(method, path, body, token.get(), headers)).json();
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body] bytes, or a value that is sent as JSON
 * @param {string | null} [bearer] the token, if it is not the user's
 * @param {Record<string, string>} [headers]
 * @param {AbortSignal} [signal]
 * @throws {Problem} if the answer is not successful, or none came
 */
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

/**
 * The message for a planned interruption, in which the learner only needs to wait.
 *
 * @param {string | undefined} detail
 * @param {number | undefined} retryAfter
 * @returns {[title: string, detail: string]}
 */
function maintenanceWords(detail, retryAfter) {
    const when = retryAfter && retryAfter >= 60 ? `in about ${Math.ceil(retryAfter / 60)} min` : "in a minute";
    return [
        "The server is down for maintenance.",
        [detail, `What you have done is kept. Please try again ${when}.`].filter(Boolean).join(" "),
    ];
}
