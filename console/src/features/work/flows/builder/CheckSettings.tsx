import { NumberInput, Select, Switch, TagsInput } from "@mantine/core"
import { useMessages } from "../../../../i18n/language.tsx"
import { bindChecked } from "../../../../ui/forms/bind.ts"
import { componentKindOf } from "../fields/component-kind.ts"
import type { FlowComponent } from "../flows.queries.ts"
import { outcomeSettingMessages } from "./outcome-setting-messages.ts"

const defaultRadius = 100
const openKinds: ReadonlySet<string> = new Set(["photo", "signature", "list", "bill", "view"])

/** What the server checks of a field when the task is finished, and whether workers may change what was planned. */
export function CheckSettings({
  component,
  isOnFirstPage,
  onChange,
}: {
  component: FlowComponent
  isOnFirstPage: boolean
  onChange(part: Partial<FlowComponent>): void
}) {
  const t = useMessages(outcomeSettingMessages)
  const kind = componentKindOf(component)
  const type = (component.type ?? "String").toLowerCase()
  const isLocked = component.useGeoLock === true
  return (
    <>
      {isOnFirstPage && !openKinds.has(kind ?? "") ? (
        <Switch
          label={t("workerCanEdit")}
          {...bindChecked(component.workerCanEdit === true, (checked) =>
            onChange({ workerCanEdit: checked }),
          )}
        />
      ) : null}
      {kind === "input" && type === "geolocation" ? (
        <Switch
          label={t("lock")}
          {...bindChecked(isLocked, (checked) =>
            onChange({
              useGeoLock: checked,
              ...(checked
                ? {
                    radius: component.radius ?? defaultRadius,
                    geoLockTrigger: component.geoLockTrigger ?? "onTaskDone",
                  }
                : {}),
            }),
          )}
        />
      ) : null}
      {isLocked ? (
        <>
          <NumberInput
            label={t("radius")}
            min={1}
            allowDecimal={false}
            value={Number(component.radius ?? defaultRadius)}
            onChange={(radius) => {
              if (Number(radius) > 0) onChange({ radius: Number(radius) })
            }}
          />
          <Select
            label={t("lockWhen")}
            allowDeselect={false}
            data={(["onTaskDone", "onTaskStart"] as const).map((value) => ({ value, label: t(value) }))}
            value={component.geoLockTrigger === "onTaskStart" ? "onTaskStart" : "onTaskDone"}
            onChange={(geoLockTrigger) => onChange({ geoLockTrigger })}
          />
        </>
      ) : null}
      {kind === "photo" ? (
        <Switch
          label={t("watermark")}
          {...bindChecked(component.watermark === true, (checked) => onChange({ watermark: checked }))}
        />
      ) : null}
      {kind === "input" && (type === "numeric" || type === "number") ? (
        <>
          <Switch
            label={t("useUnit")}
            {...bindChecked(component.useUnit === true, (checked) => onChange({ useUnit: checked }))}
          />
          {component.useUnit === true ? (
            <TagsInput
              label={t("units")}
              value={Array.isArray(component.units) ? component.units.map(String) : []}
              onChange={(units) => onChange({ units })}
            />
          ) : null}
        </>
      ) : null}
    </>
  )
}
