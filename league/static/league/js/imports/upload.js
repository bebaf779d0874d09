// Uploads the file of an import with a progress bar, and keeps the file if the page returns with a
// question.

const page = () => document.getElementById("import");

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "import") return;
  const [file] = form.elements.file.files;
  if (!file) return;
  if (file.size > Number(form.dataset.largest)) {
    event.preventDefault();
    show(form, form.dataset.tooLarge);
    return;
  }
  show(form, form.dataset.uploading, 0);
  if (event.submitter?.name) return; // recording continues on a different page
  event.preventDefault();
  send(form);
});

function send(form) {
  const request = new XMLHttpRequest();
  const { files } = form.elements.file;
  request.responseType = "document";
  request.upload.onprogress = ({ loaded, total }) => show(form, form.dataset.uploading, loaded / total);
  request.upload.onload = () => show(form, form.dataset.reading, null);
  request.onerror = () => show(form, form.dataset.failed);
  request.onload = () => {
    if (request.responseURL !== form.action) {
      location.assign(request.responseURL); // a large file has its own page
      return;
    }
    const main = request.response?.getElementById("main");
    if (!main) {
      show(form, form.dataset.failed);
      return;
    }
    document.getElementById("main").replaceWith(document.adoptNode(main));
    page().elements.file.files = files;
    scrollTo(0, 0);
  };
  request.open("POST", form.action);
  request.send(new FormData(form));
  for (const button of form.querySelectorAll("button")) button.disabled = true;
}

// Without `share`, only the text is shown. If `share` is null, the bar shows no percentage.
function show(form, text, share) {
  const line = form.querySelector("#upload");
  const bar = line.querySelector("progress");
  line.hidden = false;
  line.querySelector("span").textContent = text;
  bar.hidden = share === undefined;
  if (share === null || !share) bar.removeAttribute("value");
  else bar.value = share;
  if (share === undefined) for (const button of form.querySelectorAll("button")) button.disabled = false;
}
