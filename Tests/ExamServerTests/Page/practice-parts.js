/** The claims about the parts of practice. parts.js includes them. */
import { api, Problem } from "/page/kit/api.js";
import { lessonItem } from "/page/practice/lesson-items.js";
import { categoryWords, lessonWords } from "/page/practice/lessons.js";
import { keptWords, nothingWords } from "/page/plan/plan-words.js";
import { isOn } from "/page/practice/practice-settings.js";
import { kindWords } from "/page/practice/practice-tasks.js";
import { answerWords, cutExample, doneWords, handInWords, lengthWords, loadWords, oneDecimal, placeOf, streakWords, testStateWords, testTitle } from "/page/practice/practice-words.js";
import { changeableParts, partsForm } from "/page/practice/parts.js";
import { changeable, howToAnswer, optionButtons, typedAnswer, typedField } from "/page/practice/question.js";
import { button, sure } from "/page/kit/screen.js";
import { Silenced } from "/page/exam/silenced.js";
import { hurry, isPassing, Keeper, sendUntilThere, Stopwatch, waitAfter } from "/page/practice/sending.js";
import { chart, masteryRows } from "/page/practice/statistics.js";
import { item as graded } from "/page/practice/test-result.js";
import { card as testCard } from "/page/practice/tests.js";
import { card } from "/page/practice/today.js";

const texts = (place, selector) => [...place.querySelectorAll(selector)].map(({ textContent }) => textContent);
const choose = (place) => ({ type: "multipleChoice", selectedOption: place });

export async function practiceClaims({ claim, same, wait }) {
    words(claim, same);
    questions(claim, same);
    await sending(claim, same, wait);
    views(claim, same);
    await problems(claim, same);
    await questionsBefore(claim);
    switchedOff(claim, same);
}

function switchedOff(claim, same) {
    const block = (level) => Int16Array.from({ length: 320 }, (_, place) => (place % 2 ? level : -level));
    const said = (...parts) => {
        const silenced = new Silenced();
        return parts.flatMap(([count, level]) => Array.from({ length: count }, () => silenced.hear(block(level)))).lastIndexOf(true) + 1;
    };
    const cases = [
        said([150, 20], [50, 0]), // The button of a headset, after a second.
        said([150, 20], [49, 0]),
        said([150, 20], [60, 0], [10, 20]), // Switched on again.
        said([50, 20], [100, 3000], [60, 0]), // Too little of the room's own noise before.
        said([20, 0], [200, 20], [60, 0]), // A program that sends zeros.
    ];
    claim("a microphone that was switched off at the device is noticed, and nothing else", same(cases, [200, 0, 210, 0, 0]), cases);
}

async function questionsBefore(claim) {
    const words = { title: "Hand in?", text: "It cannot be undone.", yes: "Hand in", no: "Not yet" };
    const said = [];
    const asks = button("Hand in…", async () => said.push(await sure(words)));
    const escape = () => document.getElementById("sure").dispatchEvent(new Event("cancel"));
    for (const answers of [() => document.getElementById("sure-no").click(), escape, () => document.getElementById("sure-yes").click()]) {
        asks.click();
        answers();
        // Waits only for promises, because a real press of a key is an event and comes after them.
        for (let turn = 0; turn < 10; turn++) await null;
        said.push(asks.getAttribute("aria-disabled"));
    }
    claim("a button that asked whether one is sure takes the next press at once", said.join() === "false,,false,,true,", said);
}

function words(claim, same) {
    const streak = { days: 3, longest: 3, hasToday: false, isAtRisk: false };
    const streaks = [{ ...streak, days: 0, longest: 0 }, streak, { ...streak, isAtRisk: true }, { ...streak, days: 1, longest: 7, hasToday: true }].map((streak) => streakWords({ streak }));
    streaks.push(streakWords({ streak, isRestDay: true }));
    const wanted = [
        "No streak yet: a day with practice begins one.",
        "Streak: 3 days. Practise today to continue it.",
        "Streak: 3 days. Yesterday was missed: practise today to keep it.",
        "Streak: 1 day, with today. The longest was 7 days.",
        "Streak: 3 days.",
    ];
    claim("a streak is told in words, and what today does for it", same(streaks, wanted), streaks);
    const week = { dailyTasks: { Monday: [{ id: "monday-1" }], Tuesday: [] } };
    const kept = [keptWords({ plan: week }), keptWords({ plan: { dailyTasks: { Monday: [] } } }), nothingWords(undefined, "The test is today."), nothingWords()];
    const nothing = ["Kept, and your week is planned.", "Kept, but no day of this week has room for anything: the week says why.", "The test is today.", "Nothing is planned for today."];
    claim("a plan that is kept says whether there is anything in it", same(kept, nothing), kept);
    const begins = [keptWords({ plan: week, begins: "2026-11-30" }), nothingWords("2026-11-30", "The test is today.")];
    claim("a plan that has not begun says on which day it does", begins.every((words) => /Your plan begins on .*30/.test(words)), begins);
    const loads = [{ due: 12, new: 5 }, { due: 0, new: 1 }, { due: 0, new: 0, isRestDay: true }].map(loadWords);
    claim("a day's load is told", same(loads, ["12 due and 5 new.", "1 new.", "Nothing is left for today. Today is a rest day: practise if you like."]), loads);
    const places = [placeOf("a", 5), placeOf("E", 5), placeOf("5", 5), placeOf("f", 5), placeOf("6", 5), placeOf("0", 5), placeOf("", 5), placeOf("Tab", 9), placeOf("bc", 9)];
    claim("letters and numbers from 1 are options, as many as there are", same(places, [0, 4, 4, -1, -1, -1, -1, -1, -1]), places);
    const numbers = [oneDecimal(7.52), oneDecimal(10), lengthWords(305), lengthWords(59.6)];
    claim("minutes and lengths are written as people do", same(numbers, ["7.5", "10", "5:05", "1:00"]), numbers);
    const ends = [doneWords({ right: 8, count: 10, repeated: 2 }), doneWords({ right: 1, count: 1, repeated: 0 })];
    claim("the end of a drill says what was right at once", same(ends, ["Done: 8 of 10 right at once, 2 repetitions.", "Done: 1 of 1 right at once."]), ends);
    const asked = [handInWords([]), handInWords([5]), handInWords([1, 2, 3, 4, 5, 6])];
    const warning = "You cannot change your answers afterwards. ";
    claim("a hand-in says what cannot be undone, and what is open", same(asked, [`${warning}Every question has an answer.`, `${warning}1 question has no answer: 5.`, `${warning}6 questions have no answer.`]), asked);
    const tests = ["generating", "ready", "inProgress", "failed", "submitted", "later"].map((state) => testStateWords({ state, count: 10, answered: 4, written: 3 }));
    claim("each state of a test has words, and an unknown one none", same(tests, ["Being written: 3 of 10 questions", "Ready", "In progress: 4 of 10 answered", "Could not be made", "Handed in; it will be graded", ""]), tests);
    const course = testTitle({ count: 2, topics: ["food"], courseName: "English at work" });
    claim("a test of a course begins with its name", course === "English at work: 2 questions on food", course);
    const titles = [testTitle({ count: 1 }), testTitle({ count: 10, topics: ["a", "b", "c", "d", "e"], difficulty: "Hard" })];
    claim("a test is called by what it is about", same(titles, ["1 question on any topic", "10 questions on a, b, c and 2 more topics, hard"]), titles);
    const kinds = ["drill-12", "test-9", "own-1", "spoken-english/food-1"].map(kindWords);
    claim("a task says what it was", same(kinds, ["a drill", "a test", "a task of your own", "a question of spoken-english"]), kinds);
    const lesson = lessonWords({ items: 20, levels: ["A2", "B1", "C1"], progress: 0.3, isOpen: false, isRead: true });
    const category = categoryWords({ progress: 0.34, completed: 2, lessons: Array(12) });
    claim("a category says how far one is with it", category === "34 % known · 2 of 12 lessons complete", category);
    claim("a lesson says how far one is with it", lesson === "20 items · A2 to C1 · 30 % known · read · opens later", lesson);
}

/** Answers of several parts: boxes, an order and pairs. */
function parts(claim, same) {
    const options = ["one", "two", "three"];
    const given = [];
    const form = (question) => {
        const made = partsForm({ options, ...question }, "x", (answer) => given.push(answer));
        document.body.append(made.place);
        return made;
    };
    const boxes = form({ type: "multipleResponse" });
    const before = boxes.place.querySelector("button.main").ariaDisabled === "true";
    const taken = [boxes.take("a"), boxes.take("3"), boxes.take("d")];
    boxes.place.requestSubmit();
    boxes.lock();
    boxes.place.requestSubmit();
    claim("several options are chosen, by their letters too", before && same(taken, [true, true, false]) && same(given, [{ type: "multipleResponse", selectedOptions: [0, 2] }]), JSON.stringify(given));
    boxes.mark({ type: "multipleResponse", selectedOptions: [0, 1] }, given[0]);
    claim("each right one and each wrong one is marked in words", same(texts(boxes.place, ".option"), ["aone✓ right, yours", "btwo✓ right", "cthree✗ not right, yours"]), texts(boxes.place, ".option"));

    given.length = 0;
    const order = form({ type: "ordering" });
    const down = order.place.querySelector('[aria-label="Move down: one"]');
    down.click();
    down.click();
    down.click();
    order.place.requestSubmit();
    claim("an order is made with buttons", same(given, [{ type: "ordering", order: [1, 2, 0] }]), JSON.stringify(given));
    claim("the button that was pressed keeps the focus", document.activeElement === down);
    order.mark({ type: "ordering", order: [1, 0, 2] }, given[0]);
    claim("each place of an order is marked", same(texts(order.place, ".mark"), ["✓ right", "✗ not right", "✗ not right"]), texts(order.place, ".mark"));

    given.length = 0;
    const pairs = form({ type: "matching", premises: ["<b>cut</b>", "stir"] });
    const [first, second] = pairs.place.querySelectorAll("select");
    const choose = (field, value) => {
        field.value = value;
        field.dispatchEvent(new Event("change", { bubbles: true }));
    };
    choose(first, "2");
    const isOpen = pairs.place.querySelector("button.main").ariaDisabled === "true";
    choose(second, "0");
    pairs.place.requestSubmit();
    claim("an answer needs all its pairs", isOpen && same(given, [{ type: "matching", matches: [2, 0] }]), JSON.stringify(given));
    claim("premises are text", !pairs.place.querySelector("b"));
    const words = [
        answerWords({ type: "multipleResponse", selectedOptions: [0, 2] }, { options }),
        answerWords({ type: "ordering", order: [2, 0, 1] }, { options }),
        answerWords({ type: "matching", matches: [2, 0] }, { options, premises: ["cut", "stir"] }),
    ];
    claim("an answer of several parts is read as words", same(words, ["one; three", "three → one → two", "cut: three; stir: one"]), words);
    const kept = [];
    const again = changeableParts({ type: "ordering", options }, "x", { order: [2, 1, 0] }, (answer) => kept.push(answer));
    document.body.append(again.place);
    claim("the earlier answer is there again", texts(again.place, ".option > span")[0] === "three", texts(again.place, ".option > span"));
    again.place.querySelector('[aria-label="Move up: one"]').click();
    claim("each change is kept", same(kept, [{ type: "ordering", order: [2, 0, 1] }]), JSON.stringify(kept));
    for (const { place } of [boxes, order, pairs, again]) place.remove();
}

function questions(claim, same) {
    const question = { type: "multipleChoice", options: ["<b>one</b>", "two", "three"] };
    const given = [];
    const buttons = optionButtons(question, (answer) => given.push(answer.selectedOption));
    claim("options are text", !buttons.place.querySelector("b") && texts(buttons.place, "button")[0] === "a<b>one</b>", texts(buttons.place, "button"));
    const taken = [buttons.take("b"), buttons.take("3"), buttons.take("d"), buttons.take("x")];
    buttons.lock(choose(2));
    taken.push(buttons.take("a"));
    buttons.place.querySelector("button").click();
    claim("a letter or a number answers, once", same([taken, given], [[true, true, false, false, false], [1, 2]]), JSON.stringify([taken, given]));
    buttons.mark(choose(1), choose(2));
    claim("what was right and what was chosen is said in words", same(texts(buttons.place, "button"), ["a<b>one</b>", "btwo✓ right", "cthree✗ not right, yours"]), texts(buttons.place, "button"));

    const typed = [];
    const field = typedField({ type: "calculation", units: ["words", "wpm"] }, "x", (answer) => typed.push(answer));
    document.body.append(field.place);
    field.place.requestSubmit();
    field.field.value = " 110 wpm ";
    field.place.requestSubmit();
    field.lock();
    field.place.requestSubmit();
    field.place.remove();
    claim("typed words answer once, and an empty field does not answer", same(typed, [{ type: "calculation", numericAnswer: "110 wpm" }]), JSON.stringify(typed));
    const hows = [howToAnswer({ type: "fillInTheBlank" }), howToAnswer({ type: "calculation", units: ["words", "wpm"] }), howToAnswer({ type: "calculation" })];
    claim("the page says how to answer", same(hows, ["Type the missing words.", "Type a number, and words or wpm if you like.", "Type a number."]), hows);
    claim("a blank is its text", same(typedAnswer({ type: "fillInTheBlank" }, "hand"), { type: "fillInTheBlank", textAnswer: "hand" }));
    const read = [answerWords(choose(1), question), answerWords({ type: "calculation", numericAnswer: "5" }), answerWords(undefined)];
    claim("an answer is read as it was given", same(read, ["two", "5", ""]), read);

    parts(claim, same);
    const changes = [];
    const radios = changeable(question, "x", choose(1), (answer, isLetter) => changes.push([answer.selectedOption, isLetter]));
    document.body.append(radios.place);
    const [first, second, third] = radios.place.querySelectorAll("input");
    const isThere = second.checked;
    first.click();
    const arrow = new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true });
    first.dispatchEvent(arrow);
    third.click();
    const tab = new KeyboardEvent("keydown", { key: "Tab", bubbles: true, cancelable: true });
    first.dispatchEvent(tab);
    radios.take("2");
    radios.place.remove();
    claim("a choice of before is there, and can be changed", isThere && same(changes, [[0, true], [2, false], [1, true]]), JSON.stringify(changes));
    claim("no key is taken from those who go about with it", !arrow.defaultPrevented && !tab.defaultPrevented);
    claim("half a second goes by itself only if the learner wishes it", !isOn("never-kept", false) && isOn("never-kept", true));
}

async function sending(claim, same, wait) {
    const passing = [0, 401, 408, 429, 500, 503].filter((status) => !isPassing({ status }));
    const final = [400, 403, 404, 409, 422].filter((status) => isPassing({ status }));
    claim("if there is no room, sending it again is of no use", !isPassing({ status: 429, code: "storage-full" }));
    claim("what may be taken later is sent again, what is refused is not", same([passing, final], [[], []]), JSON.stringify([passing, final]));
    const waits = [waitAfter({ status: 0 }, 0, 0), waitAfter({ status: 0 }, 9, 0), waitAfter({ status: 503, retryAfter: 30 }, 0, 0), waitAfter({ status: 503, retryAfter: 9000 }, 0, 0), waitAfter({ status: 401 }, 0, 0)];
    claim("waiting grows, is what the server asks for, and ends with a sign-in", same(waits, [0.25, 5, 30, 60, Infinity]), waits);

    let tries = 0;
    const told = [];
    const sent = sendUntilThere(async () => {
        tries += 1;
        if (tries < 3) throw new Problem(tries === 1 ? 0 : 401, "away");
        return "there";
    }, (problem) => told.push(problem?.status ?? null));
    await wait(() => tries === 2);
    hurry();
    claim("an answer is sent until it is there", (await sent) === "there" && same(told, [0, 401, null]), JSON.stringify(told));
    const refused = await sendUntilThere(async () => { throw new Problem(409, "no"); }, () => {}).catch(({ status }) => status);
    claim("what is refused is said at once", refused === 409, refused);

    const [arrived, counts] = [[], []];
    let isAway = true;
    const keeper = new Keeper(async (question, { answer, seconds }) => {
        if (isAway) throw new Problem(0, "away");
        arrived.push([question, answer, seconds]);
    }, { changed: (count, problem) => counts.push([count, problem?.status ?? null]), refused: () => {} });
    keeper.keep("q1", "a", 2);
    await wait(() => counts.length > 1);
    keeper.keep("q1", "b", 3.5);
    keeper.keep("q1", "b", 6);
    keeper.keep("q2", "c", 4);
    const open = keeper.open.map(({ questionId, answer }) => [questionId, answer]);
    isAway = false;
    await keeper.settle(5);
    claim("of each question the last answer is kept, and its seconds are counted once", same(arrived, [["q1", "b", 6], ["q2", "c", 4]]), JSON.stringify(arrived));
    claim("what is not kept yet goes along with a hand-in", same(open.sort(), [["q1", "b"], ["q2", "c"]]) && keeper.open.length === 0, JSON.stringify(open));
    claim("how many are not kept is told", same([counts[1], counts.at(-1)], [[1, 0], [0, null]]), JSON.stringify(counts));
    const no = [];
    const over = new Keeper(async () => { throw new Problem(409, "over"); }, { changed: () => {}, refused: ({ status }) => no.push(status) });
    over.keep("q", "a", 1);
    await over.settle(5);
    claim("a test that is over says so once", same(no, [409]) && over.open.length === 0, no);

    let now = 0;
    const watch = new Stopwatch(() => now);
    watch.start(true);
    now = 5;
    watch.see(false);
    now = 60;
    watch.see(true);
    now = 62.5;
    const laps = [watch.lap(), (now = 63, watch.lap())];
    claim("time runs while a question is visible, and not in the background", same(laps, [7.5, 0.5]), laps);
}

function views(claim, same) {
    const day = { streak: { days: 3, longest: 3, hasToday: true }, minutesADay: 10, minutesToday: 3.4, due: 12, new: 5, restDays: [] };
    const buttons = (changes) => card({ ...day, ...changes }).flatMap((part) => texts(part, "button"));
    const offered = [buttons({ drill: { done: 3, count: 10 } }), buttons({}), buttons({ due: 0, new: 0 })];
    claim("a drill that was left continues; otherwise the day's, or something extra", same(offered, [["Go on with your drill: 3 of 10 done"], ["Begin today's drill"], ["Practise something extra"]]), JSON.stringify(offered));
    const result = { percentage: 70, right: 7, count: 10, grade: "blue", word: "Good" };
    const states = ["generating", "ready", "inProgress", "failed", "submitted", "graded"].map((state) => {
        const place = document.createElement("div");
        place.append(...testCard({ id: "t", state, count: 10, answered: 4, topics: ["<i>x</i>"], failure: "<u>why</u>", ...(state === "graded" && { result, submittedAt: "2026-11-25" }) }, () => {}));
        return [texts(place, "button")[0], place.querySelectorAll("progress").length, place.querySelectorAll("i, u").length];
    });
    const wanted = [["Delete…", 1, 0], ["Begin the test", 0, 0], ["Go on", 1, 0], ["Try again", 0, 0], ["Look at it", 0, 0], ["Look at it", 0, 0]];
    claim("a test at hand offers what its state allows, as text", same(states, wanted), JSON.stringify(states));

    const question = { id: "q", prompt: "<b>Why</b>?", type: "multipleChoice", options: ["x", "y"], topic: "food", difficulty: "Easy", bloom: "apply", isRight: false, answer: choose(0), rightAnswer: choose(1), explanation: "<i>So</i>." };
    const shown = graded(question, 0);
    claim("a graded question has its options with marks in words, closed at first", same(texts(shown, ".option"), ["ax✗ not right, yours", "by✓ right"]) && !shown.querySelector("details").open, texts(shown, ".option"));
    claim("and its reason, as text", shown.textContent.includes("<i>So</i>.") && shown.textContent.includes("Food · Easy · Apply") && !shown.querySelector("i"), shown.textContent);
    const open = graded({ ...question, answer: undefined }, 1).querySelector("summary").textContent;
    const typed = graded({ ...question, type: "fillInTheBlank", options: undefined, isRight: true, answer: { type: "fillInTheBlank", textAnswer: "hand" }, rightAnswer: { type: "fillInTheBlank", textAnswer: "hand" } }, 2).textContent;
    claim("what has no answer says so, and what was typed is shown", open.startsWith("– Not answered: 2.") && typed.includes("Yours: handRight: hand"), `${open} ${typed}`);

    const days = Array.from({ length: 14 }, (_, n) => ({ day: `2026-11-${12 + n}`, minutes: n === 13 ? 20 : 0, answers: n, right: 0 }));
    const [bars, , table] = chart(days, 10);
    claim("fourteen days are bars for the eye and rows for the ear", bars.querySelectorAll(".column").length === 14 && bars.getAttribute("aria-hidden") === "true" && table.querySelectorAll("tbody tr").length === 14);
    claim("the longest day is as high as the chart, and an empty one has no bar", bars.querySelectorAll(".bar").length === 1 && bars.querySelector(".bar").style.height === "100%" && bars.querySelector(".goal").style.bottom === "50%", bars.innerHTML);
    const rows = masteryRows([0, 10, 5, 3, 0, 0]).map((row) => texts(row, "th, td:nth-child(2)").join(" "));
    claim("mastery is told from 0 to 5", rows.length === 6 && rows[1] === "1: seen 10", rows);

    const cuts = [cutExample("A *b* c."), cutExample("Nothing.")];
    claim("an example is cut at its words", same(cuts, [["A ", "b", " c."], ["Nothing.", "", ""]]), JSON.stringify(cuts));
    const items = [
        { word: "<b>w</b>", partOfSpeech: "noun", subtopic: "s", level: "B1", ipa: "/w/", definition: "d", examples: ["A *w* x."], mastery: 2 },
        { idiom: "over the moon", level: "B2", meaning: "very happy", examples: ["I was *over the moon*."], mastery: 0 },
        { marker: "as well", level: "A2", use: "said at the end", examples: [] },
        { kind: "minimalPair", word: "ship", ipa: "/ʃɪp/", other: { word: "sheep", ipa: "/ʃiːp/" }, level: "A2", mistake: "m", example: "The *ship*." },
        { kind: "stress", word: "photography", ipa: "/f/", syllables: ["pho", "to", "gra", "phy"], stressed: 1, level: "B2", mistake: "m", example: "*Photography*." },
        { question: "Why?", points: ["one"], level: "C1", topic: "t", answer: "Yes.", alternative: "No.", note: "n" },
    ].map(lessonItem);
    const [word, idiom, marker, pair, stress, answer] = items.map(({ textContent }) => textContent);
    claim("a word has its sounds, level, meaning and examples, as text", word === "<b>w</b> /w/noun · B1 · s · mastery 2 of 5: known for a daydA w x.Listen" && items[0].querySelector("li b").textContent === "w", word);
    claim("an idiom has its meaning, a marker its use", idiom.includes("very happy") && marker.includes("said at the end"), idiom + marker);
    claim("a pair shows both words, a stress its syllable", pair.startsWith("ship /ʃɪp/ and sheep /ʃiːp/") && stress.includes("pho·TO·gra·phy"), pair + stress);
    claim("a sample answer has its card and another answer", answer.includes("You should say:one") && items[5].querySelector("details").textContent === "Another answerNo.", answer);
}

async function problems(claim, same) {
    const before = window.fetch;
    const document = (code, headers = {}) => {
        window.fetch = async () => new Response(JSON.stringify({ type: `/problems/${code}`, title: "T", detail: "D." }), { status: 503, headers });
        return api.me().catch(({ title, detail, code, retryAfter }) => [title, detail, code, retryAfter]);
    };
    const told = [await document("busy"), await document("maintenance", { "Retry-After": "300" }), await document("maintenance")];
    window.fetch = before;
    const kept = "What you have done is kept. Please try again";
    claim("a problem has its code, and maintenance its own words", same(told, [
        ["T", "D.", "busy", undefined],
        ["The server is down for maintenance.", `D. ${kept} in about 5 min.`, "maintenance", 300],
        ["The server is down for maintenance.", `D. ${kept} in a minute.`, "maintenance", undefined],
    ]), JSON.stringify(told));
}
