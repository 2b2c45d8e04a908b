/**
 * The examiner's voice: one clip at a time, fetched, played, and reported when its last sample has left the loudspeaker.
 *
 * Each clip that `play` was called for ends in exactly one of `ended`, `failed`, or nothing at all where it was stopped or
 * another one followed.
 */

/** Seconds for which a clip that cannot be fetched is asked for again: a broken line is often back by then. */
const PATIENCE = 8;

export class Player {
    #context = new AudioContext();
    #fetchClip;
    #on;
    /** The prompt that is being played or fetched; null where the examiner is silent. */
    #prompt = null;
    #source = null;

    /**
     * Make it in a press of a button: only then may a page make sound.
     *
     * @param {(url: string) => Promise<ArrayBuffer>} fetchClip
     * @param {object} on `started(prompt)`, `ended(prompt)`, `failed(prompt, reason)`, `muted(isMuted)`: the browser lets no
     *     sound out just now
     */
    constructor(fetchClip, on) {
        this.#fetchClip = fetchClip;
        this.#on = on;
        this.#context.onstatechange = () => on.muted(this.isMuted);
        this.wake();
    }

    get isMuted() {
        return this.#context.state !== "running" && this.#context.state !== "closed";
    }

    /** Asks the browser to let sound out; it may want a press of a button for that. */
    wake() {
        this.#context.resume().catch(() => {});
    }

    async play({ prompt, url }) {
        this.stop();
        this.#prompt = prompt;
        let sound;
        try {
            sound = await this.#context.decodeAudioData(await this.#fetched(prompt, url));
        } catch (problem) {
            if (this.#prompt !== prompt) return;
            this.#prompt = null;
            this.#on.failed(prompt, problem.name === "EncodingError" ? "not decodable" : "not fetched");
            return;
        }
        if (this.#prompt === prompt) this.#start(prompt, sound);
    }

    /** Falls silent; `prompt` names what is to be stopped, and whatever plays where it is absent. */
    stop(prompt = this.#prompt) {
        if (prompt !== this.#prompt) return;
        this.#prompt = null;
        this.#source?.stop();
        this.#source = null;
    }

    close() {
        this.stop();
        this.#context.close();
    }

    async #fetched(prompt, url) {
        for (const began = performance.now(); ; ) {
            try {
                return await this.#fetchClip(url);
            } catch (problem) {
                const isOver = performance.now() - began > PATIENCE * 1000;
                // A clip that is not there will not come; a token may have been replaced a moment ago.
                if (isOver || problem.status === 404 || this.#prompt !== prompt) throw problem;
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
