import "./builder.css"
import { ActionIcon, Group, NumberInput, Select, Text } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../../i18n/language.tsx"
import { useSession } from "../../../../session/session.ts"
import { dataTypeReaders } from "../../data-types/data-type-readers.ts"
import { type DataType, dataTypesQuery } from "../../data-types/data-types.queries.ts"
import {
  type Configuration,
  type DataSource,
  dataSourcesOf,
  keyFieldId,
  targetsOf,
  withDataSources,
} from "./data-sources.ts"
import type { FlowDraft } from "./flow-draft.ts"
import { ruleMessages } from "./rule-messages.ts"

/** When tasks of the flow begin and end, and which records of data fill which of its fields. */
export function DataSources({ draft, onChange }: { draft: FlowDraft; onChange(draft: FlowDraft): void }) {
  const t = useMessages(ruleMessages)
  const { may } = useSession()
  const mayRead = dataTypeReaders.some((permission) => may(permission))
  const { data: types = [] } = useQuery({ ...dataTypesQuery, enabled: mayRead })
  const sources = dataSourcesOf(draft.configurations)
  const write = (list: readonly DataSource[]) =>
    onChange({ ...draft, configurations: withDataSources(draft.configurations, list) })
  const free = types.filter(({ _id }) => !sources.some(({ typeId }) => typeId === _id))
  return (
    <section className="card builder-page">
      <Text fw={600}>{t("times")}</Text>
      <Group grow align="end">
        <AdjustmentInput draft={draft} id="startTime" label={t("startAfter")} usual={0} onChange={onChange} />
        <AdjustmentInput draft={draft} id="endTime" label={t("endAfter")} usual={24} onChange={onChange} />
      </Group>
      <Text fw={600}>{t("sources")}</Text>
      <p className="quiet">{t("sourcesHint")}</p>
      {sources.map((source) => (
        <SourceFields
          key={source.typeId}
          source={source}
          type={types.find(({ _id }) => _id === source.typeId)}
          draft={draft}
          onChange={(next) => write(sources.map((other) => (other === source ? next : other)))}
          onRemove={() => write(sources.filter((other) => other !== source))}
        />
      ))}
      {free.length > 0 ? (
        <Select
          aria-label={t("addSource")}
          placeholder={t("addSource")}
          searchable
          data={free.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={null}
          onChange={(typeId) => {
            if (typeId !== null) write([...sources, { typeId, fields: [] }])
          }}
        />
      ) : null}
    </section>
  )
}

function AdjustmentInput({
  draft,
  id,
  label,
  usual,
  onChange,
}: {
  draft: FlowDraft
  id: "startTime" | "endTime"
  label: string
  usual: number
  onChange(draft: FlowDraft): void
}) {
  const known = draft.configurations.find((configuration) => configuration.id === id)
  const write = (adjustment: number) => {
    const next: Configuration = { ...known, id, adjustment }
    const configurations = known
      ? draft.configurations.map((other) => (other === known ? next : other))
      : [...draft.configurations, next]
    onChange({ ...draft, configurations })
  }
  return (
    <NumberInput
      label={label}
      value={Number(known?.adjustment ?? usual)}
      onChange={(next) => {
        if (next !== "") write(Number(next))
      }}
    />
  )
}

function SourceFields({
  source,
  type,
  draft,
  onChange,
  onRemove,
}: {
  source: DataSource
  type: DataType | undefined
  draft: FlowDraft
  onChange(source: DataSource): void
  onRemove(): void
}) {
  const t = useMessages(ruleMessages)
  const name = type?.name ?? source.typeId
  const components = draft.pages.flatMap((page) => page.components)
  const write = (field: DataType["fields"][number], componentId: string | null) => {
    const others = source.fields.filter(({ id }) => id !== field.id)
    const { id, title } = field
    const filled = {
      id,
      title,
      type: field.type,
      componentId: componentId ?? "",
      primaryKey: id === keyFieldId,
    }
    onChange({ ...source, fields: componentId === null ? others : [...others, filled] })
  }
  const isKeyless = !source.fields.some(({ id }) => id === keyFieldId)
  return (
    <div className="builder-rule">
      <Group justify="space-between">
        <Text fw={550}>{name}</Text>
        <ActionIcon aria-label={t("removeSource", { name })} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      {(type?.fields ?? []).map((field) => {
        const isKey = field.id === keyFieldId
        const targets = targetsOf(isKey ? "primaryKey" : field.type, components)
        return (
          <Select
            key={field.id}
            label={isKey ? t("keyFills", { title: field.title }) : field.title}
            placeholder={t("notFilled")}
            clearable
            data={targets.map(({ componentId, component, itemKey }) => {
              const title = component.title || component.id
              return { value: componentId, label: itemKey ? t(itemKey, { title }) : title }
            })}
            value={source.fields.find(({ id }) => id === field.id)?.componentId ?? null}
            error={isKey && isKeyless ? t("needsKey", { name }) : undefined}
            onChange={(componentId) => write(field, componentId)}
          />
        )
      })}
    </div>
  )
}
