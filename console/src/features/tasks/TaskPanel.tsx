import { Alert, Button, Drawer, Group, Skeleton, Stack } from "@mantine/core"
import { IconAlertTriangle, IconUserPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"
import { useSession } from "../../session/session.ts"
import { shellMessages } from "../../shell/messages.ts"
import { Explained } from "../../ui/Explained.tsx"
import { StatusBadge } from "../../ui/StatusBadge.tsx"
import { flowQuery } from "../flows/flows.queries.ts"
import { AssignDialog } from "./AssignDialog.tsx"
import { ComponentValue } from "./ComponentValue.tsx"
import { isOverdue } from "./columns.tsx"
import { taskMessages } from "./messages.ts"
import { type Task, taskQuery } from "./tasks.queries.ts"

const TaskPlaceMap = lazy(() => import("./TaskPlaceMap.tsx"))

export const panelMessages = defineMessages({
  en: {
    close: "Close",
    history: "History",
    place: "Place",
    doneBy: "Finished by",
    reference: "Reference",
    empty: "Nothing entered yet",
    page: "Page {number}",
    noHistory: "Nothing has happened yet",
    assign: "Assign",
    by: "by {name}",
    doneTask: "A finished task can no longer change",
  },
  id: {
    close: "Tutup",
    history: "Riwayat",
    place: "Lokasi",
    doneBy: "Diselesaikan oleh",
    reference: "Referensi",
    empty: "Belum ada isian",
    page: "Halaman {number}",
    noHistory: "Belum ada kejadian",
    assign: "Tugaskan",
    by: "oleh {name}",
    doneTask: "Tugas yang selesai tidak dapat diubah lagi",
  },
})

export interface TaskPanelProps {
  taskId: string
  people: ReadonlyMap<string, string>
  onClose(): void
}

/** Everything about one task, beside the list. */
export default function TaskPanel({ taskId, people, onClose }: TaskPanelProps) {
  const t = useMessages(panelMessages)
  const tTask = useMessages(taskMessages)
  const tError = useMessages(errorMessages)
  const { data: task, error } = useQuery(taskQuery(taskId))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={460}
      title={task ? (task.title ?? tTask("untitled")) : tTask("task")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {task ? (
        <TaskDetails task={task} people={people} />
      ) : error ? (
        <Alert color="red" icon={<IconAlertTriangle size={18} />}>
          {errorText(error, tError)}
        </Alert>
      ) : (
        <Stack>
          <Skeleton h={20} w="50%" />
          <Skeleton h={120} />
        </Stack>
      )}
    </Drawer>
  )
}

function TaskDetails({ task, people }: { task: Task; people: ReadonlyMap<string, string> }) {
  const t = useMessages(panelMessages)
  const tTask = useMessages(taskMessages)
  const tShell = useMessages(shellMessages)
  const formats = useFormats()
  const { may } = useSession()
  const [isAssigning, setAssigning] = useState(false)
  const names = task.assignee.map((email) => people.get(email) ?? email).join(", ")
  const reason =
    task.status === "DONE"
      ? t("doneTask")
      : may("assign/task")
        ? undefined
        : tShell("needs", { permission: "assign/task" })
  const facts: [string, string | undefined][] = [
    [tTask("assignee"), names || tTask("nobody")],
    [tTask("start"), formats.dateTime(task.startTime)],
    [tTask("end"), formats.dateTime(task.endTime)],
    [tTask("done"), task.doneTime ? formats.dateTime(task.doneTime) : undefined],
    [t("doneBy"), task.doneBy ? (people.get(task.doneBy) ?? task.doneBy) : undefined],
    [tTask("flow"), task.flow],
    [t("reference"), task.refId],
  ]
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="sm">
          <StatusBadge status={task.status} label={tTask(task.status)} />
          {isOverdue(task) ? <span className="overdue">{tTask("overdue")}</span> : null}
        </Group>
        <Explained reason={reason}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUserPlus size={15} />}
            onClick={() => setAssigning(true)}
          >
            {t("assign")}
          </Button>
        </Explained>
      </Group>
      <dl className="facts">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <TaskPages task={task} />
      {task.expectedCoordinate ? (
        <section aria-label={t("place")}>
          <h3 className="panel-heading">{t("place")}</h3>
          <div style={{ height: 200, borderRadius: 10, overflow: "hidden" }}>
            <Suspense fallback={<Skeleton h={200} />}>
              <TaskPlaceMap coordinate={task.expectedCoordinate} title={task.title ?? tTask("untitled")} />
            </Suspense>
          </div>
        </section>
      ) : null}
      <section aria-label={t("history")}>
        <h3 className="panel-heading">{t("history")}</h3>
        <TaskHistoryList task={task} />
      </section>
      {isAssigning ? (
        <AssignDialog
          taskIds={[task._id]}
          people={people}
          onClose={() => setAssigning(false)}
          onDone={() => setAssigning(false)}
        />
      ) : null}
    </Stack>
  )
}

/** The flow's pages with what was entered on each. */
function TaskPages({ task }: { task: Task }) {
  const t = useMessages(panelMessages)
  const { data: flow } = useQuery(flowQuery(task.flowId))
  if (!flow) return null
  return flow.pages.map((page, index) => {
    const filled = page.components.filter(
      (component) => task[component.id] !== undefined && task[component.id] !== null,
    )
    return (
      <section key={page.id}>
        <h3 className="panel-heading">{page.title ?? t("page", { number: index + 1 })}</h3>
        {filled.length === 0 ? (
          <p className="quiet">{t("empty")}</p>
        ) : (
          <dl className="facts">
            {filled.map((component) => (
              <div key={component.id}>
                <dt>{component.title ?? component.id}</dt>
                <dd>
                  <ComponentValue component={component} value={task[component.id]} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </section>
    )
  })
}

function TaskHistoryList({ task }: { task: Task }) {
  const t = useMessages(panelMessages)
  const formats = useFormats()
  const entries = task.histories ?? []
  if (entries.length === 0) return <p className="quiet">{t("noHistory")}</p>
  return (
    <ol className="history">
      {entries.toReversed().map((entry) => (
        <li key={entry._id}>
          <span>{entry.notes}</span>
          <time className="quiet" dateTime={entry.createdAt}>
            {formats.dateTime(entry.createdAt)}
          </time>
        </li>
      ))}
    </ol>
  )
}
