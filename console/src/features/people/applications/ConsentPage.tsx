import { Alert, Button, Group, List, Skeleton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { useMemo } from "react"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { consentQuery, decide, readRequest } from "./applications.queries.ts"
import { applicationMessages } from "./messages.ts"

/** Where a person decides whether an application may act for them. */
export function ConsentPage() {
  const t = useMessages(applicationMessages)
  const tError = useMessages(errorMessages)
  const { organization } = useSession()
  const { request: text } = useSearch({ strict: false }) as { request?: string }
  const request = useMemo(() => readRequest(text ?? ""), [text])
  const { data, error } = useQuery(consentQuery(request))
  const decision = useAction((isAllowed: boolean) => decide(request, isAllowed), {
    onDone: ({ location }) => window.location.assign(location),
  })
  if (error)
    return (
      <div className="page">
        <PageHeader title={t("title")} />
        <div className="page-body">
          <Alert color="red" title={t("invalid")}>
            {errorText(error, tError)}
          </Alert>
        </div>
      </div>
    )
  if (!data) return <Skeleton h={200} m="lg" />
  return (
    <div className="page">
      <PageHeader title={t("consentTitle", { name: data.name })} />
      <div className="page-body" style={{ maxWidth: 560, display: "grid", gap: 16 }}>
        {data.isRegisteredByItself ? <Alert color="yellow">{t("unchecked")}</Alert> : null}
        {data.scopes.length === 0 ? (
          <p>{t("nothing")}</p>
        ) : (
          <>
            <p>{t("consentText", { organization: organization.name })}</p>
            <List>
              {data.scopes.map(({ name, label }) => (
                <List.Item key={name}>{label}</List.Item>
              ))}
            </List>
          </>
        )}
        <p className="quiet">{t("goesTo", { host: data.host })}</p>
        <FormError error={decision.error} />
        <Group gap="xs">
          <Button
            disabled={data.scopes.length === 0}
            loading={decision.isPending}
            onClick={() => decision.mutate(true)}
          >
            {t("allow")}
          </Button>
          <Button variant="default" disabled={decision.isPending} onClick={() => decision.mutate(false)}>
            {t("refuse")}
          </Button>
        </Group>
      </div>
    </div>
  )
}
