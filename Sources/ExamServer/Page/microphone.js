/**
 * The candidate's microphone: asked for, heard as blocks of 20 ms, missed when it is away, and taken up again when it is back.
 *
 * **What the browser may do to the sound.** Noise suppression and gain control stay off: they cut pauses and weak endings, which
 * is what the ends of answers and all later judgement rest on, and a level that is moved about says nothing. Echo cancellation is
 * on where the examiner comes from a loudspeaker, or the examiner's words would stand in the answers; with headphones it is off,
 * and the recording is what the microphone heard (Chromium: takes correlate with a played recording by 0.98, and by 0.78 with it
 * on).
 */
import { RATE } from "./resampler.js";
import { Silenced } from "./silenced.js";

/** Seconds between two attempts to get a lost microphone back; a change of devices is looked at when it happens. */
const PATIENCE = 2;

/** Seconds that a browser may take to begin to listen. */
const STARTING = 5;

const named = (name) => Object.assign(new Error(name), { name });

export class Microphone {
    #wishes;
    #stream;
    #context;
    #source;
    #capture;
    #silenced = new Silenced();
    #retry = null;
    /** Why no sound comes: "ended", "muted", "silenced", "stopped"; empty while all is well. */
    #away = new Set();
    #isForbidden = false;
    #onVisible = () => !document.hidden && this.wake();

    /** Called with each block: an Int16Array of 320 samples. */
    onblock = () => {};
    /** Called when the microphone goes away, and when it is there again. */
    onlost = () => {};
    onback = () => {};
    /** Called when the browser stops what listens, or lets it go on: a press of a button may be wanted, then `wake`. */
    onstopped = () => {};
    /** Called while it stays away, after each attempt to get it that failed: `trouble` says why. */
    onmissing = () => {};

    /**
     * Asks for the microphone: call it from a press of a button.
     *
     * @param {{device?: string, headphones: boolean}} wishes `device` is one of `devices`
     * @throws {Error} by its name: as getUserMedia does, `NotAllowedError` where the learner or the browser's settings say no;
     *     `InsecureAddress` where the page was not opened through https or from this computer, so that there are no microphones for it;
     *     `OldBrowser` where the browser has no worklets for audio; `NoSoundOutput` where it cannot run audio at all
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

    /** All microphones, the one in use marked; names are known once the microphone was allowed. */
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

    /** Why no sound comes, by its name in `troubles`; null while it comes. */
    get trouble() {
        if (this.#away.has("ended")) return this.#isForbidden ? "microphoneNotAllowed" : "microphoneGone";
        if (this.#away.has("muted") || this.#away.has("silenced")) return "microphoneMuted";
        return this.isStopped ? "microphoneStopped" : null;
    }

    /** Whether the browser has stopped what listens. */
    get isStopped() {
        return this.#away.has("stopped");
    }

    /** Asks the browser to listen again: in a press of a button, or when the page is looked at again. A telephone call or a closed lid
     * stop a context. */
    wake() {
        if (this.#context.state !== "running" && this.#context.state !== "closed") this.#context.resume().catch(() => {});
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
        this.#capture = new AudioWorkletNode(this.#context, "capture", { channelCount: 1, channelCountMode: "explicit" });
        this.#capture.port.onmessage = ({ data }) => this.#hear(data);
        this.#source.connect(this.#capture);
        // It says nothing to the loudspeaker, but what leads nowhere is not run by every browser.
        this.#capture.connect(this.#context.destination);
        this.#watch(this.#stream.getAudioTracks()[0]);
        this.#context.onstatechange = () => {
            this.#note("stopped", this.#context.state !== "running" && this.#context.state !== "closed");
            this.onstopped();
        };
        await this.#run();
        document.addEventListener("visibilitychange", this.#onVisible);
    }

    #hear(block) {
        this.#note("silenced", this.#silenced.hear(block));
        this.onblock(block);
    }

    /** Where there is no loudspeaker at all a browser never says that it cannot run. */
    async #run() {
        if (this.#context.state === "running") return;
        const late = new Promise((_, reject) => setTimeout(reject, STARTING * 1000, named("NoSoundOutput")));
        await Promise.race([this.#context.resume(), late]);
    }

    /** A context at 16 kHz where the browser can join the microphone to it, else at its own rate: the worklet resamples then. */
    async #openContext() {
        for (const options of [{ sampleRate: RATE }, {}]) {
            this.#context = new AudioContext({ latencyHint: "interactive", ...options });
            try {
                this.#source = this.#context.createMediaStreamSource(this.#stream);
                await this.#context.audioWorklet.addModule("/page/capture-worklet.js");
                return;
            } catch (problem) {
                await this.#context.close();
                if (problem.name !== "NotSupportedError" || !options.sampleRate) throw problem;
            }
        }
    }

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

    /** Looks for a microphone, the same if it is back, where the one in use has gone. */
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

    #note(cause, isAway) {
        const was = this.isAway;
        if (isAway) this.#away.add(cause);
        else this.#away.delete(cause);
        if (was !== this.isAway) (this.isAway ? this.onlost : this.onback)();
    }
}

async function ask({ device, headphones }) {
    const audio = { channelCount: 1, noiseSuppression: false, autoGainControl: false, echoCancellation: !headphones };
    // Ideal, not exact: where the chosen one is gone, another is better than none.
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

/** What a loudspeaker plays, which PulseAudio offers as a microphone, and Firefox takes where the real one is gone. */
const isMonitor = ({ label }) => label.startsWith("Monitor of ");
