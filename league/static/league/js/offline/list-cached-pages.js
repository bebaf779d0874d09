// Lists the pages that this phone has stored, on the page that is shown without a connection.

const box = document.getElementById("kept-pages");

for (const name of (await caches.keys()).filter((each) => each.startsWith("pages "))) {
  const pages = await caches.open(name);
  for (const request of await pages.keys()) {
    const answer = await pages.match(request);
    if (!answer.headers.get("Content-Type")?.startsWith("text/html")) continue;
    const { title } = new DOMParser().parseFromString(await answer.text(), "text/html");
    const link = Object.assign(document.createElement("a"), { href: request.url, textContent: title, className: "line" });
    const item = document.createElement("li");
    item.append(link);
    box.querySelector("ul").prepend(item);
    box.hidden = false;
  }
}
