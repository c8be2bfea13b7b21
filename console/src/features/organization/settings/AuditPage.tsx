import "./settings.css"
import { TextInput, UnstyledButton } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconHistory } from "@tabler/icons-react"
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query"
import { Fragment, useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { MoreButton } from "../../../ui/tables/MoreButton.tsx"
import { actionText, auditMessages } from "./audit-messages.ts"
import { settingsMessages } from "./messages.ts"

const entriesAtOnce = 100
const searchDelayMilliseconds = 250

const auditQuery = ({ q, actor }: { q: string; actor: string }) =>
  infiniteQueryOptions({
    queryKey: ["audit-log", q, actor],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: entriesAtOnce, page: pageParam, ...(q && { q }), ...(actor && { actor }) }
      return dataOf(server.get("/api/v3/audit-log", { query, signal }))
    },
    getNextPageParam: (last, pages) => (last.next_page_url ? pages.length + 1 : undefined),
  })

export const loader: PageLoader = ({ client }) =>
  client.prefetchInfiniteQuery(auditQuery({ q: "", actor: "" }))

/** Who changed what, newest first; an entry opens to the values before and after. */
export function AuditPage() {
  const t = useMessages(settingsMessages)
  const tAction = useMessages(auditMessages)
  const formats = useFormats()
  const [words, setWords] = useState("")
  const [actor, setActor] = useState("")
  const [wanted] = useDebouncedValue({ q: words.trim(), actor: actor.trim() }, searchDelayMilliseconds)
  const [openId, setOpenId] = useState<string>()
  const log = useInfiniteQuery(auditQuery(wanted))
  const entries = log.data?.pages.flatMap((page) => page.data)
  return (
    <>
      <div className="toolbar">
        <SearchInput label={t("auditTarget")} value={words} onChange={setWords} w={220} />
        <TextInput
          aria-label={t("auditActor")}
          placeholder={t("auditActor")}
          {...bindText(actor, setActor)}
          w={220}
        />
      </div>
      {entries?.length === 0 ? (
        <EmptyState icon={IconHistory} title={t("auditEmpty")} text={t("auditText")} />
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t("when")}</th>
              <th className="from-sm">{t("who")}</th>
              <th>{t("what")}</th>
              <th className="from-sm">{t("target")}</th>
              <th className="from-md">{t("address")}</th>
            </tr>
          </thead>
          <tbody>
            {(entries ?? []).map((entry) => {
              const changes = changesOf(entry.before, entry.after)
              const isOpen = openId === entry._id
              return (
                <Fragment key={entry._id}>
                  <tr>
                    <td className="quiet no-break">{formats.dateTime(entry.time)}</td>
                    <td className="breakable from-sm">{entry.actor ?? t("system")}</td>
                    <td title={entry.action}>
                      {changes.length > 0 ? (
                        <UnstyledButton
                          className="row-link"
                          aria-expanded={isOpen}
                          onClick={() => setOpenId(isOpen ? undefined : entry._id)}
                        >
                          {actionText(entry.action, tAction)}
                        </UnstyledButton>
                      ) : (
                        actionText(entry.action, tAction)
                      )}
                      <span className="quiet below-name">
                        {[...new Set([entry.actor ?? t("system"), entry.targetName])]
                          .filter(Boolean)
                          .join(" · ")}
                      </span>
                    </td>
                    <td className="from-sm breakable">{entry.targetName ?? entry.targetId ?? ""}</td>
                    <td className="quiet from-md">{entry.address ?? ""}</td>
                  </tr>
                  {isOpen ? (
                    <tr>
                      <td colSpan={5}>
                        <dl className="facts">
                          {changes.map(({ key, before, after }) => (
                            <div key={key}>
                              <dt>{key}</dt>
                              <dd>
                                {before === undefined ? null : <del className="quiet">{before}</del>}{" "}
                                {after === undefined ? null : <ins className="after">{after}</ins>}
                              </dd>
                            </div>
                          ))}
                        </dl>
                      </td>
                    </tr>
                  ) : null}
                </Fragment>
              )
            })}
          </tbody>
        </table>
      )}
      <MoreButton list={log} />
    </>
  )
}

interface Change {
  key: string
  before: string | undefined
  after: string | undefined
}

/** The keys whose values differ, each as text. */
function changesOf(before: unknown, after: unknown): Change[] {
  const [one, other] = [asRecord(before), asRecord(after)]
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return keys
    .map((key) => ({ key, before: asText(one[key]), after: asText(other[key]) }))
    .filter((change) => change.before !== change.after)
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === "string" ? value : JSON.stringify(value)
}
