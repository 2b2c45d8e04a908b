/**
 * The server's REST interface for practice. Each request states the offset of the learner's clock from UTC, because a
 * study day is the learner's.
 */
import { CLIP_FORMS, json as plainJSON, path, request as plainRequest, token } from "./api.js";

/** The offset in seconds east of UTC. */
const offset = () => ({ "Oracy-Offset": String(-new Date().getTimezoneOffset() * 60) });

/** @param {string} method @param {string} address @param {object} [body] */
export const json = (method, address, body) => plainJSON(method, address, body, offset());
/**
 * @param {string} method
 * @param {string} address
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 * @param {AbortSignal} [signal]
 */
export const request = (method, address, body, headers = {}, signal = undefined) =>
    plainRequest(method, address, body, token.get(), { ...offset(), ...headers }, signal);

export const practice = {
    /** @returns {Promise<Answered["practiceDay"]>} */
    today: () => json("GET", "/v1/practice"),
    /** @param {Asked["changePractice"]} settings @returns {Promise<Answered["changePractice"]>} */
    settle: (settings) => json("PATCH", "/v1/practice", settings),
    /** @returns {Promise<Answered["practiceBoards"]["boards"]>} */
    boards: async () => (await json("GET", "/v1/practice/boards")).boards,
    /** @param {string} group @param {Asked["joinBoard"]["name"]} name */
    joinBoard: (group, name) => request("PUT", path`/v1/practice/boards/${group}`, { name }),
    /** @param {string} group */
    leaveBoard: (group) => request("DELETE", path`/v1/practice/boards/${group}`),
    /** @returns {Promise<Answered["practicePacks"]["packs"]>} */
    packs: async () => (await json("GET", "/v1/practice/packs")).packs,

    // A drill.
    /** @param {Asked["beginDrill"]} wish @returns {Promise<Answered["beginDrill"]>} */
    begin: (wish) => json("POST", "/v1/practice/drills", wish),
    /** @returns {Promise<Answered["beginDrill"]>} */
    resume: () => json("POST", "/v1/practice/drills", { resume: true }),
    /** @returns {Promise<Answered["drill"]>} */
    drill: () => json("GET", "/v1/practice/drill"),
    /** @param {Asked["answerDrill"]} answer @returns {Promise<Answered["answerDrill"]>} */
    answer: (answer) => json("POST", "/v1/practice/drill/answers", answer),
    /** @param {Asked["nextOfDrill"]["number"]} number @returns {Promise<Answered["nextOfDrill"]>} */
    next: (number) => json("POST", "/v1/practice/drill/next", { number }),
    /**
     * Returns the spoken part of a question in the examiner's voice.
     *
     * @param {string} pack
     * @param {string} question
     * @returns {Promise<Blob>}
     */
    speech: async (pack, question) =>
        (await request("GET", path`/v1/practice/speech/${pack}/${question}`, undefined, { Accept: CLIP_FORMS })).blob(),

    // Tests.
    /** @returns {Promise<Answered["practiceTests"]>} */
    tests: () => json("GET", "/v1/practice-tests"),
    /** @param {Asked["makePracticeTest"]} wish @returns {Promise<Answered["makePracticeTest"]>} */
    makeTest: (wish) => json("POST", "/v1/practice-tests", wish),
    /** @param {string} test @returns {Promise<Answered["practiceTest"]>} */
    test: (test) => json("GET", path`/v1/practice-tests/${test}`),
    /** @param {string} test */
    deleteTest: (test) => request("DELETE", path`/v1/practice-tests/${test}`),
    /** @param {string} test @returns {Promise<Answered["startPracticeTest"]>} */
    startTest: (test) => json("POST", path`/v1/practice-tests/${test}/start`),
    /** @param {string} test @returns {Promise<Answered["retryPracticeTest"]>} */
    retryTest: (test) => json("POST", path`/v1/practice-tests/${test}/retry`),
    /** @param {string} test @param {string} question @param {Asked["answerPracticeTest"]} given */
    keepAnswer: (test, question, given) => request("PUT", path`/v1/practice-tests/${test}/answers/${question}`, given),
    /** @param {string} test @param {Asked["handIn"]["answers"]} answers @returns {Promise<Answered["handIn"]>} */
    handIn: (test, answers) => json("POST", path`/v1/submissions/${test}`, { answers }),
    /**
     * Follows the grading of a test.
     *
     * @param {string} test
     * @param {string | null} last
     * @param {AbortSignal} signal
     * @returns {Promise<Response>} a stream of events
     */
    grading: (test, last, signal) =>
        request(
            "GET",
            path`/v1/submissions/${test}/events`,
            undefined,
            last === null ? {} : { "Last-Event-ID": last },
            signal,
        ),

    // Lessons.
    /** @returns {Promise<Answered["lessons"]["categories"]>} */
    lessons: async () => (await json("GET", "/v1/lessons")).categories,
    /** @param {string} lesson @returns {Promise<Answered["lesson"]>} */
    lesson: (lesson) => json("GET", path`/v1/lessons/${lesson}`),
    /** @param {string} lesson */
    readLesson: (lesson) => request("POST", path`/v1/lessons/${lesson}/read`, {}),
    /**
     * Returns an item in the examiner's voice.
     *
     * @param {string} lesson
     * @param {string} item
     * @returns {Promise<Blob>}
     */
    lessonSpeech: async (lesson, item) => (await request(
        "GET",
        path`/v1/lessons/${lesson}/items/${item}/speech`,
        undefined,
        { Accept: CLIP_FORMS },
    )).blob(),
    /** @param {string} lesson */
    openLesson: (lesson) => request("POST", path`/v1/lessons/${lesson}/open`, {}),

    // Practice as tasks.
    /** @param {boolean} onlyIncomplete @param {number} limit @returns {Promise<Answered["tasks"]["tasks"]>} */
    tasks: async (onlyIncomplete, limit) => (await json(
        "GET",
        `/v1/tasks?limit=${limit}${onlyIncomplete ? "&incomplete=true" : ""}`,
    )).tasks,
    /** @param {Asked["markTask"]["id"]} id @param {boolean} isComplete */
    markTask: (id, isComplete) => request("PATCH", "/v1/tasks", { id, isComplete }),
    /** @param {string} id */
    deleteTask: (id) => request("DELETE", path`/v1/tasks?id=${id}`),
};
