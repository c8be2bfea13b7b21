import { Alert, Button, Group } from "@mantine/core"
import { IconFileAlert } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { maxTasks, myTasksQuery } from "../field.queries.ts"
import { useField, useHeld } from "../field-context.ts"
import { noticeMessages } from "../notice-messages.ts"

/** What was entered for stops that were given to somebody else, finished or deleted meanwhile: they are in no list of stops. */
export function OrphanedDrafts() {
  const t = useMessages(noticeMessages)
  const { user } = useSession()
  const { store } = useField()
  const { drafted, waiting } = useHeld()
  const { data: tasks } = useQuery(myTasksQuery(store, user.email))
  const { taskId: shown } = useParams({ strict: false })
  if (!tasks || tasks.length === maxTasks) return null
  const known = new Set([...tasks.map(({ _id }) => _id), ...waiting.map(({ taskId }) => taskId), shown])
  return [...drafted]
    .filter(([taskId]) => !known.has(taskId))
    .map(([taskId, title]) => (
      <Alert key={taskId} color="yellow" role="alert" icon={<IconFileAlert size={20} />}>
        {t("orphaned", { title: title ?? t("untitled") })}
        <Group mt="xs">
          <Button
            size="md"
            renderRoot={(props) => <Link {...props} to={paths.fieldTask} params={{ taskId }} />}
          >
            {t("view")}
          </Button>
        </Group>
      </Alert>
    ))
}
