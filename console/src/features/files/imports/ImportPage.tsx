import "../../../ui/StatusBadge.css"
import "./imports.css"
import { Alert, Anchor, Button, Group, Progress, Text } from "@mantine/core"
import {
  IconArrowBackUp,
  IconCheck,
  IconDatabase,
  IconDownload,
  IconFileUpload,
  IconListCheck,
  IconPlayerStop,
  IconRoute,
  IconTableOptions,
} from "@tabler/icons-react"
import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useState } from "react"
import { parseDateTime } from "#shared/wire-time.ts"
import { noteImport } from "../../../api/recent-actions.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { ButtonLink } from "../../../ui/links.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { routeMessages } from "../../planning/routes/messages.ts"
import type { TaskSearch } from "../../work/tasks/list/task-search.ts"
import { DoubtfulPlaces } from "./DoubtfulPlaces.tsx"
import { FailedRows } from "./FailedRows.tsx"
import { ImportStatus } from "./ImportStatus.tsx"
import {
  cancelImport,
  type Import,
  importQuery,
  startImport,
  undoImport,
  writtenQuery,
} from "./imports.queries.ts"
import { keptUpload } from "./kept-upload.ts"
import { importMessages } from "./messages.ts"

export const loader: PageLoader = ({ client, params: { importId = "" } }) =>
  client.ensureQueryData(importQuery(importId))

const PlanDialog = lazy(() => import("../../planning/routes/PlanDialog.tsx"))

/** One import: its progress while it runs, afterwards what came of it. */
export function ImportPage() {
  const t = useMessages(importMessages)
  const { importId } = useParams({ from: "/signed-in/imports/$importId" })
  const { data: record } = useSuspenseQuery(importQuery(importId))
  const isRunning = record.status === "onprocess"
  const isOfTasks = Boolean(record.flowId ?? record.visitTypeId)
  return (
    <div className="page">
      <PageHeader title={record.filename} detail={<ImportStatus record={record} />}>
        <Anchor component={Link} to={paths.imports} size="sm" style={{ alignSelf: "center" }}>
          {t("back")}
        </Anchor>
      </PageHeader>
      <div className="page-body">
        <div className="import-steps">
          {isRunning ? <RunningImport record={record} /> : <EndedImport record={record} />}
          {(isOfTasks || record.type === "datasource") && !isRunning && !record.dryRun ? (
            <DoubtfulPlaces record={record} />
          ) : null}
          {record.totalInvalid > 0 ? <FailedRows record={record} /> : null}
        </div>
      </div>
    </div>
  )
}

function RunningImport({ record }: { record: Import }) {
  const t = useMessages(importMessages)
  const formats = useFormats()
  const done = record.totalValid + record.totalInvalid
  const percent = record.totalRows > 0 ? (100 * done) / record.totalRows : 0
  const cancel = useAction(() => cancelImport(record._id))
  return (
    <section className="card import-card" aria-busy="true">
      <Group justify="space-between">
        <Text fw={600}>{t("progress", { done: formats.number(done), count: record.totalRows })}</Text>
        <Text size="sm" c="dimmed">
          {record.rowsPerSecond ? t("speed", { count: Math.round(record.rowsPerSecond) }) : ""}
          {record.expectedEnd ? ` · ${t("readyAt", { time: formats.time(record.expectedEnd) })}` : ""}
        </Text>
      </Group>
      <Progress
        value={percent}
        size="lg"
        animated
        aria-label={t("progress", { done, count: record.totalRows })}
      />
      <FormError error={cancel.error} />
      <Group justify="flex-end">
        <ActionButton
          icon={IconPlayerStop}
          label={t("cancel")}
          variant="default"
          loading={cancel.isPending || record.cancelledTime !== undefined}
          onClick={() => cancel.mutate()}
        />
      </Group>
    </section>
  )
}

/** The list of what an import has created; of one that also changed tasks, all of its flow. */
function tasksOf({ flowId, createdBy, createdTime, processedAt, totalChanged }: Import): TaskSearch {
  const [from, ended] = [parseDateTime(createdTime), parseDateTime(processedAt ?? "")]
  const ofFlow = flowId ? { flowId } : {}
  if (totalChanged > 0 || from === undefined || ended === undefined) return ofFlow
  // Both are whole seconds.
  return {
    ...ofFlow,
    filter: {
      and: [
        { field: "createdBy", operator: "equals", value: createdBy },
        { field: "createdTime", operator: "gte", value: new Date(from).toISOString() },
        { field: "createdTime", operator: "lte", value: new Date(ended + 999).toISOString() },
      ],
    },
  }
}

function EndedImport({ record }: { record: Import }) {
  const t = useMessages(importMessages)
  const formats = useFormats()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const undo = useAction(() => undoImport(record._id), {
    onDone: async (after) => {
      client.setQueryData(importQuery(record._id).queryKey, after)
      if (after.undoResult) {
        const { removed, restored, kept } = after.undoResult
        notifyDone(t("undoDone", { removed, restored, kept }))
      }
      await Promise.all(
        ["tasks", "data-records", "vehicles", "users"].map((key) =>
          client.invalidateQueries({ queryKey: [key] }),
        ),
      )
    },
  })
  const { may } = useSession()
  const tRoute = useMessages(routeMessages)
  const [isPlanning, setPlanning] = useState(false)
  const written = useQuery({ ...writtenQuery(record._id), enabled: isPlanning })
  const isDry = record.dryRun === true
  const upload = isDry ? keptUpload(record._id) : undefined
  const navigate = useNavigate()
  const importGood = useAction(
    async () => {
      if (!upload) throw new Error("the file is no longer there")
      return startImport(upload, { isDryRun: false, isForced: false })
    },
    { onDone: (started) => navigate({ to: paths.import, params: { importId: started._id } }) },
  )
  const dataTypeId = record.dataTypeId ?? undefined
  const isOfRecords = ["datasource", "vehicle", "user"].includes(record.type)
  const isUndoable = !isDry && record.totalValid > 0 && !record.undoneTime
  const outcome = t(isDry ? "dryDone" : isOfRecords ? "recordsDone" : "done", { count: record.totalValid })
  useEffect(() => {
    if (isUndoable && noteImport(record._id)) notifyDone(outcome)
  }, [isUndoable, record._id, outcome])
  return (
    <section className="card import-card" role="status">
      {record.errorMessage ? (
        <Alert
          color={record.cancelledTime ? "gray" : "red"}
          title={t(record.cancelledTime ? "cancelled" : "failed")}
        >
          {record.errorMessage}
        </Alert>
      ) : null}
      <Group gap="xl">
        <Figure count={record.totalValid} text={outcome} />
        {record.totalInvalid > 0 ? (
          <Figure
            count={record.totalInvalid}
            text={t("refusedCount", { count: record.totalInvalid })}
            isBad
          />
        ) : record.status === "success" ? (
          <Group gap={6}>
            <IconCheck size={18} color="var(--status-done)" aria-hidden />
            <Text size="sm">{t(isDry ? "allGoodDry" : "allGood")}</Text>
          </Group>
        ) : null}
      </Group>
      {record.totalChanged > 0 || (record.mode !== "create" && record.totalValid > 0) ? (
        <Text size="sm" c="dimmed">
          {t(isDry ? "kindsDry" : "kinds", {
            created: formats.number(record.totalCreated),
            changed: formats.number(record.totalChanged),
            same: formats.number(record.totalValid - record.totalCreated - record.totalChanged),
          })}
        </Text>
      ) : null}
      {record.undoResult ? (
        <Text size="sm" c="dimmed">
          {t("undoDone", {
            removed: record.undoResult.removed,
            restored: record.undoResult.restored,
            kept: record.undoResult.kept,
          })}
        </Text>
      ) : null}
      <FormError error={undo.error ?? written.error} />
      {isPlanning && written.data ? (
        <Suspense fallback={null}>
          <PlanDialog taskIds={written.data} onClose={() => setPlanning(false)} />
        </Suspense>
      ) : null}
      <FormError error={importGood.error} />
      <Group gap="xs">
        {upload && record.totalValid > 0 ? (
          <ActionButton
            icon={IconFileUpload}
            label={t("importGood", { count: record.totalValid })}
            loading={importGood.isPending}
            onClick={() => importGood.mutate()}
          />
        ) : null}
        {upload ? (
          <ButtonLink
            variant={record.totalValid > 0 ? "default" : "filled"}
            leftSection={<IconTableOptions size={16} aria-hidden />}
            to={isOfRecords ? paths.importData : paths.importTasks}
            search={{ check: record._id }}
          >
            {t("changeColumns")}
          </ButtonLink>
        ) : null}
        {record.totalValid > 0 && !isDry && dataTypeId ? (
          <ButtonLink
            leftSection={<IconDatabase size={16} aria-hidden />}
            to={paths.dataType}
            params={{ dataTypeId }}
          >
            {t("showRecords")}
          </ButtonLink>
        ) : null}
        {record.totalValid > 0 && !isDry && record.flowId && !record.undoneTime ? (
          <ButtonLink
            leftSection={<IconListCheck size={16} aria-hidden />}
            to={paths.tasks}
            search={tasksOf(record)}
          >
            {t("showTasks")}
          </ButtonLink>
        ) : null}
        {record.totalValid > 0 &&
        !isDry &&
        record.flowId &&
        !record.undoneTime &&
        may("route-optimization") ? (
          <ActionButton
            icon={IconRoute}
            label={tRoute("planButton")}
            variant="default"
            loading={written.isFetching}
            onClick={() => setPlanning(true)}
          />
        ) : null}
        {record.fileFailedImported ? (
          <ActionButton
            icon={IconDownload}
            label={t("download")}
            component="a"
            href={record.fileFailedImported}
            variant="default"
          />
        ) : null}
        <Button component={Link} to={isOfRecords ? paths.importData : paths.importTasks} variant="default">
          {t("again")}
        </Button>
        {isUndoable ? (
          <ActionButton
            icon={IconArrowBackUp}
            label={t("undo")}
            variant="subtle"
            color="red"
            loading={undo.isPending}
            onClick={() => setAsking(true)}
          />
        ) : null}
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("undoTitle")}
        text={t("undoText")}
        confirm={t("undo")}
        cancel={t("keep")}
        isDangerous
        onClose={() => setAsking(false)}
        onConfirm={() => undo.mutate()}
      />
    </section>
  )
}

function Figure({ count, text, isBad = false }: { count: number; text: string; isBad?: boolean }) {
  const formats = useFormats()
  const number = formats.number(count)
  return (
    <div className="figure">
      <span className="tile-count" style={isBad ? { color: "var(--mantine-color-error)" } : undefined}>
        {number}
      </span>
      <span className="quiet">{text.replace(number, "").trim()}</span>
    </div>
  )
}
