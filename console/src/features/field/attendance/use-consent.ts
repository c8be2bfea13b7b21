import { useQuery, useQueryClient } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import { useSession } from "../../../session/session.ts"
import { readOrRecall } from "../field.queries.ts"
import { useField } from "../field-context.ts"

export interface Consent {
  /** Whether the organization asks at all. */
  isAsked: boolean
  isGiven: boolean
  decidedTime: string | null
  decide(isGiven: boolean): Promise<void>
}

/** Whether the person agrees that their positions are recorded, where the organization asks for that. */
export function useConsent(): Consent {
  const { user } = useSession()
  const { store } = useField()
  const client = useQueryClient()
  const { configuration } = (user.organization ?? {}) as { configuration?: { positionConsent?: unknown } }
  const isAsked = configuration?.positionConsent === true
  const queryKey = ["position-consent", store.personKey]
  const { data } = useQuery({
    queryKey,
    networkMode: "always" as const,
    enabled: isAsked,
    queryFn: () =>
      readOrRecall(
        store,
        "position-consent",
        async (reader) => (await responseOf(reader.GET("/api/v3/position-consent"))).data,
      ),
  })
  return {
    isAsked,
    isGiven: !isAsked || data?.isGiven === true,
    decidedTime: data?.decidedTime ?? null,
    async decide(isGiven) {
      await responseOf(api.PUT("/api/v3/position-consent", { body: { isGiven } }))
      await client.invalidateQueries({ queryKey })
    },
  }
}
