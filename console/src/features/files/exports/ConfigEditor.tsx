import { Button, Group, Select, Stack, TextInput } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { type ExportFormat, exportFormats } from "#shared/export-formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { MoveButtons } from "../../../ui/actions/MoveButtons.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormFoot } from "../../../ui/forms/FormDialog.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { flowsQuery } from "../../work/flows/flows.queries.ts"
import {
  type ConfigColumn,
  type ConfigDraft,
  deleteExportConfig,
  draftOf,
  type ExportConfig,
  knownColumns,
  rhythms,
  saveExportConfig,
  usualKeys,
} from "./configs.queries.ts"
import { exportMessages } from "./messages.ts"

export interface ConfigEditorProps {
  /** Undefined for a new one. */
  config: ExportConfig | undefined
  format: ExportFormat
  /** The filters that scheduled exports of it go by. */
  filters: Readonly<Record<string, string>>
  /** With what was saved; undefined when it was deleted or nothing was done. */
  onClose(saved?: ExportConfig): void
}

/** The columns of an export, their order and titles, shared by the organization; e-mailed by a schedule if one is chosen. */
export function ConfigEditor({ config, format, filters, onClose }: ConfigEditorProps) {
  const t = useMessages(exportMessages)
  const { language } = useLanguage()
  const client = useQueryClient()
  const { data: flows = [] } = useQuery(flowsQuery)
  const [isAsking, setAsking] = useState(false)
  const [given, setGiven] = useState<Partial<ConfigDraft>>({})
  const known = useMemo(() => knownColumns(flows, language), [flows, language])
  const draft: ConfigDraft = {
    name: "",
    flowIds: flows.map(({ _id }) => _id),
    columns: known.filter(({ id }) => usualKeys.includes(id)),
    ...{ format, rhythm: "never", time: "06:00", emails: "" },
    ...(config ? draftOf(config) : {}),
    ...given,
  }
  const { columns, flowIds } = draft
  const edit = (part: Partial<ConfigDraft>) => setGiven((before) => ({ ...before, ...part }))
  const rename = (id: string, uniqueTitle: string) =>
    edit({ columns: columns.map((column) => (column.id === id ? { ...column, uniqueTitle } : column)) })
  const move = (from: number, to: number) => {
    const moved = [...columns]
    moved.splice(to, 0, ...moved.splice(from, 1))
    edit({ columns: moved })
  }
  const done = async (saved?: ExportConfig) => {
    await client.invalidateQueries({ queryKey: ["export-configs"] })
    onClose(saved)
  }
  const save = useAction(() => saveExportConfig(draft, { configId: config?._id, filters }), {
    onDone: (saved) => done(saved),
  })
  const remove = useAction((configId: string) => deleteExportConfig(configId), { onDone: () => done() })
  const chosen = new Set(columns.map(({ id }) => id))
  const offered = known.filter(({ id, flowId }) => !chosen.has(id) && isOf(flowId, flowIds))
  const submit = () => {
    if (columns.length > 0 && flowIds.length > 0) save.mutate()
  }
  return (
    <OpenModal onClose={() => onClose()} title={t("configTitle")} size="lg">
      <WithHistory of={config && { objectType: "export-configuration", objectId: config._id }}>
        <Form onSubmit={submit}>
          <Stack gap="md">
            <TextInput
              label={t("configName")}
              description={t("configHint")}
              required
              withAsterisk={false}
              maxLength={255}
              data-autofocus
              {...bindText(draft.name, (name) => edit({ name }))}
            />
            <ManySelect
              label={t("ofFlows")}
              data={flows.map(({ _id, name }) => ({ value: _id, label: name }))}
              value={[...flowIds]}
              searchable
              onChange={(value) => edit({ flowIds: value })}
            />
            <ol className="builder-fields" aria-label={t("columns")}>
              {columns.map((column, index) => (
                <li key={column.id} className="builder-field">
                  <TextInput
                    aria-label={t("columnTitle", { column: column.title })}
                    size="xs"
                    style={{ flex: 1 }}
                    maxLength={255}
                    {...bindText(column.uniqueTitle ?? column.title, (title) => rename(column.id, title))}
                  />
                  <MoveButtons
                    index={index}
                    count={columns.length}
                    name={column.title}
                    onMove={(to) => move(index, to)}
                  />
                  <IconButton
                    icon={IconX}
                    label={t("removeColumn", { column: column.title })}
                    iconSize={15}
                    size="sm"
                    onClick={() => edit({ columns: columns.filter(({ id }) => id !== column.id) })}
                  />
                </li>
              ))}
            </ol>
            <Select
              aria-label={t("addColumn")}
              placeholder={t("addColumn")}
              error={columns.length === 0 ? t("needsColumn") : undefined}
              data={offered.map((column) => ({ value: column.id, label: labelOf(column, t("ownKeys")) }))}
              searchable
              value={null}
              onChange={(id) => {
                const column = known.find((candidate) => candidate.id === id)
                if (column) edit({ columns: [...columns, column] })
              }}
            />
            <Group grow align="start" gap="sm">
              <Select
                label={t("format")}
                allowDeselect={false}
                data={exportFormats.map((value) => ({ value, label: t(value) }))}
                value={draft.format}
                onChange={(value) => edit({ format: exportFormats.find((one) => one === value) ?? "xlsx" })}
              />
              <Select
                label={t("mailIt")}
                allowDeselect={false}
                data={["never" as const, ...rhythms].map((value) => ({ value, label: t(value) }))}
                value={draft.rhythm}
                onChange={(value) => edit({ rhythm: rhythms.find((one) => one === value) ?? "never" })}
              />
            </Group>
            {draft.rhythm === "never" ? null : (
              <Group grow align="start" gap="sm">
                <DateTimeInput
                  label={t("mailAt")}
                  type="time"
                  required
                  withAsterisk={false}
                  {...bindText(draft.time, (time) => edit({ time }))}
                />
                <TextInput
                  label={t("mailTo")}
                  description={t("mailToHint")}
                  {...bindText(draft.emails, (emails) => edit({ emails }))}
                />
              </Group>
            )}
            <FormFoot
              request={{ error: save.error ?? remove.error, isPending: save.isPending }}
              isDisabled={columns.length === 0 || flowIds.length === 0}
              submit={t("saveConfig")}
              onCancel={() => onClose()}
              aside={
                config ? (
                  <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
                    {t("deleteConfig")}
                  </Button>
                ) : null
              }
            />
          </Stack>
        </Form>
      </WithHistory>
      <ConfirmDialog
        isOpen={isAsking}
        title={`${t("deleteConfig")}: ${draft.name}`}
        text={t("deleteConfigText")}
        confirm={t("deleteConfig")}
        isDangerous
        onClose={() => setAsking(false)}
        onConfirm={() => config && remove.mutate(config._id)}
      />
    </OpenModal>
  )
}

/** Columns of every task, and those of a chosen flow. */
function isOf(flowId: unknown, chosen: readonly string[]): boolean {
  return !Array.isArray(flowId) || flowId.some((id) => chosen.includes(String(id)))
}

function labelOf({ title, flowName }: ConfigColumn, ownKeys: string): string {
  return `${title} · ${Array.isArray(flowName) ? flowName.join(", ") : ownKeys}`
}
