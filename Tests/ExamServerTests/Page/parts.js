/** The claims about the page's pure parts. page-parts.py reads the results from `window.claims` when `window.areAllChecked`. */
import { hashOf, partsOf } from "/page/kit/address.js";
import { isGranted, offers } from "/page/exam/allowed.js";
import { Blocks } from "/page/exam/blocks.js";
import { afterClose, backOff } from "/page/kit/closing.js";
import { ExamScreen } from "/page/exam/exam-screen.js";
import { AnswerParts } from "/page/exam/answer-parts.js";
import { answerItem } from "/page/exam/answer.js";
import { firstPath, offerAreas } from "/page/kit/areas.js";
import { drills } from "/page/exam/drills.js";
import { drawTellings } from "/page/exam/tellings.js";
import { bandsAround } from "/page/school/desk.js";
import { EventReader, follow } from "/page/kit/events.js";
import { learnerWords } from "/page/school/group.js";
import { profileOf, questions } from "/page/plan/first-visit.js";
import { besides, dueWords, speakingOf, toDo } from "/page/plan/assigned.js";
import { countWords } from "/page/school/assigning.js";
import { nextThing } from "/page/plan/front.js";
import { assignedWords } from "/page/plan/reminders.js";
import { home, offerVoices, tellPaper } from "/page/exam/home.js";
import { agreementWords } from "/page/school/marking.js";
import { evidenceWords, marksOf } from "/page/exam/marks.js";
import { refusalOf } from "/page/exam/ready.js";
import { visits } from "/page/exam/readings.js";
import { results } from "/page/exam/results.js";
import { numbered } from "/page/exam/numbers.js";
import { slowed, speedOf } from "/page/exam/slowed.js";
import { Draft, forgetDrafts, writesAs } from "/page/kit/drafts.js";
import { saidOf } from "/page/exam/said.js";
import { runsOf, SpokenWords, wordsOf } from "/page/exam/spoken-words.js";
import { cut } from "/page/exam/transcript.js";
import { levelOf, Verdict } from "/page/exam/level.js";
import { Resampler } from "/page/exam/resampler.js";
import { TimeLeft } from "/page/exam/time-left.js";
import { practiceClaims } from "/practice-parts.js";
import { taskWords } from "/page/school/task.js";
import { answerName, clock, endWords, sealWords, seconds, stateWords } from "/page/kit/words.js";

const claims = [];
window.claims = claims;
const claim = (words, holds, saw = holds) => claims.push({ claim: words, holds: Boolean(holds), saw: String(saw) });
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const tone = (rate, frequency, length) =>
    Float32Array.from({ length }, (_, n) => 0.5 * Math.sin((2 * Math.PI * frequency * n) / rate));

/** Passes one second of a tone through the resampler, in the pieces that a worklet gets. The filter's ends are left out. */
function resampled(rate, frequency) {
    const resampler = new Resampler(rate);
    const input = tone(rate, frequency, rate);
    const output = [];
    for (let start = 0; start < input.length; start += 128) output.push(...resampler.process(input.subarray(start, start + 128)));
    return output;
}

// The slower examiner.
for (const rate of [16000, 48000]) {
    const [before, after] = [tone(rate, 200, rate), slowed(tone(rate, 200, rate), rate, 0.8)];
    const crossings = (samples) => samples.filter((sample, n) => n > 0 && samples[n - 1] < 0 && sample >= 0).length;
    const [longer, pitch] = [after.length / before.length, crossings(after) / (after.length / rate)];
    claim(`slowed speech at ${rate} Hz takes a quarter longer, at the same pitch`, Math.abs(longer - 1.25) < 0.03 && Math.abs(pitch - 200) < 6, `${longer} ${pitch}`);
}
claim("a long clip is slowed less, because the server waits five seconds for its end", speedOf(2, 0.8) === 0.8 && 60 / speedOf(60, 0.8) <= 64, speedOf(60, 0.8));

// Drafts.
{
    writesAs("ann");
    new Draft("words", 1).keep("I live");
    const own = new Draft("words", 1).get();
    writesAs("ben");
    const others = new Draft("words", 1).get();
    writesAs("ann");
    forgetDrafts();
    claim("a draft is its writer's alone, and is forgotten with the sign-out", own === "I live" && others === undefined && new Draft("words", 1).get() === undefined, `${own} ${others}`);
}

const power = (samples) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

// The resampler: audible tones pass unchanged, and tones that would alias don't.
for (const rate of [48000, 44100, 96000, 22050, 8000]) {
    const output = resampled(rate, 1000);
    const wanted = tone(16000, 1000, output.length);
    const inner = [...output.keys()].slice(400, -400);
    const noise = power(inner.map((n) => output[n] - wanted[n]));
    const ratio = 10 * Math.log10(power(inner.map((n) => wanted[n])) / noise);
    claim(`a tone from ${rate} Hz is over 75 dB above what resampling adds, and not late`, ratio > 75, `${ratio.toFixed(1)} dB`);
    const length = output.length / 16000;
    claim(`a second from ${rate} Hz is a second`, Math.abs(length - 1) < 0.01, `${length.toFixed(4)} s`);
}
for (const [rate, frequency] of [[48000, 9000], [48000, 15000], [44100, 8500], [44100, 17000]]) {
    const left = 10 * Math.log10(power(resampled(rate, frequency).slice(400, -400)) / 0.125);
    claim(`${frequency} Hz at ${rate} Hz is 75 dB down`, left < -75, `${left.toFixed(1)} dB`);
}
const high = 10 * Math.log10(power(resampled(48000, 6500).slice(400, -400)) / 0.125);
claim("6500 Hz comes through within a tenth of a decibel", Math.abs(high) < 0.1, `${high.toFixed(3)} dB`);

// The worklet, in a context that need not run in real time.
for (const rate of [16000, 48000]) {
    const context = new OfflineAudioContext(1, rate, rate);
    await context.audioWorklet.addModule("/page/exam/capture-worklet.js");
    const worklet = new AudioWorkletNode(context, "capture", { channelCount: 1, channelCountMode: "explicit" });
    const heard = [];
    const isHeard = new Promise((resolve) => (worklet.port.onmessage = ({ data }) => heard.push(data) === 49 && resolve()));
    const sound = new AudioBufferSourceNode(context, { buffer: new AudioBuffer({ length: rate, sampleRate: rate }) });
    sound.buffer.copyToChannel(tone(rate, 440, rate), 0);
    sound.connect(worklet).connect(context.destination);
    sound.start();
    await context.startRendering();
    await isHeard;
    const samples = heard.flatMap((each) => [...each]);
    const wanted = tone(16000, 440, samples.length).map((x) => x * 32768);
    const worst = Math.max(...samples.slice(400, -400).map((sample, n) => Math.abs(sample - wanted[n + 400])));
    const isWhole = heard.every((each) => each.length === 320);
    claim(`a microphone at ${rate} Hz comes as it is, in blocks of 320`, isWhole && worst <= 1, `${worst.toFixed(2)} of 32768`);
}

// Blocks: numbered without gaps, and kept until the server heard them.
const block = (value) => new Int16Array(320).fill(value);
const blocks = new Blocks();
blocks.record(block(9));
claim("before a welcome no block has a number", same(blocks.range, [0, 0]), blocks.range);
blocks.begin(7);
for (let value = 7; value < 27; value += 1) blocks.record(block(value));
claim("a page that comes later begins at the server's place", same(blocks.range, [7, 27]), blocks.range);
const message = blocks.message(12, 5);
const numbers = [0, 320, 1599].map((index) => new Int16Array(message, 4)[index]);
const head = [message.byteLength, new Uint32Array(message, 0, 1)[0]];
claim("a message is a number and its blocks", same([...head, ...numbers], [3204, 12, 12, 13, 16]), numbers);
blocks.heard(20);
blocks.heard(15);
const oldest = new Int16Array(blocks.message(20, 1), 4)[0];
claim("what was heard is forgotten, and stays so", same([...blocks.range, oldest], [20, 27, 20]), blocks.range);
blocks.begin(22);
claim("a welcome after a broken line forgets what the server has", same(blocks.range, [22, 27]), blocks.range);
blocks.begin(500);
claim("a page that another one overtook goes on from there", same(blocks.range, [500, 500]), blocks.range);
for (let count = 0; count < 9100; count += 1) blocks.record(block(1));
claim("no more than three minutes are kept", same(blocks.range, [600, 9600]), blocks.range);

// Packets: numbered when they are recorded, ready when they are encoded.
let encoded = [];
class SlowEncoder {
    constructor(onpacket) {
        this.onpacket = onpacket;
    }
    encode(samples) {
        encoded.push(() => this.onpacket(Uint8Array.of(samples[0], samples[0])));
    }
}
const packets = new Blocks(SlowEncoder);
packets.begin(3);
for (let value = 3; value < 9; value += 1) packets.record(block(value));
claim("a block that is not encoded yet has its number", same([...packets.range, packets.ready], [3, 9, 3]), packets.ready);
for (const done of encoded.splice(0, 4)) done();
const two = [...new Uint8Array(packets.message(5, 2))];
claim("a message of packets has their lengths", same([packets.ready, ...two], [7, 5, 0, 0, 0, 2, 0, 5, 5, 2, 0, 6, 6]), two);
packets.begin(20);
packets.record(block(20));
for (const done of encoded.splice(0, 2)) done();
claim("a packet from before a new beginning is dropped", packets.ready === 20, packets.ready);
for (const done of encoded.splice(0)) done();
claim("and those that follow have their own numbers", same([packets.ready, new Uint8Array(packets.message(20, 1))[6]], [21, 20]), packets.ready);

// Closing codes and patience.
const goesOn = [1001, 1006, 4401, 4408, 4421, 4429, 4500].filter((code) => !afterClose(code, false).again);
claim("codes that say so are followed by another connection", goesOn.length === 0, goesOn);
const stops = [1000, 1003, 1007, 1009, 4400, 4404, 4409, 4410].filter((code) => afterClose(code, false).again);
claim("the others are not", stops.length === 0, stops);
claim("a token that another page replaced is left to it", afterClose(4401, true).why === "elsewhere");
const delays = [0, 1, 2, 3, 4, 5, 9].map((tries) => [backOff(tries, 0), backOff(tries, 1)]);
const isWithin = delays.flat().every((delay) => delay >= 0.25 && delay <= 5);
claim("waiting grows from 0.25 s to 5 s", isWithin && delays[0][0] === 0.25 && delays.at(-1)[0] === 5, delays.join(" "));

// Levels.
const full = levelOf(Int16Array.from(tone(16000, 1000, 320), (x) => x * 65534));
claim("a full sine is 3 dB under full scale", Math.abs(full + 3.01) < 0.05, full);
/** Syllables are a tone that is soft in every third block; `then` is heard after them. */
const verdictOf = (level, { clipped = false, steady = false, then = 0 } = {}) => {
    const verdict = new Verdict();
    const sound = (soft) => {
        const samples = Int16Array.from(tone(16000, 1000, 320), (x) => (x * 2 * Math.SQRT2 * 32768 * 10 ** (level / 20)) / soft);
        if (clipped) samples[7] = 32767;
        return samples;
    };
    for (let count = 0; count < 100; count += 1) verdict.hear(sound(!steady && count % 3 === 0 ? 4 : 1));
    for (let count = 0; count < then; count += 1) verdict.hear(new Int16Array(320));
    return verdict.word;
};
const verdicts = [verdictOf(-70), verdictOf(-45), verdictOf(-26), verdictOf(-8), verdictOf(-20, { clipped: true })];
const expected = ["waiting", "too quiet", "fine", "too loud", "too loud"];
claim("a level is silence, too quiet, fine, too loud, or clipped", same(verdicts, expected), verdicts);
claim("a tone or a hum is not a voice", verdictOf(-26, { steady: true }) === "waiting", verdictOf(-26, { steady: true }));
claim("the verdict stays when one is silent again", verdictOf(-26, { then: 500 }) === "fine", verdictOf(-26, { then: 500 }));

// What makes an exam impossible is found out first.
const browsers = [[true, true, {}], [false, true, {}], [true, undefined, {}], [true, true, undefined]].map(([isSecureContext, AudioWorkletNode, mediaDevices]) => refusalOf({ isSecureContext, AudioWorkletNode, navigator: { mediaDevices } })?.title ?? "none");
claim("an address without a microphone and an old browser are refused", browsers[0] === "none" && browsers[1] !== "none" && browsers[1] !== browsers[2] && browsers[2] === browsers[3], browsers);

// Time and words.
const time = new TimeLeft();
time.show({ stage: "testing", activity: "preparing", part: 2, order: 1, preparationSeconds: 60 });
claim("time runs while one prepares", time.at(12.5).seconds === 47.5 && time.at(90).seconds === 0);
time.show({ stage: "testing", activity: "suspended", part: 2, order: 1, preparationSeconds: 47.5 });
claim("and stands still in a pause", time.at(10).seconds === 47.5 && time.at(0).whole === 60);
time.show({ stage: "testing", activity: "speaking", part: 1, order: 1, answerSeconds: 200 });
claim("a part's clock is not an answer's", time.at(0) === null);
{
    const left = new TimeLeft();
    /** The seconds shown at the beginning of each state. */
    const shown = (...states) => states.map((state) => {
        left.show({ stage: "testing", activity: "waitingForSpeech", ...state });
        return left.at(0)?.seconds ?? null;
    });
    const own = shown({ part: 4, turn: 0, order: 1, at: 10, answerSeconds: 30 }, { part: 4, turn: 1, order: 2, at: 50, answerSeconds: 30 });
    claim("an answer's own limit is shown from its first second", same(own, [30, 30]), own);
    const parts = shown({ part: 5, turn: 2, order: 1, at: 100, answerSeconds: 290 }, { part: 5, turn: 3, order: 2, at: 300, answerSeconds: 90 }, { part: 5, turn: 3, order: 2, at: 385, answerSeconds: 5, timeWarning: true });
    claim("a part's limit is shown only when it is near", same(parts, [null, null, 5]), parts);
    const talk = shown({ part: 6, turn: 4, order: 1, at: 0, answerSeconds: 154.38, card: {} });
    const before = left.at(0).isBeforeTalk;
    const speaks = shown({ part: 6, turn: 4, order: 1, at: 3, answerSeconds: 120, card: {}, activity: "speaking" });
    claim("a talk's clock begins full with its first word, and shows no other limit before", before && same([...speaks, left.at(0).whole, left.at(0).isBeforeTalk], [120, 120, false]), `${talk} ${speaks} ${left.at(0).whole}`);
    shown({ part: 7, turn: 5, order: 1, at: 200, answerSeconds: 120, card: {} });
    claim("a talk whose clock runs from the beginning shows it", left.at(1).seconds === 119 && !left.at(1).isBeforeTalk, left.at(1).seconds);
}
const times = [clock(42.3), clock(0), clock(60), seconds(12.34), seconds(119.7)];
claim("clocks and lengths are written as people do", same(times, ["0:43", "0:00", "1:00", "12.3 s", "2 min 0 s"]), times);
const unknown = stateWords({ stage: "testing", activity: "suspended", trouble: "newTrouble" }).join(" ");
claim("no word of a program's inside gets through", !unknown.includes("newTrouble"), unknown);
const ends = ["timeUp answer", "finished", "unheardOf"].map(endWords);
claim("ends of answers have words", same(ends, ["time was up", "finished", ""]), ends);
const offered = (state, isOpen = true, passed = 0) => {
    const { shown, now, later } = offers(state, isOpen, passed);
    return `${[...shown].sort()} / ${[...now].sort()} / ${[...later].join(" ")}`;
};
const answering = { allowed: ["repeat", "pause", "withdraw"] };
const first = offered(answering);
claim("what the server allows is offered, and leaving", first === "leave,pause,repeat,withdraw / leave,pause,repeat,withdraw / ", first);
const paused = offered({ allowed: ["continue", "withdraw"] });
claim("what is of no use now is not there", paused === "continue,leave,withdraw / continue,leave,withdraw / ", paused);
const soon = offered({ allowed: ["withdraw"], allowedIn: { finish: 7.5 } }, true, 3);
claim("what time will allow is there with the seconds until then", soon === "finish,leave,withdraw / leave,withdraw / finish,4.5", soon);
const alone = offered(answering, false);
claim("without a line one can only leave", alone === "leave,pause,repeat,withdraw / leave / ", alone);
const granted = [answering, { allowed: ["pause"] }, {}].map((state) => isGranted("repeat", state));
claim("a wish that is still allowed was not granted yet", same(granted, [false, true, true]), granted);

// The message about a problem on the screen of an exam.
const screen = new ExamScreen({}, {});
const problem = document.getElementById("problem");
const seen = (...states) => {
    for (const state of states) screen.show({ stage: "testing", activity: "speaking", ...answering, ...state });
    return problem.hidden ? "" : problem.textContent;
};
const [noisy, diskFull] = [{ problem: "It is noisy." }, { problem: "The disk is full." }];
claim("a problem is shown while it lasts", seen(noisy, noisy).endsWith("It is noisy."), seen(noisy));
claim("another one takes its place", seen(noisy, diskFull).endsWith("The disk is full."), seen(diskFull));
claim("when it has passed it goes", seen(noisy, {}) === "" && problem.textContent === "", seen({}));
seen(noisy);
screen.showWarning({ title: "The microphone is muted." });
claim("what else is wrong stays when it goes", seen({}) === "The microphone is muted.", seen({}));
const button = (wish) => document.querySelector(`[data-ask="${wish}"]`);
screen.showConnection("open");
seen({});
const buttons = ["repeat", "finish", "pause", "continue"].map((wish) => [button(wish).hidden, button(wish).ariaDisabled]);
const wanted = [[false, "false"], [true, "true"], [false, "false"], [true, "true"]];
claim("the buttons are those that the server allows", same(buttons, wanted), JSON.stringify(buttons));

// The message about the line, and whose turn it is.
const lag = document.getElementById("lag");
const lagWords = [0.8, 1.2, 0.7, 0.4].map((seconds) => {
    screen.showLag(seconds);
    return lag.hidden ? "" : lag.textContent.split(".")[0];
});
claim("above a second the line is slow, until half of it", same(lagWords, ["", "The line is slow", "The line is slow", ""]), lagWords);
const lost = document.getElementById("connection");
screen.showConnection("waiting", 1006);
claim("the page says that speech over a lost line is kept", lost.textContent.includes("up to a minute is kept"), lost.textContent);
screen.showConnection("waiting", 4429);
claim("a refused connection is not shown as a lost line", lost.textContent.includes("too many exams"), lost.textContent);
screen.showConnection("open");
seen({ activity: "waitingForSpeech", text: "And why?", turn: 3 });
claim("the title says whose turn it is", document.title.startsWith("Your turn"), document.title);
seen({ activity: "speaking", text: "And why?", turn: 3 });
const question = document.getElementById("question").textContent;
const turns = ["examinerSpeaking", "waitingForSpeech", "preparing", "suspended"].map((activity) => {
    seen({ activity });
    return document.getElementById("turn-word").textContent;
});
claim("whose turn it is has one large word", same(turns, ["Listen", "Speak", "Prepare", "Wait"]), turns);
claim("a question that follows up stays while one answers it", question === "And why?", question);
const warned = (preparationSeconds) => {
    seen({ activity: "preparing", part: 2, order: 1, preparationSeconds, timeWarning: preparationSeconds <= 5 });
    return document.getElementById("announcer").textContent;
};
const [, near] = [warned(60), warned(5)];
claim("preparation warns before it ends", near === "5 seconds left.", near);
seen({ activity: "waitingForSpeech", part: 3, order: 1, answerSeconds: 8 });
seen({ activity: "waitingForSpeech", part: 3, order: 1, answerSeconds: 5, timeWarning: true });
const short = document.getElementById("announcer").textContent;
claim("eight seconds have no warning", !short.includes("seconds left"), short);
screen.close();
const strict = new ExamScreen({ lostLineEndsAnswer: true }, {});
strict.showConnection("waiting", 1006);
claim("where nothing is kept, nothing says so", !lost.textContent.includes("kept") && lost.textContent.includes("asks the question again"), lost.textContent);
strict.close();

// Choosing: the difficulty of questions, and their topics.
const paper = document.getElementById("paper");
paper.append(new Option("Home", "home"), new Option("Echoes", "echoes"));
const offeredPapers = { papers: [{ id: "home", title: "Home", difficulty: "Medium", description: "About <b>yourself</b>." }, { id: "echoes", title: "Echoes" }] };
const about = document.getElementById("paper-about");
const told = ["home", "echoes"].map((id) => {
    paper.value = id;
    tellPaper(offeredPapers);
    return about.hidden ? "" : about.textContent;
});
claim("a paper says how hard it is and what it is about, if its author stated it", same(told, ["Medium. About <b>yourself</b>.", ""]), told);

// Transcripts, with their mistakes.
const said = "I 😀 goed home and eated.";
const mistakes = [
    { original: "eated", correction: "ate", start: 18, end: 23 },
    { original: "goed", correction: "went", start: 4, end: 8 },
    { original: "oed h", correction: "?", start: 5, end: 10 },
    { original: "home", correction: "to my home" },
];
const { pieces, apart } = cut(said, mistakes);
const expectedPieces = ["I 😀 ", { original: "goed", correction: "went" }, " home and ", { original: "eated", correction: "ate" }, "."];
claim("a transcript is cut at its mistakes, by characters that people count", same(pieces, expectedPieces), JSON.stringify(pieces));
claim("what has no place of its own is told apart", same(apart.map(({ original }) => original), ["oed h", "home"]), JSON.stringify(apart));
claim("a mistake with a place beyond the end is left out of the text", same(cut("ab", [{ original: "b", correction: "c", start: 1, end: 9 }]).pieces, ["ab"]));
const oddWords = "<img src=x onerror=alert(1)> goed";
const marked = answerItem({
    part: 1, order: 1, attempt: 1, peaks: [], scores: { fluency: 6, grammar: 5.5 }, transcript: oddWords,
    mistakes: [{ original: "goed", correction: "<b>went</b>", start: 29, end: 33 }],
}).item;
const correction = marked.querySelector("mark")?.textContent;
claim("a mistake is marked, with its correction as text", correction === "goed, better:  <b>went</b>" && !marked.querySelector("img, b"), correction);
claim("an answer has the scores that it was given, and no others", marked.querySelector(".score")?.textContent === "Fluency 6 · Grammar 5.5", marked.textContent);
const late = answerItem({ part: 1, order: 1, attempt: 1, peaks: [] });
const before = late.item.querySelector(".transcript, .score");
late.draw({ peaks: [], transcript: "Late.", scores: { fluency: 5 } });
claim("what is found later is added to the answer", !before && late.item.textContent.includes("Late.") && late.item.textContent.includes("Fluency 5"), late.item.textContent);

// The examiner's voices.
{
    offerVoices({ voices: ["espeak-ng"] });
    const alone = document.getElementById("voices").hidden;
    offerVoices({ voices: ["hibari", "espeak-ng", "<b>own</b>"] });
    const offered = [...document.getElementById("voice").options].map(({ value, textContent }) => [value, textContent]);
    claim("a choice of voices is offered if there is one", alone && !document.getElementById("voices").hidden && same(offered, [["", "As usual"], ["hibari", "American, a woman"], ["espeak-ng", "British, a robot"], ["<b>own</b>", "<b>own</b>"]]), JSON.stringify(offered));
}

// The words of an answer, to be played.
{
    const text = "Um, I I goed home.";
    const words = [
        { text: "Um,", at: 0, start: 0.5, end: 0.9, isFiller: true }, { text: "I", at: 4, start: 1, end: 1.1 },
        { text: "I", at: 6, start: 1.5, end: 1.6, isRepeated: true }, { text: "goed", at: 8, start: 2, end: 2.4, isDoubtful: true },
        { text: "home.", at: 13, start: 4, end: 4.5 },
    ];
    const goed = { original: "goed", correction: "went", start: 8, end: 12 };
    const { runs, apart } = runsOf(words, [goed, { original: "I goed", correction: "I went", start: 6, end: 12 }, { original: "x", correction: "y" }]);
    const shown = runs.map(({ words, mistake }) => [words.map(({ text }) => text).join(" "), mistake?.correction ?? ""]);
    claim("words are cut at the mistakes in them", same(shown, [["Um, I I", ""], ["goed", "went"], ["home.", ""]]), JSON.stringify(shown));
    claim("a mistake in the words of another one, or without a place, stands apart", same(apart.map(({ correction }) => correction), ["I went", "y"]), JSON.stringify(apart));

    const played = [];
    const told = { answer: "part1_q1", source: "recogniser", recogniser: "words", isVerbatim: false, words, text };
    const { block, follow } = wordsOf(told, { name: "Part 1, question 1", title: "What was heard", mistakes: [goed], play: (at) => played.push(at) });
    document.body.append(block);
    const buttons = [...block.querySelectorAll("button")];
    buttons[1].click();
    claim("a press on a word plays from just before it", same(played, [0.95]), played);
    claim("the marks of words are told to a screen reader", same(buttons.map(({ textContent }) => textContent), ["Um,, fills a pause", "I", "I, repeated", "goed, in doubt", "home."]), buttons.map(({ textContent }) => textContent));
    claim("a mistake in the words has its correction", block.querySelector("mark ins").textContent === "went" && block.querySelector("mark del button") === buttons[3], block.innerHTML);
    claim("the words can be read as a sentence", block.querySelector("p.unseen").textContent === text, block.textContent);
    claim("the source of the words, and what is marked, is told", block.querySelector(".legend").textContent === "heard by the recogniser “words”, which may be wrong · fillers may be missing · 1 filler · 1 repetition · 1 word in doubt", block.querySelector(".legend").textContent);
    claim("the Tab key stops once at the words", same(buttons.map(({ tabIndex }) => tabIndex), [0, -1, -1, -1, -1]), buttons.map(({ tabIndex }) => tabIndex));
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    buttons[0].focus();
    press("ArrowRight");
    press("ArrowRight");
    claim("the arrow keys go from word to word", document.activeElement === buttons[2] && buttons[2].tabIndex === 0 && buttons[0].tabIndex === -1, document.activeElement.textContent);
    press("End");
    press("ArrowRight");
    claim("and stop at the last word", document.activeElement === buttons[4], document.activeElement.textContent);
    press("Home");
    claim("Home is the first word", document.activeElement === buttons[0], document.activeElement.textContent);
    const now = () => buttons.filter((each) => each.getAttribute("aria-current") === "true").map(({ textContent }) => textContent);
    follow(2.2);
    const during = now();
    follow(3.5);
    claim("the word being played is marked, and none in a long pause", same(during, ["goed, in doubt"]) && now().length === 0, [during, now()]);
    block.remove();

    const rough = wordsOf({ ...told, isRough: true }, { name: "a", title: "b", play: (at) => played.push(at) }).block;
    rough.querySelectorAll("button")[0].click();
    rough.querySelectorAll("button")[1].click();
    claim("rough times play from earlier, and say so", same(played.slice(1), [0, 0.5]) && rough.textContent.includes("times are rough"), played);
    const still = wordsOf({ ...told, words: words.map(({ start, end, ...word }) => word) }, { name: "a", title: "b", play: () => {} }).block;
    claim("words without times are text", !still.querySelector("button") && still.querySelector(".words").textContent.startsWith("Um,"), still.innerHTML);

    const spoken = new SpokenWords({ name: "Part 1, question 1", isOwn: true, play: () => {} });
    const own = { answer: "part1_q1", source: "own", text: "I went home", words: [{ text: "I", at: 0 }, { text: "went", at: 2 }, { text: "home", at: 7 }] };
    spoken.draw([told], { transcript: text, mistakes: [goed] });
    claim("words that were heard are shown as such, with mistakes", spoken.place.querySelector("h4").textContent === "What you said, as it was heard" && spoken.place.querySelector("mark"), spoken.place.innerHTML);
    spoken.draw([own, told], { transcript: text, mistakes: [goed] });
    const titles = [...spoken.place.querySelectorAll("h4")].map(({ textContent }) => textContent);
    claim("the learner's words stand above those that were heard, which are kept", same(titles, ["What you said, in your words", "What you said, as it was heard"]) && spoken.place.querySelector("details h4").textContent === titles[1], titles);
    claim("mistakes belong to the words in which they were found", spoken.place.querySelectorAll("mark").length === 1 && spoken.place.querySelector("details mark"), spoken.place.innerHTML);
    spoken.place.querySelector("details").open = true;
    const drawn = spoken.place.querySelector("details");
    spoken.draw([own, told], { transcript: text, mistakes: [goed] });
    claim("the same words are not drawn again", spoken.place.querySelector("details") === drawn, "");
    spoken.draw([{ ...own, text: "I went" , words: own.words.slice(0, 2) }, told], { transcript: text, mistakes: [goed] });
    claim("what is open stays open", spoken.place.querySelector("details").open && spoken.place.querySelector("details") !== drawn, "");
}

// Results: who scores, and how they arrive.
const streams = [];
/** A stream of events that stays open: `say` sends, `cut` breaks the line. */
function stream(headers) {
    let controller;
    const body = new ReadableStream({ start: (own) => (controller = own) });
    const bytes = (text) => new TextEncoder().encode(text);
    streams.push({ last: headers["Last-Event-ID"], say: (text) => controller.enqueue(bytes(text)), cut: () => controller.error(new TypeError("cut")) });
    return new Response(body, { status: 200, headers: { "Content-Type": "text/event-stream" } });
}
/** Waits until a condition holds. It says which one did not hold within half of what page-parts.py waits for everything. */
const wait = async (holds) => {
    for (const end = performance.now() + 500 * window.patience; !holds(); await new Promise((resolve) => setTimeout(resolve, 20)))
        if (performance.now() > end) throw new Error(`still not true: ${holds}`);
};
const answers = [{ id: "a", part: 1, order: 1, attempt: 1, question: "q", duration: 10, peaks: [0.5, 0.1], recording: "/r" }];
const session = { id: "s", startedAt: "2026-11-21T10:00:00Z", outcome: "completed" };
let told200 = {};
const realFetch = window.fetch;
let measured = { session: "s", parts: [], answers: [], unmeasured: ["a"], transcripts: [], words: [], comments: [], text: { answers: [] }, next: [], notAssessed: [], estimate: [] };
const keptWords = [];
const asJSON = { status: 200, headers: { "Content-Type": "application/json" } };
window.fetch = async (path, { method, headers, body }) => {
    if (path.endsWith("/assessment")) return new Response(JSON.stringify(measured), asJSON);
    if (path.endsWith("/events")) return stream(headers);
    if (method === "PUT") {
        keptWords.push([path, JSON.parse(body).text]);
        return new Response(null, { status: 204 });
    }
    return new Response(JSON.stringify({ session, answers, ...told200 }), asJSON);
};
const scoresShown = async (wanted, told) => {
    told200 = told;
    await results("s", () => {});
    const scores = document.getElementById("scores");
    await wait(() => scores.textContent.includes(wanted));
    return scores.textContent;
};
const unscored = await scoresShown("does not score", { status: "completed", assessment: "none" });
claim("a server without assessors says so", unscored.startsWith("This server does not score answers"), unscored);
await scoresShown("being assessed", { status: "completed", assessment: "waiting" });
await wait(() => streams.length > 1);
const line = streams.at(-1);
const event = (id, name, data) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
line.say("retry: 2000\n\n" + event(3, "answer", { ...answers[0], transcript: "He goed." }));
const place = document.getElementById("answers");
await wait(() => place.textContent.includes("He goed."));
claim("what is heard comes to its answer by itself", place.querySelectorAll(".answer").length === 1 && place.textContent.includes("He goed."), place.textContent);
const scored = { session, status: "evaluated", assessment: "done", scores: { overall: 6.5, fluency: 6 } };
line.say(": still here\n\n" + event(7, "results", scored).slice(0, 40));
line.say(event(7, "results", scored).slice(40));
const scoresPlace = document.getElementById("scores");
await wait(() => scoresPlace.textContent.includes("6.5"));
const bands = scoresPlace.textContent;
claim("scores are shown when they come, and an unjudged criterion says so", bands.includes("Overall6.5 unofficial") && bands.includes("Grammarnot assessed"), bands);
line.cut();
await wait(() => streams.at(-1).last === "7");
claim("over a lost line it goes on from the last event", streams.at(-1).last === "7" && line.last === undefined, streams.at(-1).last);
const givenUp = await scoresShown("failed", { status: "failed", assessment: "failed" });
claim("other results are followed, and the ones before no more", streams.at(-1) !== line);
claim("an assessment that failed says so", givenUp.startsWith("The assessment failed"), givenUp);

// Delivery: measures and counts, next steps, and the learner's own words.
{
    claim("nothing is said of sound that was not measured", document.getElementById("delivery").hidden);
    const line = { id: "speechRate", name: "speech rate", value: "3.1 syllables a second", sentence: "<b>Steady</b>." };
    const profile = { evidence: "Steady <i>so far</i>.", lines: [line] };
    measured = {
        ...measured, unmeasured: [], delivery: profile,
        answers: [{ id: "a", answer: "part1_q1", delivery: profile, pauses: [{ start: 2, end: 3.5 }, { start: 0, end: 0.5 }] }],
        next: [{ rule: "r", advice: "Talk on.", evidence: "You paused.", answer: "part1_q1", at: 2 }, { rule: "s", advice: "Again.", evidence: "-" }],
        notAssessed: [{ what: "Grammar", why: "Nobody <b>marked</b> it." }],
    };
    await scoresShown("does not score", { status: "completed", assessment: "none" });
    const estimated = document.getElementById("estimate");
    claim("an exam of which nothing was judged has no estimate", estimated.hidden);
    const toldOf = document.getElementById("delivery");
    const evidence = document.getElementById("delivery-evidence").textContent;
    claim("the exam's delivery is told with its evidence, as text", !toldOf.hidden && evidence === profile.evidence && !toldOf.querySelector("i"), toldOf.textContent);
    claim("each measure has its sentence, as text", toldOf.querySelector("dd").textContent === "3.1 syllables a second <b>Steady</b>." , toldOf.textContent);
    const steps = [...document.querySelectorAll("#steps li")];
    claim("what to do next is listed, with a button if there is something to hear", same(steps.map((step) => Boolean(step.querySelector("button"))), [true, false]), steps.length);
    const missing = document.getElementById("not-assessed");
    claim("what is not assessed says why", !missing.hidden && missing.textContent.includes("Grammar: Nobody <b>marked</b> it."), missing.textContent);
    const first = document.querySelector("#answers .answer");
    const hatched = first.querySelectorAll(".wave .pauses rect");
    claim("pauses stand under their places in the wave", hatched.length === 2 && hatched[0].getAttribute("x") === "0.4" && Math.abs(hatched[0].getAttribute("width") - 0.3) < 1e-9, first.querySelector(".wave").outerHTML);
    claim("and are told to those who do not see it", first.querySelector(".wave").getAttribute("aria-label").endsWith("Marked below: 2 pauses."), first.querySelector(".wave").getAttribute("aria-label"));
    const stamps = [...first.querySelectorAll("p.pauses button")].map((stamp) => stamp.textContent);
    claim("a learner who types is taken to the pauses, but not to the beginning", same(stamps, ["0:02"]), stamps);
    first.querySelector(".own-words").open = true;
    const field = first.querySelector("textarea");
    field.value = " I goed home ";
    measured = {
        ...measured, transcripts: [{ answer: "part1_q1", source: "own", text: "I goed home" }],
        words: [{ answer: "part1_q1", source: "own", words: [{ text: "I", at: 0 }, { text: "goed", at: 2 }, { text: "home", at: 7 }] }],
        text: { answers: [{ answer: "part1_q1", profile: { lines: [{ name: "words", value: "3", sentence: "Counted." }] } }] },
    };
    const keepButton = [...first.querySelectorAll("button")].find(({ textContent }) => textContent === "Keep these words");
    keepButton.click();
    await wait(() => first.textContent.includes("Counted."));
    claim("what a learner typed is kept once", same(keptWords, [["/v1/sessions/s/answers/a/transcript", "I goed home"]]), JSON.stringify(keptWords));
    claim("and counted", first.textContent.includes("3 Counted."), first.textContent);
    keepButton.click();
    field.dispatchEvent(new Event("change"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    claim("words that are kept already are not sent again", keptWords.length === 1, JSON.stringify(keptWords));
    const told = measured;
    measured = { ...measured, transcripts: [], words: [] };
    document.getElementById("results-again").click();
    await new Promise((resolve) => setTimeout(resolve, 200));
    claim("an older answer of the server never empties the field", field.value === " I goed home ", field.value);
    measured = told;
    field.value = "I went";
    document.getElementById("results-again").click();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const still = document.querySelector("#answers .answer");
    claim("a look at the results leaves what is being typed", still === first && field.isConnected && field.value === "I went" && first.querySelector(".own-words").open, field.value);
    await scoresShown("does not score", { status: "completed", assessment: "none" });
    claim("results that are opened later show what was typed", document.querySelector("#answers textarea").value === "I goed home", document.querySelector("#answers textarea").value);

    // Words that were heard are corrected.
    const heardWords = { answer: "part1_q1", source: "recogniser", recogniser: "words", words: [{ text: "I", at: 0, start: 1, end: 1.2 }, { text: "leave", at: 2, start: 2, end: 2.5 }] };
    const heardText = { answer: "part1_q1", source: "recogniser", recogniser: { kind: "machine", id: "words", version: "1" }, text: "I leave" };
    const heardOnly = { ...told, transcripts: [heardText], words: [heardWords] };
    measured = heardOnly;
    await scoresShown("does not score", { status: "completed", assessment: "none" });
    const item = document.querySelector("#answers .answer");
    const editor = item.querySelector("textarea");
    const named = (words) => [...item.querySelectorAll("button")].find(({ textContent }) => textContent === words);
    claim("the words that were heard are there to be corrected", editor.value === "I leave" && item.querySelector(".own-words summary").textContent === "Correct the words" && named("Back to what was heard").hidden, item.textContent);
    keptWords.length = 0;
    editor.value = "  ";
    named("Keep these words").click();
    await wait(() => editor.value === "I leave");
    claim("an emptied field gets the heard words back, and nothing is sent", editor.value === "I leave" && keptWords.length === 0, JSON.stringify(keptWords));
    editor.value = "I live";
    measured = { ...heardOnly, transcripts: [{ answer: "part1_q1", source: "own", text: "I live" }, heardText], words: [{ answer: "part1_q1", source: "own", words: [{ text: "I", at: 0, start: 1, end: 1.2 }, { text: "live", at: 2, start: 2, end: 2.5 }] }, heardWords] };
    named("Keep these words").click();
    await wait(() => item.querySelector(".spoken").textContent.includes("in your words"));
    claim("what the learner corrected stands, and what was heard is kept", same(keptWords.map(([, words]) => words), ["I live"]) && item.querySelector(".spoken .words").textContent === "I live" && item.querySelector(".spoken details .words").textContent === "I leave", item.querySelector(".spoken").innerHTML);
    measured = heardOnly;
    named("Back to what was heard").click();
    await wait(() => item.querySelector(".spoken").textContent.includes("as it was heard") && editor.value === "I leave");
    claim("and the learner can go back to it", same(keptWords.map(([, words]) => words), ["I live", ""]) && editor.value === "I leave" && !item.querySelector(".spoken details"), JSON.stringify([keptWords, editor.value]));
    measured = told;
}

// Answers by part.
{
    const parts = new AnswerParts();
    const some = [[2, "assessed", 60], [1, "introduction", 2], [1, "assessed", 10.5], [3, "assessed", null], ...Array.from({ length: 4 }, () => [3, "assessed", 1])];
    const answers = some.map(([part, purpose, duration]) => ({ part, purpose, duration }));
    for (const answer of answers) parts.listOf(answer).append(document.createElement("li"));
    parts.tell(answers);
    const drawn = [...document.querySelectorAll("#answers > details")];
    const words = drawn.map((each) => each.firstChild.textContent);
    claim("answers are folded by part, with the introduction apart", same(words, ["Part 1 · 1 answer · 10.5 s", "Part 2 · 1 answer · 1 min 0 s", "Part 3 · 5 answers · 4.0 s", "Your introduction · 1 answer · 2.0 s"]), words);
    claim("of many answers only the first part that is marked is open", same(drawn.map(({ open }) => open), [true, false, false, false]), drawn.map(({ open }) => open));
    drawn[1].querySelector("summary").click();
    parts.tell(answers);
    claim("a part stays as the learner left it", drawn[1].open);
    parts.tell(answers.slice(0, 4));
}

// The first screen: questions are drawn unless a paper is chosen.
{
    const before = window.fetch;
    const choices = {
        consent: "I agree.", modes: ["test"], voices: ["hibari", "espeak-ng"], topics: [{ id: "rain", title: "Rain", difficulty: "Medium", formats: ["style"] }, { id: "chart", title: "A chart", difficulty: "Hard", formats: ["other"] }],
        formats: [{ id: "style", title: "Style", papers: ["bridges"], drawn: true, written: true, seconds: 800 }, { id: "own", title: "Own", papers: ["few"], drawn: false, seconds: 60 }],
        papers: [{ id: "bridges", title: "Bridges" }, { id: "few", title: "Few" }],
    };
    const own = { id: "p1", format: "style", title: "<b>Bees</b>", state: "ready", createdAt: "2026-11-25T10:00:00Z", written: 1, wanted: 1, shortfalls: ["card: <u>another</u> one."] };
    const lost = { ...own, id: "p2", format: "own", title: "Tides", state: "failed", failure: "<i>m</i> wrote nothing." };
    const answersOf = { "/v1/exams/choices": choices, "/v1/papers": { papers: [own, lost] }, "/v1/sessions?kind=exam": { sessions: [] }, "/v1/consents": { consents: [{ recipient: "<b>c</b>", words: "Sent." }] } };
    window.fetch = async (path) => new Response(JSON.stringify(answersOf[path]), asJSON);
    const begun = [];
    await home({ begin: (wishes) => begun.push(wishes) });
    const at = (id) => document.getElementById(id);
    const offered = [...at("paper").options].map(({ value }) => value);
    claim("new questions are offered first, if there are any", same(offered, ["", "bridges", "p1"]) && !at("drawn").hidden, offered);
    claim("what is chosen is told while the choice is folded", at("which-words").textContent.startsWith("New ones"), at("which-words").textContent);
    claim("only subjects of the chosen format are offered", same([...at("topic").options].map(({ value }) => value), ["", "rain"]));
    claim("nothing can be written without a model", at("write").hidden);
    const mine = at("own-papers-list");
    claim("a learner's own questions are listed, as text", !at("own-papers").hidden && mine.textContent.includes("<b>Bees</b>") && mine.textContent.includes("<i>m</i> wrote nothing.") && mine.textContent.includes("<u>another</u>") && !mine.querySelector("b b, i, u"), mine.textContent);
    const named = [...mine.querySelectorAll("button")].map((button) => button.textContent);
    claim("what is ready can be chosen, and what failed tried again", same(named, ["Choose it", "Erase…", "Try again", "Erase…"]), named);
    mine.querySelector("button").click();
    await wait(() => at("paper").value === "p1");
    claim("a learner who chooses them reads that no person has checked them", at("paper-about").textContent.includes("no person has checked them yet") && at("drawn").hidden, at("paper-about").textContent);
    at("paper").value = "";
    at("paper").dispatchEvent(new Event("change"));
    at("consent").checked = true;
    at("topic").value = "rain";
    at("difficulty").value = "Hard";
    at("choices").requestSubmit(at("choices").querySelector("button.main"));
    await wait(() => begun.length > 0);
    const { seed, ...wishes } = begun[0] ?? {};
    claim("a subject and how hard it is are asked for", same(wishes, { mode: "test", consent: true, format: "style", topics: ["rain"], difficulty: "Hard" }) && seed >= 0 && seed < 2 ** 32, JSON.stringify(begun));
    at("paper").value = "bridges";
    at("paper").dispatchEvent(new Event("change"));
    claim("a paper has its own questions", at("drawn").hidden);
    at("choices").requestSubmit(at("choices").querySelector("button.main"));
    await wait(() => begun.length > 1);
    claim("a named paper is requested without wishes", same(begun[1], { mode: "test", consent: true, format: "style", paper: "bridges" }), JSON.stringify(begun[1]));
    at("format").value = "own";
    at("format").dispatchEvent(new Event("change"));
    claim("if nothing can be drawn, nothing is offered", same([...at("paper").options].map(({ value }) => value), ["few"]) && at("drawn").hidden);
    const ways = [{ roles: [], groups: [] }, { roles: ["teacher"], groups: ["7b"] }, { roles: ["marker"], groups: [] }].map((caller) => {
        offerAreas(caller);
        return [firstPath(), ...[...document.querySelectorAll("#areas a")].filter(({ hidden }) => !hidden).map(({ textContent }) => textContent.trim())];
    });
    const usual = ["Today", "Speak", "Learn", "Progress"];
    claim("teachers have their class and markers their desk, first", same(ways, [["today", ...usual], ["class", "Class", ...usual], ["desk", "Desk", ...usual]]), JSON.stringify(ways));
    claim("who would get answers is named, as text", !at("third-parties").hidden && at("third-parties-list").textContent.includes("<b>c</b>") && at("third-parties-list").querySelectorAll("b").length === 1, at("third-parties-list").textContent);
    window.fetch = before;
}

// An answer of an exam can be given again.
{
    const given = [];
    const desk = { session: "s", changed: async () => {}, again: (name) => given.push(name) };
    const sayOf = (answer) => [...answerItem({ part: 1, order: 2, attempt: 1, peaks: [], recording: "/r", ...answer }, desk).item.querySelectorAll("button")]
        .find(({ textContent }) => textContent === "Say it again");
    claim("what does not count is not given again", !sayOf({ practice: true }) && !sayOf({ purpose: "introduction" }) && !sayOf({ recording: undefined }));
    sayOf({})?.click();
    await wait(() => given.length > 0);
    claim("an answer is given again by its name", same(given, ["part1_q2"]), JSON.stringify(given));
}

// Spoken practice: a drill or one part is chosen, and the tellings are compared.
{
    const before = window.fetch;
    const choices = {
        consent: "I agree.", papers: [], formats: [{ id: "style", title: "Style", parts: [{ number: 1, title: "Talk" }, { number: 2, title: "Card" }] }],
        drills: [{ name: "shadowing", title: "Shadowing", summary: "<b>Along</b>.", seconds: 60 }, { name: "repeat", title: "Repeat", summary: "After.", seconds: 100 }],
    };
    const held = { id: "d", name: "d", drill: "repeat", startedAt: "2026-11-25T10:00:00Z", status: "completed", outcome: "completed" };
    const answersOf = { "/v1/exams/choices": choices, "/v1/sessions?kind=drill": { sessions: [held] } };
    window.fetch = async (path) => new Response(JSON.stringify(answersOf[path]), asJSON);
    const begun = [];
    await drills({ begin: (...wishes) => begun.push(wishes) });
    const at = (id) => document.getElementById(id);
    const kinds = [...at("drill-kinds").querySelectorAll("label")].map(({ textContent }) => textContent);
    claim("each drill says what it is and how long it takes, as text", kinds.length === 3 && kinds[0] === "Shadowing about 1 minute<b>Along</b>." && kinds[1].startsWith("Repeat about 2 minutes"), kinds);
    claim("a drill without headphones is chosen at first", at("drill-kinds").querySelector(":checked").value === "repeat" && at("one-part").hidden);
    claim("a drill that was done has its name", at("spoken-sessions").textContent.startsWith("Repeat"), at("spoken-sessions").textContent);
    const send = () => at("drill-choice").requestSubmit(at("drill-choice").querySelector("button.main"));
    send();
    claim("nothing is recorded without consent", at("problem").textContent.startsWith("Practice aloud is recorded."), at("problem").textContent);
    // The button takes no press until the last one was answered.
    await wait(() => !at("drill-choice").querySelector("[aria-disabled]"));
    at("drill-consent").checked = true;
    send();
    await wait(() => begun.length > 0);
    claim("a drill is asked for by its name", same(begun[0], [{ drill: "repeat", consent: true }, "It takes about 2 minutes."]), JSON.stringify(begun));
    await wait(() => !at("drill-choice").querySelector("[aria-disabled]"));
    at("drill-kinds").querySelector("label:last-child input").click();
    at("part-number").value = "2";
    claim("the parts of an exam are offered", !at("one-part").hidden && same([...at("part-number").options].map(({ text }) => text), ["1: Talk", "2: Card"]));
    send();
    await wait(() => begun.length > 1);
    claim("a part is practice", same(begun[1], [{ format: "style", part: 2, mode: "practice", consent: true }, ""]), JSON.stringify(begun[1]));

    const drill = {
        name: "repeat", title: "<i>Repeat</i>", isReached: true, verdict: "Reached. 1 of 1.", seconds: 4, speech: 2,
        tellings: [{ name: "Voice 1", voice: "/v1/v", seconds: 4, peaks: [0.5, 1], pauses: [] }, { name: "You 1", answer: "a", seconds: 2, peaks: [0.1], pauses: [{ start: 0, end: 0.5 }] }],
        measures: [{ name: "Speech, seconds", values: [3.5, null] }],
    };
    const played = [];
    drawTellings(undefined, "Your practice", () => {});
    claim("a drill that is being measured says so", at("tellings-verdict").textContent === "Your answers are being measured." && at("tellings-wide").hidden);
    drawTellings(drill, "Your practice", (...what) => played.push(what));
    claim("the verdict is the server's", at("tellings-verdict").textContent === "Reached. 1 of 1." && at("tellings-title").textContent === "<i>Repeat</i>");
    const again = { session: "s", answer: "part1_q1" };
    const later = [undefined, { ...again, mended: 0 }, { ...again, mended: 2 }].map((again) => {
        drawTellings({ ...drill, ...(again && { again }) }, "Your practice", (...what) => played.push(what));
        return at("tellings-later").hidden ? "" : at("tellings-later").textContent;
    });
    const comesBack = "The question comes back in a few days.";
    claim("an answer that was given again says what comes back", same(later, ["", comesBack, `${comesBack} 2 sentences with a mistake will come in your drills.`]), later);
    drawTellings(drill, "Your practice", (...what) => played.push(what));
    const widths = [...at("tellings-list").querySelectorAll("svg")].map(({ style }) => style.width);
    claim("all tellings have one axis", same(widths, ["100%", "50%"]), widths);
    const cells = [...at("tellings-measures").querySelectorAll("th, td")].map(({ textContent }) => textContent);
    claim("the measures stand side by side", same(cells, ["", "Voice 1", "You 1", "Speech, seconds", "3.5", "–"]), cells);
    const buttons = [...at("tellings-list").querySelectorAll("button")];
    for (const [place, button] of buttons.entries()) {
        button.click();
        await wait(() => played.length > place);
    }
    const heard = played.map(([{ voice, answer }, at]) => [voice ?? answer, at]);
    claim("the voice and the learner's own tellings can be heard", same(heard, [["/v1/v", 0], ["a", 0]]), JSON.stringify(heard));
    window.fetch = before;
}

// The first visit.
{
    const now = new Date(2026, 10, 23);
    const every = questions(now);
    const [goal, day, time] = [every[0].answers[2], every[1].answers[1], every[2].answers[2]].map(([, said]) => said);
    const profile = profileOf({ ...goal, ...day, ...time }, "Ana");
    claim("three taps make a whole profile", every.length === 3 && same(profile, { name: "Ana", stage: "Preparing", targetRole: "Band 7", timeBudgetHoursPerDay: 0.5, availableDays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"], format: "exam", goalBand: 7, testDate: "2026-12-23" }), JSON.stringify(profile));
    const least = profileOf({}, "");
    claim("a learner without a goal, a day and a name has a plan, too", least.name !== "" && !("goalBand" in least) && !("testDate" in least) && least.availableDays.length === 7, JSON.stringify(least));
}

// Addresses, and the one thing to do.
{
    const odd = hashOf("learn/lesson", "a b/ü?#");
    claim("an address has any id, and comes apart again", same(partsOf(odd), ["learn", "lesson", "a b", "ü?#"]) && !odd.slice(1).includes("#"), odd);
    claim("an address that a person typed is no error", same(partsOf("#/speak/%"), ["speak", "%"]));
    const now = Date.parse("2026-11-23T09:00:00Z");
    const exam = { id: "e", status: "in_progress", held: "server", startedAt: "2026-11-22T09:00:00Z" };
    const task = (id, link) => ({ id, link, title: id, minutes: 5, reason: "r" });
    const told = { profile: {}, weekday: "Monday", today: ["a", "b", "c"], ticks: { a: { state: "done" } }, plan: { dailyTasks: { Monday: [task("a", "drill:x"), task("b", "juggle:balls"), task("c", "lesson:y")] } } };
    const [busy, idle] = [{ due: 3, new: 0, drill: { done: 1, count: 2, number: 1 } }, { due: 0, new: 0 }];
    const kinds = [
        nextThing([exam], told, busy, now), nextThing([{ ...exam, held: "client" }], told, busy, now), nextThing([{ ...exam, startedAt: "2026-11-01T09:00:00Z" }], told, idle, now),
        nextThing([], {}, idle, now), nextThing([], { profile: {} }, { due: 1, new: 0 }, now), nextThing([], { profile: {} }, idle, now),
    ].map(({ kind, task }) => (task ? `${kind} ${task.id}` : kind));
    claim("what was begun comes first, then the first open task that the page can do, then what is due", same(kinds, ["exam", "drill", "task c", "plan", "due", "done"]), kinds);

    // Assigned work.
    const work = (id, due, status) => ({ id, due, title: id, work: "test:new", state: { status } });
    const all = [work("old", "2026-10-20", "missing"), work("m1", "2026-11-10", "missing"), work("m2", "2026-11-20", "missing"), work("d1", "2026-11-21", "late"), work("o1", "2026-11-23", "open"), work("d2", "2026-11-24", "done"), work("o2", "2026-11-25", "open")];
    const [first, rest] = [toDo(all, "2026-11-23").map(({ id }) => id), besides(all, "2026-11-23").map(({ id }) => id)];
    claim("work that is in time comes before what is missing, and what is done stays until its day", same(first, ["o1", "o2", "m2", "m1"]) && same(rest, ["o2", "m2", "m1", "d2"]), JSON.stringify([first, rest]));
    const offered = [nextThing([], told, idle, now, all[4]), nextThing([exam], told, idle, now, all[4]), nextThing([], told, busy, now, all[4]), nextThing([], {}, idle, now, all[4])].map(({ kind }) => kind);
    claim("assigned work comes after what was begun, and before the plan", same(offered, ["assigned", "exam", "drill", "assigned"]), offered);
    claim("missing work says when it was due", dueWords(all[1]).startsWith("was due ") && dueWords(all[4]).startsWith("by "), dueWords(all[1]));
    const begun = ["paper:brief/few", "sit:full", "sit:part2", "sit:interview", "sit:interview/part4", "speak:4-3-2", "lesson:a-b", "drill:p/food", "test:new"].map(speakingOf);
    claim("assigned work begins exactly what was assigned", same(begun, [{ format: "brief", paper: "few", mode: "test" }, { format: "ielts-style", mode: "test" }, { format: "ielts-style", part: 2, mode: "practice" }, { format: "interview", mode: "test" }, { format: "interview", part: 4, mode: "practice" }, { drill: "4-3-2" }, null, null, null]), JSON.stringify(begun));
    claim("a teacher reads how many have done it", same([[], ["open"], ["done", "late", "missing"]].map((some) => countWords(some.map((status) => ({ status })))), ["0 of 0 done", "0 of 1 done", "2 of 3 done, 1 late, 1 missing"]));
    const due = assignedWords([work("a", "2026-11-23", "open"), work("b", "2026-11-23", "done"), work("c", "2026-11-24", "open"), work("d", "2026-11-23", "open")], "2026-11-23");
    claim("the reminder names what is due today", due === "Due today: a, d" && assignedWords([], "2026-11-23") === "", due);
}

// Events, in pieces of any size.
{
    const reader = new EventReader();
    const text = "retry: 2000\n\n: here\n\nid: 1\r\nevent: said\r\ndata: {\"a\":\"b: c\"}\r\n\r\ndata:{}\n\nid: 9\n";
    const events = [...text].flatMap((letter) => reader.read(letter));
    claim("events are read letter by letter", same(events, [{ id: "1", name: "said", data: { a: "b: c" } }, { name: "message", data: {} }]), JSON.stringify(events));

    const heard = [];
    streams.length = 0;
    const stop = follow("s", ({ name }) => heard.push(name));
    await wait(() => streams.length === 1);
    streams[0].say("id: 4\nevent: erased\ndata: {}\n\nid: 5\nevent: results\ndata: {}\n\n");
    await new Promise((resolve) => setTimeout(resolve, 600));
    claim("what is erased is followed no more", same(heard.slice(0, 1), ["erased"]) && streams.length === 1, `${heard} ${streams.length}`);
    stop();
}

// Marks and comments, with their author, as text.
{
    const source = { kind: "machine", id: "<b>llama</b>", version: "3" };
    const one = { source, scope: { answer: { name: "part1_q2_a2", speech: 3 } }, scale: "hundred", outcome: { mark: 71.256 }, runs: [{ seed: 1, mark: 6 }, { seed: 2 }] };
    claim("evidence says who, how much, of what and how often", evidenceWords(one) === "<b>llama</b> (3): 71.26 on its own scale, “hundred” for Part 1, question 2, attempt 2; asked 2 times: 6, none", evidenceWords(one));
    const person = { source: { kind: "human", id: "marker 1", version: "r" }, scope: { exam: {} }, scale: "band", outcome: { mark: 6 } };
    claim("a person's has no version", evidenceWords(person) === "marker 1, a person: 6 for the whole exam", evidenceWords(person));
    const trait = (outcome, basis, evidence = [], beside = []) => ({ outcome, basis, evidence, beside, unmarked: [] });
    const none = trait({ missing: "no person marked it" }, "no evidence");
    const result = { rules: "r", label: "unofficial", overall: { missing: "x" }, topicRelevance: none, criteria: { fluency: trait({ mark: 6.25 }, "the mean of marker 1 and marker 2", [person], [one]), vocabulary: none, grammar: none, pronunciation: none } };
    const marks = marksOf({ status: "evaluated", assessment: "done", marking: { asked: 3, done: 2 } }, result);
    claim("marks are told with their source, unrounded", marks.textContent.includes("Fluency6.25 the mean of marker 1 and marker 2"), marks.textContent);
    claim("what does not count says so, as text", marks.textContent.includes("It does not count.") && !marks.querySelector("b"), marks.textContent);
    claim("who still marks is told", marks.textContent.includes("2 of 3 people have"), marks.textContent);
    const nothing = marksOf({ status: "in_progress", assessment: "none" });
    claim("an exam that goes on has no marks", nothing.textContent === "The exam is not over yet.", nothing.textContent);

    const finding = { source, saidAt: "", evidence: [], strengths: ["<i>Good</i>"], improvements: [], dropped: { quote: 2, later: 1 }, suspectInstructions: true, failure: "no speech", pronunciation: { overall: 71.4, isMonotone: true, words: [{ text: "thing", start: 61, error: "mispronunciation" }] } };
    const heard = [];
    const [told, gap] = saidOf({ said: [finding], gaps: [{ assessor: "cloud", why: "You did not agree.", lacksConsentTo: "c.example" }] }, { listen: (at) => heard.push(at), mayAgree: true });
    const toldText = told.textContent;
    claim("what an assessor said is text, with what was thrown away", !told.querySelector("i, b") && toldText.includes("2 × quotes that are not in the answer, 1 × later") && toldText.includes("A person should look"), toldText);
    claim("a pronunciation is on its own scale", toldText.includes("Of 100 on its own scale: overall 71. The melody hardly moves."), toldText);
    told.querySelector(".pauses button").click();
    await wait(() => heard.length > 0);
    claim("a word is played from a second before it", same(heard, [60]), heard);
    claim("who lacks a consent can be given one", gap.textContent === "cloud said nothing. You did not agree. Agree for c.example…", gap.textContent);
    const forOthers = saidOf({ gaps: [{ assessor: "cloud", why: "w", lacksConsentTo: "c.example" }] }, { mayAgree: false })[0];
    claim("but not by another", !forOthers.querySelector("button"));
}

// A school.
{
    const bands = [9, 7, 6].map((band) => ({ band, text: `b${band}` }));
    claim("a half band stands between two", same(bandsAround("6.5", bands).map(({ band }) => band), [7, 6]) && bandsAround("", bands).length === 0 && bandsAround("9", bands).length === 1);
    claim("agreement needs enough exams", agreementWords({ exams: 3 }, 20) === "3 of the 20 exams that are needed", agreementWords({ exams: 3 }, 20));
    const agreed = agreementWords({ exams: 23, meanDifference: 0.4125, meanLead: -0.1, kappa: 0.708 }, 20);
    claim("and says how far, which way and how sure", agreed === "23 exams, 0.41 apart, 0.1 below the others, kappa 0.71", agreed);
    const seal = "38b95de1".repeat(8);
    const told = {
        "a sealed exam says so": [sealWords({ held: "server", seal }), "sealed (38b95de1)"],
        "an exam that is not sealed yet says so": [sealWords({ held: "server" }), "not sealed yet"],
        "an exam that was recorded elsewhere says so": [sealWords({ held: "client", seal }), "recorded elsewhere · sealed (38b95de1)"],
        "marks on other evidence are named, once each": [
            sealWords({ held: "server", seal }, { state: "sealed", stale: [{ what: "bands" }, { what: "marks" }, { what: "bands" }] }),
            "sealed (38b95de1) · not resting on the seal: bands, marks",
        ],
        "a marker reads who held the exam and its seal": [
            taskWords({ answers: 2, seconds: 61, isThird: false, held: "client", seal }),
            `2 answers · ${seconds(61)} · recorded elsewhere · sealed (38b95de1)`,
        ],
        "a marker reads that a machine’s mark waits, and not which": [
            taskWords({ answers: 1, seconds: 5, isThird: false, held: "server", seal, markHeld: true }),
            `1 answer · ${seconds(5)} · a machine’s mark waits for yours · sealed (38b95de1)`,
        ],
    };
    for (const [words, [saw, wanted]] of Object.entries(told)) claim(words, saw === wanted, saw);
    claim("a learner has the name that they gave", same([learnerWords({ user: "abcdefghij", fullName: "Ann A" }), learnerWords({ user: "abcdefghij" })], ["Ann A", "Learner abcdefgh"]));
    const read = visits([["10:30", "report"], ["10:20", "results"], ["10:10", "recording part1_q2"], ["10:00", "assessment"], ["08:00", "results"]].map(([at, what]) => ({ at: `2026-11-21T${at}:00Z`, session: "s", role: "teacher", what })));
    claim("what one reader reads in an hour is one line", same(read.map(({ matters }) => matters), [["the report", "the results", "the recording of Part 1, question 2"], ["the results"]]), JSON.stringify(read));
    const asked = numbered([[1, 7, 1], [1, 8, 1], [1, 8, 2], [1, 10, 1], [2, 3, 1]].map(([part, order, attempt]) => ({ part, order, attempt })));
    claim("questions are numbered as they were asked", same(asked.map(({ number }) => number), [1, 2, 2, 3, 1]), JSON.stringify(asked));
    claim("a mark names a question by its number", answerName("part1_q10", asked) === "Part 1, question 3", answerName("part1_q10", asked));
    claim("names of answers become words, and others stay", same([answerName("part2_q1"), answerName("x")], ["Part 2, question 1", "x"]));
}
window.fetch = realFetch;
await practiceClaims({ claim, same, wait });

window.areAllChecked = true;
