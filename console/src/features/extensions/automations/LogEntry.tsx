import { Badge, Group, Stack } from "@mantine/core"
import { IconDownload, IconRefresh } from "@tabler/icons-react"
import { dataOf, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { Panel } from "../../../ui/layout/Panel.tsx"
import type { LogHit } from "./automations.queries.ts"
import { automationMessages } from "./messages.ts"
import { targetText } from "./target-text.ts"

/** One attempt: the request, the response, and a button to send it again. */
export function LogEntry({ hit, onClose }: { hit: LogHit; onClose(): void }) {
  const t = useMessages(automationMessages)
  const tShell = useMessages(shellMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { _source: entry } = hit
  const again = useAction(
    () => {
      const body = { id: [hit._id] }
      return dataOf(server.post("/api/v3/automation-retries", { body }))
    },
    {
      refreshes: [["automations", "log"]],
      done: ({ success }) => t(success > 0 ? "againDone" : "againFailed"),
    },
  )
  const facts: [string, string][] = [
    [t("time"), formats.dateTime(entry.startRequestTime)],
    [t("target"), targetText(entry.automationUrl, t)],
    [t("status"), entry.statusCode === "0" ? t("noAnswer") : entry.statusCode],
    [t("attempt"), String(Number(entry.attempt) + 1)],
    [t("took"), t("seconds", { count: Number(Number(entry.responseTime).toFixed(2)) })],
    [t("reference"), entry.referenceId || "–"],
    [t("requestId"), entry.requestId ?? "–"],
  ]
  return (
    <Panel onClose={onClose} size={520} title={entry.automationName}>
      <Stack gap="md">
        <Group justify="space-between">
          <Outcome isSuccess={entry.isSuccess === "true"} />
          <Group gap="xs">
            <ActionButton
              icon={IconDownload}
              label={t("download")}
              size="xs"
              variant="default"
              component="a"
              download={`${hit._id}.json`}
              href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(entry, null, 2))}`}
            />
            <ActionButton
              icon={IconRefresh}
              label={t("again")}
              size="xs"
              loading={again.isPending}
              onClick={() => again.mutate()}
              reason={may("edit/automation") ? undefined : tShell("needs", { permission: "edit/automation" })}
            />
          </Group>
        </Group>
        <FormError error={again.error} />
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd style={{ overflowWrap: "anywhere" }}>{value}</dd>
            </div>
          ))}
        </dl>
        <LogText title={t("sent")} text={entry.request} />
        <LogText title={t("received")} text={entry.response} />
      </Stack>
    </Panel>
  )
}

export function Outcome({ isSuccess }: { isSuccess: boolean }) {
  const t = useMessages(automationMessages)
  return (
    <Badge color={isSuccess ? "pine" : "red"} miw="max-content">
      {t(isSuccess ? "succeeded" : "failed")}
    </Badge>
  )
}

function LogText({ title, text }: { title: string; text: string }) {
  const t = useMessages(automationMessages)
  return (
    <section>
      <h3 className="panel-heading">{title}</h3>
      {text === "" ? (
        <p className="quiet">{t("nothing")}</p>
      ) : (
        <pre className="log-text">{readable(text)}</pre>
      )}
    </section>
  )
}

/** JSON in lines; anything else as it came. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
