import "./field.css"
import { ActionIcon, Badge, Button, Progress, Skeleton, Stack } from "@mantine/core"
import { IconChevronRight, IconMenu2, IconMoodSmile } from "@tabler/icons-react"
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { parseTime } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { BrandMark } from "../../shell/Brand.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { EmptyState } from "../../ui/layout/EmptyState.tsx"
import type { Task } from "../work/tasks/tasks.queries.ts"
import { serverNow } from "./clock.ts"
import { type DoneTask, myDoneQuery, myFlowQuery, myTasksQuery } from "./field.queries.ts"
import { useField } from "./field-context.ts"
import { InboxLink } from "./inbox/InboxLink.tsx"
import { isFinish, withProgress } from "./kept/field-sync.ts"
import { fieldMessages } from "./messages.ts"
import { SessionBar } from "./SessionBar.tsx"
import { StopFacts } from "./stop/StopFacts.tsx"
import { StopLinks } from "./stop/StopLinks.tsx"
import { type Stop, stopOf } from "./stop/stop.ts"
import { useStopTimes } from "./stop/stop-times.ts"

/** The day: one card per stop in the order of the route, the next one first and largest. */
export function TodayPage() {
  const t = useMessages(fieldMessages)
  const { user } = useSession()
  const { store, waiting, drafted } = useField()
  const { data: tasks, error } = useQuery(myTasksQuery(store, user.email))
  const { data: done = [] } = useQuery(myDoneQuery(store, user.email))
  const finished = new Map(waiting.filter(isFinish).map((entry) => [entry.taskId, entry.title]))
  const open = inOrder(
    (tasks ?? []).filter((task) => !finished.has(task._id)).map((task) => withProgress(task, waiting)),
  )
  const flows = useFlows(open)
  const doneCount = new Set([...finished.keys(), ...done.map(({ _id }) => _id)]).size
  const total = doneCount + open.length
  const [next, ...others] = open
  return (
    <>
      <header className="field-header">
        <BrandMark />
        <div className="user-names">
          <h1>{t("title")}</h1>
          <span className="user-role">{tasks ? t("progress", { done: doneCount, count: total }) : ""}</span>
        </div>
        <InboxLink />
        <ActionIcon component={Link} to={paths.fieldPhone} size={48} aria-label={t("menu")}>
          <IconMenu2 size={24} />
        </ActionIcon>
      </header>
      {total > 0 ? (
        <Progress
          value={(100 * doneCount) / total}
          size={6}
          radius={0}
          aria-label={t("progress", { done: doneCount, count: total })}
        />
      ) : null}
      <main className="field-main">
        <SessionBar />
        <FormError error={tasks ? undefined : error} />
        {tasks === undefined && !error ? (
          <Stack gap="sm">
            <Skeleton h={180} />
            <Skeleton h={90} />
          </Stack>
        ) : null}
        {tasks && open.length === 0 ? (
          <EmptyState icon={IconMoodSmile} title={t("emptyTitle")} text={t("emptyText")} />
        ) : null}
        <ol className="field-tasks">
          {next ? (
            <StopCard
              task={next}
              stop={stopOf(next, flows.get(next.flowId))}
              number={doneCount + 1}
              isNext
              isDrafted={drafted.has(next._id)}
            />
          ) : null}
          {others.map((task, index) => (
            <StopCard
              key={task._id}
              task={task}
              stop={stopOf(task, flows.get(task.flowId))}
              number={doneCount + index + 2}
              isDrafted={drafted.has(task._id)}
            />
          ))}
        </ol>
        <DoneList done={done} waiting={finished} />
      </main>
    </>
  )
}

/** The order of the route, then of time; what was skipped for now comes last. */
function inOrder(tasks: readonly Task[]): Task[] {
  const keyOf = ({ outcome, orderIndex, startTime }: Task) =>
    [outcome === "skipped" ? 1 : 0, Number(orderIndex ?? 0), parseTime(startTime)?.getTime() ?? 0] as const
  return tasks.toSorted((one, other) => {
    const [skipped, index, start] = keyOf(one)
    const [otherSkipped, otherIndex, otherStart] = keyOf(other)
    return skipped - otherSkipped || index - otherIndex || start - otherStart
  })
}

function useFlows(tasks: readonly Task[]) {
  const { store } = useField()
  const ids = [...new Set(tasks.map(({ flowId }) => flowId))]
  return useQueries({
    queries: ids.map((id) => myFlowQuery(store, id)),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data._id, data] as const] : []))),
  })
}

interface StopCardProps {
  task: Task
  stop: Stop
  number: number
  isNext?: boolean
  isDrafted: boolean
}

function StopCard({ task, stop, number, isNext = false, isDrafted }: StopCardProps) {
  const t = useMessages(fieldMessages)
  const title = task.title ?? task.flow
  const now = serverNow()
  const isLate = (parseTime(task.endTime)?.getTime() ?? now) < now
  const isEarly = (parseTime(task.startTime)?.getTime() ?? 0) > now
  const isArrived = typeof task.arrivedTime === "string" && task.arrivedTime !== ""
  return (
    <li className="stop-card" data-next={isNext || undefined}>
      {isNext ? <h2 className="stop-next">{t("nextStop")}</h2> : null}
      <Link to={paths.fieldTask} params={{ taskId: task._id }} className="stop-open">
        <span className="step-number" aria-hidden>
          {number}
        </span>
        <strong className="stop-title">{title}</strong>
        <span className="stop-badges">
          {isLate ? <Badge color="red">{t("late")}</Badge> : null}
          {isEarly ? <Badge color="gray">{t("notYet")}</Badge> : null}
          {isArrived ? <Badge color="blue">{t("arrived")}</Badge> : null}
          {task.outcome === "skipped" ? <Badge color="yellow">{t("skipped")}</Badge> : null}
          {isDrafted ? <Badge color="yellow">{t("draft")}</Badge> : null}
        </span>
        <IconChevronRight size={20} aria-hidden className="stop-chevron" />
      </Link>
      <StopFacts task={task} stop={stop} />
      <StopLinks stop={stop} title={title} />
      {isNext ? (
        <Button
          size="lg"
          fullWidth
          renderRoot={(props) => <Link {...props} to={paths.fieldTask} params={{ taskId: task._id }} />}
        >
          {isDrafted ? t("goOn") : t("begin")}
        </Button>
      ) : null}
    </li>
  )
}

/** What was finished within a day, and what waits to be sent. */
function DoneList({ done, waiting }: { done: readonly DoneTask[]; waiting: ReadonlyMap<string, string> }) {
  const t = useMessages(fieldMessages)
  const times = useStopTimes()
  const sent = done.filter(({ _id }) => !waiting.has(_id))
  if (sent.length + waiting.size === 0) return null
  return (
    <details className="field-done">
      <summary>{t("doneToday", { count: sent.length + waiting.size })}</summary>
      <ul>
        {[...waiting].map(([taskId, title]) => (
          <li key={taskId}>
            <span>{title}</span>
            <span className="quiet">{t("unsent")}</span>
          </li>
        ))}
        {sent.map(({ _id, title, flow, doneTime, outcome }) => (
          <li key={_id}>
            <span>{title ?? flow}</span>
            <span className="quiet">
              {typeof outcome === "string" && isKnownOutcome(outcome) ? `${t(outcome)} · ` : ""}
              {times.at(doneTime)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function isKnownOutcome(outcome: string): outcome is "partial" | "failed" | "returned" {
  return ["partial", "failed", "returned"].includes(outcome)
}
