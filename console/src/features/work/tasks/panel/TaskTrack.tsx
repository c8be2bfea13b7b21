import { Skeleton } from "@mantine/core"
import { IconRoute } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { dataOf, server } from "../../../../api/server.ts"
import { parseTime } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { useSession } from "../../../../session/session.ts"
import { ActionButton } from "../../../../ui/actions/ActionButton.tsx"
import { FormError } from "../../../../ui/forms/FormError.tsx"
import { usersQuery } from "../../../people/users/users.queries.ts"
import { viewMessages } from "../list/view-messages.ts"
import type { Task } from "../tasks.queries.ts"

const TaskTrackMap = lazy(() => import("./TaskTrackMap.tsx"))
/** Of a long task, the end of the track matters most. */
const longestMilliseconds = 24 * 3_600_000

/** Where the person was while the task ran. Loaded by a button, since each view is recorded. */
export function TaskTrack({ task }: { task: Task }) {
  const t = useMessages(viewMessages)
  const { may } = useSession()
  const [isWanted, setWanted] = useState(false)
  const { data: users } = useQuery({ ...usersQuery, enabled: may("view/user") })
  const email = task.doneBy ?? task.assignee[0]
  const person = users?.find((user) => user.email === email)
  const end = (parseTime(task.doneTime) ?? new Date()).getTime()
  const start = Math.max(parseTime(task.startTime)?.getTime() ?? end, end - longestMilliseconds)
  const track = useQuery({
    queryKey: ["track", person?._id, task._id],
    enabled: isWanted && person !== undefined,
    queryFn: ({ signal }) => {
      const query = { timeFrom: new Date(start).toISOString(), timeTo: new Date(end).toISOString() }
      const path = { userId: person?._id ?? "" }
      return dataOf(server.get("/api/v3/track/{userId}", { ...path, query, signal }))
    },
  })
  if (!person || !may("view/tracking")) return null
  return (
    <section aria-label={t("track")}>
      <h3 className="panel-heading">{t("track")}</h3>
      {!isWanted ? (
        <ActionButton
          icon={IconRoute}
          label={t("showTrack")}
          size="xs"
          variant="default"
          onClick={() => setWanted(true)}
        />
      ) : track.error ? (
        <FormError error={track.error} />
      ) : !track.data ? (
        <Skeleton h={220} />
      ) : track.data.vertices.length === 0 ? (
        <p className="quiet">{t("noTrack")}</p>
      ) : (
        <>
          <p className="quiet" style={{ marginBottom: 6 }}>
            {t("trackText", { name: person.name })}
          </p>
          <div style={{ height: 240, borderRadius: 10, overflow: "hidden" }}>
            <Suspense fallback={<Skeleton h={240} />}>
              <TaskTrackMap
                label={t("track")}
                vertices={track.data.vertices}
                coordinate={task.expectedCoordinate}
                title={task.title ?? ""}
              />
            </Suspense>
          </div>
        </>
      )}
    </section>
  )
}
