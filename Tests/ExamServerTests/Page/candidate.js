/**
 * A candidate in a page. It speaks when the screen says so, with a different tone for each question, so that a recording shows which question
 * was on the screen. Inserted before the page's own scripts. `SPEECH` is a recording in base64.
 */
(() => {
    const FIRST_TONE = 2500;
    const BETWEEN_TONES = 300;
    /** Seconds of silence before an answer, and of the answer. */
    const THINKS = 0.8;
    const SPEAKS = 2.5;

    const log = [];
    window.candidate = { log, stoodStill: 0 };
    let sound = null;
    // This audio context keeps running, even if a test stops those of the page.
    const Context = window.AudioContext;

    navigator.mediaDevices.getUserMedia = async () => {
        const context = new Context({ sampleRate: 48000 });
        const bytes = Uint8Array.from(atob(SPEECH), (letter) => letter.charCodeAt(0));
        const speech = new AudioBufferSourceNode(context, { buffer: await context.decodeAudioData(bytes.buffer), loop: true });
        const tone = new OscillatorNode(context);
        const voice = new GainNode(context, { gain: 0 });
        const soft = new GainNode(context, { gain: 0.03 });
        const microphone = context.createMediaStreamDestination();
        speech.connect(voice);
        tone.connect(soft).connect(voice).connect(microphone);
        // A room is never quite silent.
        new ConstantSourceNode(context, { offset: 0.0001 }).connect(microphone);
        speech.start();
        tone.start();
        sound = { context, tone, voice };
        window.candidate.stream = microphone.stream;
        return microphone.stream;
    };

    const seen = [];
    let turn = null;
    let isStill = false;
    setInterval(() => {
        const exam = document.querySelector("#exam");
        if (!sound || !exam || exam.hidden) return;
        const wasStill = isStill;
        isStill = exam.dataset.activity === "suspended" && document.querySelector("#more").textContent.includes("line is slow");
        if (isStill && !wasStill) window.candidate.stoodStill += 1;
        const isTurn = ["waitingForSpeech", "speaking", "closing"].includes(exam.dataset.activity);
        const place = document.querySelector("#place").textContent;
        const now = sound.context.currentTime;
        if (!isTurn || turn?.place !== place) {
            if (turn?.speaks) log.at(-1).seconds += now - turn.speaks;
            sound.voice.gain.value = 0;
            turn = isTurn ? { place, since: now, speaks: null, isDone: false } : null;
            return;
        }
        if (!turn.isDone && turn.speaks === null && now - turn.since > THINKS) {
            if (!seen.includes(place)) seen.push(place);
            const number = seen.indexOf(place);
            sound.tone.frequency.value = FIRST_TONE + number * BETWEEN_TONES;
            sound.voice.gain.value = 1;
            turn.speaks = now;
            log.push({ place, tone: sound.tone.frequency.value, seconds: 0 });
        }
        if (turn.speaks !== null && now - turn.speaks > SPEAKS) {
            sound.voice.gain.value = 0;
            log.at(-1).seconds += now - turn.speaks;
            turn.speaks = null;
            turn.isDone = true;
        }
    }, 20);
})();
