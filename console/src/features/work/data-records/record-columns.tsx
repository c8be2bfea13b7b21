import "./data-records.css"
import { useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useMemo, useState } from "react"
import { valueNumber } from "#shared/values.ts"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { type Formats, useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Translate } from "../../../i18n/messages.ts"
import { notifyDone, notifyFailed } from "../../../ui/notify.ts"
import { cellEditing } from "../../../ui/tables/EditableCell.tsx"
import type { Column } from "../../../ui/tables/VirtualGrid.tsx"
import type { DataField, DataType } from "../data-types/data-types.queries.ts"
import { FieldInput } from "../data-types/FieldInput.tsx"
import { dataTypeMessages } from "../data-types/messages.ts"
import { recordMessages } from "./messages.ts"
import { changeRecord, type DataRecord } from "./records.queries.ts"

export interface RecordColumnOptions {
  type: DataType
  hubs: ReadonlyMap<string, string>
  mayEdit: boolean
  onOpen(record: DataRecord): void
}

const widths: Record<string, string> = {
  primaryKey: "minmax(150px, 1.2fr)",
  text: "minmax(140px, 1.4fr)",
  number: "110px",
  boolean: "80px",
  date: "120px",
  dateTime: "150px",
  time: "84px",
}

/** A column for each shown field of the type; a cell is edited in place. */
export function useRecordColumns({ type, hubs, mayEdit, onOpen }: RecordColumnOptions): Column<DataRecord>[] {
  const t = useMessages(recordMessages)
  const tType = useMessages(dataTypeMessages)
  const formats = useFormats()
  return useMemo(() => {
    const shown = (field: DataField, value: unknown) => shownValue(field, value, formats, tType)
    const fields = type.fields.filter((field) => field.primaryKey || field.show)
    const columns = fields.map(
      (field): Column<DataRecord> => ({
        id: field.id,
        title: field.title,
        width: widths[field.type] ?? "minmax(100px, 1fr)",
        sort: field.id,
        ...(field.type === "number"
          ? { numberOf: (record: DataRecord) => valueNumber(record[field.id]) }
          : field.primaryKey
            ? {}
            : { groupOf: (record: DataRecord) => textOfField(field, record[field.id], formats, tType) }),
        render: (record) =>
          field.primaryKey ? (
            <button
              type="button"
              className="plain-button row-link"
              aria-label={t("openRow", { name: record.dataId })}
              onClick={(event) => {
                event.stopPropagation()
                onOpen(record)
              }}
            >
              {record.dataId}
            </button>
          ) : mayEdit ? (
            <ValueCell
              key={record._id}
              field={field}
              record={record}
              hint={t("editCell", { field: field.title, name: record.dataId })}
            >
              {shown(field, record[field.id])}
            </ValueCell>
          ) : (
            shown(field, record[field.id])
          ),
      }),
    )
    const hub: Column<DataRecord> = {
      id: "hubId",
      title: t("hub"),
      width: "minmax(120px, 1fr)",
      sort: "hub.name",
      groupOf: (record) => hubs.get(record.hubId ?? "") ?? "",
      render: (record) => <span className="quiet">{hubs.get(record.hubId ?? "") ?? "–"}</span>,
    }
    const changed: Column<DataRecord> = {
      id: "updatedTime",
      title: t("changed"),
      width: "124px",
      sort: "updatedTime",
      render: (record) => <span className="quiet">{formats.dateTime(String(record.updatedTime ?? ""))}</span>,
    }
    return [...columns, ...(type.commonData || hubs.size < 2 ? [] : [hub]), changed]
  }, [type, hubs, mayEdit, onOpen, t, tType, formats])
}

interface CellProps {
  field: DataField
  record: DataRecord
}

/**
 * Shows a value; a click turns it into an input. A scrolling grid renders hundreds of these in a frame: whatever only
 * the input needs belongs to the input.
 */
function ValueCell({ field, record, hint, children }: CellProps & { hint: string; children: ReactNode }) {
  const [isEdited, setEdited] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const close = () => {
    // A key ends it while the input has the focus; the keyboard goes on from here.
    setFocus(document.activeElement !== document.body)
    setEdited(false)
  }
  if (isEdited) return <CellInput field={field} record={record} onClose={close} />
  return (
    <button
      type="button"
      className="plain-button cell-button"
      {...cellEditing}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the input that had the focus
      autoFocus={hasFocus}
      aria-description={hint}
      onClick={(event) => {
        event.stopPropagation()
        setEdited(true)
      }}
    >
      {children}
    </button>
  )
}

/** Enter and leaving the input save the value; Escape discards it. */
function CellInput({ field, record, onClose }: CellProps & { onClose(): void }) {
  const t = useMessages(recordMessages)
  const tError = useMessages(errorMessages)
  const client = useQueryClient()
  const stored = record[field.id] ?? null
  const [draft, setDraft] = useState<unknown>(stored)
  const finish = async (isKept: boolean) => {
    onClose()
    if (!isKept || draft === stored) return
    try {
      await changeRecord(record._id, { [field.id]: draft })
      notifyDone(t("cellSaved", { field: field.title, name: record.dataId }))
    } catch (error) {
      notifyFailed(`${record.dataId}, ${field.title}`, errorText(error, tError))
    }
    await client.invalidateQueries({ queryKey: ["data-records"] })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the row from taking the input's clicks
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div onClick={(event) => event.stopPropagation()}>
      <FieldInput
        field={{ ...field, required: false }}
        value={draft}
        isBare
        onChange={setDraft}
        onDone={(isKept) => void finish(isKept)}
      />
    </div>
  )
}

function shownValue(...given: Parameters<typeof textOfField>): ReactNode {
  return textOfField(...given) || <span className="quiet">–</span>
}

/** A value as people read it; empty for none. */
export function textOfField(
  field: DataField,
  value: unknown,
  formats: Formats,
  t: Translate<typeof dataTypeMessages>,
): string {
  if (value === null || value === undefined || value === "") return ""
  const number = field.type === "number" ? valueNumber(value) : undefined
  if (number !== undefined) return formats.number(number)
  if (field.type === "boolean") return value === true ? t("yes") : t("no")
  if (field.type === "dateTime") return formats.dateTime(String(value))
  if (field.type === "date") return formats.day(String(value))
  return String(value)
}
