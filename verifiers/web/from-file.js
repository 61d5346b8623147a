// Browsers load no modules from files. Opened as a file, the page runs the same modules joined into
// one script, which the build makes.
if (location.protocol === "file:") {
  const script = document.createElement("script");
  script.src = "verifier.js";
  document.head.append(script);
}
