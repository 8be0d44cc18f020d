/** The head of every HTML page: no scripts, no external files, and one inline style. */
import { createHash } from "node:crypto";
import { escapeHtml } from "./escape.ts";

/** No script, no image, no font, no frame, no form; and of styles only the page's own, known by its hash. */
const policyFor = (css: string): string =>
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(css).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/** Up to the opening of `main`. */
export const pageTop = (title: string, css: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(css)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="rethread">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
<main>
`;
