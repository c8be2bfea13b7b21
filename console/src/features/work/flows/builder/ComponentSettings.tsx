import { Group, NumberInput, Select, Stack, Switch, TagsInput, TextInput } from "@mantine/core"
import { useMessages } from "../../../../i18n/language.tsx"
import { bindChecked, bindText } from "../../../../ui/forms/bind.ts"
import { componentKindOf } from "../fields/component-kind.ts"
import { inputTypeMessages, inputTypeName, inputTypes } from "../fields/input-type.ts"
import type { FlowComponent } from "../flows.queries.ts"
import { builderMessages } from "./builder-messages.ts"
import { CheckSettings } from "./CheckSettings.tsx"
import { ChoiceRules } from "./ChoiceRules.tsx"
import { RouteSettings } from "./RouteSettings.tsx"
import { ruleMessages } from "./rule-messages.ts"
import { SourceSettings } from "./SourceSettings.tsx"
import { SubFlowSettings } from "./SubFlowSettings.tsx"

/** What one field of a flow asks for. */
export function ComponentSettings({
  component,
  flowId,
  others,
  isOnFirstPage,
  onChange,
}: {
  component: FlowComponent
  /** The flow, once it is saved. */
  flowId: string | undefined
  /** The flow's other components. */
  others: readonly FlowComponent[]
  isOnFirstPage: boolean
  onChange(part: Partial<FlowComponent>): void
}) {
  const t = useMessages(builderMessages)
  const tType = useMessages(inputTypeMessages)
  const tRule = useMessages(ruleMessages)
  const kind = componentKindOf(component)
  const isCounted = kind === "photo" || kind === "select"
  const shown = [
    { value: "title", label: t("asTitle") },
    { value: "content", label: t("asContent") },
    { value: "label", label: t("asLabel") },
    { value: "expectedCoordinate", label: t("asPlace") },
  ]
  return (
    <section aria-label={t("settings", { title: component.title ?? component.id })}>
      <Stack gap="sm">
        <TextInput
          label={t("title")}
          required
          data-autofocus
          {...bindText(component.title ?? "", (text) => onChange({ title: text }))}
        />
        {kind === "input" ? (
          <Select
            label={t("type")}
            data={inputTypes.map((type) => ({ value: type, label: inputTypeName(type, tType) }))}
            value={component.type ?? "String"}
            onChange={(type) => onChange({ type: type ?? "String" })}
          />
        ) : null}
        {kind === "select" ? (
          <TagsInput
            label={t("options")}
            description={t("optionsHint")}
            value={component.options ?? []}
            onChange={(options) => onChange({ options })}
          />
        ) : null}
        {isCounted ? (
          <Group grow align="start">
            <NumberInput
              label={t("least")}
              min={0}
              value={Number(component.min ?? 0)}
              onChange={(min) => onChange({ min: Number(min) })}
            />
            <NumberInput
              label={t("most")}
              min={1}
              value={Number(component.max ?? 1)}
              onChange={(max) => onChange({ max: Number(max) })}
            />
          </Group>
        ) : kind === "view" ? null : (
          <Switch
            label={t("required")}
            {...bindChecked(component.required === true, (checked) => onChange({ required: checked }))}
          />
        )}
        {kind === "input" || kind === "select" ? (
          <Select
            label={t("showAs")}
            placeholder={t("showNothing")}
            clearable
            data={shown}
            value={component.showAs ?? null}
            onChange={(showAs) => onChange({ showAs })}
          />
        ) : null}
        <RouteSettings component={component} others={others} onChange={onChange} />
        <Switch
          label={tRule("hidden")}
          {...bindChecked(component.visible === false, (checked) => onChange({ visible: !checked }))}
        />
        {kind === "photo" ? (
          <>
            <TagsInput
              label={tRule("categories")}
              description={tRule("categoriesHint")}
              value={Array.isArray(component.categories) ? component.categories.map(String) : []}
              onChange={(categories) => onChange({ categories })}
            />
            <Switch
              label={tRule("older")}
              {...bindChecked(component.selectGallery === true, (checked) =>
                onChange({ selectGallery: checked }),
              )}
            />
          </>
        ) : null}
        {kind === "list" ? (
          <Switch
            label={tRule("vanStock")}
            description={tRule("vanStockHint")}
            {...bindChecked(component.stock === true, (checked) => onChange({ stock: checked }))}
          />
        ) : null}
        <CheckSettings component={component} isOnFirstPage={isOnFirstPage} onChange={onChange} />
        {kind === "view" || kind === "list" || kind === "bill" ? (
          <SourceSettings component={component} others={others} onChange={onChange} />
        ) : null}
        {kind === "select" ? <ChoiceRules component={component} others={others} onChange={onChange} /> : null}
        {kind === "view" ? (
          <SubFlowSettings component={component} flowId={flowId} others={others} onChange={onChange} />
        ) : null}
      </Stack>
    </section>
  )
}
