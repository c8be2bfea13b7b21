import "./field.css"
import { ActionIcon, Progress, Skeleton, Stack } from "@mantine/core"
import { IconMenu2, IconMoodSmile } from "@tabler/icons-react"
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { BrandMark } from "../../shell/Brand.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { EmptyState } from "../../ui/layout/EmptyState.tsx"
import type { Task } from "../work/tasks/tasks.queries.ts"
import { myDoneQuery, myFlowQuery, myTasksQuery } from "./field.queries.ts"
import { useField } from "./field-context.ts"
import { InboxLink } from "./inbox/InboxLink.tsx"
import { isFinish, withProgress } from "./kept/field-sync.ts"
import { fieldMessages } from "./messages.ts"
import { SessionBar } from "./SessionBar.tsx"
import { stopOf } from "./stop/stop.ts"
import { DoneList } from "./today/DoneList.tsx"
import { inOrder } from "./today/order.ts"
import { StopCard } from "./today/StopCard.tsx"
import { TodayActions } from "./today/TodayActions.tsx"
import { useReorder } from "./today/use-reorder.ts"

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
  const [isReordering, setReordering] = useState(false)
  const reorder = useReorder(open)
  const moveOf = (index: number) =>
    isReordering ? (by: -1 | 1) => void reorder(index, index + by) : undefined
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
        <TodayActions
          hasStops={open.length > 0}
          mayReorder={open.length > 1}
          isReordering={isReordering}
          onReorder={() => setReordering(!isReordering)}
        />
        <ol className="field-tasks">
          {open.map((task, index) => (
            <StopCard
              key={task._id}
              task={task}
              stop={stopOf(task, flows.get(task.flowId))}
              number={doneCount + index + 1}
              isNext={index === 0}
              isDrafted={drafted.has(task._id)}
              onMove={moveOf(index)}
            />
          ))}
        </ol>
        <DoneList done={done} waiting={finished} />
      </main>
    </>
  )
}

function useFlows(tasks: readonly Task[]) {
  const { store } = useField()
  const ids = [...new Set(tasks.map(({ flowId }) => flowId))]
  return useQueries({
    queries: ids.map((id) => myFlowQuery(store, id)),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data._id, data] as const] : []))),
  })
}
