// Runs in the playground's page, before SimCord's own script.

// Another tab has opened the playground, and this one was closed.
const request = window.fetch;
window.fetch = async (...given) => {
  const response = await request(...given);
  if (response.status === 410) location.replace(`/elsewhere${location.hash}`);
  return response;
};

// Enter sends a command, as in Discord. SimCord would choose the first option of the list above it;
// here that takes an arrow key, or a letter typed into the option.
const FIELD = ".command-chip, .command-mention, .command-option-input";

document.addEventListener("keydown", (event) => {
  if (!event.target.matches(FIELD)) return;
  if (event.key.startsWith("Arrow")) event.target.dataset.isChoosing = "yes";
  const isEmpty = event.target.value === "" && event.target.matches(".command-option-input");
  if (event.key !== "Enter" || event.isComposing || isEmpty || event.target.dataset.isChoosing) return;
  event.preventDefault();
  event.stopPropagation();
  event.target.form.requestSubmit();
}, true);

document.addEventListener("input", (event) => {
  if (event.target.matches(FIELD)) event.target.dataset.isChoosing = "yes";
}, true);

// What is new answers what was done here: scroll to it, once it is drawn.
const app = document.getElementById("preview-app");
const timeline = document.getElementById("channel-timeline");
const messages = document.getElementById("channel-message-list");
let newest;

new MutationObserver(() => {
  const last = messages.lastElementChild?.dataset.messageId;
  if (app.ariaBusy !== "false" || last === newest) return;
  newest = last;
  timeline.scrollTop = timeline.scrollHeight;
}).observe(app, { attributeFilter: ["aria-busy"] });
