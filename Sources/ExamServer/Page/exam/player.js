/**
 * The examiner's voice. It plays one clip at a time, fetches announced clips in advance, and reports when the first
 * sample is heard and when the last one has left the loudspeaker.
 *
 * Each clip passed to `play` ends with exactly one of `ended` or `failed`, or with nothing if it was stopped or
 * replaced by another one.
 */

import { slowed, speedOf } from "./slowed.js";

/**
 * The seconds for which a clip is requested again if it cannot be fetched: as long as the page waits for a lost line.
 */
const PATIENCE = 55;

/** The seconds after which a clip is reported as late. */
const LATE = 2;

/** The number of decoded clips kept: those of a question and of the next one. */
const KEPT = 12;

/**
 * @typedef {object} PlayerEvents
 * @property {(prompt: string) => void} started
 * @property {(prompt: string) => void} ended
 * @property {(prompt: string, reason: string) => void} failed
 * @property {(isWaiting: boolean) => void} waiting
 * @property {(isMuted: boolean) => void} muted
 */

/** The tone of the candidate's turn: its frequency in hertz, its seconds, and how loud it is. */
const TONE = { frequency: 660, seconds: 0.15, gain: 0.08 };

export class Player {
    #context = new AudioContext();
    #fetchClip;
    #on;
    #speed;
    /**
     * The prompt that is being played or fetched. Null while the examiner is silent.
     *
     * @type {string | null}
     */
    #prompt = null;
    /** @type {AudioBufferSourceNode | null} */
    #source = null;
    /**
     * The function to call when the browser allows sound. Null if nothing waits for that.
     *
     * @type {(() => void) | null}
     */
    #ready = null;
    /** Clips by their address, decoded or on their way. */
    #clips = new Map();

    /**
     * Creates a player. Do it in the press of a button, because only then may a page make sound.
     *
     * @param {(url: string) => Promise<ArrayBuffer>} fetchClip
     * @param {PlayerEvents} on `started(prompt)`, `ended(prompt)`, `failed(prompt, reason)`; `waiting(isWaiting)`: a
     *     clip is late; `muted(isMuted)`: the browser blocks sound just now
     * @param {() => number} speed of the examiner's words, at most 1
     */
    constructor(fetchClip, on, speed = () => 1) {
        this.#fetchClip = fetchClip;
        this.#on = on;
        this.#speed = speed;
        this.#context.onstatechange = () => this.#stateChanged();
        this.wake();
    }

    get isMuted() {
        return this.#context.state !== "running" && this.#context.state !== "closed";
    }

    /** Asks the browser to allow sound, which may require the press of a button. */
    wake() {
        this.#context.resume().catch(() => {});
    }

    /**
     * Fetches the clips that are likely to be played next, one after the other, because a slow line has other things to
     * carry.
     *
     * @param {string[]} urls
     */
    async fetchAhead(urls) {
        for (const url of urls) await this.#sound(url).catch(() => {});
    }

    /** @param {{prompt: string, url: string}} clip */
    async play({ prompt, url }) {
        this.stop();
        this.#prompt = prompt;
        const late = setTimeout(() => this.#prompt === prompt && this.#on.waiting(true), LATE * 1000);
        let sound;
        try {
            sound = await this.#fetched(prompt, url);
        } catch (problem) {
            if (this.#prompt !== prompt) return;
            this.#prompt = null;
            this.#on.failed(prompt, problem.name === "EncodingError" ? "not decodable" : "not fetched");
            return;
        } finally {
            clearTimeout(late);
            if (this.#prompt === prompt || this.#prompt === null) this.#on.waiting(false);
        }
        if (this.#prompt !== prompt) return;
        this.#ready = () => this.#start(prompt, sound);
        if (this.isMuted) return this.#on.muted(true);
        this.#begin();
    }

    /** Stops the prompt `prompt`, or any prompt if it is absent. */
    stop(prompt = this.#prompt) {
        if (prompt !== this.#prompt) return;
        this.#prompt = null;
        this.#ready = null;
        this.#source?.stop();
        this.#source = null;
    }

    /** Plays a short, soft tone: it is the candidate's turn. */
    tone() {
        if (this.isMuted) return;
        const context = this.#context;
        const sound = new OscillatorNode(context, { frequency: TONE.frequency });
        const gain = new GainNode(context, { gain: 0 });
        sound.connect(gain).connect(context.destination);
        const now = context.currentTime;
        gain.gain.linearRampToValueAtTime(TONE.gain, now + TONE.seconds / 3);
        gain.gain.linearRampToValueAtTime(0, now + TONE.seconds);
        sound.start(now);
        sound.stop(now + TONE.seconds);
    }

    close() {
        this.stop();
        this.#context.close();
    }

    #stateChanged() {
        this.#on.muted(this.isMuted);
        if (!this.isMuted) this.#begin();
    }

    #begin() {
        const ready = this.#ready;
        this.#ready = null;
        ready?.();
    }

    /**
     * Returns a decoded clip, which is fetched once.
     *
     * @param {string} url
     */
    #sound(url) {
        const known = this.#clips.get(url);
        if (known) return known;
        const sound = this.#fetchClip(url).then((bytes) => this.#context.decodeAudioData(bytes));
        this.#clips.set(url, sound);
        // A clip that failed is requested again.
        sound.catch(() => this.#clips.delete(url));
        for (const oldest of this.#clips.keys()) {
            if (this.#clips.size <= KEPT) break;
            this.#clips.delete(oldest);
        }
        return sound;
    }

    /** @param {string} prompt @param {string} url */
    async #fetched(prompt, url) {
        for (const began = performance.now(); ; ) {
            try {
                return await this.#sound(url);
            } catch (problem) {
                const isOver = performance.now() - began > PATIENCE * 1000;
                // A missing or undecodable clip will not come later. A token may have been replaced a moment ago.
                const isHopeless = problem.status === 404 || problem.name === "EncodingError";
                if (isOver || isHopeless || this.#prompt !== prompt) throw problem;
                await new Promise((resolve) => setTimeout(resolve, 500));
            }
        }
    }

    /**
     * Returns a clip at the examiner's speed.
     *
     * @param {AudioBuffer} clip
     */
    #atSpeed(clip) {
        const speed = speedOf(clip.duration, this.#speed());
        if (speed >= 1) return clip;
        const samples = slowed(clip.getChannelData(0), clip.sampleRate, speed);
        const made = new AudioBuffer({ length: samples.length, sampleRate: clip.sampleRate });
        made.copyToChannel(samples, 0);
        return made;
    }

    /** @param {string} prompt @param {AudioBuffer} clip */
    #start(prompt, clip) {
        const context = this.#context;
        const sound = this.#atSpeed(clip);
        const source = (this.#source = new AudioBufferSourceNode(context, { buffer: sound }));
        source.connect(context.destination);
        source.start();
        this.#on.started(prompt);
        // A silent tone for the length of the clip and its way to the ear, which is long with wireless headphones. It
        // ends by the audio's own clock, which stops when the sound stops.
        const end = new ConstantSourceNode(context, { offset: 0 });
        end.connect(context.destination);
        end.onended = () => {
            if (this.#prompt !== prompt) return;
            this.#prompt = null;
            this.#on.ended(prompt);
        };
        end.start();
        end.stop(context.currentTime + sound.duration + (context.outputLatency || context.baseLatency || 0));
    }
}
