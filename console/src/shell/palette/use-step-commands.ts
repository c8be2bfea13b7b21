import { IconCircleCheck, IconListCheck, IconUser, IconUserOff, IconUserPlus } from "@tabler/icons-react"
import type { BulkResult } from "../../features/work/tasks/bulk.ts"
import { viewMessages } from "../../features/work/tasks/list/view-messages.ts"
import { taskMessages } from "../../features/work/tasks/messages.ts"
import { usePeopleNames } from "../../features/work/tasks/people.ts"
import { assignTasks, finishTasks } from "../../features/work/tasks/task-actions.ts"
import { useMessages } from "../../i18n/language.tsx"
import { type ActionOptions, useAction } from "../../ui/actions/use-action.ts"
import { notifyDone, notifyFailed } from "../../ui/notify.ts"
import type { CommandGroup, Step } from "./commands.ts"
import { paletteMessages } from "./palette-messages.ts"
import { useFoundTasks } from "./use-found-tasks.ts"

/** What completes an action: the tasks, people or states to choose from. */
export function useStepCommands(step: Step | undefined, words: string): CommandGroup[] {
  const t = useMessages(paletteMessages)
  const tTask = useMessages(taskMessages)
  const tView = useMessages(viewMessages)
  const people = usePeopleNames()
  const tasks = useFoundTasks(words, { isActive: step?.ask === "task", isOpen: true })
  const options = (done: (count: number) => string): ActionOptions<BulkResult, { title: string }> => ({
    refreshes: [["tasks"], ["task"]],
    failed: ({ title }) => title,
    onDone: ({ refused: [refusal] }, { title }) =>
      refusal ? notifyFailed(title, refusal.reason) : notifyDone(done(1)),
  })
  const assign = useAction(
    ({ taskId, emails }: { taskId: string; title: string; emails: string[] }) =>
      assignTasks([taskId], emails),
    options((count) => tTask("assignDone", { count })),
  )
  const unassign = useAction(
    ({ taskId }: { taskId: string; title: string }) => assignTasks([taskId], []),
    options((count) => tTask("unassignDone", { count })),
  )
  const finish = useAction(
    ({ taskId }: { taskId: string; title: string }) => finishTasks([taskId], { outcome: "done", reason: "" }),
    options((count) => tView("finished", { count })),
  )
  if (!step) return []
  if (step.ask === "task")
    return [
      {
        label: t("task"),
        isFound: true,
        commands: tasks.map(({ id, label }) => ({
          id,
          label,
          icon: IconListCheck,
          next: { ask: step.action === "assign" ? "person" : "status", taskId: id, title: label },
        })),
      },
    ]
  const { taskId, title } = step
  if (step.ask === "person")
    return [
      {
        label: t("people"),
        commands: [...people].map(([email, name]) => ({
          id: email,
          label: name,
          icon: IconUser,
          run: () => assign.mutate({ taskId, title, emails: [email] }),
        })),
      },
    ]
  return [
    {
      label: tTask("status"),
      commands: [
        {
          id: "DONE",
          label: tTask("DONE"),
          icon: IconCircleCheck,
          run: () => finish.mutate({ taskId, title }),
        },
        {
          id: "ONGOING",
          label: tTask("ONGOING"),
          icon: IconUserPlus,
          next: { ask: "person", taskId, title },
        },
        {
          id: "UNASSIGNED",
          label: tTask("UNASSIGNED"),
          icon: IconUserOff,
          run: () => unassign.mutate({ taskId, title }),
        },
      ],
    },
  ]
}
