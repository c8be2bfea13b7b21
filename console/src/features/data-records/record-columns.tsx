import { UnstyledButton } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { notifyDone, notifyFailed } from "../../ui/notify.ts"
import type { Column } from "../../ui/VirtualGrid.tsx"
import type { DataField, DataType } from "../data-types/data-types.queries.ts"
import { FieldInput } from "../data-types/FieldInput.tsx"
import { dataTypeMessages } from "../data-types/messages.ts"
import { recordMessages } from "./messages.ts"
import { changeRecord, type DataRecord } from "./records.queries.ts"

export interface RecordColumnWish {
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

/** A column for each shown field of the type; a cell is changed where it stands. */
export function useRecordColumns({ type, hubs, mayEdit, onOpen }: RecordColumnWish): Column<DataRecord>[] {
  const t = useMessages(recordMessages)
  const formats = useFormats()
  return useMemo(() => {
    const fields = type.fields.filter((field) => field.primaryKey || field.show)
    const columns = fields.map(
      (field): Column<DataRecord> => ({
        id: field.id,
        title: field.title,
        width: widths[field.type] ?? "minmax(100px, 1fr)",
        sort: field.id,
        render: (record) =>
          field.primaryKey ? (
            <UnstyledButton
              className="row-link"
              aria-label={t("openRow", { name: record.dataId })}
              onClick={(event) => {
                event.stopPropagation()
                onOpen(record)
              }}
            >
              {record.dataId}
            </UnstyledButton>
          ) : (
            <ValueCell field={field} record={record} mayEdit={mayEdit} />
          ),
      }),
    )
    const hub: Column<DataRecord> = {
      id: "hubId",
      title: t("hub"),
      width: "minmax(120px, 1fr)",
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
  }, [type, hubs, mayEdit, onOpen, t, formats])
}

interface ValueCellProps {
  field: DataField
  record: DataRecord
  mayEdit: boolean
}

/** Shows a value; a click turns it into an input, Enter keeps what was typed, Escape does not. */
function ValueCell({ field, record, mayEdit }: ValueCellProps) {
  const t = useMessages(recordMessages)
  const tError = useMessages(errorMessages)
  const client = useQueryClient()
  const stored = record[field.id] ?? null
  const [draft, setDraft] = useState<{ value: unknown }>()
  const shown = <ShownValue field={field} value={stored} />
  if (!mayEdit) return shown
  if (!draft)
    return (
      <UnstyledButton
        className="cell-button"
        tabIndex={-1}
        aria-description={t("editCell", { field: field.title, name: record.dataId })}
        onClick={(event) => {
          event.stopPropagation()
          setDraft({ value: stored })
        }}
      >
        {shown}
      </UnstyledButton>
    )
  const finish = async (isKept: boolean) => {
    setDraft(undefined)
    if (!isKept || draft.value === stored) return
    try {
      await changeRecord(record._id, { [field.id]: draft.value })
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
        value={draft.value}
        isBare
        onChange={(value) => setDraft({ value })}
        onDone={(isKept) => void finish(isKept)}
      />
    </div>
  )
}

function ShownValue({ field, value }: { field: DataField; value: unknown }) {
  const t = useMessages(dataTypeMessages)
  const formats = useFormats()
  if (value === null || value === undefined || value === "") return <span className="quiet">–</span>
  if (field.type === "number" && typeof value === "number") return <>{formats.number(value)}</>
  if (field.type === "boolean") return <>{value === true ? t("yes") : t("no")}</>
  if (field.type === "dateTime") return <>{formats.dateTime(String(value))}</>
  if (field.type === "date") return <>{formats.day(String(value))}</>
  return <>{String(value)}</>
}
