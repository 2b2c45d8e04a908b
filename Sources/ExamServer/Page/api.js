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

export const token = {
    get: () => sessionStorage.getItem(KEPT_TOKEN),
    set: (value) => sessionStorage.setItem(KEPT_TOKEN, value),
    forget: () => sessionStorage.removeItem(KEPT_TOKEN),
};

export const api = {
    me: () => json("GET", "/v1/me"),
    choices: () => json("GET", "/v1/exams/choices"),
    makeExam: (wishes) => json("POST", "/v1/exams", wishes),
    liveToken: (session) => json("POST", `/v1/exams/${encodeURIComponent(session)}/live`),
    sessions: () => json("GET", "/v1/sessions"),
    results: (session) => json("GET", `/v1/sessions/${encodeURIComponent(session)}/results`),
    erase: (session) => request("DELETE", `/v1/sessions/${encodeURIComponent(session)}`),
    /** A recording of an answer. @returns {Promise<Blob>} */
    recording: async (url) => (await request("GET", url)).blob(),
    /** A clip of the examiner's, with an exam's own token. @returns {Promise<ArrayBuffer>} */
    clip: async (url, live) => (await request("GET", url, undefined, live)).arrayBuffer(),
};

async function json(method, path, body) {
    return (await request(method, path, body)).json();
}

/** @throws {Problem} where the answer is no success, or none came */
async function request(method, path, body, bearer = token.get()) {
    const headers = {};
    if (bearer) headers.Authorization = `Bearer ${bearer}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let answer;
    try {
        answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store" });
    } catch {
        throw new Problem(0, "The server cannot be reached.", "Check your connection to the network, then try again.");
    }
    if (answer.ok) return answer;
    const said = await answer.json().catch(() => ({}));
    throw new Problem(answer.status, said.title ?? `The server said ${answer.status}.`, said.detail);
}
