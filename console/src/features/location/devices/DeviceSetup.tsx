import { Alert, Button, Code, Group, SegmentedControl, Stack, Text } from "@mantine/core"
import { useState } from "react"
import type { operations } from "../../../api/schema.d.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { CopyText } from "../../../ui/CopyText.tsx"
import { QrCode } from "../../../ui/QrCode.tsx"
import { deviceMessages } from "./messages.ts"

export type NewKey = operations["createDeviceKey"]["responses"]["201"]["content"]["application/json"]["data"]

/** How each app is set up with a new key: a code to scan if the app supports one, otherwise the values to enter. */
export function DeviceSetup({ made, onDone }: { made: NewKey; onDone(): void }) {
  const t = useMessages(deviceMessages)
  const [name, setName] = useState(made.apps[0]?.app ?? "")
  const app = made.apps.find((candidate) => candidate.app === name)
  // An app without a link still has an address that is long to type: the phone reads it from the screen.
  const scanned = app?.link ?? app?.scan ?? app?.fields[0]?.value
  return (
    // The page is a column: without this a phone would show the first part of it alone.
    <Alert color="pine" mx={20} mb="md" title={t("madeTitle")} role="status" style={{ flexShrink: 0 }}>
      <Stack gap="sm">
        <Text size="sm">{t("once")}</Text>
        <SegmentedControl
          aria-label={t("app")}
          value={name}
          onChange={setName}
          data={made.apps.map((candidate) => candidate.app)}
          style={{ alignSelf: "flex-start", maxWidth: "100%", flexWrap: "wrap" }}
        />
        {app ? (
          <Group align="start" gap="xl">
            {scanned ? (
              <Stack gap={6} maw={200}>
                <QrCode key={scanned} text={scanned} label={t("qr", { app: app.app })} size={190} />
                <Text size="xs">{app.link ? t("scan") : app.scan ? t("scanInApp") : t("scanValue")}</Text>
                {app.link ? (
                  <Button component="a" href={app.link} size="compact-sm" variant="default">
                    {t("openLink")}
                  </Button>
                ) : null}
              </Stack>
            ) : null}
            <Stack gap={6} style={{ flex: 1, minWidth: 240 }}>
              <Text size="sm" fw={550}>
                {t("byHand")}
              </Text>
              <dl className="facts">
                {app.fields.map((field) => (
                  <div key={field.name}>
                    <dt>{field.name}</dt>
                    <dd>
                      <Code style={{ overflowWrap: "anywhere" }}>{field.value}</Code>{" "}
                      <CopyText
                        text={field.value}
                        size="compact-xs"
                        aria-label={`${t("copy")}: ${field.name}`}
                      />
                    </dd>
                  </div>
                ))}
              </dl>
            </Stack>
          </Group>
        ) : null}
        <Button onClick={onDone} style={{ alignSelf: "flex-start" }}>
          {t("done")}
        </Button>
      </Stack>
    </Alert>
  )
}
