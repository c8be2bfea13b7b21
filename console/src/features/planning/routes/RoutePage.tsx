import "./routes.css"
import { Alert, Button, Menu, Progress, SegmentedControl } from "@mantine/core"
import { IconArrowLeft, IconDots, IconSend, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { isPlanFact, readPlanWarning } from "#shared/plan-warnings.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { Comments } from "../../work/messages/Comments.tsx"
import { messageTexts } from "../../work/messages/message-texts.ts"
import { ActualTable } from "./ActualTable.tsx"
import { DispatchDialog } from "./DispatchDialog.tsx"
import { DroppedVisits } from "./DroppedVisits.tsx"
import { routeMessages, warningMessages } from "./messages.ts"
import { PlanViolations } from "./PlanViolations.tsx"
import { RouteState, summaryOf } from "./RouteListPage.tsx"
import { RouteStops } from "./RouteStops.tsx"
import { RouteTimeline } from "./RouteTimeline.tsx"
import { replanMessages } from "./replan/messages.ts"
import { ReplanDialog } from "./replan/ReplanDialog.tsx"
import { WhatIfDialog } from "./replan/WhatIfDialog.tsx"
import type { RouteView } from "./route-search.ts"
import {
  cancelPlan,
  deleteResult,
  type Result,
  resultQuery,
  retryPlan,
  undoDispatch,
} from "./routes.queries.ts"
import { VersionList } from "./VersionList.tsx"

export const loader: PageLoader = ({ client, params: { resultId = "" } }) =>
  client.ensureQueryData(resultQuery(resultId))

const RouteMap = lazy(() => import("./RouteMap.tsx"))

export function RoutePage() {
  const { resultId } = useParams({ from: "/signed-in/routes/$resultId" })
  const { data: result } = useSuspenseQuery(resultQuery(resultId))
  const t = useMessages(routeMessages)
  const formats = useFormats()
  const summary = summaryOf(result)
  return (
    <div className="page">
      <PageHeader
        title={result.name ?? ""}
        detail={
          <span style={{ display: "inline-flex", gap: 12, alignItems: "center" }}>
            <RouteState result={result} />
            {result.status === "done" ? (
              <span className="from-sm-inline">
                {formats.distance(summary.totalDistance)} ·{" "}
                {t("vehicleCount", { count: summary.usedVehicles })}
                {summary.totalCost === undefined
                  ? ""
                  : ` · ${t("cost", { amount: formats.number(summary.totalCost) })}`}
                {summary.totalCo2 === undefined ? "" : ` · ${formats.number(summary.totalCo2)} kg CO₂`}
              </span>
            ) : null}
          </span>
        }
      >
        <RouteActions result={result} />
      </PageHeader>
      {result.status === "ongoing" ? <Planning result={result} /> : null}
      {result.status === "failed" ? <Failed result={result} /> : null}
      {result.status === "done" ? <Planned result={result} /> : null}
    </div>
  )
}

function Planning({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { progress } = result
  const cancel = useAction(() => cancelPlan(result._id))
  return (
    <div style={{ padding: "24px 20px", maxWidth: 560 }} aria-live="polite">
      <h2 style={{ fontSize: "1rem", marginBottom: 12 }}>{t("planningTitle")}</h2>
      <Progress value={100 * (progress?.share ?? 0)} aria-label={t("planningTitle")} mb="sm" />
      <p className="quiet" style={{ marginBottom: 16 }}>
        {progress && progress.vehicles > 0
          ? t("planningText", {
              vehicles: t("vehicleCount", { count: progress.vehicles }),
              distance: formats.distance(progress.distance),
              dropped: progress.dropped,
            })
          : t("waitingText")}
      </p>
      {may("route-optimization") ? (
        <Button
          variant="default"
          loading={cancel.isPending || cancel.isSuccess}
          onClick={() => cancel.mutate()}
        >
          {t("stopNow")}
        </Button>
      ) : null}
      <FormError error={cancel.error} />
    </div>
  )
}

function Failed({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const { may } = useSession()
  const retry = useAction(() => retryPlan(result._id))
  return (
    <div style={{ padding: 20, maxWidth: 640 }}>
      <Alert color="red" title={t("failedTitle")} mb="md">
        {result.message}
      </Alert>
      {may("route-optimization") ? (
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          {t("retry")}
        </Button>
      ) : null}
      <FormError error={retry.error} />
    </div>
  )
}

function Planned({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const tTexts = useMessages(messageTexts)
  const { may } = useSession()
  const { view = "map" } = useSearch({ from: "/signed-in/routes/$resultId" })
  const navigate = useNavigate({ from: paths.route })
  const tWarnings = useMessages(warningMessages)
  const formats = useFormats()
  const dropped = result.result?.dropped.length ?? 0
  const warningText = (warning: string) => {
    const read = readPlanWarning(warning)
    if (!read) return warning
    const { date } = read.values
    return tWarnings(read.key, { ...read.values, ...(date ? { date: formats.day(date) } : {}) })
  }
  const facts = (result.warnings ?? []).filter(isPlanFact)
  const limitations = (result.warnings ?? []).filter((warning) => !isPlanFact(warning))
  const views: { value: RouteView; label: string }[] = [
    { value: "map", label: t("map") },
    { value: "timeline", label: t("timeline") },
    { value: "table", label: t("table") },
    { value: "dropped", label: t("droppedTab", { count: dropped }) },
    ...(may("view/tracking") ? [{ value: "actual" as const, label: t("actual") }] : []),
    { value: "versions", label: t("versions") },
    { value: "comments", label: tTexts("comments") },
  ]
  const shown = {
    map: () => (
      <Suspense fallback={<div className="view-loading" aria-busy="true" />}>
        <RouteMap result={result} />
      </Suspense>
    ),
    timeline: () => <RouteTimeline result={result} />,
    table: () => <RouteStops result={result} />,
    dropped: () => <DroppedVisits result={result} />,
    actual: () => <ActualTable resultId={result._id} />,
    versions: () => <VersionList result={result} />,
    comments: () => (
      <div className="route-comments">
        <Comments of={{ resultId: result._id }} />
      </div>
    ),
  } satisfies Record<RouteView, () => unknown>
  /** On a phone the views do not fit next to each other: the page scrolls to the chosen one. */
  const showChosen = (line: HTMLDivElement | null) =>
    line
      ?.querySelector("input:checked")
      ?.nextElementSibling?.scrollIntoView({ block: "nearest", inline: "center" })
  return (
    <>
      <div className="toolbar toolbar-line" ref={showChosen}>
        <SegmentedControl
          size="xs"
          data={views}
          value={view}
          onChange={(next) =>
            void navigate({
              params: true,
              search: (current) => ({ ...current, view: next as RouteView }),
              replace: true,
            })
          }
        />
      </div>
      {facts.length > 0 ? <p className="quiet plan-facts">{facts.map(warningText).join(" · ")}</p> : null}
      {limitations.length > 0 ? (
        <Alert color="yellow" title={t("warnings")} mx="md" mb="sm">
          {limitations.map((warning) => (
            <div key={warning}>{warningText(warning)}</div>
          ))}
        </Alert>
      ) : null}
      {view === "actual" || view === "dropped" || view === "comments" ? null : (
        <PlanViolations result={result} />
      )}
      <div className="page-scroll" style={{ flex: 1, minHeight: 0, borderTop: "1px solid var(--line)" }}>
        {shown[view]()}
      </div>
    </>
  )
}

function RouteActions({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const tShell = useMessages(shellMessages)
  const tReplan = useMessages(replanMessages)
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<"dispatch" | "replan" | "whatIf" | "undo" | "delete">()
  const undo = useAction(() => undoDispatch(result._id), {
    refreshes: [["routing-result", result._id]],
    done: () => t("undone"),
  })
  const remove = useAction(() => deleteResult(result._id), {
    refreshes: [["routing-results"]],
    done: () => t("deleted"),
    onDone: () => navigate({ to: paths.routes }),
  })
  const isDispatched = result.dispatchStatus !== undefined
  return (
    <>
      <ActionButton
        icon={IconArrowLeft}
        label={t("back")}
        component={Link}
        to={paths.routes}
        variant="subtle"
        className="from-sm-inline"
      />
      {result.status === "done" ? (
        <ActionButton
          icon={IconSend}
          label={t(isDispatched ? "dispatchAgain" : "dispatch")}
          onClick={() => setDialog("dispatch")}
          reason={may("dispatch/result") ? undefined : tShell("needs", { permission: "dispatch/result" })}
        />
      ) : null}
      {result.status === "done" && may("edit/result") ? (
        <Button variant="default" onClick={() => setDialog("replan")}>
          {tReplan("open")}
        </Button>
      ) : null}
      {result.status === "done" && may("route-optimization") ? (
        <Button variant="default" onClick={() => setDialog("whatIf")}>
          {tReplan("whatIf")}
        </Button>
      ) : null}
      {(isDispatched && may("dispatch/result")) || may("delete/result") ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" aria-label={t("more")} px="xs">
              <IconDots size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {isDispatched && may("dispatch/result") ? (
              <Menu.Item onClick={() => setDialog("undo")}>{t("undo")}</Menu.Item>
            ) : null}
            {may("delete/result") ? (
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} />}
                onClick={() => setDialog("delete")}
              >
                {t("delete")}
              </Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {undo.error || remove.error ? <FormError error={undo.error ?? remove.error} /> : null}
      {dialog === "dispatch" ? <DispatchDialog result={result} onClose={() => setDialog(undefined)} /> : null}
      {dialog === "replan" ? <ReplanDialog result={result} onClose={() => setDialog(undefined)} /> : null}
      {dialog === "whatIf" ? <WhatIfDialog result={result} onClose={() => setDialog(undefined)} /> : null}
      <ConfirmDialog
        isOpen={dialog === "undo" || dialog === "delete"}
        title={t(dialog === "undo" ? "undoTitle" : "deleteTitle")}
        text={t(dialog === "undo" ? "undoText" : "deleteText")}
        confirm={t(dialog === "undo" ? "undo" : "delete")}
        isDangerous={dialog === "delete"}
        onClose={() => setDialog(undefined)}
        onConfirm={() => {
          if (dialog === "undo") undo.mutate()
          else remove.mutate()
        }}
      />
    </>
  )
}
