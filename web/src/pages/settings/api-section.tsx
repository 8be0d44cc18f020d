/** How a program talks to this server: the address, where its token is, and a first call. */
import { Copy } from "lucide-react";
import { copyText } from "../../lib/clipboard.ts";
import { IconButton } from "../../ui/button.tsx";
import { Path } from "./path.tsx";
import { Card, Row } from "./row.tsx";
import css from "./settings.module.css";

export function ApiSection() {
  const base = `${location.origin}/api`;
  const call = `curl -H "Authorization: Bearer $TOKEN" ${base}/sessions?limit=5`;
  return (
    <Card>
      <Row
        label="Address"
        about="Only programs on this machine reach it. The port changes with each start, unless you name one."
      >
        <Path path={base} what="Address" />
      </Row>
      <Row
        label="Token"
        about={
          <>
            This page does not hold it. <code>rethread serve --no-open --json</code> prints the one of the
            running server; send it as <code>Authorization: Bearer</code>.
          </>
        }
      >
        <code className={css.masked} title="Not shown">
          ••••••••••••
        </code>
      </Row>
      <Row label="Description" about="Every address, its parameters and its answers, as an OpenAPI document.">
        <Path path={`${base}/openapi.json`} what="Address" />
      </Row>
      <Row label="A first call" isStacked>
        <div className={css.snippet}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide commands are scrolled with the arrow keys */}
          <pre tabIndex={0}>{call}</pre>
          <IconButton label="Copy the call" onClick={() => void copyText(call, "Call")}>
            <Copy />
          </IconButton>
        </div>
      </Row>
    </Card>
  );
}
