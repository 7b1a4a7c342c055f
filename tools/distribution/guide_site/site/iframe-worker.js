// Browsers start no worker for a page that is opened from a disk. There the worker of the search runs in a hidden frame.
"use strict";
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = (this.inner = frame.contentWindow);
      inner.document.open(); // or some browsers replace the empty page later
      inner.document.write("<body>");
      inner.document.close();
      const load = (source) =>
        new Promise((loaded, failed) => {
          const script = inner.document.createElement("script");
          script.onload = loaded;
          script.onerror = failed;
          script.src = source;
          inner.document.body.append(script);
        });
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inner.importScripts = (...sources) => sources.reduce((before, one) => before.then(() => load(one)), Promise.resolve());
      this.loaded = load(url);
    }

    postMessage(data) {
      this.loaded.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
