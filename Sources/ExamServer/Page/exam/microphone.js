/**
 * The candidate's microphone: requests it from the browser, delivers blocks of 20 ms, notices when it is gone, and uses
 * it again when it is back.
 *
 * **The browser's processing of the sound.** Noise suppression and gain control stay off: they cut pauses and weak
 * endings, on which the ends of answers and all later judgements are based, and a level that is changed constantly says
 * nothing. Echo cancellation is on if the examiner's voice comes from a loudspeaker, because otherwise the examiner's
 * words would be in the answers. With headphones it is off, and the recording is exactly what the microphone heard (in
 * Chromium, takes correlate with a played recording by 0.98, and by 0.78 with echo cancellation).
 */
import { RATE } from "./resampler.js";
import { Silenced } from "./silenced.js";

/** The seconds between attempts to get a lost microphone back. A change of devices is checked at once. */
const PATIENCE = 2;

/** The seconds that a browser may take to start listening. */
const STARTING = 5;

/** @param {string} name */
const named = (name) => Object.assign(new Error(name), { name });

export class Microphone {
    /** @type {{device?: string, headphones: boolean}} */
    #wishes = { headphones: false };
    #stream;
    #context;
    #source;
    #capture;
    #silenced = new Silenced();
    /** @type {number | null} */
    #retry = null;
    /** The reasons why no sound comes: "ended", "muted", "silenced", "stopped". Empty while all is well. */
    #away = new Set();
    #isForbidden = false;
    #onVisible = () => !document.hidden && this.wake();

    /**
     * Called with each block of 320 samples.
     *
     * @type {(block: Int16Array) => void}
     */
    onblock = () => {};
    /** Called when the microphone is lost, and when it is back. */
    onlost = () => {};
    onback = () => {};
    /** Called when the browser stops or resumes listening. It may need the press of a button and then `wake`. */
    onstopped = () => {};
    /** Called after each failed attempt to get it back. `trouble` contains the reason. */
    onmissing = () => {};

    /**
     * Requests the microphone. Call it in the press of a button.
     *
     * @param {{device?: string, headphones: boolean}} wishes `device` is one of `devices`
     * @throws {Error} identified by its name: as for getUserMedia, `NotAllowedError` if the learner or the browser's
     *     settings refuse; `InsecureAddress` if the page was opened neither through https nor from this computer, so
     *     that it has no access to microphones; `OldBrowser` if the browser has no worklets for audio; `NoSoundOutput`
     *     if it cannot run audio at all
     */
    static async open(wishes) {
        if (!navigator.mediaDevices) throw named(isSecureContext ? "OldBrowser" : "InsecureAddress");
        if (!globalThis.AudioWorkletNode) throw named("OldBrowser");
        const microphone = new Microphone();
        microphone.#wishes = wishes;
        microphone.#stream = await ask(wishes);
        try {
            await microphone.#listen();
        } catch (problem) {
            microphone.close();
            throw problem;
        }
        navigator.mediaDevices.addEventListener("devicechange", microphone.#look);
        return microphone;
    }

    /** Returns all microphones with the one in use marked. Names are known once the microphone was allowed. */
    async devices() {
        const used = this.#stream.getAudioTracks()[0]?.getSettings().deviceId;
        const all = await navigator.mediaDevices.enumerateDevices();
        return all
            .filter((device) => device.kind === "audioinput" && device.deviceId && !isMonitor(device))
            .map(({ deviceId, label }) => ({ id: deviceId, label, inUse: deviceId === used }));
    }

    get isAway() {
        return this.#away.size > 0;
    }

    /** The reason why no sound comes, by its name in `troubles`. Null while sound comes. */
    get trouble() {
        if (this.#away.has("ended")) return this.#isForbidden ? "microphoneNotAllowed" : "microphoneGone";
        if (this.#away.has("muted") || this.#away.has("silenced")) return "microphoneMuted";
        return this.isStopped ? "microphoneStopped" : null;
    }

    /** Whether the browser has stopped listening. */
    get isStopped() {
        return this.#away.has("stopped");
    }

    /**
     * Asks the browser to listen again, in the press of a button or when the page becomes visible again. A telephone
     * call or a closed lid stops a context.
     */
    wake() {
        if (this.#context.state !== "running" && this.#context.state !== "closed") {
            this.#context.resume().catch(() => {});
        }
    }

    close() {
        document.removeEventListener("visibilitychange", this.#onVisible);
        navigator.mediaDevices.removeEventListener("devicechange", this.#look);
        clearTimeout(this.#retry);
        this.onblock = this.onlost = this.onback = this.onstopped = this.onmissing = () => {};
        for (const track of this.#stream.getTracks()) track.stop();
        if (this.#context && this.#context.state !== "closed") this.#context.close();
    }

    async #listen() {
        await this.#openContext();
        this.#capture = new AudioWorkletNode(
            this.#context,
            "capture",
            { channelCount: 1, channelCountMode: "explicit" },
        );
        this.#capture.port.onmessage = ({ data }) => this.#hear(data);
        this.#source.connect(this.#capture);
        // It outputs nothing to the loudspeaker, but some browsers do not run nodes without a destination.
        this.#capture.connect(this.#context.destination);
        this.#watch(this.#stream.getAudioTracks()[0]);
        this.#context.onstatechange = () => {
            this.#note("stopped", this.#context.state !== "running" && this.#context.state !== "closed");
            this.onstopped();
        };
        await this.#run();
        document.addEventListener("visibilitychange", this.#onVisible);
    }

    /** @param {Int16Array} block */
    #hear(block) {
        this.#note("silenced", this.#silenced.hear(block));
        this.onblock(block);
    }

    /** Starts the context. Without any loudspeaker a browser never reports that it cannot run. */
    async #run() {
        if (this.#context.state === "running") return;
        const late = new Promise((_, reject) => setTimeout(reject, STARTING * 1000, named("NoSoundOutput")));
        await Promise.race([this.#context.resume(), late]);
    }

    /**
     * Returns a context at 16 kHz if the browser can connect the microphone to it, and otherwise one at its own rate,
     * which the worklet resamples.
     */
    async #openContext() {
        for (const options of [{ sampleRate: RATE }, {}]) {
            this.#context = new AudioContext({ latencyHint: "interactive", ...options });
            try {
                this.#source = this.#context.createMediaStreamSource(this.#stream);
                await this.#context.audioWorklet.addModule("/page/exam/capture-worklet.js");
                return;
            } catch (problem) {
                await this.#context.close();
                if (problem.name !== "NotSupportedError" || !options.sampleRate) throw problem;
            }
        }
    }

    /** @param {MediaStreamTrack} track */
    #watch(track) {
        track.onended = () => this.#ended();
        track.onmute = () => this.#note("muted", true);
        track.onunmute = () => this.#note("muted", false);
        this.#note("muted", track.muted);
        this.#note("ended", false);
    }

    #ended() {
        this.#note("ended", true);
        this.#look();
    }

    /** Looks for a microphone after the one in use is gone, preferring the same. */
    #look = async () => {
        clearTimeout(this.#retry);
        if (!this.#away.has("ended")) return;
        try {
            this.#stream = await ask(this.#wishes);
        } catch (problem) {
            this.#isForbidden = problem.name === "NotAllowedError";
            this.onmissing();
            this.#retry = setTimeout(this.#look, PATIENCE * 1000);
            return;
        }
        this.#source.disconnect();
        this.#source = this.#context.createMediaStreamSource(this.#stream);
        this.#source.connect(this.#capture);
        this.#silenced = new Silenced();
        this.#watch(this.#stream.getAudioTracks()[0]);
    };

    /** @param {string} cause @param {boolean} isAway */
    #note(cause, isAway) {
        const was = this.isAway;
        if (isAway) this.#away.add(cause);
        else this.#away.delete(cause);
        if (was !== this.isAway) (this.isAway ? this.onlost : this.onback)();
    }
}

/** @param {{device?: string, headphones: boolean}} wishes */
async function ask({ device, headphones }) {
    /** @type {MediaTrackConstraints} */
    const audio = { channelCount: 1, noiseSuppression: false, autoGainControl: false, echoCancellation: !headphones };
    // Ideal instead of exact: if the chosen one is gone, another is better than none.
    if (device) audio.deviceId = { ideal: device };
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    const [track] = stream.getAudioTracks();
    if (!isMonitor(track)) return stream;
    track.stop();
    const all = await navigator.mediaDevices.enumerateDevices();
    const other = all.find((each) => each.kind === "audioinput" && each.label && !isMonitor(each));
    if (!other) throw named("NotFoundError");
    return navigator.mediaDevices.getUserMedia({ audio: { ...audio, deviceId: { exact: other.deviceId } } });
}

/**
 * Whether it is a monitor, which PulseAudio offers as a microphone that records the loudspeaker, and which Firefox
 * chooses if the real one is gone.
 *
 * @param {{label: string}} device
 */
const isMonitor = ({ label }) => label.startsWith("Monitor of ");
