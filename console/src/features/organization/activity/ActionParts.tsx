import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { FieldChanges } from "../../../ui/history/FieldChanges.tsx"
import { MoreButton } from "../../../ui/tables/MoreButton.tsx"
import { actionText, auditMessages } from "../settings/audit-messages.ts"

const partsAtOnce = 50

const partsQuery = (actionId: string) =>
  infiniteQueryOptions({
    queryKey: ["action-parts", actionId],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: partsAtOnce, after: pageParam }
      return server.get("/api/v3/action/{actionId}/parts", { actionId, query, signal })
    },
    getNextPageParam: (last) => last.next ?? undefined,
  })

/** The changes of an action, object by object, page by page. */
export function ActionParts({ actionId, label }: { actionId: string; label: string }) {
  const tAction = useMessages(auditMessages)
  const list = useInfiniteQuery(partsQuery(actionId))
  const parts = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section aria-label={label}>
      <ol className="object-history">
        {parts.map(({ number, change, objectType, objectName, objectId, changes }) => (
          <li key={number}>
            <span>
              {actionText(`${objectType}.${change}`, tAction)} <strong>{objectName ?? objectId}</strong>
            </span>
            {change === "update" ? <FieldChanges changes={changes} /> : null}
          </li>
        ))}
      </ol>
      <MoreButton list={list} />
    </section>
  )
}
