import { Button } from "@mantine/core"
import { IconCheck, IconMapPinCheck, IconTruckDelivery } from "@tabler/icons-react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import type { Flow } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { stampOf } from "../clock.ts"
import { useField } from "../field-context.ts"
import { keepEntry } from "../kept/field-other.ts"
import { fieldMessages } from "../messages.ts"
import { readLeaving, writeLeaving } from "./leaving.ts"
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
    const step = { kind: "progress", by: user.email, stamp: stampOf() } as const
    // Who sets out for a stop has left the one before.
    const left = timeField === onTheWayField ? readLeaving(store.personKey) : []
    try {
      await keepEntry(store, { ...step, taskId: task._id, title: task.title ?? task.flow, timeField })
      for (const { coordinate: _coordinate, ...stop } of left) await keepEntry(store, { ...step, ...stop })
      if (left.length > 0) writeLeaving(store.personKey, [])
    } catch {
      setNotKept(true)
      return
    }
    await refresh()
    void send()
  }
  const arrivedField = fieldKey(flow, "arrivedTime")
  // Nobody sets out for a place that they have reached.
  const isOnlyArrived = Boolean(task[arrivedField]) && !task[onTheWayField]
  const steps = [
    ...(isOnlyArrived ? [] : [{ field: onTheWayField, label: t("onTheWay"), icon: IconTruckDelivery }]),
    { field: arrivedField, label: t("arrived"), icon: IconMapPinCheck },
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
