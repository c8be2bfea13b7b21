import { NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { dataTypesQuery } from "../../work/data-types/data-types.queries.ts"
import { type Configuration, dataSourcesOf } from "../../work/flows/builder/data-sources.ts"
import { FilledField } from "../../work/flows/fields/FilledField.tsx"
import type { Flow, FlowComponent } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { serverNow } from "../clock.ts"
import { fixNow } from "../kept/field-positions.ts"
import { fieldMessages } from "../messages.ts"
import { isPlanned } from "./stop-rules.ts"
import { useStopTimes } from "./stop-times.ts"
import type { StopDraft } from "./use-stop-draft.ts"

interface StopFieldProps {
  component: FlowComponent
  task: Task
  flow: Flow
  valueFor(componentId: string): unknown
  form: StopDraft
  error: string | undefined
}

/** One component of a stop: what the planner entered is read, everything else is filled in. */
export function StopField({ component, task, flow, valueFor, form, error }: StopFieldProps) {
  const t = useMessages(fieldMessages)
  const times = useStopTimes()
  const { user, may } = useSession()
  const sources = dataSourcesOf((flow.configurations ?? []) as Configuration[])
  // Without a connection there are none, and the key is typed.
  const { data: types = [] } = useQuery({ ...dataTypesQuery, enabled: sources.length > 0 })
  const isRead = isPlanned(component, { task, flow, email: user.email }) && !may("edit/task")
  const shownError = form.noRoomFor === component.id ? t("noRoom") : error
  const photoMark = async () => {
    const fix = await fixNow()
    const place = fix ? `${fix.coordinate} (±${Math.round(fix.accuracyMeters)} m)` : t("noPlaceMark")
    return [times.full(new Date(serverNow()).toISOString()), place, task.title ?? task.flow]
  }
  return (
    <div data-field={component.id} data-invalid={shownError !== undefined || undefined}>
      <FilledField
        sources={sources}
        types={types}
        hubId={task.hubId}
        onFill={form.fill}
        component={isRead ? { ...component, readOnly: true } : component}
        value={valueFor(component.id)}
        valueFor={valueFor}
        error={shownError}
        isLarge
        {...(component.watermark === true ? { photoMark } : {})}
        onChange={(value) => form.change(component.id, value)}
      />
      {isRead ? null : <UnitField component={component} valueFor={valueFor} form={form} />}
    </div>
  )
}

/** The unit of a number, where the flow offers units. */
function UnitField({ component, valueFor, form }: Pick<StopFieldProps, "component" | "valueFor" | "form">) {
  const t = useMessages(fieldMessages)
  const units =
    component.useUnit === true && Array.isArray(component.units) ? component.units.map(String) : []
  if (units.length === 0) return null
  const key = `${component.id}_unit`
  return (
    <NativeSelect
      mt="xs"
      size="lg"
      label={t("unit", { title: component.title ?? component.id })}
      data={["", ...units]}
      value={String(valueFor(key) ?? "")}
      onChange={(event) => form.change(key, event.currentTarget.value)}
    />
  )
}
