// The clock of a phase: a ring with the seconds in it.

import { announce, h, plural, svg } from "./dom.js";

const ROUND = 2 * Math.PI * 20;
const TICK_MS = 250;
const WARN_AT = 10;

export class Clock {
  constructor() {
    this.seconds = h("span", { class: "clock-seconds" });
    this.ring = svg("circle", { cx: 24, cy: 24, r: 20, class: "clock-left", "stroke-dasharray": ROUND });
    this.element = h("div", { class: "clock", role: "timer", "aria-label": "Time left", hidden: true,
      "data-test": "clock" },
      svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" },
        svg("circle", { cx: 24, cy: 24, r: 20, class: "clock-all" }), this.ring), this.seconds);
    this.phase = null;
    this.whole = 0;
    this.timer = setInterval(() => this.draw(), TICK_MS);
  }

  // `isMine` says whether the player has something to do before the time is up.
  set(phase, left, isMine) {
    if (phase !== this.phase) Object.assign(this, { phase, whole: 0, hasWarned: false });
    this.isMine = isMine;
    this.end = left === null ? null : performance.now() + left;
    this.whole = Math.max(this.whole, left ?? 0);
    this.draw();
  }

  draw() {
    this.element.hidden = this.end === null || this.end === undefined;
    if (this.element.hidden) return;
    const left = Math.max(0, this.end - performance.now());
    const seconds = Math.ceil(left / 1000);
    this.seconds.textContent = seconds;
    this.element.classList.toggle("late", seconds <= WARN_AT);
    this.ring.setAttribute("stroke-dashoffset", ROUND * (1 - (this.whole === 0 ? 0 : left / this.whole)));
    if (seconds <= WARN_AT && seconds > 0 && !this.hasWarned && this.isMine) {
      this.hasWarned = true;
      announce(`${plural(seconds, "second")} left.`);
    }
  }

  stop() {
    clearInterval(this.timer);
  }
}
