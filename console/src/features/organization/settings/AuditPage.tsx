import "./settings.css"
import { Button, Group, Menu, NumberInput, Select, TextInput, UnstyledButton } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconDownload, IconHistory } from "@tabler/icons-react"
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { Fragment, useState } from "react"
import { dataOf, dataQuery, server } from "../../../api/server.ts"
import { dayBound } from "../../../i18n/day-bounds.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { useHistoryText } from "../../../ui/history/ObjectHistory.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { MoreButton } from "../../../ui/tables/MoreButton.tsx"
import { ActionParts } from "../activity/ActionParts.tsx"
import { aboutText, actionText, auditMessages } from "./audit-messages.ts"
import { settingsMessages } from "./messages.ts"

const entriesAtOnce = 100
const searchDelayMilliseconds = 250

interface Wanted {
  q: string
  actor: string
  via: string | null
  targetType: string | null
  /** Days of the organization, or "". */
  from: string
  until: string
  timeZone: string
}

const filterOf = ({ q, actor, via, targetType, from, until, timeZone }: Wanted) => ({
  ...(from && { dateFrom: dayBound(from, "from", timeZone) }),
  ...(until && { dateTo: dayBound(until, "to", timeZone) }),
  ...(q && { q }),
  ...(actor && { actor }),
  ...(via && { via }),
  ...(targetType && { targetType }),
})

const auditQuery = (wanted: Wanted) =>
  infiniteQueryOptions({
    queryKey: ["audit-log", wanted],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam }
      const query = { limit: entriesAtOnce, lazyLoad: 1, ...cursor, ...filterOf(wanted) }
      return dataOf(server.get("/api/v3/audit-log", { query, signal }))
    },
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  })

export const loader: PageLoader = ({ client, session }) =>
  client.prefetchInfiniteQuery(
    auditQuery({
      ...{ q: "", actor: "", via: null, targetType: null, from: "", until: "" },
      timeZone: session.organization.timeZone,
    }),
  )

const objectTypes = [
  "task",
  "record",
  "vehicle",
  "user",
  "hub",
  "flow",
  "schedule",
  "role",
  "team",
  "automation",
]
const ways = {
  console: "viaConsole",
  phone: "viaPhone",
  api: "viaApi",
  job: "viaJob",
  command: "viaCommand",
  database: "viaDatabase",
} as const
const fileFormats = ["csv", "xlsx", "json"] as const

/** Who changed what, newest first; an entry opens to the values before and after. */
export function AuditPage() {
  const t = useMessages(settingsMessages)
  const { nameOf } = useHistoryText()
  const tAction = useMessages(auditMessages)
  const formats = useFormats()
  const [words, setWords] = useState("")
  const [actor, setActor] = useState("")
  const [via, setVia] = useState<string | null>(null)
  const [targetType, setTargetType] = useState<string | null>(null)
  const [from, setFrom] = useState("")
  const [until, setUntil] = useState("")
  const { timeZone } = useSession().organization
  const [texts] = useDebouncedValue({ q: words.trim(), actor: actor.trim() }, searchDelayMilliseconds)
  const wanted = { ...texts, via, targetType, from, until, timeZone }
  const [openId, setOpenId] = useState<string>()
  const log = useInfiniteQuery(auditQuery(wanted))
  const entries = log.data?.pages.flatMap((page) => page.data)
  return (
    <>
      <div className="toolbar audit-filter">
        <SearchInput label={t("auditTarget")} value={words} onChange={setWords} w={170} />
        <TextInput
          aria-label={t("auditActor")}
          placeholder={t("auditActor")}
          {...bindText(actor, setActor)}
          w={150}
        />
        <Select
          aria-label={t("auditType")}
          placeholder={t("auditType")}
          clearable
          searchable
          data={objectTypes.map((value) => ({ value, label: aboutText(value, tAction) }))}
          value={targetType}
          onChange={setTargetType}
          w={140}
        />
        <Select
          aria-label={t("auditVia")}
          placeholder={t("auditVia")}
          clearable
          data={Object.entries(ways).map(([value, key]) => ({ value, label: t(key) }))}
          value={via}
          onChange={setVia}
          w={110}
        />
        <DateTimeInput type="date" label={t("auditFrom")} w={130} {...bindText(from, setFrom)} />
        <DateTimeInput type="date" label={t("auditUntil")} w={130} {...bindText(until, setUntil)} />
        <Menu>
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
              {t("export")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {fileFormats.map((download) => (
              <Menu.Item
                key={download}
                component="a"
                href={`/api/v3/audit-log/export?${new URLSearchParams({ download, ...filterOf(wanted) })}`}
                download
              >
                {t(download)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
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
                    <td className="from-sm actor">
                      {nameOf(entry)}
                      {entry.actor === null || entry.actor === nameOf(entry) ? null : (
                        <span className="quiet actor-mail">{entry.actor}</span>
                      )}
                    </td>
                    <td title={entry.action}>
                      {changes.length > 0 || entry.partCount > 0 ? (
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
                        {[...new Set([nameOf(entry), entry.targetName])].filter(Boolean).join(" · ")}
                      </span>
                    </td>
                    <td className="from-sm breakable">{entry.targetName ?? entry.targetId ?? ""}</td>
                    <td className="quiet from-md">
                      {[entry.via && isWay(entry.via) ? t(ways[entry.via]) : "", entry.address ?? ""]
                        .filter(Boolean)
                        .join(" · ")}
                    </td>
                  </tr>
                  {isOpen ? (
                    <tr>
                      <td colSpan={5}>
                        {entry.partCount > 0 ? (
                          <ActionParts actionId={entry._id} label={t("more")} />
                        ) : (
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
                        )}
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
      <Retention />
    </>
  )
}

function isWay(via: string): via is keyof typeof ways {
  return via in ways
}

/** How long entries are kept. */
function Retention() {
  const t = useMessages(settingsMessages)
  const { data } = useQuery(dataQuery(["audit-log-settings"], "/api/v3/audit-log/settings"))
  const [days, setDays] = useState<number | string>()
  const save = useAction(
    (retentionDays: number) => server.put("/api/v3/audit-log/settings", { body: { retentionDays } }),
    { refreshes: [["audit-log-settings"], ["audit-log"]], done: () => t("saved") },
  )
  if (!data) return null
  const wanted = Number(days ?? data.retentionDays)
  return (
    <Form onSubmit={() => save.mutate(wanted)} className="retention">
      <FormError error={save.error} />
      <Group align="end" gap="xs">
        <NumberInput
          label={t("retention")}
          description={t("retentionText")}
          min={30}
          max={3650}
          allowDecimal={false}
          value={days ?? data.retentionDays}
          onChange={setDays}
        />
        <Button
          type="submit"
          variant="default"
          loading={save.isPending}
          disabled={wanted === data.retentionDays || wanted < 30 || wanted > 3650}
        >
          {t("save")}
        </Button>
      </Group>
    </Form>
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
