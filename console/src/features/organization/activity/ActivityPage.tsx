import { Alert, SegmentedControl, Text, UnstyledButton, VisuallyHidden } from "@mantine/core"
import { IconHistory } from "@tabler/icons-react"
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query"
import { Fragment, useState } from "react"
import { server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { type LeftAlone, useUndo } from "../../../ui/actions/use-undo.ts"
import { useHistoryText } from "../../../ui/history/ObjectHistory.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { MoreButton } from "../../../ui/tables/MoreButton.tsx"
import { RowButton } from "../../../ui/tables/RowButton.tsx"
import { actionText, auditMessages } from "../settings/audit-messages.ts"
import { ActionParts } from "./ActionParts.tsx"
import { activityMessages } from "./activity-messages.ts"

const actionsAtOnce = 50
/** The server counts parts up to here. */
const maxCounted = 1_000

const actionsQuery = (everyone: boolean) =>
  infiniteQueryOptions({
    queryKey: ["actions", everyone],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: actionsAtOnce, everyone, ...(pageParam ? { cursor: pageParam } : {}) }
      return server.get("/api/v3/actions", { query, signal })
    },
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
  })

export const loader: PageLoader = ({ client }) => client.prefetchInfiniteQuery(actionsQuery(false))

/** What was changed, newest first, with what each action changed and a button that undoes it. */
export function ActivityPage() {
  const t = useMessages(activityMessages)
  const tAction = useMessages(auditMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { nameOf, note } = useHistoryText()
  const [everyone, setEveryone] = useState(false)
  const [openId, setOpenId] = useState<string>()
  const [pendingId, setPendingId] = useState<string>()
  const [leftAlone, setLeftAlone] = useState<LeftAlone[]>([])
  const list = useInfiniteQuery(actionsQuery(everyone))
  const undo = useUndo()
  const actions = list.data?.pages.flatMap(({ data }) => data)
  const undoOne = async (actionId: string) => {
    setPendingId(actionId)
    const undone = await undo([actionId])
    setPendingId(undefined)
    setLeftAlone(undone?.leftAlone ?? [])
  }
  return (
    <div className="page">
      <PageHeader title={t("title")}>
        {may("edit/organization") ? (
          <SegmentedControl
            size="xs"
            value={everyone ? "everyone" : "mine"}
            onChange={(value) => setEveryone(value === "everyone")}
            data={[
              { value: "mine", label: t("onlyMine") },
              { value: "everyone", label: t("everyone") },
            ]}
          />
        ) : null}
      </PageHeader>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div className="page-scroll" tabIndex={0}>
        <Text size="sm" c="dimmed" mb="sm" px={20}>
          {t("text")}
        </Text>
        {leftAlone.length > 0 ? (
          <Alert
            color="yellow"
            title={t("leftAlone")}
            mb="md"
            withCloseButton
            onClose={() => setLeftAlone([])}
          >
            <DataTable
              rows={leftAlone}
              keyOf={({ objectType, objectId }) => `${objectType} ${objectId}`}
              columns={[
                { title: t("objects"), kind: "name", cell: (one) => one.objectName ?? one.objectId },
                { title: t("reason"), cell: (one) => one.reason },
              ]}
            />
          </Alert>
        ) : null}
        {actions?.length === 0 ? (
          <EmptyState icon={IconHistory} title={t("empty")} text={t("text")} />
        ) : (
          <table className="plain-table">
            <thead>
              <tr>
                <th className="from-sm">{t("when")}</th>
                {everyone ? <th className="from-sm">{t("who")}</th> : null}
                <th>{t("what")}</th>
                <th className="from-sm">{t("objects")}</th>
                <th data-kind="actions">
                  <VisuallyHidden>{t("undo")}</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody>
              {(actions ?? []).map((action) => {
                const isOpen = openId === action._id
                const title = actionText(action.action, tAction)
                return (
                  <Fragment key={action._id}>
                    <tr>
                      <td className="quiet no-break from-sm">{formats.dateTime(action.time)}</td>
                      {everyone ? (
                        <td className="breakable from-sm">
                          {nameOf(action)}{" "}
                          {note(action) ? <span className="quiet">({note(action)})</span> : null}
                        </td>
                      ) : null}
                      <td>
                        <UnstyledButton
                          className="row-link"
                          aria-expanded={isOpen}
                          onClick={() => setOpenId(isOpen ? undefined : action._id)}
                        >
                          {title}
                        </UnstyledButton>
                        <span className="quiet"> {action.targetName ?? ""}</span>
                        <Text size="xs" c="dimmed" hiddenFrom="sm">
                          {formats.dateTime(action.time)}
                        </Text>
                      </td>
                      <td className="from-sm quiet no-break">
                        {action.partCount > maxCounted
                          ? t("manyCount")
                          : t("count", { count: action.partCount })}
                      </td>
                      <td data-kind="actions">
                        {action.undoneBy !== null ? <span className="quiet">{t("undone")}</span> : null}
                        {action.isUndoable ? (
                          <RowButton
                            label={t("undo")}
                            of={`${title} ${action.targetName ?? ""}`}
                            loading={pendingId === action._id}
                            onClick={() => void undoOne(action._id)}
                          />
                        ) : null}
                      </td>
                    </tr>
                    {isOpen ? (
                      <tr>
                        <td colSpan={everyone ? 5 : 4}>
                          <ActionParts actionId={action._id} label={t("changes", { name: title })} />
                        </td>
                      </tr>
                    ) : null}
                  </Fragment>
                )
              })}
            </tbody>
          </table>
        )}
        <MoreButton list={list} />
      </div>
    </div>
  )
}
