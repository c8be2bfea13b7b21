import "./imports.css"
import { Anchor, Group, Loader, Progress, Select, Text } from "@mantine/core"
import { IconFileSpreadsheet } from "@tabler/icons-react"
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { FormError } from "../../../ui/FormError.tsx"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { dataTypesQuery } from "../../work/data-types/data-types.queries.ts"
import { ColumnMapper } from "./ColumnMapper.tsx"
import { FileDrop } from "./FileDrop.tsx"
import {
  type ColumnMapping,
  type ImportMode,
  type ImportTarget,
  previewImport,
  startImport,
  templateAddress,
} from "./imports.queries.ts"
import { importMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(hubsQuery), client.prefetchQuery(dataTypesQuery)])

const modes = ["create", "upsert", "update"] as const

/** From a spreadsheet to the records of a data type. */
export function ImportDataPage() {
  const t = useMessages(importMessages)
  const navigate = useNavigate()
  const chosenHub = useChosenHub()
  const { type: wantedType } = useSearch({ from: "/signed-in/imports/data" })
  const { data: allTypes = [] } = useQuery(dataTypesQuery)
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const [hubChoice, setHubChoice] = useState<string | null>(null)
  const [typeChoice, setTypeChoice] = useState<string | undefined>(wantedType)
  const [mode, setMode] = useState<ImportMode>("create")
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState(0)
  const types = allTypes.filter((type) => type.provider === "internal")
  const type = types.find((candidate) => candidate._id === typeChoice) ?? types[0]
  const hubId = type?.commonData ? undefined : (hubChoice ?? chosenHub ?? hubs[0]?._id)
  const target: ImportTarget | undefined =
    type && (type.commonData || hubId) ? { type: "datasource", dataTypeId: type._id, hubId, mode } : undefined

  const preview = useMutation({
    mutationFn: (options: { file: File; target: ImportTarget }) => previewImport(options, setSent),
  })
  const start = useMutation({
    mutationFn: async (how: { columns: ColumnMapping; isDryRun: boolean; isForced: boolean }) => {
      if (!file || !target) throw new Error("nothing to import")
      return startImport({ file, target, columns: how.columns }, how, setSent)
    },
    onSuccess: (record) => navigate({ to: paths.import, params: { importId: record._id } }),
  })
  const template = useMutation({
    mutationFn: (dataTypeId: string) => templateAddress({ type: "datasource", dataTypeId }, hubId),
    onSuccess: (address) => window.location.assign(address),
  })
  const read = (chosen: File | undefined, into: ImportTarget | undefined) => {
    setFile(chosen)
    start.reset()
    preview.reset()
    if (chosen && into) preview.mutate({ file: chosen, target: into })
  }
  /** The file is read anew for what was chosen: its columns mean other fields now. */
  const retarget = (part: { typeId?: string; hubId?: string; mode?: ImportMode }) => {
    const next = types.find((candidate) => candidate._id === (part.typeId ?? type?._id))
    const nextHub = next?.commonData ? undefined : (part.hubId ?? hubId ?? hubs[0]?._id)
    if (!next || !(next.commonData || nextHub)) return
    read(file, {
      type: "datasource",
      dataTypeId: next._id,
      hubId: nextHub,
      mode: part.mode ?? mode,
    })
  }
  return (
    <div className="page">
      <PageHeader title={t("dataTitle")}>
        <Anchor component={Link} to={paths.imports} size="sm">
          {t("back")}
        </Anchor>
      </PageHeader>
      <div className="page-body">
        <div className="import-steps">
          <Group align="end" gap="sm">
            <Select
              label={t("dataType")}
              data={types.map(({ _id, name }) => ({ value: _id, label: name }))}
              value={type?._id ?? null}
              error={types.length === 0 ? t("needsType") : undefined}
              searchable={types.length > 8}
              onChange={(value) => {
                setTypeChoice(value ?? undefined)
                if (value) retarget({ typeId: value })
              }}
              w={230}
            />
            {type?.commonData ? null : (
              <Select
                label={t("hub")}
                description={t("recordsHub")}
                data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
                value={hubId ?? null}
                searchable={hubs.length > 8}
                onChange={(value) => {
                  setHubChoice(value)
                  if (value) retarget({ hubId: value })
                }}
                w={230}
              />
            )}
            <Select
              label={t("mode")}
              data={modes.map((value) => ({
                value,
                label: t(`mode${value.charAt(0).toUpperCase()}${value.slice(1)}` as "modeCreate"),
              }))}
              value={mode}
              onChange={(value) => {
                const next = modes.find((known) => known === value) ?? "create"
                setMode(next)
                retarget({ mode: next })
              }}
              w={270}
            />
            {type ? (
              <Anchor
                component="button"
                type="button"
                size="sm"
                pb={8}
                onClick={() => template.mutate(type._id)}
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
            <FileDrop isDisabled={!target} onFile={(chosen) => read(chosen, target)} />
          )}
          <FormError error={preview.error ?? template.error} />
          {preview.isPending ? (
            <Group gap="sm" role="status">
              <Loader size="sm" />
              <Text size="sm">{t("reading")}</Text>
            </Group>
          ) : null}
          {preview.data && file ? (
            <ColumnMapper
              key={`${file.name}-${file.lastModified}-${type?._id}`}
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
