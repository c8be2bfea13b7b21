import "./flows.css"
import { Alert, Button, Group, List, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { Panel } from "../../../ui/layout/Panel.tsx"
import { PhonePreview } from "./builder/PhonePreview.tsx"
import { type ComparedFlow, compareFlows, type FlowDifference } from "./compare-flows.ts"
import type { Flow } from "./flows.queries.ts"
import { versionMessages } from "./version-messages.ts"

interface OldVersion {
  logId: string
  version: number
  state: ComparedFlow
  replacedAt: string
  replacedBy: string
}

/** Versions of the last changes; older ones are reached by the API. */
const maxShown = 100

function versionsQuery(flowId: string) {
  return {
    queryKey: ["flow", flowId, "versions"],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<OldVersion[]> => {
      const query = { flowId, action: "put" as const, limit: maxShown }
      const { data } = await server.get("/api/v3/flow-logs", { query, signal })
      return data.data.map((log) => ({
        logId: log._id,
        version: log.version,
        state: { name: String(log.rawData.name), pages: log.rawData.pages as ComparedFlow["pages"] },
        replacedAt: log.createdTime,
        replacedBy: log.changedBy,
      }))
    },
  }
}

/** Earlier versions of a flow: what has changed since, a preview, and a button to restore one. */
export default function FlowVersions({ flow, onClose }: { flow: Flow; onClose(): void }) {
  const t = useMessages(versionMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { data: versions, error } = useQuery(versionsQuery(flow._id))
  const [openId, setOpenId] = useState<string>()
  const [restoring, setRestoring] = useState<OldVersion>()
  const restore = useAction(
    ({ logId }: OldVersion) => {
      const path = { flowId: flow._id, flowLogId: logId }
      return server.put("/api/v3/flow/{flowId}/restore/{flowLogId}", path)
    },
    {
      refreshes: [["flow"], ["flows"]],
      done: (_answer, { version }) => t("restored", { version }),
      onDone: () => setOpenId(undefined),
    },
  )
  return (
    <Panel onClose={onClose} size={560} title={t("heading", { name: flow.name })}>
      <WithHistory of={{ objectType: "flow", objectId: flow._id }}>
        <Stack gap="sm">
          <FormError error={error ?? restore.error} />
          <Text size="sm">
            {t("current", { version: flow.version, time: formats.dateTime(flow.updatedTime) })}
          </Text>
          {versions?.length === 0 ? <p className="quiet">{t("none")}</p> : null}
          {(versions ?? []).map((old) => (
            <section
              key={old.logId}
              className="card"
              style={{ padding: 14 }}
              aria-label={t("version", { version: old.version })}
            >
              <Group justify="space-between" wrap="nowrap">
                <div>
                  <Text fw={600}>{t("version", { version: old.version })}</Text>
                  <Text size="xs" c="dimmed">
                    {t("replaced", { time: formats.dateTime(old.replacedAt), name: old.replacedBy })}
                  </Text>
                </div>
                <Group gap="xs" wrap="nowrap">
                  <Button
                    size="xs"
                    variant="default"
                    aria-expanded={openId === old.logId}
                    onClick={() => setOpenId(openId === old.logId ? undefined : old.logId)}
                  >
                    {t("compare")}
                  </Button>
                  {may("edit/flow") ? (
                    <Button size="xs" variant="default" onClick={() => setRestoring(old)}>
                      {t("restore")}
                    </Button>
                  ) : null}
                </Group>
              </Group>
              {openId === old.logId ? <Comparison old={old} flow={flow} /> : null}
            </section>
          ))}
        </Stack>
      </WithHistory>
      <ConfirmDialog
        isOpen={restoring !== undefined}
        title={t("restoreTitle", { version: restoring?.version ?? 0 })}
        text={t("restoreText")}
        confirm={t("restore")}
        onClose={() => setRestoring(undefined)}
        onConfirm={() => restoring && restore.mutate(restoring)}
      />
    </Panel>
  )
}

function Comparison({ old, flow }: { old: OldVersion; flow: Flow }) {
  const t = useMessages(versionMessages)
  const differences = compareFlows(old.state, flow as ComparedFlow)
  return (
    <Stack gap="sm" mt="sm">
      {differences.length === 0 ? (
        <Alert color="gray">{t("same")}</Alert>
      ) : (
        <>
          <Text size="sm" fw={550}>
            {t("since")}
          </Text>
          <List size="sm" spacing={2}>
            {differences.map((difference) => (
              <List.Item key={JSON.stringify(difference)}>
                <DifferenceText difference={difference} />
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Text size="sm" fw={550}>
        {t("looked", { version: old.version })}
      </Text>
      <div className="phones">
        {old.state.pages.map((page, index) => (
          <PhonePreview
            key={page.id}
            flowName={old.state.name}
            page={page as Flow["pages"][number]}
            number={index + 1}
          />
        ))}
      </div>
    </Stack>
  )
}

function DifferenceText({ difference }: { difference: FlowDifference }) {
  const t = useMessages(versionMessages)
  switch (difference.kind) {
    case "renamed":
    case "pageRenamed":
      return <>{t(difference.kind, { before: difference.before, after: difference.after })}</>
    case "changed":
      return (
        <>
          {t("changed", {
            title: difference.title,
            keys: difference.keys.map((key) => keyName(key, t)),
          })}
        </>
      )
    default:
      return <>{t(difference.kind, { title: difference.title })}</>
  }
}

const knownKeys = [
  "title",
  "type",
  "required",
  "options",
  "min",
  "max",
  "default",
  "visible",
  "showAs",
  "routeAs",
] as const

/** What a component's key means to people; another one stays as it is. */
function keyName(key: string, t: (key: (typeof knownKeys)[number]) => string): string {
  const known = knownKeys.find((candidate) => candidate === key)
  return known ? t(known) : key
}
