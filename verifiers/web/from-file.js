// Browsers load no modules from files. Opened as a file, the page runs the same modules joined into
// one script, which `deploy/verifier/update` writes.
if (location.protocol === "file:") {
  const script = document.createElement("script");
  script.src = "verifier.js";
  document.head.append(script);
}
