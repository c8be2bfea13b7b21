import "../field.css"
import { Alert, Button, NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { typedValues } from "#shared/values.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { notifyStatus } from "../../../ui/notify.ts"
import { ComponentField } from "../../work/flows/fields/ComponentField.tsx"
import type { Flow } from "../../work/flows/flows.queries.ts"
import { FieldHeader } from "../FieldHeader.tsx"
import { useField } from "../field-context.ts"
import type { Values } from "../kept/field-drafts.ts"
import { keepEntry } from "../kept/field-other.ts"
import { checkPage } from "../stop/stop-rules.ts"
import { myFlowsQuery, myHubsQuery } from "./kept-choices.ts"
import { todayMessages } from "./today-messages.ts"

/** A task that comes up on the way: created for oneself, also without a network. */
export function NewTaskPage() {
  const t = useMessages(todayMessages)
  const { store } = useField()
  const { data: flows = [] } = useQuery(myFlowsQuery(store))
  const { data: hubs = [] } = useQuery(myHubsQuery(store))
  const [flowId, setFlowId] = useState<string>()
  const [hubId, setHubId] = useState<string>()
  const flow = flows.find(({ _id }) => _id === flowId) ?? flows[0]
  const hub = hubs.find(({ _id }) => _id === hubId) ?? hubs[0]
  return (
    <>
      <FieldHeader title={t("createTitle")} />
      <main className="field-main field-form">
        <NativeSelect
          label={t("kind")}
          size="lg"
          data={flows.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={flow?._id ?? ""}
          onChange={(event) => setFlowId(event.currentTarget.value)}
        />
        {hubs.length > 1 ? (
          <NativeSelect
            label={t("hub")}
            size="lg"
            data={hubs.map(({ _id = "", name = "" }) => ({ value: _id, label: name }))}
            value={hub?._id ?? ""}
            onChange={(event) => setHubId(event.currentTarget.value)}
          />
        ) : null}
        {flow && hub?._id ? <NewTaskForm key={flow._id} flow={flow} hubId={hub._id} /> : null}
      </main>
    </>
  )
}

/** What the planner would fill in: the first page of the flow. */
function NewTaskForm({ flow, hubId }: { flow: Flow; hubId: string }) {
  const t = useMessages(todayMessages)
  const navigate = useNavigate()
  const { user } = useSession()
  const { store, refresh, send, setNotKept } = useField()
  const [values, setValues] = useState<Values>({})
  const [isJudged, setJudged] = useState(false)
  const first = (flow.pages[0]?.components ?? []) as Parameters<typeof checkPage>[0]
  const valueFor = (id: string) => values[id]
  const { components, missing } = checkPage(first, first, valueFor, undefined)
  const create = async () => {
    setJudged(true)
    if (missing.size > 0) return
    try {
      await keepEntry(store, {
        kind: "create",
        taskId: "",
        title: String(Object.values(values).find((value) => typeof value === "string") ?? flow.name).slice(
          0,
          60,
        ),
        by: user.email,
        values: typedValues([...first], values),
        more: { flow: flow.name, flowId: flow._id, hubId, assignee: [user.email] },
      })
    } catch {
      setNotKept(true)
      return
    }
    await navigate({ to: paths.field })
    notifyStatus(t("created"))
    await refresh()
    await send()
  }
  const titleOf = (id: string) => first.find((component) => component.id === id)?.title ?? id
  return (
    <>
      {components.map((component) => (
        <ComponentField
          key={component.id}
          component={component}
          value={values[component.id]}
          valueFor={valueFor}
          error={isJudged && missing.has(component.id) ? t("needed") : undefined}
          isLarge
          onChange={(value) => setValues((current) => ({ ...current, [component.id]: value }))}
        />
      ))}
      {isJudged && missing.size > 0 ? (
        <Alert color="red" role="alert">
          {t("missing", { fields: [...missing].map(titleOf) })}
        </Alert>
      ) : null}
      <Button size="lg" fullWidth onClick={() => void create()}>
        {t("save")}
      </Button>
    </>
  )
}
