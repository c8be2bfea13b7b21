import { Button, Group, Select, Text } from "@mantine/core"
import { IconTableShortcut } from "@tabler/icons-react"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { componentsOf, type Flow, flowsQuery } from "../../work/flows/flows.queries.ts"
import { flowFromFileMessages } from "./flow-from-file-messages.ts"
import { ImportSteps } from "./ImportSteps.tsx"
import type { Preview } from "./imports.queries.ts"
import { importMessages } from "./messages.ts"

const FlowFromFile = lazy(() => import("./FlowFromFile.tsx"))

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(hubsQuery), client.prefetchQuery(flowsQuery)])

/** From a spreadsheet to tasks of a flow in a hub. */
export function ImportTasksPage() {
  const t = useMessages(importMessages)
  const chosenHub = useChosenHub()
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const { data: flows = [] } = useQuery(flowsQuery)
  const [hubChoice, setHubChoice] = useState<string | null>(null)
  const [flowChoice, setFlowChoice] = useState<string | null>(null)
  const hubId = hubChoice ?? chosenHub ?? hubs[0]?._id ?? null
  const flowId = flowChoice ?? flows[0]?._id ?? null
  const targetOf = (hub: string | null, flow: string | null) =>
    hub && flow ? ({ type: "task", hubId: hub, flowId: flow } as const) : undefined
  const betterTarget = (headers: readonly string[]) => {
    const fitting = flowChoice === null ? fittingFlow(flows, headers) : undefined
    if (!fitting || fitting._id === flowId) return undefined
    setFlowChoice(fitting._id)
    return targetOf(hubId, fitting._id)
  }
  return (
    <ImportSteps
      title={t("newTitle")}
      betterTarget={betterTarget}
      target={targetOf(hubId, flowId)}
      beside={(preview, retarget) => (
        <NewFlow
          preview={preview}
          flow={flows.find(({ _id }) => _id === flowId)}
          onCreated={(created) => {
            setFlowChoice(created)
            retarget(targetOf(hubId, created))
          }}
        />
      )}
      template={flowId ? { type: "task", flowId } : undefined}
      choices={(retarget) => (
        <>
          <Select
            label={t("hub")}
            description={t("hubHint")}
            data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
            value={hubId}
            searchable={hubs.length > 8}
            error={hubs.length === 0 ? t("needsHub") : undefined}
            onChange={(value) => {
              setHubChoice(value)
              retarget(targetOf(value, flowId))
            }}
            w={230}
          />
          <Select
            label={t("flow")}
            data={flows.map((flow) => ({ value: flow._id, label: flow.name }))}
            value={flowId}
            onChange={(value) => {
              setFlowChoice(value)
              retarget(targetOf(hubId, value))
            }}
            w={230}
          />
        </>
      )}
    />
  )
}

interface NewFlowProps {
  preview: Preview
  flow: Flow | undefined
  onCreated(flowId: string): void
}

/** Offers a flow made of the columns of the file, in words where the chosen flow reads few of them. */
function NewFlow({ preview, flow, onCreated }: NewFlowProps) {
  const t = useMessages(flowFromFileMessages)
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!may("add/flow")) return null
  const isPoor = preview.unknown.length * 2 > preview.headers.length
  return (
    <Group gap="xs">
      {isPoor ? <Text size="sm">{t("hint")}</Text> : null}
      <Button
        variant={isPoor ? "light" : "default"}
        size="xs"
        leftSection={<IconTableShortcut size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t("open")}
      </Button>
      <Suspense fallback={null}>
        {isOpen ? (
          <FlowFromFile
            preview={preview}
            flow={flow}
            onCreated={(created) => {
              setOpen(false)
              onCreated(created)
            }}
            onClose={() => setOpen(false)}
          />
        ) : null}
      </Suspense>
    </Group>
  )
}

/** The flow most of whose fields are among the headers of a file, by title or id; undefined if none has any. */
function fittingFlow(flows: readonly Flow[], headers: readonly string[]): Flow | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")
  const named = new Set(headers.map(plain))
  const matches = (flow: Flow) =>
    componentsOf(flow).filter(({ id, title }) => named.has(plain(id)) || named.has(plain(title ?? id))).length
  const [best] = flows
    .map((flow) => ({ flow, count: matches(flow) }))
    .toSorted((one, other) => other.count - one.count)
  return best && best.count > 0 ? best.flow : undefined
}
