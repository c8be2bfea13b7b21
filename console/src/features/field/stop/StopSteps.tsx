import { Button } from "@mantine/core"
import { IconCheck, IconMapPinCheck, IconTruckDelivery } from "@tabler/icons-react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import type { Flow } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { stampOf } from "../clock.ts"
import { useField } from "../field-context.ts"
import type { Waiting } from "../kept/field-sync.ts"
import { newName } from "../kept/storage.ts"
import { fieldMessages } from "../messages.ts"
import { fieldKey } from "./stop-rules.ts"
import { useStopTimes } from "./stop-times.ts"

/** When the person said that they are on the way. */
const onTheWayField = "onTheWayClickTime"

/** On the way, arrived: said with one tap, and kept while there is no network. */
export function StopSteps({ task, flow }: { task: Task; flow: Flow }) {
  const t = useMessages(fieldMessages)
  const times = useStopTimes()
  const { user } = useSession()
  const { store, refresh, send, setNotKept } = useField()
  const mark = async (timeField: string) => {
    const entry: Waiting = {
      id: newName(),
      taskId: task._id,
      title: task.title ?? task.flow,
      by: user.email,
      values: {},
      stamp: stampOf(),
      fix: undefined,
      kind: "progress",
      timeField,
    }
    try {
      await store.write([{ in: "waiting", key: entry.id, value: entry }])
    } catch {
      setNotKept(true)
      return
    }
    await refresh()
    void send()
  }
  const steps = [
    { field: onTheWayField, label: t("onTheWay"), icon: IconTruckDelivery },
    { field: fieldKey(flow, "arrivedTime"), label: t("arrived"), icon: IconMapPinCheck },
  ]
  return (
    <div className="stop-steps">
      {steps.map(({ field, label, icon: StepIcon }) => {
        const time = task[field]
        return typeof time === "string" && time !== "" ? (
          <span key={field} className="stop-step-done">
            <IconCheck size={18} aria-hidden /> {label} {times.at(time)}
          </span>
        ) : (
          <Button
            key={field}
            size="lg"
            variant="default"
            leftSection={<StepIcon size={20} aria-hidden />}
            onClick={() => void mark(field)}
          >
            {label}
          </Button>
        )
      })}
    </div>
  )
}
