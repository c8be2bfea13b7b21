import "./imports.css"
import { IconFileSpreadsheet } from "@tabler/icons-react"
import { type DragEvent, useId, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { importMessages } from "./messages.ts"

/** A place to drop a spreadsheet on; for keyboards and phones the usual file choice. */
export function FileDrop({ isDisabled, onFile }: { isDisabled: boolean; onFile(file: File): void }) {
  const t = useMessages(importMessages)
  const [isOver, setOver] = useState(false)
  const inputId = useId()
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !isDisabled) onFile(file)
  }
  return (
    <label
      htmlFor={inputId}
      className="file-drop"
      data-over={isOver}
      data-disabled={isDisabled}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileSpreadsheet size={34} stroke={1.4} aria-hidden />
      <strong>{t("drop")}</strong>
      <span className="file-drop-choose">{t("choose")}</span>
      <span className="quiet">{t("formats")}</span>
      <input
        id={inputId}
        type="file"
        accept=".csv,.xlsx,.xls,.gpx,.kml,.kmz,.geojson,.json"
        disabled={isDisabled}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) onFile(file)
        }}
      />
    </label>
  )
}
