// Runs in the playground's page, before SimCord's own script.

// Only the channel is shown, and who is looking at it; SimCord's own tools are for tests.
const channelOnly = new CSSStyleSheet();
channelOnly.replaceSync(`
  #toolbar > :not(.viewer-control), #messages-sidebar, #inspector-panel { display: none !important; }
  #preview-shell { grid-template-rows: auto minmax(0, 1fr) !important; }
  #toolbar { height: auto !important; min-height: 0 !important; padding-block: .25rem !important; }
  #preview-workspace { grid-template-columns: minmax(0, 1fr) !important; }
  .custom-emoji { display: inline-block; overflow: hidden; } /* as wide before it is loaded */
  .custom-emoji:not([src]) { visibility: hidden; }
  #channel-composer > * { min-width: 0; } /* else a command pushes its buttons out of a phone */
`);
document.adoptedStyleSheets = [channelOnly]; // a style element would be against the page's policy

// SimCord loads eight fonts, 30 MB, before it calls a page ready; a browser loads those that it needs.
document.fonts.load = async () => [];
document.fonts.check = () => true;

// A wait is mentioned when it becomes long.
const SLOW_MILLISECONDS = 3000;
const slow = document.getElementById("slow");
const closed = document.getElementById("closed");
for (const sentence of [slow, closed]) {
  Object.assign(sentence.style, {
    position: "fixed", bottom: "5.5rem", left: "50%", transform: "translateX(-50%)", zIndex: 10,
    width: "max-content", maxWidth: "90%", margin: 0, padding: ".5rem 1rem",
    borderRadius: ".5rem", background: "#5865f2", color: "white",
  });
}
const request = window.fetch;
let commandsSent = 0;

window.fetch = async (path, options) => {
  const isAction = path === "/api/action";
  if (isAction && JSON.parse(options.body).kind === "run_command") commandsSent += 1;
  const timer = isAction && setTimeout(() => { slow.hidden = false; }, SLOW_MILLISECONDS);
  try {
    const response = await request(path, options);
    if (response.status === 410) location.reload(); // SimCord forgets a page after ten idle minutes
    closed.hidden = true;
    return response;
  } catch (error) {
    if (error.name !== "AbortError") closed.hidden = false; // nobody answers any longer
    throw error;
  } finally {
    if (isAction) {
      clearTimeout(timer);
      slow.hidden = true;
    }
  }
};

// Enter sends a command, as in Discord. SimCord would choose the first option of the list above it;
// here that takes an arrow key, or a letter typed into the option.
const FIELD = ".command-chip, .command-mention, .command-option-input";

// SimCord drops a command, and the focus with it, while it is still busy with something else.
const RETRY_MILLISECONDS = 200;

const focusedField = (target) =>
  target === document.body ? document.querySelector(".command-chip") : target.closest(FIELD);

const send = (form, triesLeft = 50) => {
  const sentBefore = commandsSent;
  form.requestSubmit();
  setTimeout(() => {
    const wasDropped = commandsSent === sentBefore
      && form.querySelector(".command-chip:enabled") && !form.querySelector(".has-error");
    if (wasDropped && triesLeft) send(form, triesLeft - 1);
  }, RETRY_MILLISECONDS);
};

document.addEventListener("keydown", (event) => {
  const field = focusedField(event.target);
  if (!field) return;
  // Escape closes the list; once more, it takes the command back. SimCord leaves its name.
  if (event.key === "Escape" && !document.querySelector(".command-popup:not([hidden])")) {
    document.querySelector(".command-context-close").click();
    const input = document.getElementById("channel-composer-input");
    input.value = "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return;
  }
  if (event.key.startsWith("Arrow")) field.dataset.isChoosing = "yes";
  const isEmpty = field.value === "" && field.matches(".command-option-input");
  if (event.key !== "Enter" || event.isComposing || isEmpty || field.dataset.isChoosing) return;
  event.preventDefault();
  event.stopPropagation();
  send(field.form);
}, true);

document.addEventListener("input", (event) => {
  if (event.target.matches(FIELD)) event.target.dataset.isChoosing = "yes";
}, true);

// What is new answers what was done here: show all of it, or its beginning, and again as pictures and
// fonts load and make it taller, until the reader scrolls. A press on it, with its end in view, keeps the
// end there. SimCord goes back to where it saw the reader last, so it is told at once.
const app = document.getElementById("preview-app");
const timeline = document.getElementById("channel-timeline");
const messages = document.getElementById("channel-message-list");
let newest;
let kept = "beginning"; // or "end", or "" once the reader scrolls

const showNewest = () => {
  if (!kept || !newest) return;
  timeline.scrollTop = timeline.scrollHeight;
  const hidden = timeline.getBoundingClientRect().top - newest.getBoundingClientRect().top;
  if (hidden > 0 && kept === "beginning") timeline.scrollTop -= hidden;
  timeline.dispatchEvent(new Event("scroll"));
};

const observer = new MutationObserver(() => {
  if (messages.lastElementChild !== newest) kept = "beginning";
  newest = messages.lastElementChild;
  showNewest();
});
observer.observe(messages, { childList: true });
observer.observe(app, { attributeFilter: ["aria-busy"] }); // SimCord scrolls once all is loaded

new ResizeObserver(showNewest).observe(messages);
for (const event of ["wheel", "touchmove"]) {
  timeline.addEventListener(event, () => { kept = ""; }, { passive: true });
}
for (const event of ["pointerdown", "keydown"]) {
  timeline.addEventListener(event, ({ target }) => {
    const below = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight;
    kept = newest?.contains(target) && below < 2 ? "end" : "";
  }, { passive: true });
}

// Links to a message lead to it in this page, not to Discord.
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="https://discord.com/channels/"]');
  if (!link) return;
  event.preventDefault();
  const id = link.pathname.split("/").at(-1);
  messages.querySelector(`[data-message-id="${id}"]`)?.scrollIntoView();
}, true);
