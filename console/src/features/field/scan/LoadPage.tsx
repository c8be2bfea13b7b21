import "../field.css"
import { Alert, Button, Progress } from "@mantine/core"
import { useQueries } from "@tanstack/react-query"
import { lazy, Suspense, useRef, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { itemOfCode } from "../../../scan/match-items.ts"
import type { Verdict } from "../../../scan/ScanDialog.tsx"
import { scanMessages } from "../../../scan/scan-messages.ts"
import { useSession } from "../../../session/session.ts"
import { PageLoading } from "../../../shell/page-states.tsx"
import { notifyStatus } from "../../../ui/notify.ts"
import { FieldHeader } from "../FieldHeader.tsx"
import { myFlowQuery } from "../field.queries.ts"
import { useField } from "../field-context.ts"
import { keepMessage } from "../kept/field-messages.ts"
import { useDay } from "../today/use-day.ts"
import {
  type ExpectedItem,
  emptyLoad,
  expectedItems,
  type LoadState,
  missingItems,
} from "./expected-items.ts"
import { loadMessages } from "./load-messages.ts"

const ScanDialog = lazy(() => import("../../../scan/ScanDialog.tsx"))
const stateKeyOf = (personKey: string) => `fieldway.load.${personKey}`

/** Before departure: everything that the stops of the day need is counted, and what is wrong is listed. */
export function LoadPage() {
  const { store } = useField()
  const { isRead, open } = useDay()
  const flows = useQueries({
    queries: [...new Set(open.map(({ flowId }) => flowId))].map((id) => myFlowQuery(store, id)),
    combine: (results) => ({
      isPending: results.some(({ isPending }) => isPending),
      byId: new Map(results.flatMap(({ data }) => (data ? [[data._id, data] as const] : []))),
    }),
  })
  if (!isRead || flows.isPending) return <PageLoading />
  return <LoadCheck items={expectedItems(open, flows.byId)} />
}

function LoadCheck({ items }: { items: readonly ExpectedItem[] }) {
  const t = useMessages(loadMessages)
  const { user } = useSession()
  const { store, refresh, send, setNotKept } = useField()
  const [load, setLoad] = useLoadState(store.personKey)
  const [isScanning, setScanning] = useState(false)
  const hear = useHear(items, load, setLoad)
  const missing = missingItems(items, load)
  const total = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const missingCount = missing.reduce((sum, item) => sum + item.missing, 0)
  const report = async () => {
    const lines = [
      t("reportText", { missing: missingCount, unknown: load.unknown.length }),
      ...missing.map((item) => `− ${t("piece", { count: item.missing, title: item.title })} (${item.stop})`),
      ...load.unknown.map((code) => `+ ${code}`),
    ]
    try {
      const text = lines.join("\n").slice(0, 4_000)
      await keepMessage(store, user.email, { userId: user._id }, { text, photos: [] })
    } catch {
      setNotKept(true)
      return
    }
    notifyStatus(t("reported"))
    await refresh()
    void send()
  }
  const progress = t("progress", { count: total - missingCount, total })
  return (
    <>
      <FieldHeader title={t("title")} detail={progress} />
      <Progress
        value={total > 0 ? (100 * (total - missingCount)) / total : 0}
        size={6}
        radius={0}
        aria-label={progress}
      />
      <main className="field-main">
        <p className="quiet">{items.length > 0 ? t("text") : t("nothing")}</p>
        <Button size="lg" disabled={items.length === 0} onClick={() => setScanning(true)}>
          {t("start")}
        </Button>
        {items.length > 0 && missing.length === 0 ? (
          <Alert color="pine" role="status">
            {t("complete")}
          </Alert>
        ) : null}
        <Unknown codes={load.unknown} />
        <Missing
          items={missing}
          onLoaded={({ key, quantity }) => setLoad({ ...load, counts: { ...load.counts, [key]: quantity } })}
        />
        {Object.keys(load.counts).length + load.unknown.length > 0 ? (
          <>
            <Button size="lg" variant="default" onClick={() => void report()}>
              {t("report")}
            </Button>
            <Button size="lg" variant="subtle" color="red" onClick={() => setLoad(emptyLoad)}>
              {t("again")}
            </Button>
          </>
        ) : null}
      </main>
      {isScanning ? (
        <Suspense fallback={null}>
          <ScanDialog title={t("title")} onCode={hear} onClose={() => setScanning(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

function Unknown({ codes }: { codes: readonly string[] }) {
  const t = useMessages(loadMessages)
  if (codes.length === 0) return null
  return (
    <Alert color="red" title={t("unknown")}>
      <ul className="held-list">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Alert>
  )
}

interface MissingProps {
  items: ReturnType<typeof missingItems>
  onLoaded(item: ExpectedItem): void
}

/** What has no code that can be scanned is marked by hand. */
function Missing({ items, onLoaded }: MissingProps) {
  const t = useMessages(loadMessages)
  if (items.length === 0) return null
  return (
    <section className="field-section" aria-label={t("missing")}>
      <h2>{t("missing")}</h2>
      <ul className="missing-list">
        {items.map((item) => {
          const piece = t("piece", { count: item.missing, title: item.title })
          return (
            <li key={item.key}>
              <span>
                {piece}
                {item.stop === item.title ? null : (
                  <span className="quiet"> {t("forStop", { stop: item.stop })}</span>
                )}
              </span>
              <Button
                size="md"
                variant="default"
                aria-label={`${t("loaded")}: ${piece}`}
                onClick={() => onLoaded(item)}
              >
                {t("loaded")}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Counts a code and says what came of it. */
function useHear(items: readonly ExpectedItem[], load: LoadState, setLoad: (load: LoadState) => void) {
  const t = useMessages(scanMessages)
  // Codes may follow each other faster than the page is drawn.
  const newest = useRef(load)
  newest.current = load
  return (code: string): Verdict => {
    const { counts, unknown } = newest.current
    const isComplete = ({ key, quantity }: ExpectedItem) => (counts[key] ?? 0) >= quantity
    const item = items[itemOfCode(items, code, isComplete)]
    if (!item) {
      newest.current = { counts, unknown: [...new Set([...unknown, code])] }
      setLoad(newest.current)
      return { isRight: false, text: t("unknown", { code }) }
    }
    if (isComplete(item)) return { isRight: false, text: t("complete", { title: item.title }) }
    const count = (counts[item.key] ?? 0) + 1
    newest.current = { counts: { ...counts, [item.key]: count }, unknown }
    setLoad(newest.current)
    return { isRight: true, text: t("known", { title: item.title, count, total: item.quantity }) }
  }
}

/** Survives a reload; items of earlier days are of no stop any more. */
function useLoadState(personKey: string): [LoadState, (load: LoadState) => void] {
  const key = stateKeyOf(personKey)
  const [load, setLoad] = useState<LoadState>(() => {
    try {
      return { ...emptyLoad, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<LoadState>) }
    } catch {
      return emptyLoad
    }
  })
  const change = (next: LoadState) => {
    setLoad(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // A full phone: the check lasts as long as the page is open.
    }
  }
  return [load, change]
}
