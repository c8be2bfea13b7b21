import { Button, Group, Select, Stack, Text } from "@mantine/core"
import { IconDownload } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { type ExportFormat, exportFormats } from "#shared/export-formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { recordMessages } from "./messages.ts"
import { exportRecords, type RecordQuery } from "./records.queries.ts"

export interface RecordExportDialogProps {
  query: RecordQuery
  isFiltered: boolean
  total: number
  onClose(): void
}

/** Exports what the grid shows, with its filters. */
export function RecordExportDialog({ query, isFiltered, total, onClose }: RecordExportDialogProps) {
  const t = useMessages(recordMessages)
  const [format, setFormat] = useState<ExportFormat>("xlsx")
  const make = useAction(() => exportRecords({ query, format, total }), { refreshes: [["exports"]] })
  const link = make.data?.data.link
  return (
    <OpenModal onClose={onClose} title={t("exportTitle")}>
      <Stack gap="md">
        {make.data ? (
          <Text size="sm" role="status">
            {link ? t("ready", { count: make.data.total_data_be }) : t("background")}
          </Text>
        ) : (
          <>
            <Text size="sm">{t(isFiltered ? "exportFiltered" : "exportAll", { count: total })}</Text>
            <Select
              label={t("format")}
              data={exportFormats.map((value) => ({ value, label: t(value) }))}
              value={format}
              onChange={(value) => setFormat(exportFormats.find((known) => known === value) ?? "xlsx")}
            />
          </>
        )}
        <FormError error={make.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {make.data ? t("close") : t("cancel")}
          </Button>
          {make.data ? (
            link ? (
              <ActionButton icon={IconDownload} label={t("download")} component="a" href={link} download />
            ) : (
              <Button component={Link} to={paths.exports}>
                {t("openLog")}
              </Button>
            )
          ) : (
            <Button loading={make.isPending} onClick={() => make.mutate()}>
              {t("export")}
            </Button>
          )}
        </Group>
      </Stack>
    </OpenModal>
  )
}
