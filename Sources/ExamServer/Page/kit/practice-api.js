/**
 * The server's REST interface for practice. Each request states the offset of the learner's clock from UTC, because a
 * study day is the learner's.
 */
import { CLIP_FORMS, json as plainJSON, path, request as plainRequest, token } from "./api.js";

/** The offset in seconds east of UTC. */
const offset = () => ({ "Oracy-Offset": String(-new Date().getTimezoneOffset() * 60) });

export const json = (method, address, body) => plainJSON(method, address, body, offset());
export const request = (method, address, body, headers = {}, signal = undefined) =>
    plainRequest(method, address, body, token.get(), { ...offset(), ...headers }, signal);

export const practice = {
    today: () => json("GET", "/v1/practice"),
    settle: (settings) => json("PATCH", "/v1/practice", settings),
    boards: async () => (await json("GET", "/v1/practice/boards")).boards,
    joinBoard: (group, name) => request("PUT", path`/v1/practice/boards/${group}`, { name }),
    leaveBoard: (group) => request("DELETE", path`/v1/practice/boards/${group}`),
    packs: async () => (await json("GET", "/v1/practice/packs")).packs,

    // A drill.
    begin: (wish) => json("POST", "/v1/practice/drills", wish),
    resume: () => json("POST", "/v1/practice/drills", { resume: true }),
    drill: () => json("GET", "/v1/practice/drill"),
    answer: (answer) => json("POST", "/v1/practice/drill/answers", answer),
    next: (number) => json("POST", "/v1/practice/drill/next", { number }),
    /** Returns the spoken part of a question in the examiner's voice. @returns {Promise<Blob>} */
    speech: async (pack, question) =>
        (await request("GET", path`/v1/practice/speech/${pack}/${question}`, undefined, { Accept: CLIP_FORMS })).blob(),

    // Tests.
    tests: () => json("GET", "/v1/practice-tests"),
    makeTest: (wish) => json("POST", "/v1/practice-tests", wish),
    test: (test) => json("GET", path`/v1/practice-tests/${test}`),
    deleteTest: (test) => request("DELETE", path`/v1/practice-tests/${test}`),
    startTest: (test) => json("POST", path`/v1/practice-tests/${test}/start`),
    retryTest: (test) => json("POST", path`/v1/practice-tests/${test}/retry`),
    keepAnswer: (test, question, given) => request("PUT", path`/v1/practice-tests/${test}/answers/${question}`, given),
    handIn: (test, answers) => json("POST", path`/v1/submissions/${test}`, { answers }),
    /** Follows the grading of a test. @returns {Promise<Response>} a stream of events */
    grading: (test, last, signal) =>
        request(
            "GET",
            path`/v1/submissions/${test}/events`,
            undefined,
            last === null ? {} : { "Last-Event-ID": last },
            signal,
        ),

    // Lessons.
    lessons: async () => (await json("GET", "/v1/lessons")).categories,
    lesson: (lesson) => json("GET", path`/v1/lessons/${lesson}`),
    readLesson: (lesson) => request("POST", path`/v1/lessons/${lesson}/read`, {}),
    /** Returns an item in the examiner's voice. @returns {Promise<Blob>} */
    lessonSpeech: async (lesson, item) => (await request(
        "GET",
        path`/v1/lessons/${lesson}/items/${item}/speech`,
        undefined,
        { Accept: CLIP_FORMS },
    )).blob(),
    openLesson: (lesson) => request("POST", path`/v1/lessons/${lesson}/open`, {}),

    // Practice as tasks.
    tasks: async (onlyIncomplete, limit) => (await json(
        "GET",
        `/v1/tasks?limit=${limit}${onlyIncomplete ? "&incomplete=true" : ""}`,
    )).tasks,
    markTask: (id, isComplete) => request("PATCH", "/v1/tasks", { id, isComplete }),
    deleteTask: (id) => request("DELETE", path`/v1/tasks?id=${id}`),
};
