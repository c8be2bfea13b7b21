import "../../../ui/StatusBadge.css"
import "../field.css"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { PageLoading } from "../../../shell/page-states.tsx"
import { myFlowQuery, myTasksQuery } from "../field.queries.ts"
import { useField } from "../field-context.ts"
import { openDraft } from "../kept/field-drafts.ts"
import { withProgress } from "../kept/field-sync.ts"
import { fieldMessages } from "../messages.ts"
import { StopForm } from "./StopForm.tsx"

/** One stop, page by page. What is entered is kept on the phone at every change. */
export function StopPage() {
  const t = useMessages(fieldMessages)
  const { taskId = "" } = useParams({ strict: false })
  const { user } = useSession()
  const { store, waiting } = useField()
  const { data: tasks } = useQuery(myTasksQuery(store, user.email))
  const task = tasks?.find((candidate) => candidate._id === taskId)
  const { data: flow } = useQuery({
    ...myFlowQuery(store, task?.flowId ?? ""),
    enabled: task !== undefined,
  })
  const { data: draft } = useQuery({
    queryKey: ["field-draft", store.personKey, taskId],
    networkMode: "always",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => openDraft(store, taskId),
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
  return <StopForm key={task._id} task={withProgress(task, waiting)} flow={flow} draft={draft} />
}
