import { Button, Group, Progress, Select, Stack, Text, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { isTaskOutcome, type TaskOutcome, taskOutcomes } from "#shared/task-outcomes.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { isTypedCount, TypedCount } from "../../../ui/actions/TypedCount.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { outcomeMessages } from "../outcome-messages.ts"
import { BulkRefusals } from "./BulkRefusals.tsx"
import { viewMessages } from "./list/view-messages.ts"
import { taskMessages } from "./messages.ts"
import { deleteTasks, finishTasks, moveTasks } from "./task-actions.ts"

export type BulkAction = "finish" | "move" | "remove"

export interface BulkDialogProps {
  action: BulkAction
  taskIds: readonly string[]
  onClose(): void
  onDone(): void
}

const doneWords = { finish: "finished", move: "movedMany", remove: "removed" } as const

/** Finishes, moves or deletes tasks after asking; each rejection is shown with its reason. */
export default function BulkDialog({ action, taskIds, onClose, onDone }: BulkDialogProps) {
  const t = useMessages(viewMessages)
  const tTask = useMessages(taskMessages)
  const tOutcome = useMessages(outcomeMessages)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const [hubId, setHubId] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<TaskOutcome>("done")
  const [reason, setReason] = useState("")
  const [sent, setSent] = useState(0)
  const count = taskIds.length
  const [typed, setTyped] = useState("")
  const isConfirmed = action !== "remove" || isTypedCount(typed, count)
  const act = useAction(
    () => {
      if (action === "finish") return finishTasks(taskIds, { outcome, reason: reason.trim() }, setSent)
      return action === "move" ? moveTasks(taskIds, hubId ?? "", setSent) : deleteTasks(taskIds, setSent)
    },
    {
      refreshes: [["tasks"], ["task"]],
      onDone: (result) => {
        if (result.done > 0) notifyDone(t(doneWords[action], { count: result.done }))
        if (result.refused.length === 0) onDone()
      },
    },
  )
  const refused = act.data?.refused ?? []
  const title = { finish: "finishTitle", move: "moveTitle", remove: "removeTitle" } as const
  const submit = { finish: t("finish"), move: t("moveSubmit"), remove: t("delete") }[action]
  return (
    <OpenModal onClose={onClose} title={t(title[action], { count })}>
      <Stack gap="sm">
        {action === "move" ? (
          <Select
            label={tTask("hub")}
            data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
            value={hubId}
            searchable={hubs.length > 8}
            onChange={setHubId}
          />
        ) : (
          <Text size="sm">{t(action === "finish" ? "finishText" : "removeText")}</Text>
        )}
        {action === "finish" ? (
          <>
            <Select
              label={tOutcome("outcome")}
              allowDeselect={false}
              data={taskOutcomes.map((value) => ({ value, label: tOutcome(value) }))}
              value={outcome}
              onChange={(value) => setOutcome(isTaskOutcome(value) ? value : "done")}
            />
            <TextInput
              label={outcome === "done" ? tOutcome("lateReason") : tOutcome("reason")}
              maxLength={255}
              {...bindText(reason, setReason)}
            />
          </>
        ) : null}
        {action === "remove" ? <TypedCount count={count} value={typed} onChange={setTyped} /> : null}
        {act.isPending && count > 2_000 ? (
          <Progress value={(100 * sent) / count} aria-label={tTask("working", { done: sent, count })} />
        ) : null}
        <FormError error={act.error} />
        <BulkRefusals refused={refused} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={refused.length > 0 ? onDone : onClose}>
            {refused.length > 0 ? tTask("close") : tTask("cancel")}
          </Button>
          {act.isSuccess ? null : (
            <Button
              color={action === "remove" ? "red" : "pine"}
              loading={act.isPending}
              disabled={(action === "move" && hubId === null) || !isConfirmed}
              onClick={() => act.mutate()}
            >
              {submit}
            </Button>
          )}
        </Group>
      </Stack>
    </OpenModal>
  )
}
