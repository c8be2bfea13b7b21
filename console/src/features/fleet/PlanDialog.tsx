import { Group, NumberInput, Select, Switch, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { flowsQuery } from "../work/flows/flows.queries.ts"
import { type Plan, type PlanInput, type Subject, savePlan } from "./fleet.queries.ts"
import { fleetMessages } from "./fleet-messages.ts"
import { RequiredText } from "./RequiredText.tsx"

const none = "none"
const intervals = [
  ["everyKilometers", "remindKilometers"],
  ["everyHours", "remindHours"],
  ["everyDays", "remindDays"],
] as const
type Field = (typeof intervals)[number][number]

/** How often something is due, how long before that is said, and whether a task is created. */
export function PlanDialog({
  plan,
  subject,
  onClose,
}: {
  plan: Plan | undefined
  subject: Subject
  onClose(): void
}) {
  const t = useMessages(fleetMessages)
  const { data: flows = [] } = useQuery(flowsQuery)
  const [name, setName] = useState(plan?.name ?? "")
  const [isActive, setActive] = useState(plan?.isActive ?? true)
  const [flowId, setFlow] = useState(plan?.flowId ?? null)
  const [numbers, setNumbers] = useState<Partial<Record<Field, string | number>>>(() =>
    Object.fromEntries(intervals.flat().map((field) => [field, plan?.[field] || ""])),
  )
  const isVehicle = "vehicleId" in subject
  const save = useAction(
    () => {
      const number = (field: Field) => (numbers[field] ? Number(numbers[field]) : undefined)
      const body = {
        ...{ ...subject, name, isActive, flowId },
        ...Object.fromEntries(intervals.flat().map((field) => [field, number(field)])),
      }
      return savePlan(plan?._id, body as PlanInput)
    },
    { refreshes: [["vehicles"]], done: () => t("saved", { name }), onDone: onClose },
  )
  const field = (key: Field) => (
    <NumberInput
      label={t(key)}
      min={0}
      allowDecimal={!key.endsWith("Days")}
      value={numbers[key] ?? ""}
      onChange={(value) => setNumbers((current) => ({ ...current, [key]: value }))}
    />
  )
  return (
    <FormDialog
      title={plan?.name ?? t("newPlan")}
      history={plan && { objectType: "maintenance-plan", objectId: plan._id }}
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <RequiredText label={t("name")} data-autofocus value={name} onChange={setName} />
      {isVehicle ? (
        <Text size="sm" c="dimmed">
          {t("planHint")}
        </Text>
      ) : null}
      {intervals
        .filter(([every]) => isVehicle || every === "everyDays")
        .map(([every, remind]) => (
          <Group key={every} grow align="end">
            {field(every)}
            {field(remind)}
          </Group>
        ))}
      <Select
        label={t("flow")}
        description={t("flowHint")}
        allowDeselect={false}
        data={[
          { value: none, label: t("noFlow") },
          ...flows.map(({ _id, name: label }) => ({ value: _id, label })),
        ]}
        value={flowId ?? none}
        onChange={(value) => setFlow(value === none ? null : value)}
      />
      <Switch
        label={t("isOn")}
        checked={isActive}
        onChange={({ currentTarget: { checked } }) => setActive(checked)}
      />
    </FormDialog>
  )
}
