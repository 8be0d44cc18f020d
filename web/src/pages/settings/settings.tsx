/** Settings: folders, index, retention, prices, looks, and how programs reach this server. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { Page, Section } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { ApiSection } from "./api-section.tsx";
import { Appearance } from "./appearance.tsx";
import { BackupRows } from "./backups.tsx";
import { Anchor, Contents } from "./contents.tsx";
import { Folders } from "./folders.tsx";
import { IndexSection } from "./index-section.tsx";
import { Path } from "./path.tsx";
import { Card, Row } from "./row.tsx";
import { type Setting, SettingRow } from "./setting.tsx";
import css from "./settings.module.css";

/** Settings that stand with what they are about; all others come after. */
const RETENTION = ["vanished", "archive", "syncDeletes", "backupDays", "backupBytes"];

export function Settings() {
  const index = useQuery({ queryKey: keys.index, queryFn: ({ signal }) => api.index({ signal }) });
  const config = useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => api.settings({ signal }) });
  const health = useQuery({ queryKey: keys.health, queryFn: ({ signal }) => api.health({ signal }) });
  const isLocked = health.data?.isReadOnly === true;
  const rows = (wanted: (setting: Setting) => boolean): ReactNode =>
    config.data?.settings
      .filter(wanted)
      .map((setting) => <SettingRow key={setting.name} setting={setting} isLocked={isLocked} />);
  return (
    <Page
      title="Settings"
      facts={
        isLocked
          ? "The server was started with --read-only: nothing can be changed here but the theme."
          : "Rethread needs none of them changed to work."
      }
    >
      <div className={css.settings}>
        <Contents />
        <div>
          <Section title={<Anchor name="Appearance" />}>
            <Appearance />
          </Section>
          <Section title={<Anchor name="Index" />}>
            {index.error ? (
              <Failure error={index.error} retry={() => void index.refetch()} />
            ) : index.data ? (
              <IndexSection state={index.data} isLocked={isLocked} />
            ) : (
              <Skeleton rows={2} />
            )}
          </Section>
          {index.data && (
            <Section title={<Anchor name="Folders of the agents" />}>
              <Folders homes={index.data.homes} />
            </Section>
          )}
          <Section title={<Anchor name="Retention and backups" />}>
            {config.error ? (
              <Failure error={config.error} retry={() => void config.refetch()} />
            ) : config.data ? (
              <Card>
                {rows(({ name }) => RETENTION.includes(name))}
                <BackupRows isLocked={isLocked} />
              </Card>
            ) : (
              <Skeleton rows={4} />
            )}
          </Section>
          {config.data && (
            <Section title={<Anchor name="Estimates" />}>
              <Card>{rows(({ name }) => !RETENTION.includes(name))}</Card>
            </Section>
          )}
          <Section title={<Anchor name="API" />}>
            <ApiSection />
          </Section>
          <Section title={<Anchor name="About" />}>
            <Card>
              <Row label="Version">{health.data?.version ?? "–"}</Row>
              {config.data && (
                <Row label="Settings file" about="Each setting can also be changed there by hand.">
                  <Path path={config.data.path} />
                </Row>
              )}
              {index.data && (
                <Row label="Store" about="Made from the agents’ files; it may be deleted at any time.">
                  <Path path={index.data.storePath} />
                </Row>
              )}
              <Row
                label="Privacy"
                about="Nothing leaves this machine: no font, script, picture or measurement comes from or goes to anywhere else."
              />
            </Card>
          </Section>
        </div>
      </div>
    </Page>
  );
}
