import { Group, NumberInput, Textarea } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { DateTimeInput } from "../../ui/forms/DateTimeInput.tsx"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { type EntryInput, type Plan, type Subject, saveEntry } from "./fleet.queries.ts"
import { fleetMessages } from "./fleet-messages.ts"
import { RequiredText } from "./RequiredText.tsx"

/** Logs what was done: the work of a plan, or other work. */
export function EntryDialog({
  plan,
  subject,
  onClose,
}: {
  plan: Plan | undefined
  subject: Subject
  onClose(): void
}) {
  const t = useMessages(fleetMessages)
  const [name, setName] = useState(plan?.name ?? "")
  const [doneOn, setDoneOn] = useState("")
  const [odometer, setOdometer] = useState<string | number>("")
  const [cost, setCost] = useState<string | number>("")
  const [note, setNote] = useState("")
  const save = useAction(
    () =>
      saveEntry({
        ...((plan ? { planId: plan._id } : subject) as EntryInput),
        ...{ name, note },
        ...(doneOn ? { doneOn } : {}),
        ...(odometer === "" ? {} : { odometerKilometers: Number(odometer) }),
        ...(cost === "" ? {} : { cost: Number(cost) }),
      }),
    { refreshes: [["vehicles"]], done: () => t("saved", { name }), onDone: onClose },
  )
  return (
    <FormDialog
      title={plan ? t("doneTitle", { name: plan.name }) : t("logWork")}
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <RequiredText label={t("name")} value={name} onChange={setName} />
      <Group grow align="end">
        <DateTimeInput type="date" label={t("doneOn")} {...bindText(doneOn, setDoneOn)} />
        <NumberInput label={t("cost")} min={0} decimalScale={2} value={cost} onChange={setCost} />
      </Group>
      {"vehicleId" in subject ? (
        <NumberInput label={t("odometerNow")} min={0} value={odometer} onChange={setOdometer} />
      ) : null}
      <Textarea label={t("note")} autosize maxLength={2_000} {...bindText(note, setNote)} />
    </FormDialog>
  )
}
