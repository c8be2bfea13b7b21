import "../field.css"
import { Alert, Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { typedValues } from "#shared/values.ts"
import { responseOf } from "../../../api/client.ts"
import { parseTime } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { PageLoading } from "../../../shell/page-states.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { notifyStatus } from "../../../ui/notify.ts"
import { ComponentField } from "../../work/flows/fields/ComponentField.tsx"
import { taskValue } from "../../work/flows/fields/task-value.ts"
import { componentsOf, type Flow } from "../../work/flows/flows.queries.ts"
import { type Task, withHeadingText } from "../../work/tasks/tasks.queries.ts"
import { serverNow } from "../clock.ts"
import { currentReach } from "../connection.ts"
import { FieldHeader } from "../FieldHeader.tsx"
import { myFlowQuery, readOrRecall } from "../field.queries.ts"
import { useField } from "../field-context.ts"
import type { Values } from "../kept/field-drafts.ts"
import { keepEntry } from "../kept/field-other.ts"
import { waitingTasks } from "../kept/field-sync.ts"
import { isPlanned } from "../stop/stop-rules.ts"
import { useStopTimes } from "../stop/stop-times.ts"
import { todayMessages } from "./today-messages.ts"

/** A finished stop as it was sent, and its correction within the organization's time. */
export function DonePage() {
  const { taskId = "" } = useParams({ strict: false })
  const { store } = useField()
  const { data: task, error } = useQuery({
    queryKey: ["task", "done", store.personKey, taskId],
    networkMode: "always" as const,
    queryFn: () =>
      readOrRecall(store, `done-${taskId}`, async (client) => {
        const call = client.GET("/api/v3/task/{taskId}", { params: { path: { taskId } } })
        return withHeadingText<Task>((await responseOf(call)).task)
      }),
  })
  const { data: flow, error: flowError } = useQuery({
    ...myFlowQuery(store, task?.flowId ?? ""),
    enabled: task !== undefined,
  })
  const missing = task && flow ? null : (error ?? flowError)
  if (missing) return <FormError error={missing} />
  if (!task || !flow) return <PageLoading />
  return <DoneTask key={task._id} task={task} flow={flow} />
}

interface CorrectionOfTask {
  _id: string
  doneTime: string
  isCorrection?: boolean
  values: Values
}

function DoneTask({ task, flow }: { task: Task; flow: Flow }) {
  const t = useMessages(todayMessages)
  const times = useStopTimes()
  const { user, may } = useSession()
  const [isCorrecting, setCorrecting] = useState(false)
  const [changed, setChanged] = useState<Values>({})
  const [isUnchanged, setUnchanged] = useState(false)
  const until = correctableUntil(task, user)
  const isOpen = may("edit/task") || (until !== undefined && serverNow() < until)
  const corrections = ((task.additions ?? []) as CorrectionOfTask[]).filter(
    ({ isCorrection }) => isCorrection,
  )
  const corrected = Object.assign({}, ...corrections.map(({ values }) => values)) as Values
  const valueFor = (id: string) => {
    if (id in changed) return changed[id]
    const component = componentsOf(flow).find((one) => one.id === id)
    return component ? taskValue({ ...task, ...corrected }, component) : undefined
  }
  const keep = useCorrection(task, flow)
  const save = async () => {
    setUnchanged(Object.keys(changed).length === 0)
    if (Object.keys(changed).length > 0) await keep(changed)
  }
  // What is empty is of interest only to those who fill it in.
  const shown = componentsOf(flow).filter(
    (component) =>
      !isPlanned(component, { task, flow, email: user.email }) &&
      (isCorrecting || !isEmpty(valueFor(component.id))),
  )
  return (
    <>
      <FieldHeader
        title={task.title ?? task.flow}
        detail={t("doneTitle", { time: times.at(task.doneTime) })}
      />
      <main className="field-main field-form">
        {corrections.map(({ _id, doneTime }) => (
          <p key={_id} className="quiet">
            {t("correctedBefore", { time: times.at(doneTime) })}
          </p>
        ))}
        {isOpen ? (
          until === undefined ? null : (
            <p className="quiet">{t("correctUntil", { time: times.at(new Date(until).toISOString()) })}</p>
          )
        ) : (
          <p className="quiet">{t("notCorrectable")}</p>
        )}
        {shown.map((component) => (
          <ComponentField
            key={component.id}
            component={isCorrecting ? component : { ...component, readOnly: true }}
            value={valueFor(component.id)}
            valueFor={valueFor}
            isLarge
            onChange={(value) => setChanged((current) => ({ ...current, [component.id]: value }))}
          />
        ))}
        {isUnchanged ? (
          <Alert color="red" role="alert">
            {t("nothingChanged")}
          </Alert>
        ) : null}
        {isOpen ? (
          <Button
            size="lg"
            fullWidth
            variant={isCorrecting ? "filled" : "default"}
            onClick={() => (isCorrecting ? void save() : setCorrecting(true))}
          >
            {t(isCorrecting ? "sendCorrection" : "correct")}
          </Button>
        ) : null}
      </main>
    </>
  )
}

/** Keeps a correction on the phone and sends it with everything else. */
function useCorrection(task: Task, flow: Flow): (changed: Values) => Promise<void> {
  const t = useMessages(todayMessages)
  const navigate = useNavigate()
  const { user } = useSession()
  const { store, refresh, send, setNotKept } = useField()
  return async (changed) => {
    const kept = await keepEntry(store, {
      kind: "correction",
      taskId: task._id,
      title: task.title ?? task.flow,
      by: user.email,
      values: typedValues(componentsOf(flow), changed),
    }).catch(() => undefined)
    if (!kept) return setNotKept(true)
    await navigate({ to: paths.field })
    await refresh()
    await send()
    const waiting = (await waitingTasks(store)).find(({ id }) => id === kept.id)
    // A refusal stands on the page with what can be done about it.
    if (waiting?.refusal !== undefined) return
    const unsent = currentReach() === "signedOut" ? "correctedSignedOut" : "corrected"
    notifyStatus(t(waiting ? unsent : "correctionSent"))
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
}

/** Until when the person may correct what they finished, epoch milliseconds. */
function correctableUntil(task: Task, user: { email: string; organization?: unknown }): number | undefined {
  const { configuration } = (user.organization ?? {}) as {
    configuration?: { correctionMinutes?: unknown }
  }
  const minutes = Number(configuration?.correctionMinutes ?? 0)
  const doneAt = parseTime(task.doneTime)?.getTime()
  if (task.doneBy !== user.email || doneAt === undefined || !(minutes > 0)) return undefined
  return doneAt + minutes * 60_000
}
