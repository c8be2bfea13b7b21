import "./imports.css"
import { Anchor, Group, Loader, Progress, Select, Text } from "@mantine/core"
import { IconFileSpreadsheet } from "@tabler/icons-react"
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { FormError } from "../../../ui/FormError.tsx"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { flowsQuery } from "../../work/flows/flows.queries.ts"
import { ColumnMapper } from "./ColumnMapper.tsx"
import { FileDrop } from "./FileDrop.tsx"
import { type ColumnMapping, previewImport, startImport, templateAddress } from "./imports.queries.ts"
import { importMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(hubsQuery), client.prefetchQuery(flowsQuery)])

/** From a spreadsheet to tasks: where to, which file, which column is which, go. */
export function ImportTasksPage() {
  const t = useMessages(importMessages)
  const navigate = useNavigate()
  const chosenHub = useChosenHub()
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const { data: flows = [] } = useQuery(flowsQuery)
  const [hubChoice, setHubChoice] = useState<string | null>(null)
  const [flowChoice, setFlowChoice] = useState<string | null>(null)
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState(0)
  const hubId = hubChoice ?? chosenHub ?? hubs[0]?._id ?? null
  const flowId = flowChoice ?? flows[0]?._id ?? null

  const preview = useMutation({
    mutationFn: ({ file, hubId, flowId }: { file: File; hubId: string; flowId: string }) =>
      previewImport({ file, target: { type: "task", hubId, flowId } }, setSent),
  })
  const start = useMutation({
    mutationFn: async (how: { columns: ColumnMapping; isDryRun: boolean; isForced: boolean }) => {
      if (!file || !hubId || !flowId) throw new Error("nothing to import")
      const target = { type: "task", hubId, flowId } as const
      return startImport({ file, target, columns: how.columns }, how, setSent)
    },
    onSuccess: (record) => navigate({ to: paths.import, params: { importId: record._id } }),
  })
  const read = (options: { file: File | undefined; hubId: string | null; flowId: string | null }) => {
    setFile(options.file)
    start.reset()
    preview.reset()
    if (options.file && options.hubId && options.flowId)
      preview.mutate({ file: options.file, hubId: options.hubId, flowId: options.flowId })
  }
  return (
    <div className="page">
      <PageHeader title={t("newTitle")}>
        <Anchor component={Link} to={paths.imports} size="sm">
          {t("back")}
        </Anchor>
      </PageHeader>
      <div className="page-body">
        <div className="import-steps">
          <Group align="end" gap="sm">
            <Select
              label={t("hub")}
              description={t("hubHint")}
              data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
              value={hubId}
              allowDeselect={false}
              searchable={hubs.length > 8}
              error={hubs.length === 0 ? t("needsHub") : undefined}
              onChange={(value) => {
                setHubChoice(value)
                read({ file, hubId: value, flowId })
              }}
              w={230}
            />
            <Select
              label={t("flow")}
              data={flows.map((flow) => ({ value: flow._id, label: flow.name }))}
              value={flowId}
              allowDeselect={false}
              onChange={(value) => {
                setFlowChoice(value)
                read({ file, hubId, flowId: value })
              }}
              w={230}
            />
            {flowId ? <TemplateLink flowId={flowId} hubId={hubId ?? undefined} /> : null}
          </Group>
          {file && !preview.isError ? (
            <Group gap="xs" className="chosen-file">
              <IconFileSpreadsheet size={20} aria-hidden />
              <Text size="sm" fw={550}>
                {file.name}
              </Text>
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => read({ file: undefined, hubId, flowId })}
              >
                {t("otherFile")}
              </Anchor>
            </Group>
          ) : (
            <FileDrop
              isDisabled={!hubId || !flowId}
              onFile={(chosen) => read({ file: chosen, hubId, flowId })}
            />
          )}
          <FormError error={preview.error} />
          {preview.isPending ? (
            <Group gap="sm" role="status">
              <Loader size="sm" />
              <Text size="sm">{t("reading")}</Text>
            </Group>
          ) : null}
          {preview.data && file ? (
            <ColumnMapper
              key={`${file.name}-${file.lastModified}-${flowId}`}
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

function TemplateLink({ flowId, hubId }: { flowId: string; hubId: string | undefined }) {
  const t = useMessages(importMessages)
  const template = useMutation({
    mutationFn: () => templateAddress({ type: "task", flowId }, hubId),
    onSuccess: (address) => window.location.assign(address),
  })
  return (
    <Anchor component="button" type="button" size="sm" pb={8} onClick={() => template.mutate()}>
      {t("template")}
    </Anchor>
  )
}
