import { Group, Select, Stack, Text, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../../i18n/language.tsx"
import { bindText } from "../../../../ui/forms/bind.ts"
import { referenceTo, subFlowOf } from "../fields/sub-flow.ts"
import { componentsOf, type FlowComponent, flowsQuery } from "../flows.queries.ts"
import { ruleMessages } from "./rule-messages.ts"

const constant = " constant"

/** The other flow of which a view makes a task, and what that task begins with. */
export function SubFlowSettings({
  component,
  flowId,
  others,
  onChange,
}: {
  component: FlowComponent
  /** The flow that is edited: it makes no tasks of itself. */
  flowId: string | undefined
  others: readonly FlowComponent[]
  onChange(part: Partial<FlowComponent>): void
}) {
  const t = useMessages(ruleMessages)
  const { data: flows = [] } = useQuery(flowsQuery)
  const known = subFlowOf(component)
  const other = flows.find(({ _id }) => _id === known?.flowId)
  const targets = other ? componentsOf(other).filter((target) => target.component !== "view") : []
  const own = others.filter((candidate) => candidate.component !== "view")
  const write = (id: string, value: string | undefined) => {
    if (!known) return
    const { [id]: _replaced, ...rest } = known.values
    onChange({
      subFlow: {
        ...known.kept,
        flowId: known.flowId,
        values: value === undefined ? rest : { ...rest, [id]: value },
      },
    })
  }
  return (
    <Stack gap="xs">
      <Select
        label={t("subFlow")}
        description={t("subFlowHint")}
        placeholder={t("noSubFlow")}
        clearable
        searchable
        data={flows.filter(({ _id }) => _id !== flowId).map(({ _id, name }) => ({ value: _id, label: name }))}
        value={known?.flowId ?? null}
        onChange={(id) => onChange({ subFlow: id === null ? null : { flowId: id, values: {} } })}
      />
      {targets.length > 0 ? (
        <Text size="sm" fw={550}>
          {t("startsWith")}
        </Text>
      ) : null}
      {targets.map((target) => {
        const value = known?.values[target.id]
        const reference = referenceTo(value)
        const title = target.title || target.id
        return (
          <Group key={target.id} gap={6} grow align="end">
            <Select
              label={title}
              placeholder={t("nothing")}
              clearable
              data={[
                { value: constant, label: t("constant") },
                ...own.map(({ id, title: named }) => ({
                  value: id,
                  label: t("fromField", { title: named || id }),
                })),
              ]}
              value={value === undefined ? null : (reference ?? constant)}
              onChange={(choice) =>
                write(
                  target.id,
                  choice === null ? undefined : choice === constant ? "" : `$refFlow.${choice}`,
                )
              }
            />
            {value !== undefined && reference === undefined ? (
              <TextInput
                aria-label={t("valueOf", { title })}
                {...bindText(String(value ?? ""), (text) => write(target.id, text))}
              />
            ) : null}
          </Group>
        )
      })}
    </Stack>
  )
}
