import "../../../ui/StatusBadge.css"
import "../field.css"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useMemo } from "react"
import { useSession } from "../../../session/session.ts"
import { PageError, PageLoading } from "../../../shell/page-states.tsx"
import { FieldHeader } from "../FieldHeader.tsx"
import { myFlowQuery, myTasksQuery } from "../field.queries.ts"
import { useField, useHeld } from "../field-context.ts"
import { openDraft } from "../kept/field-drafts.ts"
import { withProgress } from "../kept/field-sync.ts"
import { GoneStop } from "./GoneStop.tsx"
import { StopForm } from "./StopForm.tsx"

/** One stop, page by page. What is entered is kept on the phone at every change. */
export function StopPage() {
  const { taskId = "" } = useParams({ strict: false })
  const { user } = useSession()
  const { store } = useField()
  const { waiting } = useHeld()
  const { data: tasks } = useQuery(myTasksQuery(store, user.email))
  const task = tasks?.find((candidate) => candidate._id === taskId)
  const {
    data: flow,
    error,
    refetch,
  } = useQuery({ ...myFlowQuery(store, task?.flowId ?? ""), enabled: task !== undefined })
  const { data: draft } = useQuery({
    queryKey: ["field-draft", store.personKey, taskId],
    networkMode: "always",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: tasks !== undefined,
    queryFn: () => openDraft(store, taskId, task),
  })
  const said = waiting.filter(({ kind, taskId: about }) => kind === "progress" && about === taskId)
  const newest = said.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: entries are read again and again and never change
  const shown = useMemo(() => task && withProgress(task, said), [task, newest])
  if (tasks && !task && draft) return <GoneStop taskId={taskId} draft={draft} />
  // The form is not on the phone, and cannot be read now.
  if (task && !flow && error)
    return (
      <>
        <FieldHeader title={task.title ?? task.flow} />
        <PageError error={error} reset={() => void refetch()} />
      </>
    )
  if (!task || !shown || !flow || !draft) return <PageLoading />
  return <StopForm key={task._id} task={shown} flow={flow} draft={draft} />
}
