import { Alert, Button, Radio, Stack } from "@mantine/core"
import { dataOf, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"

const messages = defineMessages("work.slots", {
  find: "Find an appointment",
  again: "Find other appointments",
  hint: "Windows of the coming days that fit the routes of the hub, those with the least extra driving first. They are held for ten minutes.",
  needsPlace: "Enter a location first.",
  none: "No vehicle of this hub has room in the next 7 days.",
  window: "{day}, {from}–{to}",
  extra: "+{minutes} min of driving",
  chosen: "Appointment",
})

export type OfferedSlot = ResponseBody<"offerSlots">["data"][number]

export interface VisitToPlan {
  hubId: string
  /** "lat,lng"; empty while it is unknown. */
  coordinate: string
  visitTime: number | undefined
  tags: string[]
  /** The open task that is to move, whose present time is not other work. */
  taskId?: RequestBody<"bookSlot">["taskId"]
}

interface AppointmentSlotsProps {
  visit: VisitToPlan
  chosen: OfferedSlot | undefined
  onChoose(slot: OfferedSlot | undefined): void
}

/**
 * The slots that this tab was offered last for a place, also before a reload: until they are given back, they count as work
 * beside the next offer.
 */
const offered = {
  read(place: string): string[] {
    try {
      const ids: unknown = JSON.parse(sessionStorage.getItem(`slots ${place}`) ?? "[]")
      return Array.isArray(ids) ? ids.map(String) : []
    } catch {
      return []
    }
  },
  keep(place: string, slots: readonly OfferedSlot[]): void {
    try {
      sessionStorage.setItem(`slots ${place}`, JSON.stringify(slots.map(({ _id }) => _id)))
    } catch {
      // Without storage they count as work for ten minutes.
    }
  },
}

/** Offers appointment windows for a new task or one that moves; the chosen one is booked later. */
export function AppointmentSlots({ visit, chosen, onChoose }: AppointmentSlotsProps) {
  const t = useMessages(messages)
  const formats = useFormats()
  const { hubId, coordinate, visitTime, tags, taskId } = visit
  const place = `${hubId} ${coordinate}`
  const offer = useAction(
    async () => {
      const slots = await dataOf(
        server.post("/api/v3/slot/offers", {
          body: {
            hubId,
            coordinate,
            ...(visitTime ? { visitTime } : {}),
            ...(tags.length > 0 ? { tags } : {}),
            ...(taskId ? { taskId } : {}),
            replaces: offered.read(place) as OfferedSlot["_id"][],
          },
        }),
      )
      offered.keep(place, slots)
      return slots
    },
    { onDone: () => onChoose(undefined) },
  )
  const slots = offer.data
  return (
    <Stack gap="xs">
      <Button
        variant="light"
        size="xs"
        style={{ alignSelf: "flex-start" }}
        disabled={coordinate === ""}
        loading={offer.isPending}
        onClick={() => offer.mutate()}
      >
        {t(slots ? "again" : "find")}
      </Button>
      <p className="quiet" style={{ fontSize: "0.75rem" }}>
        {t(coordinate === "" ? "needsPlace" : "hint")}
      </p>
      <FormError error={offer.error} />
      {slots?.length === 0 ? <Alert color="yellow">{t("none")}</Alert> : null}
      {slots && slots.length > 0 ? (
        <Radio.Group
          label={t("chosen")}
          value={chosen?._id ?? ""}
          onChange={(id) => onChoose(slots.find(({ _id }) => _id === id))}
        >
          <Stack gap={6} mt={4}>
            {slots.map((slot) => (
              <Radio
                key={slot._id}
                value={slot._id}
                label={t("window", {
                  day: formats.weekdayDate(slot.startTime),
                  from: formats.time(slot.startTime),
                  to: formats.time(slot.endTime),
                })}
                description={t("extra", { minutes: slot.extraMinutes })}
              />
            ))}
          </Stack>
        </Radio.Group>
      ) : null}
    </Stack>
  )
}
