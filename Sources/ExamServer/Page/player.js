/**
 * The examiner's voice: one clip at a time, fetched ahead where it was foretold, played, and reported when its first sample is heard and
 * when its last one has left the loudspeaker.
 *
 * Each clip that `play` was called for ends in exactly one of `ended`, `failed`, or nothing at all where it was stopped or
 * another one followed.
 */

/** Seconds for which a clip that cannot be fetched is asked for again: as long as a lost line is waited for. */
const PATIENCE = 55;

/** Seconds after which it is said that a clip is late. */
const LATE = 2;

/** Clips that are kept decoded: those of a question, and of the next one. */
const KEPT = 12;

export class Player {
    #context = new AudioContext();
    #fetchClip;
    #on;
    /** The prompt that is being played or fetched; null where the examiner is silent. */
    #prompt = null;
    #source = null;
    /** What begins when the browser lets sound out; null while nothing waits for that. */
    #ready = null;
    /** Clips by their address, decoded or on their way. */
    #clips = new Map();

    /**
     * Make it in a press of a button: only then may a page make sound.
     *
     * @param {(url: string) => Promise<ArrayBuffer>} fetchClip
     * @param {object} on `started(prompt)`, `ended(prompt)`, `failed(prompt, reason)`; `waiting(isWaiting)`: a clip is late;
     *     `muted(isMuted)`: the browser lets no sound out just now
     */
    constructor(fetchClip, on) {
        this.#fetchClip = fetchClip;
        this.#on = on;
        this.#context.onstatechange = () => this.#stateChanged();
        this.wake();
    }

    get isMuted() {
        return this.#context.state !== "running" && this.#context.state !== "closed";
    }

    /** Asks the browser to let sound out; it may want a press of a button for that. */
    wake() {
        this.#context.resume().catch(() => {});
    }

    /** Fetches what is likely to be played next, one after the other: a slow line has other things to carry. */
    async fetchAhead(urls) {
        for (const url of urls) await this.#sound(url).catch(() => {});
    }

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

    /** Falls silent; `prompt` names what is to be stopped, and whatever plays where it is absent. */
    stop(prompt = this.#prompt) {
        if (prompt !== this.#prompt) return;
        this.#prompt = null;
        this.#ready = null;
        this.#source?.stop();
        this.#source = null;
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

    /** A clip, decoded: fetched once. */
    #sound(url) {
        const known = this.#clips.get(url);
        if (known) return known;
        const sound = this.#fetchClip(url).then((bytes) => this.#context.decodeAudioData(bytes));
        this.#clips.set(url, sound);
        // What failed is asked for again.
        sound.catch(() => this.#clips.delete(url));
        for (const oldest of this.#clips.keys()) {
            if (this.#clips.size <= KEPT) break;
            this.#clips.delete(oldest);
        }
        return sound;
    }

    async #fetched(prompt, url) {
        for (const began = performance.now(); ; ) {
            try {
                return await this.#sound(url);
            } catch (problem) {
                const isOver = performance.now() - began > PATIENCE * 1000;
                // A clip that is not there will not come, nor one that is no sound; a token may have been replaced a moment ago.
                const isHopeless = problem.status === 404 || problem.name === "EncodingError";
                if (isOver || isHopeless || this.#prompt !== prompt) throw problem;
                await new Promise((resolve) => setTimeout(resolve, 500));
            }
        }
    }

    #start(prompt, sound) {
        const context = this.#context;
        this.#source = new AudioBufferSourceNode(context, { buffer: sound });
        this.#source.connect(context.destination);
        this.#source.start();
        this.#on.started(prompt);
        // A silent tone as long as the clip and its way to the ear, which is long with wireless headphones; it ends by the
        // audio's own clock, which stands still where the sound does.
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
