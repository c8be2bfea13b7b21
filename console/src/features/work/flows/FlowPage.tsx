import "./flows.css"
import { Anchor, Badge, Group } from "@mantine/core"
import { IconArrowLeft, IconFileTypePdf, IconHistory, IconPencil, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Translate } from "../../../i18n/messages.ts"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { reportMessages } from "../../customers/report-messages.ts"
import { builderMessages } from "./builder/builder-messages.ts"
import { PhonePreview } from "./builder/PhonePreview.tsx"
import { routeSettingMessages, routeUseName } from "./builder/route-setting-messages.ts"
import { componentKindName } from "./fields/component-kind.ts"
import { inputTypeMessages } from "./fields/input-type.ts"
import { isDemanded } from "./fields/missing-fields.ts"
import { componentsOf, type FlowComponent, flowQuery } from "./flows.queries.ts"
import { flowMessages } from "./messages.ts"
import { versionMessages } from "./version-messages.ts"

export const loader: PageLoader = ({ client, params: { flowId = "" } }) =>
  client.ensureQueryData(flowQuery(flowId))

const ReportSettingsDialog = lazy(() => import("../../customers/ReportSettingsDialog.tsx"))
const FlowVersions = lazy(() => import("./FlowVersions.tsx"))

export function FlowPage() {
  const t = useMessages(flowMessages)
  const tType = useMessages(inputTypeMessages)
  const tBuilder = useMessages(builderMessages)
  const tRoute = useMessages(routeSettingMessages)
  const { may } = useSession()
  const { flowId } = useParams({ from: "/signed-in/flows/$flowId" })
  const tVersion = useMessages(versionMessages)
  const tReport = useMessages(reportMessages)
  const navigate = useNavigate()
  const { data: flow } = useSuspenseQuery(flowQuery(flowId))
  const [dialog, setDialog] = useState<"versions" | "report" | "remove">()
  const remove = useAction(() => server.delete("/api/v3/flow/{flowId}", { flowId }), {
    refreshes: [["flows"]],
    done: () => t("removed", { name: flow.name }),
    failed: () => flow.name,
    onDone: () => navigate({ to: paths.flows }),
  })
  return (
    <div className="page">
      <PageHeader
        title={flow.name}
        detail={
          <Group gap="xs">
            {flow.isDefault ? <Badge color="gray">{t("default")}</Badge> : null}
            {t("version")} {flow.version}
          </Group>
        }
      >
        {may("view/flow") ? (
          <ActionButton
            icon={IconHistory}
            label={tVersion("open")}
            variant="default"
            onClick={() => setDialog("versions")}
          />
        ) : null}
        {may("view/flow") ? (
          <ActionButton
            icon={IconFileTypePdf}
            label={tReport("open")}
            variant="default"
            onClick={() => setDialog("report")}
          />
        ) : null}
        {may("delete/flow") ? (
          <ActionButton
            icon={IconTrash}
            label={t("delete")}
            variant="default"
            loading={remove.isPending}
            onClick={() => setDialog("remove")}
          />
        ) : null}
        {may("edit/flow") ? (
          <ActionButton
            icon={IconPencil}
            label={t("edit")}
            variant="default"
            component={Link}
            to={`/flows/${flow._id}/edit`}
          />
        ) : null}
        <Anchor component={Link} to={paths.flows} size="sm" style={{ alignSelf: "center" }}>
          <Group gap={4}>
            <IconArrowLeft size={16} aria-hidden /> {t("back")}
          </Group>
        </Anchor>
      </PageHeader>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div className="page-body flow-columns" tabIndex={0}>
        <section aria-label={t("details")}>
          <DataTable
            rows={componentsOf(flow)}
            keyOf={({ id }) => id}
            columns={[
              {
                title: t("name"),
                cell: (component) => (
                  <>
                    {component.title ?? component.id}
                    {isDemanded(component) ? <span className="quiet"> · {t("required")}</span> : null}
                  </>
                ),
              },
              {
                title: t("kind"),
                kind: "quiet",
                cell: (component) => componentKindName(component, t, tType),
              },
              { title: t("id"), from: "sm", kind: "quiet", cell: (component) => <code>{component.id}</code> },
              {
                title: t("use"),
                kind: "quiet",
                cell: (component) => placesShown(component, tBuilder, tRoute),
              },
            ]}
          />
        </section>
        <section aria-label={t("preview")} className="phones">
          {flow.pages.map((page, index) => (
            <PhonePreview key={page.id} flowName={flow.name} page={page} number={index + 1} />
          ))}
        </section>
      </div>
      <ConfirmDialog
        isOpen={dialog === "remove"}
        title={t("removeTitle", { name: flow.name })}
        text={t("removeText")}
        confirm={t("delete")}
        isDangerous
        onClose={() => setDialog(undefined)}
        onConfirm={() => remove.mutate()}
      />
      <Suspense fallback={null}>
        {dialog === "report" ? (
          <ReportSettingsDialog flow={flow} onClose={() => setDialog(undefined)} />
        ) : null}
        {dialog === "versions" ? <FlowVersions flow={flow} onClose={() => setDialog(undefined)} /> : null}
      </Suspense>
    </div>
  )
}

const shownNames = {
  title: "asTitle",
  content: "asContent",
  label: "asLabel",
  expectedCoordinate: "asPlace",
} as const

/** What a field is used for besides itself, in words. */
function placesShown(
  component: FlowComponent,
  t: Translate<typeof builderMessages>,
  tRoute: Translate<typeof routeSettingMessages>,
): string {
  const shown = component.showAs ?? ""
  const known = shown in shownNames ? t(shownNames[shown as keyof typeof shownNames]) : shown
  const inRoutes = component.routeAs ? t("inRoutes", { name: routeUseName(component.routeAs, tRoute) }) : ""
  return [known, inRoutes].filter((part) => part !== "").join(", ")
}
