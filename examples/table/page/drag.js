// Dragging with pointer events: one way for mouse, pen and touch.

// A resting finger moves a little: a shorter move is a tap.
const THRESHOLD = 7;

function lift(element) {
  const box = element.getBoundingClientRect();
  const ghost = element.cloneNode(true);
  for (const one of [ghost, ...ghost.querySelectorAll("*")]) {
    for (const name of ["id", "data-test"]) one.removeAttribute(name);
  }
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  ghost.setAttribute("tabindex", "-1");
  Object.assign(ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`,
    height: `${box.height}px` });
  document.body.append(ghost);
  element.classList.add("lifted");
  return ghost;
}

// The browser sends a click in the same turn as the end of a drag. It is not a click of the player.
function swallowClick() {
  const stop = (event) => {
    if (!event.isTrusted) return;
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", stop, { capture: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }), 0);
}

// Makes an element draggable onto the elements of the selector `targets`. `onDrop` gets the one under the pointer.
export function draggable(element, targets, onDrop) {
  element.addEventListener("pointerdown", (down) => {
    if (down.button !== 0 || !down.isPrimary || element.disabled) return;
    let ghost = null;
    let over = null;
    const aim = (target) => {
      if (target === over) return;
      over?.classList.remove("over");
      target?.classList.add("over");
      over = target;
    };
    const move = (event) => {
      const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (ghost === null) {
        if (Math.hypot(dx, dy) < THRESHOLD) return;
        ghost = lift(element);
      }
      ghost.style.transform = `translate(${dx}px, ${dy}px) scale(1.06)`;
      aim(document.elementFromPoint(event.clientX, event.clientY)?.closest(targets) ?? null);
    };
    const end = (event) => {
      for (const name of ["pointermove", "pointerup", "pointercancel"]) removeEventListener(name,
        name === "pointermove" ? move : end);
      if (ghost === null) return;
      const target = over;
      aim(null);
      ghost.remove();
      element.classList.remove("lifted");
      swallowClick();
      if (event.type === "pointerup" && target !== null && element.isConnected) onDrop(target);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });
}
