import { Button, Group, Radio, Select, Stack, Text } from "@mantine/core"
import { IconDownload } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { type ExportFormat, exportFormats } from "#shared/export-formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import type { taskPageQuery } from "../../work/tasks/tasks.queries.ts"
import { ConfigEditor } from "./ConfigEditor.tsx"
import { type ExportConfig, exportConfigsQuery } from "./configs.queries.ts"
import { exportReports, exportTasks } from "./exports.queries.ts"
import { exportMessages } from "./messages.ts"

export interface ExportDialogProps {
  query: Parameters<typeof taskPageQuery>[0]
  /** How many tasks match the query. */
  total: number
  taskIds: readonly string[]
  onClose(): void
}

const reportFormats = ["reportFormat", "reportDocument"] as const
type ReportFormat = (typeof reportFormats)[number]

/** The tasks of the filter, or the selected ones, as a file. */
export default function ExportDialog({ query, total, taskIds, onClose }: ExportDialogProps) {
  const t = useMessages(exportMessages)
  const [format, setFormat] = useState<ExportFormat | ReportFormat>("xlsx")
  const isReport = format === "reportFormat" || format === "reportDocument"
  const [what, setWhat] = useState<"picked" | "matching">(taskIds.length > 0 ? "picked" : "matching")
  const { may } = useSession()
  const maySee = may("view/exportConfig")
  const { data: configs = [] } = useQuery({ ...exportConfigsQuery, enabled: maySee })
  const [configId, setConfigId] = useState("")
  const config = configs.find(({ _id }) => _id === configId)
  const [isEditing, setEditing] = useState<"new" | "chosen">()
  const isPicked = what === "picked"
  const count = isPicked ? taskIds.length : total
  const make = useAction(
    () => {
      const which = { query, taskIds: isPicked ? taskIds : [], count }
      return isReport
        ? exportReports({ ...which, download: format === "reportDocument" ? "pdf" : "zip" })
        : exportTasks({ ...which, format, configId: config?._id })
    },
    { refreshes: [["exports"]] },
  )
  const link = make.data?.data.link
  const choose = (chosen: ExportConfig | undefined) => {
    setConfigId(chosen?._id ?? "")
    if (chosen?.format) setFormat(exportFormats.find((known) => known === chosen.format) ?? "xlsx")
  }
  if (isEditing)
    return (
      <ConfigEditor
        config={isEditing === "chosen" ? config : undefined}
        format={isReport ? "xlsx" : format}
        filters={filtersOf(query)}
        onClose={(saved) => {
          setEditing(undefined)
          if (saved) choose(saved)
        }}
      />
    )
  return (
    <OpenModal onClose={onClose} title={t("dialogTitle")}>
      <Stack gap="md">
        {make.data ? (
          <Text size="sm" role="status">
            {link ? t("ready", { count: make.data.total_data_be }) : t("background")}
          </Text>
        ) : (
          <>
            <Radio.Group
              label={t("what")}
              value={what}
              onChange={(value) => setWhat(value === "picked" ? "picked" : "matching")}
            >
              <Stack gap={8} mt={6}>
                {taskIds.length > 0 ? (
                  <Radio value="picked" label={t("picked", { count: taskIds.length })} />
                ) : null}
                <Radio value="matching" label={t("matching", { count: total })} />
              </Stack>
            </Radio.Group>
            {maySee && !isReport ? (
              <Group align="end" gap="xs" wrap="nowrap">
                <Select
                  label={t("columns")}
                  allowDeselect={false}
                  style={{ flex: 1 }}
                  data={[
                    { value: "", label: t("allColumns") },
                    ...configs.map(({ _id, name }) => ({ value: _id, label: name })),
                  ]}
                  value={config?._id ?? ""}
                  onChange={(value) => choose(configs.find(({ _id }) => _id === value))}
                />
                {config && may("edit/exportConfig") ? (
                  <Button variant="default" onClick={() => setEditing("chosen")}>
                    {t("changeConfig")}
                  </Button>
                ) : null}
                {!config && may("add/exportConfig") ? (
                  <Button variant="default" onClick={() => setEditing("new")}>
                    {t("newConfig")}
                  </Button>
                ) : null}
              </Group>
            ) : null}
            <Select
              label={t("format")}
              allowDeselect={false}
              data={[
                ...exportFormats.map((value) => ({ value, label: t(value) })),
                ...reportFormats.map((value) => ({ value, label: t(value) })),
              ]}
              value={format}
              onChange={(value) =>
                setFormat([...reportFormats, ...exportFormats].find((known) => known === value) ?? "xlsx")
              }
            />
          </>
        )}
        <FormError error={make.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {make.data ? t("close") : t("cancel")}
          </Button>
          {make.data ? (
            <>
              <Button variant="default" component={Link} to={paths.exports}>
                {t("openLog")}
              </Button>
              {link ? (
                <ActionButton icon={IconDownload} label={t("download")} component="a" href={link} download />
              ) : null}
            </>
          ) : (
            <Button loading={make.isPending} onClick={() => make.mutate()}>
              {t("submit")}
            </Button>
          )}
        </Group>
      </Stack>
    </OpenModal>
  )
}

const filterKeys = [
  ...(["status", "outcome", "isLate", "needsReview", "assignee", "hubId", "q", "filter"] as const),
  ...(["flowId", "priority", "tags"] as const),
  ...(["timeBy", "timeFrom", "timeTo"] as const),
] as const

/** What a scheduled export of the same would go by. */
function filtersOf(query: ExportDialogProps["query"]): Record<string, string> {
  return Object.fromEntries(
    filterKeys.flatMap((key) => {
      const value = query[key]
      return value === undefined || value === "" ? [] : [[key, String(value)]]
    }),
  )
}
