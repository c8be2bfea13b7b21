import "../../ui/StatusBadge.css"
import "./field.css"
import { ActionIcon, Alert, Button, Progress } from "@mantine/core"
import { IconArrowLeft, IconMap2 } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { typedValues } from "#shared/values.ts"
import { parseTime, useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { PageLoading } from "../../shell/page-states.tsx"
import { notifyDone } from "../../ui/notify.ts"
import { useNow } from "../../ui/now.ts"
import { dataTypesQuery } from "../work/data-types/data-types.queries.ts"
import { type Configuration, dataSourcesOf } from "../work/flows/builder/data-sources.ts"
import { FilledField } from "../work/flows/fields/FilledField.tsx"
import { missingFields } from "../work/flows/fields/missing-fields.ts"
import { shownComponents } from "../work/flows/fields/shown-components.ts"
import { stopTimers } from "../work/flows/fields/stopwatch.ts"
import { taskValue } from "../work/flows/fields/task-value.ts"
import { componentsOf, type Flow, type FlowComponent } from "../work/flows/flows.queries.ts"
import { isOverdue } from "../work/tasks/list/columns.tsx"
import type { Task } from "../work/tasks/tasks.queries.ts"
import { myFlowQuery, myTasksQuery } from "./field.queries.ts"
import { placeNow } from "./field-positions.ts"
import { keep, recall } from "./field-store.ts"
import { finishLater, waitingTasks } from "./field-sync.ts"
import { fieldMessages } from "./messages.ts"
import { useWaiting } from "./waiting.ts"

const checkMilliseconds = 30_000

/** Does one task, page by page. What is entered is kept on the phone at every change. */
export function FieldTaskPage() {
  const t = useMessages(fieldMessages)
  const { taskId } = useParams({ strict: false })
  const { user } = useSession()
  const { data: tasks } = useQuery(myTasksQuery(user.email))
  const task = tasks?.find((candidate) => candidate._id === taskId)
  const { data: flow } = useQuery({ ...myFlowQuery(task?.flowId ?? ""), enabled: task !== undefined })
  const { data: draft } = useQuery({
    queryKey: ["field-draft", taskId],
    networkMode: "always",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async () => (await recall<Record<string, unknown>>("drafts", taskId ?? "")) ?? {},
  })
  if (tasks && !task)
    return (
      <main className="field-main">
        <h1 className="field-gone">{t("gone")}</h1>
        <Button component={Link} to={paths.field} variant="default" size="lg">
          {t("back")}
        </Button>
      </main>
    )
  if (!task || !flow || !draft) return <PageLoading />
  return <DoTask key={task._id} task={task} flow={flow} draft={draft} />
}

function DoTask({ task, flow, draft }: { task: Task; flow: Flow; draft: Record<string, unknown> }) {
  const t = useMessages(fieldMessages)
  const formats = useFormats()
  const navigate = useNavigate()
  const { send } = useWaiting()
  const [values, setValues] = useState(draft)
  const [number, setNumber] = useState(0)
  const [isJudged, setJudged] = useState(false)
  const [isFinishing, setFinishing] = useState(false)
  const page = flow.pages[number]
  const isLast = number === flow.pages.length - 1
  useEffect(() => {
    void keep("drafts", task._id, values)
  }, [task._id, values])
  const now = useNow(checkMilliseconds)
  // The server refuses to finish what has not begun or is over: better to know before everything is filled in.
  const isEarly = (parseTime(task.startTime)?.getTime() ?? 0) > now
  const isOver = isOverdue(task)
  const all = componentsOf(flow)
  const sources = dataSourcesOf((flow.configurations ?? []) as Configuration[])
  // Without a connection there are none, and the key is typed.
  const { data: types = [] } = useQuery({ ...dataTypesQuery, enabled: sources.length > 0 })
  const valueFor = (componentId: string) => {
    if (componentId in values) return values[componentId]
    const component = all.find(({ id }) => id === componentId)
    return component ? taskValue(task, component) : task[componentId]
  }
  const components = shownComponents(all, (page?.components ?? []) as FlowComponent[], valueFor)
  const lacking = missingFields(components, ({ id }) => valueFor(id))
  // Told after the first try, and until everything is there.
  const missing = isJudged ? lacking : []
  const forward = async () => {
    setJudged(true)
    if (lacking.length > 0) return
    if (!isLast) {
      setJudged(false)
      setNumber(number + 1)
      window.scrollTo(0, 0)
      return
    }
    setFinishing(true)
    const finishedAt = Date.now()
    const coordinate = await placeNow()
    await finishLater({
      taskId: task._id,
      title: task.title ?? task.flow,
      values: stopTimers(typedValues(all, values), finishedAt),
      doneAt: new Date(finishedAt).toISOString(),
      coordinate,
    })
    await navigate({ to: paths.field })
    await send()
    const kept = (await waitingTasks()).find(({ taskId }) => taskId === task._id)
    // A refusal stands on the page with what can be done about it.
    if (kept?.refusal === undefined) notifyDone(t(kept ? "saved" : "sent"))
  }
  return (
    <>
      <header className="field-header">
        <ActionIcon component={Link} to={paths.field} size="xl" aria-label={t("back")}>
          <IconArrowLeft size={22} />
        </ActionIcon>
        <div className="user-names">
          <h1 className="truncate">{task.title ?? task.flow}</h1>
          <span className="user-role">
            {page?.title ?? t("page", { number: number + 1, count: flow.pages.length })}
          </span>
        </div>
        {task.expectedCoordinate ? (
          <ActionIcon
            component="a"
            href={`geo:${task.expectedCoordinate}?q=${encodeURIComponent(task.expectedCoordinate)}`}
            size="xl"
            ml="auto"
            aria-label={t("directions")}
          >
            <IconMap2 size={22} />
          </ActionIcon>
        ) : null}
      </header>
      <Progress
        value={(100 * (number + 1)) / flow.pages.length}
        size={4}
        radius={0}
        aria-label={t("page", { number: number + 1, count: flow.pages.length })}
      />
      <main className="field-main field-form">
        {isOver ? (
          <Alert color="red" role="status">
            {t("over", { time: formats.dateTime(task.endTime) })}
          </Alert>
        ) : null}
        {components.map((component) => (
          <FilledField
            key={component.id}
            sources={sources}
            types={types}
            hubId={task.hubId}
            onFill={(filled) => setValues((current) => ({ ...current, ...filled }))}
            component={component}
            value={valueFor(component.id)}
            valueFor={valueFor}
            isLarge
            onChange={(value) => setValues((current) => ({ ...current, [component.id]: value }))}
          />
        ))}
        {isEarly && isLast ? (
          <Alert color="yellow" role="status">
            {t("early", { time: formats.dateTime(task.startTime) })}
          </Alert>
        ) : null}
        {missing.length > 0 ? (
          <Alert color="red" role="alert">
            {t("missing", { fields: missing.join(", ") })}
          </Alert>
        ) : null}
      </main>
      <footer className="field-footer">
        {number > 0 ? (
          <Button
            size="lg"
            variant="default"
            onClick={() => {
              setJudged(false)
              setNumber(number - 1)
            }}
          >
            {t("previous")}
          </Button>
        ) : null}
        <Button
          size="lg"
          style={{ flex: 1 }}
          loading={isFinishing}
          disabled={(isEarly || isOver) && isLast}
          onClick={() => void forward()}
        >
          {isLast ? t("done") : t("next")}
        </Button>
      </footer>
    </>
  )
}
