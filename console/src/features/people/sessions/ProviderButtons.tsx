import { Alert, Button } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { dataOf, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { sessionMessages } from "./messages.ts"

/** The domain of an e-mail address, once it is complete. */
const domainOf = (email: string) => /@([^\s@]+\.[^\s@.]{2,})$/.exec(email.trim())?.[1]?.toLowerCase()

/**
 * The providers that the typed address's domain, or the organization of the link, may sign in with. Only the
 * domain is sent: the rest of the address stays in the form until sign-in.
 */
export function ProviderButtons({ email }: { email: string }) {
  const t = useMessages(sessionMessages)
  const { next, organization } = useSearch({ from: paths.signIn })
  const [domain] = useDebouncedValue(domainOf(email), 300)
  const { data: providers = [] } = useQuery({
    queryKey: ["sign-in-providers", organization, domain],
    enabled: organization !== undefined || domain !== undefined,
    queryFn: ({ signal }) => {
      const query = organization ? { organizationId: organization } : { email: `@${domain}` }
      return dataOf(server.get("/api/v3/auth/sso", { query, signal }))
    },
  })
  return providers.map(({ _id, name, organizationName, signInUrl }) => (
    <Button
      key={_id}
      component="a"
      // The path alone: the page may have been opened under another name of this service.
      href={new URL(signInUrl).pathname + (next ? `?next=${encodeURIComponent(next)}` : "")}
      variant="default"
      size="md"
      // Two names may need two lines.
      h="auto"
      py="xs"
      mih={42}
      styles={{ label: { whiteSpace: "normal", textAlign: "center" } }}
    >
      {name === organizationName ? t("signInWith", { name }) : t("signInAt", { name, organizationName })}
    </Button>
  ))
}

const refusals = {
  failed: "ssoFailed",
  expired: "ssoExpired",
  unknown: "ssoUnknown",
  waiting: "ssoWaiting",
  unreachable: "ssoUnreachable",
} as const

/** Why the provider's response did not sign the user in, if that led to this page. */
export function ProviderRefusal() {
  const t = useMessages(sessionMessages)
  const { sso } = useSearch({ from: paths.signIn })
  if (sso === undefined) return null
  const reason = sso in refusals ? (sso as keyof typeof refusals) : "failed"
  return (
    <Alert color="red" role="alert">
      {t(refusals[reason])}
    </Alert>
  )
}
