// The editor of the console: CodeMirror with the parts that a statement needs, and nothing else.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--quiet)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--field)", fontSize: "0.9375rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)", minHeight: "8rem", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  ".cm-matchingBracket": { backgroundColor: "var(--selection) !important" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--rule)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--line)", color: "var(--paper)" },
  ".cm-completionDetail": { fontStyle: "normal", marginLeft: "1rem", opacity: "0.8" },
});

// Puts an editor into a shadow root, where its style sheet may be adopted without any inline style.
// complete(text, cursor) gives a promise of [{text, kind, replaces}].
export function openEditor(root, { text, label, described, change, run, complete }) {
  const source = async (context) => {
    const word = context.matchBefore(/[\w."']+/);
    if (!word && !context.explicit) return null;
    const found = await complete(context.state.doc.toString(), context.pos);
    if (context.aborted || !found.length) return null;
    if (found.length === 1 && word?.text.endsWith(found[0].text)) return null; // it is written out
    return {
      from: context.pos - found[0].replaces,
      options: found.map((one) => ({ label: one.text, detail: one.kind })),
      filter: false,
    };
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])),
        history(),
        highlightSpecialChars(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [source], icons: false, activateOnTypingDelay: 150 }),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        sql({ dialect: PostgreSQL }),
        syntaxHighlighting(colours),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-description": described }),
        EditorView.updateListener.of((update) => update.docChanged && change(update.state.doc.toString())),
      ],
    }),
  });
  return view;
}
