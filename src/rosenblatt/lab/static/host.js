// The page around the lab: what a notebook otherwise supplies. It follows lab.js in the same script, so that one
// text serves a page from the server, a file from disk and an iframe, and can be allowed by its hash.
{
  const given = document.getElementById("rb-values");
  const values = {
    heading: true,
    ...(given ? JSON.parse(given.textContent) : {}),
  };
  const inFrame = location.protocol === "about:";
  if (!inFrame && location.hash.length > 1) values.hash = location.hash;
  values.address =
    inFrame || location.protocol === "file:"
      ? ""
      : location.origin + location.pathname;
  values.source = async () => {
    const inline = document.querySelector('script[type="module"]:not([src])');
    if (inline)
      return {
        script: inline.textContent,
        style: document.querySelector("style").textContent,
      };
    const [script, style] = await Promise.all(
      ["lab.js", "lab.css"].map(async (name) => (await fetch(name)).text()),
    );
    return { script, style };
  };
  const listeners = new Map();
  const model = {
    get: (key) => values[key],
    set: (key, value) => {
      values[key] = value;
    },
    save_changes: () => {
      if (!inFrame) history.replaceState(null, "", `#${values.hash}`);
    },
    on: (event, f) =>
      listeners.set(event, [...(listeners.get(event) ?? []), f]),
    off: (event, f) =>
      listeners.set(
        event,
        (listeners.get(event) ?? []).filter((g) => g !== f),
      ),
  };
  addEventListener("hashchange", () => {
    values.hash = location.hash;
    (listeners.get("change:hash") ?? []).forEach((f) => f());
  });
  lab_default.render({ model, el: document.getElementById("rb-page") });
}
