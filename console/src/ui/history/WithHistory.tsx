import { Tabs } from "@mantine/core"
import { Fragment, lazy, type ReactNode, Suspense } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { historyMessages } from "./history-messages.ts"
import type { HistoryObject } from "./object-history.queries.ts"

const ObjectHistory = lazy(() =>
  import("./ObjectHistory.tsx").then((module) => ({ default: module.ObjectHistory })),
)

/** Loaded when it is shown. */
export function LazyHistory(object: HistoryObject & Pick<HistoryOf, "titles">) {
  return (
    <Suspense fallback={null}>
      <ObjectHistory {...object} />
    </Suspense>
  )
}

interface HistoryOf extends HistoryObject {
  titles?: ReadonlyMap<string, string>
  /** Where several objects are changed in one place. */
  heading?: string
}

interface WithHistoryProps {
  /** Nothing for an object that is being made. */
  of: HistoryOf | readonly HistoryOf[] | undefined
  children: ReactNode
}

/** The details of an object, and beside them its history as a tab. */
export function WithHistory({ of, children }: WithHistoryProps) {
  const t = useMessages(historyMessages)
  if (!of) return children
  return (
    <Tabs defaultValue="details" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="details">{t("details")}</Tabs.Tab>
        <Tabs.Tab value="history">{t("history")}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="details" keepMounted>
        {children}
      </Tabs.Panel>
      <Tabs.Panel value="history">
        {[of].flat().map(({ heading, ...object }) => (
          <Fragment key={object.objectType}>
            {heading === undefined ? null : <h2 className="history-heading">{heading}</h2>}
            <LazyHistory {...object} />
          </Fragment>
        ))}
      </Tabs.Panel>
    </Tabs>
  )
}
