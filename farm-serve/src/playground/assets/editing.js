// The editor of the game file: marks and completions come from the server.

import { $, ask, attempt, element } from "/common.js";
import { state } from "/tree.js";

let editor = null;
let checking = 0;

/** Replaces the text. */
export async function editorText(text) {
  state.text = text;
  if (editor) { editor.set(text); await check(); }
}

/** Opens the editor, once. */
export async function openEditor() {
  if (editor) return;
  const { open: create } = await import("/editor.js");
  editor = create($("editor"), {
    nonce: document.querySelector("meta[name=nonce]").content,
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    label: "The game as YAML",
    change: () => { clearTimeout(checking); checking = setTimeout(() => attempt(check), 350); },
    complete: async (text, at) => {
      const { from, options } = await ask("/api/complete", { text, at });
      return { from, options: options.map(({ label, apply, info }) => ({ label, apply, info: info || undefined })), validFor: /^[\w#.°%^*-]*$/ };
    },
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => editor.theme(event.matches));
  editor.set(state.text ?? state.info.yaml);
  await check();
}

async function check() {
  const { problems, understood } = await ask("/api/check", { name: state.choice.name, yaml: editor.text() });
  editor.mark(problems.filter(({ line }) => line !== null));
  $("problems").replaceChildren(...problems.map(({ severity, text, line, column, code }) => element("button", {
    type: "button", class: severity, onclick: () => editor.go(line ?? 1, column ?? 1),
  }, `${severity === "error" ? "✗ error" : "△ warning"}${line ? `, line ${line}` : ""} [${code}]: ${text}`)),
  ...(problems.length ? [] : [document.createTextNode("✓ No errors.")]),
  ...understood.map((line) => element("p", { class: "understood" }, line)));
  return problems;
}

/** The edited text. */
export const editedText = () => editor.text();
