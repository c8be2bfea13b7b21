import { Button, Group } from "@mantine/core"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { AppointmentSlots, type OfferedSlot } from "../../work/tasks/AppointmentSlots.tsx"
import type { DayTask } from "./dispatch.queries.ts"
import { dispatchMessages } from "./messages.ts"

interface AppointmentDialogProps {
  task: DayTask
  onClose(): void
}

/** Windows of the coming days that fit an open task; booking one gives the task its times. */
export default function AppointmentDialog({ task, onClose }: AppointmentDialogProps) {
  const t = useMessages(dispatchMessages)
  const formats = useFormats()
  const [slot, setSlot] = useState<OfferedSlot>()
  const book = useAction(
    ({ _id: slotId }: OfferedSlot) =>
      dataOf(server.post("/api/v3/slot/{slotId}/book", { slotId, body: { taskId: task._id } })),
    {
      refreshes: [["dispatch", "day"], ["tasks"], ["task"]],
      done: (booked) =>
        t("booked", { day: formats.weekdayDate(booked.startTime), time: formats.time(booked.startTime) }),
      onDone: onClose,
    },
  )
  return (
    <OpenModal onClose={onClose} title={t("appointmentFor", { task: task.title || t("untitled") })}>
      <AppointmentSlots
        visit={{
          taskId: task._id,
          hubId: task.hubId,
          coordinate: `${task.lat},${task.lng}`,
          visitTime: task.visitMinutes && task.visitMinutes >= 1 ? Math.round(task.visitMinutes) : undefined,
          tags: task.tags ?? [],
        }}
        chosen={slot}
        onChoose={setSlot}
      />
      <FormError error={book.error} />
      <Group justify="flex-end" mt="md">
        <Button
          disabled={slot === undefined}
          loading={book.isPending}
          onClick={() => slot && book.mutate(slot)}
        >
          {t("book")}
        </Button>
      </Group>
    </OpenModal>
  )
}
