import { expect, it } from "vitest";
import { parsePatch } from "./apply-patch.ts";

it("reads every file of a patch: added, changed in several places, moved, deleted", () => {
  const text = `*** Begin Patch
*** Add File: src/new.ts
+one
+
+three
*** Update File: src/a.ts
@@ class A
 kept
-old
+new

 behind a blank line
@@
-x
+y
*** End of File
*** Update File: src/b.ts
*** Move to: src/c.ts
@@
-1
+2
*** Update File: src/d.ts
*** Move to: src/e.ts
*** Delete File: src/gone.ts
*** End Patch
`;
  expect(parsePatch(text)).toEqual([
    { does: "write", path: "src/new.ts", text: "one\n\nthree\n", isNew: true },
    {
      does: "patch",
      path: "src/a.ts",
      hunks: [{ lines: [" kept", "-old", "+new", " ", " behind a blank line"] }, { lines: ["-x", "+y"] }],
    },
    { does: "patch", path: "src/b.ts", hunks: [{ lines: ["-1", "+2"] }] },
    { does: "move", path: "src/b.ts", to: "src/c.ts" },
    { does: "move", path: "src/d.ts", to: "src/e.ts" },
    { does: "delete", path: "src/gone.ts" },
  ]);
});

it("takes CRLF, a patch without its frame, and anything else as no patch", () => {
  expect(parsePatch("*** Update File: a\r\n-1\r\n+2\r\n")).toEqual([
    { does: "patch", path: "a", hunks: [{ lines: ["-1", "+2"] }] },
  ]);
  expect(parsePatch("no patch at all\n+really")).toEqual([]);
});
