import "./panel.css"
import { Alert, Button, Group, Stack, TextInput } from "@mantine/core"
import { IconAlertTriangle, IconRepeat } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { isTaskOutcome } from "#shared/task-outcomes.ts"
import { server } from "../../../../api/server.ts"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { paths } from "../../../../paths.ts"
import { useSession } from "../../../../session/session.ts"
import { useAction } from "../../../../ui/actions/use-action.ts"
import { bindText } from "../../../../ui/forms/bind.ts"
import { Form } from "../../../../ui/forms/Form.tsx"
import { FormError } from "../../../../ui/forms/FormError.tsx"
import { componentsOf, flowQuery } from "../../flows/flows.queries.ts"
import { outcomeMessages } from "../../outcome-messages.ts"
import type { Task } from "../tasks.queries.ts"
import { outcomePanelMessages } from "./outcome-panel-messages.ts"

/** What came of the work, what a supervisor should look at, and the attempts before and after it. */
export function TaskOutcome({ task, people }: { task: Task; people: ReadonlyMap<string, string> }) {
  const t = useMessages(outcomePanelMessages)
  const tOutcome = useMessages(outcomeMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { data: flow } = useQuery(flowQuery(task.flowId))
  // A component of an older flow may have the id of such a field, which then has another key.
  const own = new Set(flow ? componentsOf(flow).map(({ id }) => id) : [])
  const text = (name: string) => {
    const value = task[own.has(name) ? `_${name}` : name]
    return typeof value === "string" && value !== "" ? value : undefined
  }
  const flag = (name: string) => task[own.has(name) ? `_${name}` : name] === true
  const reasons = task[own.has("reviewReasons") ? "_reviewReasons" : "reviewReasons"]
  const outcome = text("outcome")
  const reviewer = text("reviewedBy")
  const [nextId, previousId] = [text("nextTaskId"), text("previousTaskId")]
  const facts: [string, string | undefined][] = [
    [tOutcome("outcome"), isTaskOutcome(outcome) ? tOutcome(outcome) : undefined],
    [t("reason"), text("outcomeReason")],
    [t("arrived"), formats.dateTime(text("arrivedTime")) || undefined],
    [t("left"), formats.dateTime(text("leftTime")) || undefined],
    [tOutcome("late"), flag("isLate") ? (text("lateReason") ?? t("withoutReason")) : undefined],
    [
      t("reviewed"),
      reviewer
        ? [people.get(reviewer) ?? reviewer, text("reviewNote")].filter(Boolean).join(": ")
        : undefined,
    ],
  ]
  const shown = facts.filter(([, value]) => value !== undefined && value !== "–")
  const mayRepeat = task.status === "DONE" && outcome !== undefined && outcome !== "done" && !nextId
  if (shown.length === 0 && !previousId && !nextId) return null
  return (
    <section aria-label={tOutcome("outcome")}>
      <h3 className="panel-heading">{tOutcome("outcome")}</h3>
      <Stack gap="sm">
        {flag("needsReview") ? (
          <ReviewAlert taskId={task._id} reasons={Array.isArray(reasons) ? reasons.map(String) : []} />
        ) : null}
        <dl className="facts">
          {shown.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Group gap="md">
          {previousId ? <TaskLink taskId={previousId} label={t("previousAttempt")} /> : null}
          {nextId ? <TaskLink taskId={nextId} label={t("nextAttempt")} /> : null}
          {mayRepeat && may("add/task") ? <AttemptButton taskId={task._id} /> : null}
        </Group>
      </Stack>
    </section>
  )
}

function TaskLink({ taskId, label }: { taskId: string; label: string }) {
  return (
    <Link to={paths.tasks} search={{ task: taskId }} className="quiet-link">
      {label}
    </Link>
  )
}

/** Why a finish needs a look, and the button that accepts it. */
function ReviewAlert({ taskId, reasons }: { taskId: string; reasons: readonly string[] }) {
  const t = useMessages(outcomePanelMessages)
  const tOutcome = useMessages(outcomeMessages)
  const { may } = useSession()
  const [note, setNote] = useState("")
  const accept = useAction(
    () =>
      server.put("/api/v3/task-reviews/{taskId}", {
        taskId,
        body: note.trim() ? { note: note.trim() } : {},
      }),
    { refreshes: [["tasks"], ["task"]], done: () => t("accepted") },
  )
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={tOutcome("toReview")}>
      <Stack gap="xs">
        <ul className="review-reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        {may("edit/task") ? (
          <Form onSubmit={() => accept.mutate()}>
            <Group gap="xs" align="end">
              <TextInput
                label={t("note")}
                maxLength={1000}
                style={{ flex: "1 1 160px" }}
                {...bindText(note, setNote)}
              />
              <Button type="submit" loading={accept.isPending}>
                {t("accept")}
              </Button>
            </Group>
            <FormError error={accept.error} />
          </Form>
        ) : null}
      </Stack>
    </Alert>
  )
}

function AttemptButton({ taskId }: { taskId: string }) {
  const t = useMessages(outcomePanelMessages)
  const make = useAction(() => server.post("/api/v3/task-attempts/{taskId}", { taskId, body: {} }), {
    refreshes: [["tasks"], ["task"]],
    done: () => t("attemptMade"),
  })
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRepeat size={15} />}
        loading={make.isPending}
        onClick={() => make.mutate()}
      >
        {t("scheduleAttempt")}
      </Button>
      <FormError error={make.error} />
    </div>
  )
}
