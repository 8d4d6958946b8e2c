// The film plays by itself, pictures open in full size, and links lead to their moments of the recording.
// Without this script the film has controls, and the links open the pictures and the recording.
"use strict";

const film = document.querySelector("#film video");
const button = document.querySelector("#film button");
const still = matchMedia("(prefers-reduced-motion: reduce)");

function name() {
  button.setAttribute("aria-label", film.paused ? button.dataset.play : button.dataset.pause);
  button.classList.toggle("paused", film.paused);
}

film.controls = false;
film.muted = true;
button.hidden = false;
button.addEventListener("click", () => (film.paused ? film.play() : film.pause()));
film.addEventListener("play", name);
film.addEventListener("pause", name);
name();
if (!still.matches) film.play().catch(name);
still.addEventListener("change", () => still.matches && film.pause());

const viewer = document.querySelector("dialog");
const pictures = [...document.querySelectorAll("a.enlarge")];
let shown = 0;

function show(number) {
  shown = (number + pictures.length) % pictures.length;
  const image = viewer.querySelector("img"), from = pictures[shown].querySelector("img");
  image.src = pictures[shown].href;
  image.alt = from.alt;
  image.width = from.width;
  image.height = from.height;
}

pictures.forEach((picture, number) => picture.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(number);
  viewer.showModal();
}));

if (viewer) {
  viewer.querySelector(".before").addEventListener("click", () => show(shown - 1));
  viewer.querySelector(".next").addEventListener("click", () => show(shown + 1));
  viewer.querySelector(".close").addEventListener("click", () => viewer.close());
  viewer.addEventListener("click", (event) => event.target === viewer && viewer.close());
  viewer.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") show(shown - 1);
    if (event.key === "ArrowRight") show(shown + 1);
  });
}

for (const link of document.querySelectorAll("a.seek")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const video = document.getElementById(link.dataset.video);
    video.currentTime = Number(link.dataset.time);
    video.scrollIntoView({ block: "center", behavior: still.matches ? "auto" : "smooth" });
    video.focus({ preventScroll: true });
    video.play();
  });
}
