// Starts the page. Browsers load no modules from files: opened as a file, the page runs the same modules
// joined into one script, which the build makes.
{
  const script = document.createElement("script");
  if (location.protocol === "file:") {
    script.src = "verifier.js";
  } else {
    script.type = "module";
    script.src = "js/page/main.js";
  }
  document.head.append(script);
}
