// The phone's database (IndexedDB): hands to send (`hands`) and forms of games (`forms`). Every
// call returns a promise, which is rejected if the phone can't store data.

let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("dealers-choice", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("hands", { keyPath: "id" });
      asked.result.createObjectStore("forms");
      asked.result.createObjectStore("locks");
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = asked.result.onclose = () => { asked.result.close(); opened = null; };
      resolve(asked.result);
    };
    asked.onerror = asked.onblocked = () => { opened = null; reject(asked.error); };
  });
  return opened;
}

// `operate` receives the store and may return a request. The promise resolves with the result of
// the request once it is written.
export async function within(name, mode, operate) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const step = database.transaction(name, mode, { durability: "strict" });
    const request = operate(step.objectStore(name));
    step.oncomplete = () => resolve(request?.result);
    step.onabort = step.onerror = () => reject(step.error);
  });
}
