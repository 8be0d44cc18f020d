/** How the pages look and which keys work on them. */
import { useState } from "react";
import { readTheme, setTheme, type Theme } from "../../lib/theme.ts";
import { keysOpen } from "../../palette/palette-state.ts";
import { Button } from "../../ui/button.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Card, Row } from "./row.tsx";

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export function Appearance() {
  const [theme, choose] = useState(readTheme);
  return (
    <Card>
      <Row label="Theme" about="Remembered in this browser.">
        <Segmented
          label="Theme"
          choices={THEMES}
          value={theme}
          onChoose={(value) => {
            setTheme(value);
            choose(value);
          }}
        />
      </Row>
      <Row label="Keys" about="Everything works without a mouse. The list shows what works where you are.">
        <Button keys="?" onClick={() => keysOpen.set(true)}>
          Show all keys
        </Button>
      </Row>
    </Card>
  );
}
