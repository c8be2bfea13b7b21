import type { ColumnMapping, ImportSource, ImportTarget } from "./imports.queries.ts"

interface KeptUpload {
  importId: string
  file: ImportSource
  target: ImportTarget
  columns: ColumnMapping
}

let kept: KeptUpload | undefined

/** Keeps the file that was only checked, until another is, so that it need not be chosen again. */
export function keepUpload(upload: KeptUpload): void {
  kept = upload
}

/** The file of a check, if it was made in this window. */
export function keptUpload(importId: string | undefined): KeptUpload | undefined {
  return kept?.importId === importId ? kept : undefined
}
