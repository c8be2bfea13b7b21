import "./builder.css"
import { ActionIcon, Button, Group, Select, Stack, Text } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useMessages } from "../../../../i18n/language.tsx"
import { ManySelect } from "../../../../ui/forms/ManySelect.tsx"
import { rulesOf, type SelectRule } from "../fields/shown-components.ts"
import type { FlowComponent } from "../flows.queries.ts"
import { ruleMessages } from "./rule-messages.ts"

const actions = ["fill", "show", "hide"] as const

/** What the choices of a select do to other fields. */
export function ChoiceRules({
  component,
  others,
  onChange,
}: {
  component: FlowComponent
  others: readonly FlowComponent[]
  onChange(part: Partial<FlowComponent>): void
}) {
  const t = useMessages(ruleMessages)
  const rules = rulesOf(component)
  const write = (next: SelectRule[]) => onChange({ onSelect: next })
  const edit = (index: number, part: Partial<SelectRule>) =>
    write(rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)))
  return (
    <Stack gap="xs">
      <Text size="sm" fw={550}>
        {t("rules")}
      </Text>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their place
        <Stack key={index} gap={6} className="builder-rule">
          <ManySelect
            label={t("whenChosen")}
            data={[...new Set([...(component.options ?? []), ...rule.options])]}
            value={rule.options}
            onChange={(options) => edit(index, { options })}
          />
          <Select
            label={t("action")}
            allowDeselect={false}
            data={actions.map((action) => ({ value: action, label: t(action) }))}
            value={rule.action}
            onChange={(action) => edit(index, { action: action ?? "fill" })}
          />
          <Group gap={6} align="end" wrap="nowrap">
            <ManySelect
              label={t("fields")}
              style={{ flex: 1 }}
              data={others.map(({ id, title }) => ({ value: id, label: title || id }))}
              value={rule.componentAffected.filter((id) => others.some((other) => other.id === id))}
              onChange={(componentAffected) => edit(index, { componentAffected })}
            />
            <ActionIcon
              size="lg"
              aria-label={t("removeRule", { number: index + 1 })}
              onClick={() => write(rules.toSpliced(index, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Stack>
      ))}
      <Button
        size="xs"
        variant="light"
        leftSection={<IconPlus size={14} />}
        style={{ alignSelf: "flex-start" }}
        onClick={() => write([...rules, { options: [], action: "fill", componentAffected: [] }])}
      >
        {t("addRule")}
      </Button>
    </Stack>
  )
}
