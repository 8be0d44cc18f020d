/**
 * The editor itself, loaded when the view is opened. It lives in a shadow root, because there CodeMirror adopts its
 * style sheets instead of writing <style> elements, which our Content-Security-Policy refuses.
 */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { SQLDialect, SQLite, type SQLNamespace, sql } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Editor {
  text(): string;
  /** Takes the place of everything; undo brings it back. */
  replace(text: string): void;
  insert(text: string): void;
  focus(): void;
  /** What is completed. */
  setSchema(schema: SQLNamespace): void;
  destroy(): void;
}

export interface EditorOptions {
  readonly host: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly onRun: () => void;
  readonly onChange: (text: string) => void;
}

const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "560" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.standard(tags.name), tags.typeName], color: "var(--code-type)" },
  { tag: tags.operator, color: "var(--ink-2)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--bg)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "13px", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 16px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 22%, transparent)",
  },
  ".cm-placeholder": { color: "var(--ink-3)" },
  ".cm-matchingBracket": { background: "var(--bg-sel)", color: "inherit" },
  ".cm-tooltip": {
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    backgroundColor: "var(--bg-raised)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    fontSize: "13px",
    maxHeight: "240px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px", lineHeight: "20px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--bg-sel)",
    color: "var(--ink)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--accent)" },
  ".cm-completionDetail": { color: "var(--ink-3)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-completionInfo": {
    maxWidth: "320px",
    padding: "8px 12px",
    fontFamily: "var(--font)",
    fontSize: "13px",
    lineHeight: "18px",
  },
  ".cm-completionIcon": { display: "none" },
});

export function createEditor({ host, text, label, onRun, onChange }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const language = new Compartment();
  const withSchema = (schema: SQLNamespace) => sql({ dialect, schema, upperCaseKeywords: true });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(
          keymap.of([
            {
              key: "Mod-Enter",
              run() {
                onRun();
                return true;
              },
            },
          ]),
        ),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false }),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...defaultKeymap.filter(({ key }) => key !== "Mod-/"),
          ...historyKeymap,
          // Only while completions are offered: otherwise Tab moves on, as everywhere on the page.
          { key: "Tab", run: acceptCompletion },
        ]),
        language.of(withSchema({})),
        syntaxHighlighting(highlight),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": label,
          spellcheck: "false",
        }),
        placeholder("SELECT …"),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace(next) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: next.length },
        scrollIntoView: true,
      });
    },
    insert(name) {
      const { from, to } = view.state.selection.main;
      const before = view.state.sliceDoc(Math.max(0, from - 1), from);
      const gap = /[\w")]/.test(before) ? " " : "";
      view.dispatch({
        changes: { from, to, insert: gap + name },
        selection: { anchor: from + gap.length + name.length },
        scrollIntoView: true,
      });
      view.focus();
    },
    focus: () => view.focus(),
    setSchema: (schema) => view.dispatch({ effects: language.reconfigure(withSchema(schema)) }),
    destroy: () => view.destroy(),
  };
}

/** SQLite's own; the package adds those of other databases, which are ordinary names here. */
const KEYWORDS =
  "all analyze and as asc between by case cast collate cross current_date current_time current_timestamp desc distinct " +
  "else end escape except exists explain filter first following from full glob group having in inner intersect is " +
  "isnull join last left like limit match materialized natural not notnull nulls null offset on or order outer over " +
  "partition plan preceding query range recursive regexp right row rows select then unbounded union using values when " +
  "where window with within";

/** Functions of SQLite; the package has the commands of its shell here, which are ordinary names, too. */
const FUNCTIONS =
  "abs avg char coalesce concat count date datetime format glob group_concat hex ifnull iif instr json json_array " +
  "json_each json_extract julianday length lower ltrim max min nullif printf quote rank random replace round row_number " +
  "rtrim snippet strftime string_agg substr sum time total trim typeof unicode unixepoch upper";

const dialect = SQLDialect.define({ ...SQLite.spec, keywords: KEYWORDS, builtin: FUNCTIONS });
