/** A report as one HTML page, from its Markdown. */

import { escapeHtml } from "./escape.ts";
import { pageTop } from "./frame.ts";
import { createMarkdown } from "./markdown.ts";
import { REPORT_CSS } from "./style.ts";

/** Headings of the Markdown begin at level 1. */
export const htmlReport = (title: string, markdown: string): string =>
  `${pageTop(title, REPORT_CSS)}<header class="page"><h1>${escapeHtml(title)}</h1></header>\n${createMarkdown()(markdown)}</main>\n</body>\n</html>\n`;
