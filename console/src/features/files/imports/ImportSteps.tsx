import "./imports.css"
import { Anchor, Group, Loader, Progress, Text } from "@mantine/core"
import { IconDatabaseImport, IconFileSpreadsheet } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { ColumnMapper } from "./ColumnMapper.tsx"
import { FileDrop } from "./FileDrop.tsx"
import {
  type ColumnMapping,
  type ImportOptions,
  type ImportSource,
  type ImportTarget,
  type Preview,
  previewImport,
  startImport,
  templateAddress,
} from "./imports.queries.ts"
import { keepUpload, keptUpload } from "./kept-upload.ts"
import { importMessages } from "./messages.ts"
import { OtherSystemDialog } from "./OtherSystemDialog.tsx"
import { useReadingTitle } from "./ReadingStatus.tsx"
import { readingQuery } from "./readings.queries.ts"

interface ImportStepsProps {
  title: string
  /** Undefined while something is still to be chosen. */
  target: ImportTarget | undefined
  /** What the template is for. */
  template: Parameters<typeof templateAddress>[0] | undefined
  /** A target that the headers of a file speak for, where nobody has chosen one; chooses it. */
  betterTarget?(headers: readonly string[]): ImportTarget | undefined
  /** More choices once the file is known, which read it again for another target. */
  beside?(preview: Preview, retarget: (target: ImportTarget | undefined) => void): ReactNode
  /** The inputs that choose the target; each calls `retarget` with the target that results. */
  choices(retarget: (target: ImportTarget | undefined) => void): ReactNode
}

/** From a spreadsheet to an import: choose the target and the file, map its columns, start. */
export function ImportSteps({ title, target, template, betterTarget, beside, choices }: ImportStepsProps) {
  const t = useMessages(importMessages)
  const navigate = useNavigate()
  const titleOf = useReadingTitle()
  const [file, setFile] = useState<ImportSource>()
  const [isGivenTaken, setGivenTaken] = useState(false)
  const [sent, setSent] = useState(0)
  const [isAsking, setAsking] = useState(false)
  const preview = useAction(async (options: ImportOptions) => {
    const read = await previewImport(options, setSent)
    const better = betterTarget?.(read.headers)
    return better ? previewImport({ ...options, target: better }, setSent) : read
  })
  const start = useAction(
    async (how: { columns: ColumnMapping; isDryRun: boolean; isForced: boolean }) => {
      if (!file || !target) throw new Error("nothing to import")
      const record = await startImport({ file, target, columns: how.columns }, how, setSent)
      if (how.isDryRun) keepUpload({ importId: record._id, file, target, columns: how.columns })
      return record
    },
    {
      onDone: async ({ _id, dryRun }) => {
        // The way back from a check leads to its columns.
        if (dryRun) await navigate({ to: ".", search: { check: _id }, replace: true })
        return navigate({ to: paths.import, params: { importId: _id } })
      },
    },
  )
  const download = useAction(
    (wanted: Parameters<typeof templateAddress>[0]) => templateAddress(wanted, target?.hubId),
    { onDone: (address) => window.location.assign(address) },
  )
  const read = (
    chosen: ImportSource | undefined,
    into: ImportTarget | undefined,
    columns?: ColumnMapping,
  ) => {
    setFile(chosen)
    setGivenTaken(true)
    start.reset()
    preview.reset()
    if (chosen && into) preview.mutate({ file: chosen, target: into, ...(columns ? { columns } : {}) })
  }
  const { reading, check } = useSearch({ strict: false })
  const list = useQuery({ ...readingQuery(reading ?? ""), enabled: reading !== undefined }).data
  const checked = keptUpload(check)
  const given = checked?.file ?? (list && { readingId: list._id, name: titleOf(list) })
  if (given && target && !isGivenTaken) {
    setGivenTaken(true)
    queueMicrotask(() => read(given, target, checked?.columns))
  }
  return (
    <div className="page">
      <PageHeader title={title}>
        <Anchor component={Link} to={paths.imports} size="sm">
          {t("back")}
        </Anchor>
      </PageHeader>
      <div className="page-body">
        <div className="import-steps">
          <Group align="end" gap="sm">
            {/* The columns mean other fields in another target: the file is read again. */}
            {choices((next) => next && read(file, next))}
            {template ? (
              <Anchor
                component="button"
                type="button"
                size="sm"
                pb={8}
                onClick={() => download.mutate(template)}
              >
                {t("template")}
              </Anchor>
            ) : null}
          </Group>
          {file && !preview.isError ? (
            <Group gap="xs" className="chosen-file">
              <IconFileSpreadsheet size={20} aria-hidden />
              <Text size="sm" fw={550}>
                {file.name}
              </Text>
              <Anchor component="button" type="button" size="sm" onClick={() => read(undefined, target)}>
                {t("otherFile")}
              </Anchor>
            </Group>
          ) : (
            <>
              <FileDrop isDisabled={!target} onFile={(chosen) => read(chosen, target)} />
              <ActionButton
                icon={IconDatabaseImport}
                label={t("otherSystem")}
                variant="default"
                onClick={() => setAsking(true)}
                style={{ alignSelf: "start", justifySelf: "start" }}
              />
            </>
          )}
          {isAsking ? <OtherSystemDialog onClose={() => setAsking(false)} /> : null}
          <FormError error={preview.error ?? download.error} />
          {preview.isPending ? (
            <Group gap="sm" role="status">
              <Loader size="sm" />
              <Text size="sm">{t("reading")}</Text>
            </Group>
          ) : null}
          {preview.data && file ? beside?.(preview.data, (next) => next && read(file, next)) : null}
          {preview.data && file ? (
            <ColumnMapper
              key={`${file instanceof File ? `${file.name}-${file.lastModified}` : file.readingId}-${JSON.stringify(template)}`}
              preview={preview.data}
              isStarting={start.isPending}
              error={start.error}
              onStart={(how) => start.mutate(how)}
            />
          ) : null}
          {start.isPending ? (
            <Progress value={100 * sent} aria-label={t("sending", { percent: Math.round(100 * sent) })} />
          ) : null}
        </div>
      </div>
    </div>
  )
}
