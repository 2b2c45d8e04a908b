/**
 * The way through the page: signing in, choosing an exam, checking the microphone, the exam, its results, and practice.
 */
import { api, Problem, token } from "./kit/api.js";
import { checkMicrophone } from "./exam/check.js";
import { Exam } from "./exam/exam.js";
import { front } from "./plan/front.js";
import { group } from "./school/group.js";
import { home } from "./exam/home.js";
import { lessons } from "./practice/lessons.js";
import { marking } from "./school/marking.js";
import { planner } from "./kit/plan-api.js";
import { PlanScreen } from "./plan/plan.js";
import { tasks } from "./practice/practice-tasks.js";
import { remind } from "./plan/reminders.js";
import { results } from "./exam/results.js";
import { all, attempt, byId, show, showProblem, whenSignedOut } from "./kit/screen.js";
import { hurry } from "./practice/sending.js";
import { settings } from "./plan/settings.js";
import { statistics } from "./practice/statistics.js";
import { tests } from "./practice/tests.js";
import { today } from "./practice/today.js";
import { troubles } from "./kit/troubles.js";
import { endedWords } from "./kit/words.js";

/**
 * The signed-in user with their roles. Null until the server has told.
 *
 * @type {Answered["me"] | null}
 */
let caller = null;

async function start() {
    try {
        const known = caller?.user;
        caller = await api.me();
        // Unsent data belongs to the previous user.
        if (known && known !== caller.user) return location.reload();
        hurry();
        byId("development").hidden = !caller.development;
        byId("sign-out").hidden = token.get() === null;
        await (hasBegun ? goHome() : begin());
        hasBegun = true;
    } catch (problem) {
        if (problem.status === 401) return signIn(problem);
        stop(problem instanceof Problem ? problem : troubles.pageBroken, null);
    }
}

/** Whether this page has shown its first screen. */
let hasBegun = false;

/** Shows the plan first if the learner has one. Without a plan, or if the server cannot tell, shows the exams. */
async function begin() {
    const told = await planner.told().catch(() => null);
    await (told?.profile ? plan.open(told) : goHome());
}

/** @param {Shown} problem */
function signIn(problem) {
    const wasWrong = token.get() !== null;
    token.forget();
    show("sign-in");
    if (wasWrong) showProblem(problem);
}

const goHome = (wanted) =>
    home(caller ?? { roles: [], groups: [] }, {
        begin: prepare,
        goOn,
        open: (session) => results(session, () => goHome()),
        mark: () => marking(() => goHome()),
        group: (name) => group(name, () => goHome()),
    }, wanted);

/** Leads from a choice to an exam through the microphone's check. */
function prepare(wishes, seconds) {
    checkMicrophone(seconds, {
        begin: async (microphone) => sit(await api.makeExam(wishes), microphone),
        back: () => goHome(),
    });
}

/**
 * Continues an exam that was left, on this page or elsewhere.
 *
 * @param {string} session
 */
function goOn(session) {
    checkMicrophone(undefined, {
        begin: async (microphone) => {
            const answer = await api.liveToken(session);
            sit({ ...answer, session, live: answer.live ?? answer }, microphone);
        },
        back: () => goHome(),
    });
}

function sit(exam, microphone) {
    new Exam(exam, microphone, (reason) => {
        if (reason.why === "over") return results(exam.session, () => goHome(), { isFresh: true });
        stop(endedWords(reason), ["left", "elsewhere"].includes(reason.why) ? exam.session : null);
    });
}

/**
 * Shows that an exam has stopped.
 *
 * @param {{title: string, detail?: string}} words
 * @param {string | null} session an exam that can be continued at once
 */
function stop({ title, detail = "" }, session) {
    byId("stopped-title").textContent = title;
    byId("stopped-detail").textContent = detail;
    byId("take-over").hidden = session === null;
    byId("take-over").onclick = () => session !== null && goOn(session);
    show("stopped");
}

const plan = new PlanScreen({ sit: goHome, results: (session, goBack, back) => results(session, goBack, { back }) });
const makePlan = () => plan.askProfile(null);
const toFront = () =>
    front({
        plan: () => plan.open(),
        makePlan,
        exams: () => goHome(),
        open: (session) => results(session, toFront, { back: "Home" }),
    });

/** @type {Record<string, () => Promise<void>>} */
const areas = {
    front: toFront,
    plan: () => plan.open(),
    exams: () => goHome(),
    settings: () => settings({ makePlan }),
    today,
    tests,
    lessons,
    tasks,
    statistics,
};
for (const way of all(byId("areas"), "button")) way.onclick = () => attempt(way, areas[way.dataset.to ?? ""]);
whenSignedOut(signIn);

byId("sign-out").onclick = () => {
    token.forget();
    location.reload(); // During an exam the browser asks first.
};
byId("stopped-home").onclick = (event) => attempt(event.target, start);
byId("sign-in-form").onsubmit = (event) => {
    event.preventDefault();
    token.set(byId("token").value.trim());
    byId("token").value = "";
    attempt(event.submitter, start);
};

remind();
start();
