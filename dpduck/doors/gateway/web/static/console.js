// What JavaScript adds to the console: an editor, the cost while one types, answers without a new page.
// Without it every form works by itself. All that is put into the page was made and escaped by the server.

const PAUSE = 40; // milliseconds without a key, after which the cost is asked for
const AGAIN = 1000; // milliseconds after which it is asked for again, where the server had too many requests

const form = document.getElementById("ask");
if (form) begin(form);

function begin(form) {
  const text = form.elements.sql;
  const price = document.getElementById("price");
  const stop = document.getElementById("stop");
  const run = document.getElementById("go");
  let timer = 0;
  let asked = null; // what can abort the last request for a cost
  let running = false;

  document.getElementById("ask-price").hidden = true; // it is said without being asked for

  const post = (address, fields, options = {}) =>
    fetch(address, {
      method: "POST",
      body: new URLSearchParams({ csrf: form.elements.csrf.value, ...fields }),
      credentials: "same-origin",
      ...options,
    });

  const say = (kind, line) => {
    const said = document.createElement("p");
    said.className = kind;
    said.textContent = line;
    price.replaceChildren(said);
  };

  async function askPrice() {
    asked?.abort();
    asked = new AbortController();
    const fields = { sql: text.value, epsilon: form.elements.epsilon.value };
    try {
      const reply = await post("/price", fields, {
        headers: { Accept: "application/json" },
        signal: asked.signal,
      });
      if (reply.status === 429) {
        say("quiet", "The cost is asked for again in a moment.");
        timer = setTimeout(askPrice, AGAIN);
        return;
      }
      const said = await reply.json();
      if (said.html !== undefined) price.innerHTML = said.html;
      else sayRefusal(said);
    } catch (error) {
      if (error.name !== "AbortError") say("wrong", "The console cannot be reached. Nothing was charged.");
    }
  }

  function sayRefusal(said) {
    say("wrong", said.line);
    if (said.kind !== "expired") return;
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Log in";
    again.addEventListener("click", () => form.submit()); // the statement goes along, and is not run
    price.append(again);
  }

  const priceSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(askPrice, PAUSE);
  };

  async function send() {
    if (running || !text.value.trim()) return;
    running = run.disabled = true;
    stop.hidden = false;
    const answer = document.getElementById("answer");
    answer.setAttribute("aria-busy", "true");
    try {
      const reply = await post("/run", Object.fromEntries(new FormData(form)));
      show(await reply.text(), reply);
    } catch {
      say("wrong", "The console cannot be reached. What was charged stands in the ledger: see History.");
    } finally {
      running = run.disabled = false;
      stop.hidden = true;
      document.getElementById("answer").removeAttribute("aria-busy");
    }
  }

  function show(html, reply) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const found = page.getElementById("answer");
    if (!found) {
      form.submit(); // the session has ended: the page that asks to log in keeps the statement
      return;
    }
    document.getElementById("answer").replaceWith(document.adoptNode(found));
    form.elements.run.value = page.getElementById("ask").elements.run.value;
    if (reply.redirected) history.pushState(null, "", new URL(reply.url).pathname);
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "nearest" });
    askPrice(); // the same again may be free by now
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  text.addEventListener("input", priceSoon);
  form.elements.epsilon.addEventListener("input", priceSoon);
  stop.addEventListener("click", () => post("/stop", {}));
  window.addEventListener("popstate", () => location.reload());
  addEditor(form, text, priceSoon, send, post);
  if (text.value.trim()) askPrice();
}

async function addEditor(form, text, changed, send, post) {
  const { openEditor } = await import("./editor.js");
  const host = document.createElement("div");
  host.className = "code";
  text.before(host);
  const view = openEditor(host.attachShadow({ mode: "open" }), {
    text: text.value,
    label: "Statement",
    described: "Control and Enter run it. Escape, then Tab, leaves the editor.",
    change(value) {
      text.value = value;
      changed();
    },
    run: send,
    async complete(value, cursor) {
      const reply = await post("/complete", { sql: value, cursor }, { headers: { Accept: "application/json" } });
      return reply.ok ? reply.json() : [];
    },
  });
  const had = document.activeElement === text;
  text.hidden = true;
  text.required = false;
  form.querySelector("label[for=sql]").addEventListener("click", () => view.focus());
  if (had) view.focus();
}
