"use strict";
// Plays a report's answers. The page contains all sound, so nothing is loaded from a network.
(() => {
    const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    const decks = new Map();

    class Deck {
        constructor(article) {
            this.audio = article.querySelector("audio");
            this.button = article.querySelector(".deck .play");
            this.slider = article.querySelector(".deck input");
            this.time = article.querySelector(".deck output");
            this.here = article.querySelector(".here");
            this.axis = article.querySelector(".axis");
            this.scroller = article.querySelector(".scroller");
            this.words = [...article.querySelectorAll(".words button")];
            this.length = Number(this.slider.max);
            article.querySelector(".deck").hidden = false;
            this.button.addEventListener("click", () => this.audio.paused ? this.play() : this.audio.pause());
            this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
            this.audio.addEventListener("timeupdate", () => this.show());
            for (const event of ["play", "pause", "ended"]) this.audio.addEventListener(event, () => this.show());
            this.axis?.querySelector("svg").addEventListener("click", (event) => {
                const box = event.currentTarget.getBoundingClientRect();
                this.play((event.clientX - box.left) / box.width * this.length);
            });
            this.show();
        }

        // Uses a blob, because Safari does not seek in a long data: address.
        load() {
            if (this.audio.src.startsWith("blob:")) return;
            const [head, text] = this.audio.src.split(",", 2);
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            this.audio.src = URL.createObjectURL(new Blob([bytes], { type: head.slice(5).split(";")[0] }));
        }

        seek(at) {
            this.load();
            this.audio.currentTime = Math.max(0, Math.min(at, this.length));
            this.show();
        }

        play(at) {
            for (const other of decks.values()) if (other !== this) other.audio.pause();
            this.load();
            if (at !== undefined) this.seek(at);
            this.audio.play().catch(() => { this.time.textContent = "This browser cannot play it."; });
        }

        show() {
            const at = this.audio.currentTime;
            const playing = !this.audio.paused && !this.audio.ended;
            this.button.textContent = playing ? "Pause" : "Play";
            this.slider.value = at;
            this.slider.setAttribute("aria-valuetext", `${clock(at)} of ${clock(this.length)}`);
            this.time.textContent = `${clock(at)} / ${clock(this.length)}`;
            if (this.here) this.here.style.left = `${this.length > 0 ? at / this.length * 100 : 0}%`;
            for (const word of this.words) {
                const now = at > 0 && at >= Number(word.dataset.at) && at < Number(word.dataset.end);
                if (now) word.setAttribute("aria-current", "true"); else word.removeAttribute("aria-current");
            }
            if (playing && this.scroller && this.scroller.scrollWidth > this.scroller.clientWidth) {
                const left = at / this.length * this.scroller.scrollWidth - this.scroller.clientWidth / 2;
                this.scroller.scrollTo({ left, behavior: still.matches ? "auto" : "smooth" });
            }
        }
    }

    for (const article of document.querySelectorAll("article[data-answer]")) {
        if (article.querySelector("audio")) decks.set(article.dataset.answer, new Deck(article));
    }
    for (const button of document.querySelectorAll("button[data-at]")) {
        const deck = decks.get(button.dataset.answer);
        button.hidden = !deck;
        button.addEventListener("click", () => deck.play(Number(button.dataset.at)));
    }
    const folded = () => [...document.querySelectorAll("details:not([open])")];
    let opened = [];
    addEventListener("beforeprint", () => { opened = folded(); for (const one of opened) one.open = true; });
    addEventListener("afterprint", () => { for (const one of opened) one.open = false; });
})();
