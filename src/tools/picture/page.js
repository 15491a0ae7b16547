const at = (id) => document.getElementById(id);
const cells = [...document.querySelectorAll("#cells > [data-cell]")];
const entries = [...document.querySelectorAll("#actions button")];
const last = game.steps.length - 1;
const shown = new Array(cells.length).fill(-1);
let step = 0;
let timer = 0;

// What every cell holds after some steps.
function held(step) {
  const held = new Array(cells.length).fill(0);
  for (const { cells } of game.steps.slice(0, step + 1)) {
    for (const [cell, content] of cells) held[cell] = content;
  }
  return held;
}

function show(to) {
  step = Math.max(0, Math.min(last, to));
  held(step).forEach((content, cell) => {
    if (shown[cell] === content) return;
    shown[cell] = content;
    const [drawn, told] = game.contents[content];
    const group = cells[cell];
    group.querySelector(".held").innerHTML = drawn;
    group.querySelector("title").textContent = `${group.dataset.cell}: ${told}`;
  });
  const { marks, lines, told, position } = game.steps[step];
  at("last").innerHTML = marks;
  at("beside").innerHTML = lines;
  at("told").textContent = `${step} / ${last}: ${told}`;
  at("position").textContent = position;
  at("slider").value = step;
  for (const entry of entries) entry.removeAttribute("aria-current");
  entries[step].setAttribute("aria-current", "step");
  entries[step].scrollIntoView({ block: "nearest" });
}

function stop() {
  clearInterval(timer);
  timer = 0;
  at("run").textContent = "▶ play";
}

function run() {
  if (timer) return stop();
  if (step === last) show(0);
  at("run").textContent = "❚❚ stop";
  timer = setInterval(() => {
    show(step + 1);
    if (step === last) stop();
  }, 900);
}

function go(to) {
  stop();
  show(to);
}

at("first").onclick = () => go(0);
at("back").onclick = () => go(step - 1);
at("next").onclick = () => go(step + 1);
at("end").onclick = () => go(last);
at("run").onclick = run;
at("slider").oninput = (event) => go(Number(event.target.value));
entries.forEach((entry, n) => (entry.onclick = () => go(n)));
document.onkeydown = (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const slider = event.target.id === "slider";
  const button = event.target.tagName === "BUTTON";
  if (event.key === "ArrowLeft" && !slider) go(step - 1);
  else if (event.key === "ArrowRight" && !slider) go(step + 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(last);
  else if (event.key === " " && !button) run();
  else return;
  event.preventDefault();
};
// page.html#12 begins behind the twelfth action.
show(Number.parseInt(location.hash.slice(1), 10) || 0);
