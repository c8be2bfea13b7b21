import "./imports.css"
import { Alert, Anchor, Group, Loader, Text } from "@mantine/core"
import { IconDatabase, IconDownload, IconFileUpload, IconPlayerStop, IconRefresh } from "@tabler/icons-react"
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { ButtonLink } from "../../../ui/links.tsx"
import { importMessages } from "./messages.ts"
import { OtherSystemDialog } from "./OtherSystemDialog.tsx"
import { ReadingStatus, useReadingTitle } from "./ReadingStatus.tsx"
import { readingMessages } from "./reading-messages.ts"
import { cancelReading, type Reading, readingQuery } from "./readings.queries.ts"

export const loader: PageLoader = ({ client, params: { readingId = "" } }) =>
  client.ensureQueryData(readingQuery(readingId))

/** A list that is read from another system: its progress, and what can be done with it afterwards. */
export function ReadingPage() {
  const t = useMessages(importMessages)
  const titleOf = useReadingTitle()
  const { readingId } = useParams({ from: "/signed-in/imports/readings/$readingId" })
  const { data: reading } = useSuspenseQuery(readingQuery(readingId))
  return (
    <div className="page">
      <PageHeader title={titleOf(reading)} detail={<ReadingStatus reading={reading} />}>
        <Anchor component={Link} to={paths.imports} size="sm" style={{ alignSelf: "center" }}>
          {t("back")}
        </Anchor>
      </PageHeader>
      <div className="page-body">
        <div className="import-steps">
          {reading.status === "reading" ? (
            <RunningReading reading={reading} />
          ) : (
            <EndedReading key={reading._id} reading={reading} />
          )}
        </div>
      </div>
    </div>
  )
}

function RunningReading({ reading }: { reading: Reading }) {
  const t = useMessages(readingMessages)
  const formats = useFormats()
  const client = useQueryClient()
  const cancel = useAction(() => cancelReading(reading._id), {
    onDone: (after) => client.setQueryData(readingQuery(reading._id).queryKey, after),
  })
  return (
    <section className="card import-card" aria-busy="true">
      <Group gap="sm" role="status">
        <Loader size="sm" />
        <Text fw={600}>{t("rowsRead", { count: reading.rowCount })}</Text>
        <Text size="sm" c="dimmed">
          {t("requests", { count: reading.requestCount, size: formats.bytes(reading.byteCount) })}
        </Text>
      </Group>
      {reading.waitsUntil ? (
        <Text size="sm">{t("waits", { time: formats.time(reading.waitsUntil) })}</Text>
      ) : null}
      <Text size="sm" c="dimmed">
        {t("mayLeave")}
      </Text>
      <FormError error={cancel.error} />
      <Group justify="flex-end">
        <ActionButton
          icon={IconPlayerStop}
          label={t("stop")}
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        />
      </Group>
    </section>
  )
}

function EndedReading({ reading }: { reading: Reading }) {
  const t = useMessages(readingMessages)
  const [isAsking, setAsking] = useState(false)
  const { status, problem, rowCount, emptyCount } = reading
  const search = { reading: reading._id }
  return (
    <section className="card import-card" role="status">
      {problem ? (
        <Alert color="red" title={t("failed")}>
          {t(problem.code, {
            reason: problem.reason ?? problem.message,
            httpStatus: problem.httpStatus ?? "",
          })}
        </Alert>
      ) : null}
      {status === "cancelled" ? <Text size="sm">{t("cancelledText")}</Text> : null}
      {status === "done" ? (
        <>
          <Text fw={600}>{rowCount > 0 ? t("ready", { count: rowCount }) : t("empty")}</Text>
          {emptyCount > 0 ? (
            <Text size="sm" c="dimmed">
              {t("emptyEntries", { count: emptyCount })}
            </Text>
          ) : null}
          {rowCount > 0 ? <Text size="sm">{t("readyText")}</Text> : null}
        </>
      ) : null}
      <Group gap="xs">
        {status === "done" && rowCount > 0 ? (
          <>
            <ButtonLink
              leftSection={<IconFileUpload size={16} aria-hidden />}
              variant="filled"
              to={paths.importTasks}
              search={search}
            >
              {t("asTasks")}
            </ButtonLink>
            <ButtonLink
              leftSection={<IconDatabase size={16} aria-hidden />}
              variant="default"
              to={paths.importData}
              search={search}
            >
              {t("asRecords")}
            </ButtonLink>
            <ActionButton
              icon={IconDownload}
              label={t("download")}
              component="a"
              href={reading.file}
              variant="default"
            />
          </>
        ) : null}
        <ActionButton
          icon={IconRefresh}
          label={t("again")}
          variant="default"
          onClick={() => setAsking(true)}
        />
      </Group>
      {isAsking ? <OtherSystemDialog like={reading} onClose={() => setAsking(false)} /> : null}
    </section>
  )
}
