// Opens the section that the address points to.

function openTarget() {
  const target = document.getElementById(location.hash.slice(1))?.closest("details");
  if (!target || target.open) return;
  target.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();
