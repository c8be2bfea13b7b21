import { Button, Group, Select, Text } from "@mantine/core"
import { IconTableShortcut } from "@tabler/icons-react"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { componentsOf, type Flow, type FlowComponent, flowsQuery } from "../../work/flows/flows.queries.ts"
import { flowFromFileMessages } from "./flow-from-file-messages.ts"
import { ImportSteps } from "./ImportSteps.tsx"
import { importsQuery, type Preview } from "./imports.queries.ts"
import { keptUpload } from "./kept-upload.ts"
import { importMessages } from "./messages.ts"

const FlowFromFile = lazy(() => import("./FlowFromFile.tsx"))

export const loader: PageLoader = ({ client }) =>
  Promise.all([
    client.ensureQueryData(hubsQuery),
    client.prefetchQuery(flowsQuery),
    client.prefetchQuery(importsQuery),
  ])

/** From a spreadsheet to tasks of a flow in a hub. */
export function ImportTasksPage() {
  const t = useMessages(importMessages)
  const chosenHub = useChosenHub()
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const { data: flows = [] } = useQuery(flowsQuery)
  const { data: earlier = [] } = useQuery(importsQuery)
  const { check } = useSearch({ from: "/signed-in/imports/tasks" })
  const checked = keptUpload(check)?.target
  const [hubChoice, setHubChoice] = useState<string | null>(checked?.hubId ?? null)
  const [flowChoice, setFlowChoice] = useState<string | null>(
    checked?.type === "task" ? checked.flowId : null,
  )
  const hubId = hubChoice ?? chosenHub ?? hubs[0]?._id ?? null
  const lastFlow = earlier.map(({ flowId }) => flows.find(({ _id }) => _id === flowId)).find(Boolean)
  const usualFlow = lastFlow ?? flows[0]
  const flowId = flowChoice ?? usualFlow?._id ?? null
  const targetOf = (hub: string | null, flow: string | null) =>
    hub && flow ? ({ type: "task", hubId: hub, flowId: flow } as const) : undefined
  const betterTarget = (headers: readonly string[]) => {
    const fitting = flowChoice === null ? fittingFlow(flows, usualFlow, headers) : undefined
    if (!fitting || fitting === usualFlow) return undefined
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

/**
 * The flow most of whose fields are among the headers of a file, by title or id, less those that the file lacks and
 * that are required; the usual one unless another fits better.
 */
function fittingFlow(
  flows: readonly Flow[],
  usual: Flow | undefined,
  headers: readonly string[],
): Flow | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")
  const named = new Set(headers.map(plain))
  const isNamed = ({ id, title }: FlowComponent) => named.has(plain(id)) || named.has(plain(title ?? id))
  const fit = (flow: Flow) => {
    const asked = (flow.pages[0]?.components ?? []) as FlowComponent[]
    const isNeeded = ({ component, required, min }: FlowComponent) =>
      component === "select" ? Number(min ?? 0) > 0 : component === "input" && required === true
    return (
      componentsOf(flow).filter(isNamed).length -
      asked.filter((component) => isNeeded(component) && !isNamed(component)).length
    )
  }
  return flows.reduce((best, flow) => (fit(flow) > Math.max(best ? fit(best) : 0, 0) ? flow : best), usual)
}
