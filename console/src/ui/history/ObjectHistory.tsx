import "./history.css"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { MoreButton } from "../tables/MoreButton.tsx"
import { FieldChanges } from "./FieldChanges.tsx"
import { historyMessages } from "./history-messages.ts"
import { type HistoryEntry, type HistoryObject, objectHistoryQuery } from "./object-history.queries.ts"

interface ObjectHistoryProps extends HistoryObject {
  titles?: ReadonlyMap<string, string> | undefined
}

/** What happened to an object, newest first, with the fields that changed. */
export function ObjectHistory({ titles, ...object }: ObjectHistoryProps) {
  const t = useMessages(historyMessages)
  const list = useInfiniteQuery(objectHistoryQuery(object))
  const entries = list.data?.pages.flatMap(({ data }) => data)
  if (entries?.length === 0) return <p className="quiet">{t("empty")}</p>
  return (
    <>
      <ol className="object-history">
        {entries?.map((entry) => (
          <li key={entry.number}>
            <HistoryItem entry={entry} titles={titles} />
          </li>
        ))}
      </ol>
      <MoreButton list={list} />
    </>
  )
}

export function HistoryItem(props: {
  entry: HistoryEntry
  titles?: ReadonlyMap<string, string> | undefined
}) {
  const { entry, titles } = props
  const formats = useFormats()
  const { text, note } = useHistoryText()
  return (
    <>
      <div className="object-history-head">
        <span>
          {text(entry)} {note(entry) ? <span className="quiet">({note(entry)})</span> : null}
        </span>
        <time className="quiet" dateTime={entry.time}>
          {formats.dateTime(entry.time)}
        </time>
      </div>
      {entry.change === "update" ? <FieldChanges changes={entry.changes} titles={titles} /> : null}
    </>
  )
}

/** Who did it, and in which other way than in the console. */
export function useHistoryText() {
  const t = useMessages(historyMessages)
  const nameOf = ({
    actorName,
    actor,
    actorKind,
  }: Pick<HistoryEntry, "actorName" | "actor" | "actorKind">) =>
    actorKind === "operator" ? t("outside") : (actorName ?? actor ?? t("system"))
  return {
    nameOf,
    text(entry: HistoryEntry): string {
      const name = nameOf(entry)
      if (entry.operation === "undoAction") return t("undo", { name })
      if (entry.change === "create") return t("create", { name })
      return t(entry.change === "delete" ? "delete" : "update", { name })
    },
    note({ actorKind, via }: Pick<HistoryEntry, "actorKind" | "via">): string | undefined {
      if (actorKind === "token") return t("viaToken")
      if (via === "phone") return t("viaPhone")
      if (via === "job") return t("viaJob")
      return via === "api" ? t("viaApi") : undefined
    },
  }
}
