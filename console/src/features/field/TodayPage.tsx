import "./field.css"
import { ActionIcon, Progress, Skeleton, Stack } from "@mantine/core"
import { IconMenu2, IconMoodSmile } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { BrandMark } from "../../shell/Brand.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { EmptyState } from "../../ui/layout/EmptyState.tsx"
import { myDoneQuery, myTasksQuery } from "./field.queries.ts"
import { useField } from "./field-context.ts"
import { InboxLink } from "./inbox/InboxLink.tsx"
import { isFinish, withProgress } from "./kept/field-sync.ts"
import { fieldMessages } from "./messages.ts"
import { SessionBar } from "./SessionBar.tsx"
import { DoneList } from "./today/DoneList.tsx"
import { inOrder } from "./today/order.ts"
import { StopList } from "./today/StopList.tsx"
import { TodayActions } from "./today/TodayActions.tsx"

/** The day: one card per stop in the order of the route, the next one first and largest. */
export function TodayPage() {
  const t = useMessages(fieldMessages)
  const { user } = useSession()
  const { store, waiting } = useField()
  const { data: tasks, error } = useQuery(myTasksQuery(store, user.email))
  const { data: done = [] } = useQuery(myDoneQuery(store, user.email))
  const finished = useMemo(
    () => new Map(waiting.filter(isFinish).map((entry) => [entry.taskId, entry.title])),
    [waiting],
  )
  const open = useMemo(() => {
    const left = (tasks ?? []).filter((task) => !finished.has(task._id))
    return inOrder(left.map((task) => withProgress(task, waiting)))
  }, [tasks, finished, waiting])
  const doneCount = new Set([...finished.keys(), ...done.map(({ _id }) => _id)]).size
  const total = doneCount + open.length
  const [isReordering, setReordering] = useState(false)
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
        {tasks ? <StopList stops={open} doneCount={doneCount} isReordering={isReordering} /> : null}
        <DoneList done={done} waiting={finished} />
      </main>
    </>
  )
}
