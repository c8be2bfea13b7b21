import { Select, TextInput } from "@mantine/core"
import { useMessages } from "../../../../i18n/language.tsx"
import { bindText } from "../../../../ui/forms/bind.ts"
import { sourceOf } from "../fields/shown-components.ts"
import type { FlowComponent } from "../flows.queries.ts"
import { ruleMessages } from "./rule-messages.ts"

/** Where a view, list or bill takes its value from: another field as `$<id>`; a view may say a text of its own. */
export function SourceSettings({
  component,
  others,
  onChange,
}: {
  component: FlowComponent
  others: readonly FlowComponent[]
  onChange(part: Partial<FlowComponent>): void
}) {
  const t = useMessages(ruleMessages)
  const isView = component.component === "view"
  const source = sourceOf(component)
  // A list handles the lines of a list, a bill those of a bill; a view shows anything that has a value.
  const offered = others.filter((other) =>
    isView ? other.component !== "view" : other.component === component.component,
  )
  const data = offered.map(({ id, title }) => ({ value: id, label: title || id }))
  return (
    <>
      <Select
        label={t("source")}
        placeholder={t("noSource")}
        clearable
        data={
          source && !data.some(({ value }) => value === source)
            ? [...data, { value: source, label: source }]
            : data
        }
        value={source ?? null}
        onChange={(id) => onChange({ value: id === null ? null : `$${id}` })}
      />
      {isView && source === undefined ? (
        <TextInput
          label={t("text")}
          {...bindText(typeof component.value === "string" ? component.value : "", (text) =>
            onChange({ value: text || null }),
          )}
        />
      ) : null}
    </>
  )
}
