"use strict";
for (const deal of document.querySelectorAll(".one")) {
  const steps = [...deal.querySelectorAll(".steps > li")];
  const said = deal.querySelector(".said");
  const only = deal.querySelector("input");
  let at = 0;
  const show = (next) => {
    at = Math.max(0, Math.min(steps.length - 1, next));
    steps.forEach((step, place) => {
      step.classList.toggle("now", place === at);
      for (const hand of step.querySelectorAll(".hand")) {
        const hidden = only.checked && step.dataset.seat && !hand.classList.contains(step.dataset.seat);
        hand.classList.toggle("unseen", Boolean(hidden));
      }
    });
    said.textContent = `${at} of ${steps.length - 1}: ${steps[at].querySelector(".what").textContent.trim()}`;
  };
  deal.classList.add("scripted");
  deal.querySelector("details").open = true;
  deal.querySelector(".controls").hidden = false;
  for (const button of deal.querySelectorAll("button")) {
    button.addEventListener("click", () => show(at + Number(button.dataset.by)));
  }
  only.addEventListener("change", () => show(at));
  deal.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 }[event.key];
    // A table that scrolls has these keys for itself.
    if (by && !event.target.closest(".wide")) {
      event.preventDefault();
      show(at + by);
    }
  });
  for (const link of document.querySelectorAll(`a[href="#${deal.id}"]`)) {
    link.addEventListener("click", () => show(Number(link.dataset.step)));
  }
  show(0);
}
