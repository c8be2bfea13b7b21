import "./panel.css"
import { Alert, Group, Menu, Skeleton, Stack } from "@mantine/core"
import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronUp,
  IconCircleCheck,
  IconCopy,
  IconDots,
  IconLink,
  IconPencil,
  IconTransfer,
  IconTrash,
  IconUserPlus,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { type KeyboardEvent, lazy, Suspense, useState } from "react"
import { isTaskPriority } from "#shared/task-priorities.ts"
import { errorMessages, errorText } from "../../../../api/error-text.ts"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { useSession } from "../../../../session/session.ts"
import { shellMessages } from "../../../../shell/messages.ts"
import { areShortcutsOn, isTyped } from "../../../../shell/shortcuts.ts"
import { ActionButton, IconButton } from "../../../../ui/actions/ActionButton.tsx"
import { Panel } from "../../../../ui/layout/Panel.tsx"
import { notifyDone } from "../../../../ui/notify.ts"
import { StatusBadge } from "../../../../ui/StatusBadge.tsx"
import { TaskCustomer } from "../../../customers/TaskCustomer.tsx"
import { TaskPlugins } from "../../../extensions/plugins/TaskPlugins.tsx"
import { taskValue } from "../../flows/fields/task-value.ts"
import { type FlowComponent, flowQuery } from "../../flows/flows.queries.ts"
import { AssignDialog } from "../AssignDialog.tsx"
import type { BulkAction } from "../BulkDialog.tsx"
import { useExpectedArrival } from "../expected-arrival.ts"
import { labelMessages } from "../label-messages.ts"
import { isOverdue } from "../list/columns.tsx"
import { viewMessages } from "../list/view-messages.ts"
import { taskMessages } from "../messages.ts"
import { useHubNames } from "../people.ts"
import { type Task, taskQuery } from "../tasks.queries.ts"
import { ComponentValue } from "./ComponentValue.tsx"
import { panelMessages } from "./panel-messages.ts"
import { TaskAdditions } from "./TaskAdditions.tsx"
import { TaskHistory } from "./TaskHistory.tsx"
import { TaskOutcome } from "./TaskOutcome.tsx"
import { TaskTrack } from "./TaskTrack.tsx"

const TaskPlaceMap = lazy(() => import("./TaskPlaceMap.tsx"))
const TaskMessages = lazy(() => import("./TaskMessages.tsx"))
const TaskForm = lazy(() => import("../TaskForm.tsx"))
const BulkDialog = lazy(() => import("../BulkDialog.tsx"))

export interface TaskPanelProps {
  taskId: string
  people: ReadonlyMap<string, string>
  /** Opens the task below, or above, in the list; undefined where there is none. */
  onNext?: (() => void) | undefined
  onPrevious?: (() => void) | undefined
  onClose(): void
}

/** Everything about one task, next to the list. */
export default function TaskPanel({ taskId, people, onNext, onPrevious, onClose }: TaskPanelProps) {
  const t = useMessages(panelMessages)
  const tTask = useMessages(taskMessages)
  const tError = useMessages(errorMessages)
  const { data: task, error } = useQuery(taskQuery(taskId))
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const isOwn = event.target instanceof Element && event.target.closest("[role=dialog]") !== null
    if (!areShortcutsOn() || event.ctrlKey || event.metaKey || event.altKey || isTyped(event.target)) return
    const act = isOwn ? { j: onNext, k: onPrevious }[event.key] : undefined
    act?.()
  }
  return (
    <Panel
      onClose={onClose}
      onKeyDown={step}
      size={480}
      title={task ? (task.title ?? tTask("untitled")) : tTask("task")}
    >
      {onNext || onPrevious ? (
        <Group gap={4} className="panel-steps">
          <IconButton
            icon={IconChevronUp}
            label={t("previousTask")}
            iconSize={18}
            disabled={!onPrevious}
            onClick={onPrevious}
            title="K"
          />
          <IconButton
            icon={IconChevronDown}
            label={t("nextTask")}
            iconSize={18}
            disabled={!onNext}
            onClick={onNext}
            title="J"
          />
        </Group>
      ) : null}
      {task ? (
        <TaskDetails key={task._id} task={task} people={people} onClose={onClose} />
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
    </Panel>
  )
}

interface TaskDetailsProps {
  task: Task
  people: ReadonlyMap<string, string>
  onClose(): void
}

function TaskDetails({ task, people, onClose }: TaskDetailsProps) {
  const t = useMessages(panelMessages)
  const tTask = useMessages(taskMessages)
  const tLabel = useMessages(labelMessages)
  const formats = useFormats()
  const hubs = useHubNames()
  const arrivalOf = useExpectedArrival()
  const names = formats.list(task.assignee.map((email) => people.get(email) ?? email))
  const facts: [string, string | undefined][] = [
    [tTask("assignee"), names || tTask("nobody")],
    [tTask("start"), formats.dateTime(task.startTime)],
    [tTask("end"), formats.dateTime(task.endTime)],
    [tTask("expected"), arrivalOf(task)?.text],
    [tTask("done"), task.doneTime ? formats.dateTime(task.doneTime) : undefined],
    [t("doneBy"), task.doneBy ? (people.get(task.doneBy) ?? task.doneBy) : undefined],
    [tTask("flow"), task.flow],
    [tTask("hub"), hubs.size > 1 ? hubs.get(task.hubId) : undefined],
    [t("reference"), task.refId ?? undefined],
    [tLabel("priority"), isTaskPriority(task.priority) ? tLabel(task.priority) : undefined],
    [tLabel("tags"), Array.isArray(task.tags) ? task.tags.join(", ") : undefined],
  ]
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <StatusBadge status={task.status} label={tTask(task.status)} />
          {isOverdue(task) ? <span className="overdue">{tTask("overdue")}</span> : null}
        </Group>
        <TaskActions task={task} onClose={onClose} />
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
      <TaskOutcome task={task} people={people} />
      <TaskCustomer task={task} />
      <TaskPlugins taskId={task._id} />
      <TaskPages task={task} />
      <TaskAdditions task={task} people={people} />
      {task.expectedCoordinate ? (
        <section aria-label={t("place")}>
          <h3 className="panel-heading">{t("place")}</h3>
          <div style={{ height: 260, borderRadius: 10, overflow: "hidden" }}>
            <Suspense fallback={<Skeleton h={260} />}>
              <TaskPlaceMap coordinate={task.expectedCoordinate} title={task.title ?? tTask("untitled")} />
            </Suspense>
          </div>
        </section>
      ) : null}
      {task.status === "UNASSIGNED" ? null : <TaskTrack task={task} />}
      <Suspense fallback={null}>
        <TaskMessages taskId={task._id} />
      </Suspense>
      <section aria-label={t("history")}>
        <h3 className="panel-heading">{t("history")}</h3>
        <TaskHistory task={task} />
      </section>
    </Stack>
  )
}

type Opened = "assign" | "edit" | "copy" | BulkAction

/** Edit and assign as buttons, the rest in a menu; what a finished task or the role forbids is explained. */
function TaskActions({ task, onClose }: Omit<TaskDetailsProps, "people">) {
  const t = useMessages(panelMessages)
  const tView = useMessages(viewMessages)
  const tShell = useMessages(shellMessages)
  const { may, mayAny } = useSession()
  const [opened, setOpened] = useState<Opened>()
  const reasonFor = (permission: string) =>
    task.status === "DONE" ? t("doneTask") : may(permission) ? undefined : tShell("needs", { permission })
  const close = () => setOpened(undefined)
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${window.location.origin}/tracking/${task._id}`)
    notifyDone(tView("copied"))
  }
  const isOpen = task.status !== "DONE"
  return (
    <Group gap={6}>
      <ActionButton
        icon={IconPencil}
        label={tView("edit")}
        size="xs"
        variant="default"
        onClick={() => setOpened("edit")}
        reason={reasonFor("edit/task")}
      />
      <ActionButton
        icon={IconUserPlus}
        label={t("assign")}
        size="xs"
        variant="default"
        onClick={() => setOpened("assign")}
        reason={reasonFor("assign/task")}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton icon={IconDots} label={tView("others")} variant="default" size={30} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink()}>
            {tView("copyLink")}
          </Menu.Item>
          {may("add/task") ? (
            <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => setOpened("copy")}>
              {t("copy")}
            </Menu.Item>
          ) : null}
          {task.status === "ONGOING" && mayAny("edit/task", "do/task") ? (
            <Menu.Item leftSection={<IconCircleCheck size={16} />} onClick={() => setOpened("finish")}>
              {tView("finish")}
            </Menu.Item>
          ) : null}
          {isOpen && may("move/task") ? (
            <Menu.Item leftSection={<IconTransfer size={16} />} onClick={() => setOpened("move")}>
              {tView("move")}
            </Menu.Item>
          ) : null}
          {isOpen && may("delete/task") ? (
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setOpened("remove")}>
              {tView("delete")}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {opened === "assign" ? (
        <AssignDialog taskIds={[task._id]} hubIds={[task.hubId]} onClose={close} onDone={close} />
      ) : null}
      <Suspense fallback={null}>
        {opened === "copy" ? <TaskForm like={task} onClose={close} /> : null}
        {opened === "edit" ? <TaskForm task={task} onClose={close} /> : null}
        {opened === "finish" || opened === "move" || opened === "remove" ? (
          <BulkDialog
            action={opened}
            taskIds={[task._id]}
            onClose={close}
            onDone={opened === "remove" ? onClose : close}
          />
        ) : null}
      </Suspense>
    </Group>
  )
}

/** The flow's pages with what was entered on each. */
function TaskPages({ task }: { task: Task }) {
  const t = useMessages(panelMessages)
  const { data: flow } = useQuery(flowQuery(task.flowId))
  if (!flow) return null
  return flow.pages.map((page, index) => {
    const filled = (page.components as FlowComponent[]).filter(
      (component) => (taskValue(task, component) ?? null) !== null,
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
                  <ComponentValue
                    component={component}
                    value={taskValue(task, component)}
                    unit={task[`${component.id}_unit`]}
                  />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </section>
    )
  })
}
