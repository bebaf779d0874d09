// Creates or uses a passkey of the browser, and sends the result with the form.

const { webauthnJSON } = window;

const asked = (form) => JSON.parse(document.getElementById(form.dataset.options).textContent);

const fetched = async (form) => {
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.json()).request_options;
};

const ways = {
  create: (form) => webauthnJSON.create(asked(form).creation_options),
  get: (form) => webauthnJSON.get(asked(form).request_options),
  "sign-in": async (form) => webauthnJSON.get(await fetched(form)),
};

const send = async (event) => {
  const form = event.target;
  event.preventDefault();
  try {
    form.elements.credential.value = JSON.stringify(await ways[form.dataset.passkey](form));
    form.submit();
  } catch {
    form.querySelector("[data-passkey-failed]").hidden = false;
  }
};

// A button is hidden if the browser does not support it, and submits nothing until its script is
// ready.
for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !webauthnJSON?.supported();
  form.addEventListener("submit", send);
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}
