// The editor of the playground: CodeMirror with the marks and completions that the server computes. `npm run build` bundles it.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, defaultHighlightStyle, foldGutter, indentOnInput, indentUnit, syntaxHighlighting, HighlightStyle } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const dark = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "#8ecbff" },
  { tag: [tags.string, tags.special(tags.string)], color: "#b9dd8d" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "#f2b677" },
  { tag: tags.comment, color: "#a3aab1", fontStyle: "italic" },
]);

/**
 * Opens an editor in an element.
 * @param {HTMLElement} parent the element of the editor
 * @param {{nonce: string, dark: boolean, label: string, change: (text: string) => void,
 *          complete: (text: string, at: number) => Promise<{from: number, options: object[]} | null>}} options
 * @returns {{text: () => string, set: (text: string) => void, mark: (problems: object[]) => void,
 *            go: (line: number, column: number) => void, theme: (dark: boolean) => void}}
 */
export function open(parent, options) {
  const highlight = new Compartment();
  const style = (isDark) => [
    syntaxHighlighting(isDark ? dark : defaultHighlightStyle),
    EditorView.theme({}, { dark: isDark }),
  ];
  const source = async (context) => {
    const word = context.matchBefore(/[\w#.°%^*-]*/);
    if (!context.explicit && (!word || word.from === word.to)) return null;
    return options.complete(context.state.doc.toString(), context.pos);
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: "",
      extensions: [
        EditorView.cspNonce.of(options.nonce),
        lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
        highlightActiveLine(), EditorView.lineWrapping, indentUnit.of("  "), yaml(), highlight.of(style(options.dark)),
        autocompletion({ override: [source], activateOnTyping: true }),
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) options.change(update.state.doc.toString()); }),
        // Escape leaves the editor, so that Tab is no trap for the keyboard.
        keymap.of([{ key: "Escape", run: (view) => { view.contentDOM.blur(); return true; } },
          ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
      ],
    }),
  });
  const place = (line, column) => {
    const row = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    return Math.min(row.from + Math.max(column - 1, 0), row.to);
  };
  return {
    text: () => view.state.doc.toString(),
    set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    mark: (problems) => {
      const marks = problems.map((problem) => {
        const from = place(problem.line, problem.column);
        const row = view.state.doc.lineAt(from);
        return { from, to: Math.max(row.to, from), severity: problem.severity, message: problem.text };
      });
      marks.sort((one, other) => one.from - other.from);
      view.dispatch(setDiagnostics(view.state, marks));
    },
    go: (line, column) => {
      const at = place(line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    theme: (isDark) => view.dispatch({ effects: highlight.reconfigure(style(isDark)) }),
  };
}
