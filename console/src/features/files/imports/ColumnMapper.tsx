import "./imports.css"
import { Alert, Button, Group, Select, Switch, Text, TextInput } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import { useState } from "react"
import { ApiError } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { Explained } from "../../../ui/Explained.tsx"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import type { ColumnMapping, ImportField, Preview } from "./imports.queries.ts"
import { importMessages } from "./messages.ts"

export interface ColumnMapperProps {
  preview: Preview
  isStarting: boolean
  error: unknown
  onStart(how: { columns: ColumnMapping; isDryRun: boolean; isForced: boolean }): void
}

const sampleRows = 3
const sameFileCode = "import-031"
const delimiters: Record<string, "comma" | "semicolon" | "tab" | "pipe"> = {
  ",": "comma",
  ";": "semicolon",
  "\t": "tab",
  "|": "pipe",
}

/** Every field with the column that fills it; a coordinate may come from two. */
export function ColumnMapper({ preview, isStarting, error, onStart }: ColumnMapperProps) {
  const t = useMessages(importMessages)
  const [columns, setColumns] = useState<ColumnMapping>(preview.columns)
  const missing = preview.fields.filter((field) => field.required && !isFilled(columns[field.id]))
  const used = new Set<unknown>(Object.values(columns).flat())
  const unused = preview.headers.filter((header) => header !== "" && !used.has(header))
  const isSameFile = error instanceof ApiError && error.failedCode === sameFileCode
  const delimiter = preview.delimiter === undefined ? undefined : delimiters[preview.delimiter]
  const reason =
    missing.length > 0 ? t("missing", { fields: missing.map((field) => field.title) }) : undefined
  const start = (how: { isDryRun?: boolean; isForced?: boolean }) =>
    onStart({ columns: complete(columns), isDryRun: how.isDryRun ?? false, isForced: how.isForced ?? false })
  return (
    <section aria-label={t("columnsTitle")} className="mapper">
      <Group justify="space-between" align="end">
        <div>
          <h2>{t("columnsTitle")}</h2>
          <Text size="sm" c="dimmed">
            {t("columnsText")}
          </Text>
        </div>
        <Text size="sm" c="dimmed">
          {preview.hasMore
            ? t("moreRows", { count: preview.rowCount })
            : t("rowsFound", { count: preview.rowCount })}
          {" · "}
          {delimiter
            ? t("understood", { format: preview.format.toUpperCase(), delimiter: t(delimiter) })
            : preview.format.toUpperCase()}
        </Text>
      </Group>
      {preview.problem && missing.length === 0 ? (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />}>
          {preview.problem}
        </Alert>
      ) : null}
      <table className="plain-table mapper-table">
        <thead>
          <tr>
            <th>{t("field")}</th>
            <th>{t("column")}</th>
            <th className="from-sm">{t("sample")}</th>
          </tr>
        </thead>
        <tbody>
          {preview.fields.map((field) => (
            <FieldRow
              key={field.id}
              field={field}
              preview={preview}
              source={columns[field.id] ?? null}
              onChange={(source) => setColumns({ ...columns, [field.id]: source })}
            />
          ))}
        </tbody>
      </table>
      {unused.length > 0 ? (
        <Text size="sm" c="dimmed">
          {t("unused", { columns: unused })}
        </Text>
      ) : null}
      <FormError error={error} />
      <Group justify="flex-end" gap="xs">
        {reason ? (
          <Text size="sm" c="var(--mantine-color-error)">
            {reason}
          </Text>
        ) : null}
        {isSameFile ? (
          <Button
            variant="light"
            color="yellow"
            loading={isStarting}
            onClick={() => start({ isForced: true })}
          >
            {t("anyway")}
          </Button>
        ) : null}
        <Explained reason={reason}>
          <Button variant="default" disabled={isStarting} onClick={() => start({ isDryRun: true })}>
            {t("dryRun")}
          </Button>
        </Explained>
        <Explained reason={reason}>
          <Button loading={isStarting} onClick={() => start({})}>
            {preview.hasMore ? t("startMany") : t("start", { count: preview.rowCount })}
          </Button>
        </Explained>
      </Group>
    </section>
  )
}

type Source = ColumnMapping[string]

/** Chosen instead of a header. */
const sameForAll = "\u0000same"

function sameValueOf(source: Source | undefined): string | undefined {
  return typeof source === "object" && source !== null && "value" in source ? source.value : undefined
}

/** Without values that nobody has entered. */
function complete(columns: ColumnMapping): ColumnMapping {
  return Object.fromEntries(
    Object.entries(columns).map(([id, source]) => [id, sameValueOf(source)?.trim() === "" ? null : source]),
  )
}

function isFilled(source: Source | undefined): boolean {
  const value = sameValueOf(source)
  if (value !== undefined) return value.trim() !== ""
  return Array.isArray(source) ? source.every((header) => header !== "") : Boolean(source)
}

interface FieldRowProps {
  field: ImportField
  preview: Preview
  source: Source
  onChange(source: Source): void
}

function FieldRow({ field, preview, source, onChange }: FieldRowProps) {
  const t = useMessages(importMessages)
  const isCoordinate = field.kind === "coordinate"
  const headers = [...new Set(preview.headers.filter((header) => header !== ""))]
  const isPair = Array.isArray(source)
  const same = sameValueOf(source)
  const one = (label: string, value: string | null, set: (header: string | null) => void) => (
    <Select
      aria-label={label}
      placeholder={t("none")}
      data={isPair ? headers : [...headers, { value: sameForAll, label: t("sameForAll") }]}
      value={value}
      clearable
      searchable
      onChange={set}
      style={{ flex: 1, minWidth: 0 }}
    />
  )
  const pair = isPair ? (source as readonly (string | undefined)[]) : []
  return (
    <tr>
      <td>
        <strong style={{ fontWeight: 550 }}>{field.title}</strong>
        {field.required ? <span className="quiet"> · {t("required")}</span> : null}
        {field.help ? <div className="quiet mapper-help">{field.help}</div> : null}
      </td>
      <td className="mapper-choice">
        {isPair ? (
          <Group gap={6} wrap="nowrap">
            {one(`${field.title}: ${t("latitude")}`, pair[0] || null, (header) =>
              onChange([header ?? "", pair[1] ?? ""]),
            )}
            {one(`${field.title}: ${t("longitude")}`, pair[1] || null, (header) =>
              onChange([pair[0] ?? "", header ?? ""]),
            )}
          </Group>
        ) : (
          one(field.title, same === undefined ? (source as string | null) : sameForAll, (header) =>
            onChange(header === sameForAll ? { value: "" } : header),
          )
        )}
        {same === undefined ? null : field.options ? (
          <Select
            mt={6}
            aria-label={t("valueOf", { field: field.title })}
            data={field.options}
            value={same || null}
            onChange={(value) => onChange({ value: value ?? "" })}
          />
        ) : (
          <TextInput
            mt={6}
            aria-label={t("valueOf", { field: field.title })}
            maxLength={1000}
            {...bindText(same, (value) => onChange({ value }))}
          />
        )}
        {isCoordinate ? (
          <Switch
            size="xs"
            mt={6}
            label={t("twoColumns")}
            {...bindChecked(isPair, (isPair) => onChange(isPair ? ["", ""] : null))}
          />
        ) : null}
      </td>
      <td className="quiet from-sm mapper-sample">{sampleOf(preview, source)}</td>
    </tr>
  )
}

function sampleOf(preview: Preview, source: Source): string {
  const same = sameValueOf(source)
  if (same !== undefined) return same
  const wanted = Array.isArray(source) ? source : source ? [source] : []
  const positions = wanted
    .map((header) => preview.headers.indexOf(String(header)))
    .filter((position) => position >= 0)
  if (positions.length === 0) return ""
  return preview.rows
    .slice(0, sampleRows)
    .map((row) => positions.map((position) => row.values[position] ?? "").join(", "))
    .join(" · ")
}
