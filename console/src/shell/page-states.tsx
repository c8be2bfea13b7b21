import "./page-states.css"
import { Button, Skeleton, Stack } from "@mantine/core"
import { IconAlertTriangle, IconLock, IconMapQuestion } from "@tabler/icons-react"
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router"
import { errorMessages, errorText, isMissingPart } from "../api/error-text.ts"
import { useMessages } from "../i18n/language.tsx"
import { paths } from "../paths.ts"
import { useSession } from "../session/session.ts"
import { EmptyState } from "../ui/layout/EmptyState.tsx"
import { shellMessages } from "./messages.ts"

export function NotFoundPage() {
  const t = useMessages(shellMessages)
  return (
    <main className="whole-page">
      <EmptyState icon={IconMapQuestion} title={t("notFoundTitle")} text={t("notFoundText")}>
        <Button component={Link} to={paths.today}>
          {t("home")}
        </Button>
      </EmptyState>
    </main>
  )
}

/** Trying again runs the loaders of the page once more, or reloads a page of which a part is missing. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const t = useMessages(shellMessages)
  const tError = useMessages(errorMessages)
  const tryAgain = async () => {
    // Browsers remember what they could not fetch, and after an upgrade the server has other files.
    const page = { headers: { accept: "text/html" } }
    const isThere =
      isMissingPart(error) && (await fetch(window.location.href, page).catch(() => undefined))?.ok
    if (isThere) window.location.reload()
    else await router.invalidate().finally(reset)
  }
  return (
    <EmptyState icon={IconAlertTriangle} title={t("failedTitle")} text={errorText(error, tError)}>
      <Button onClick={() => void tryAgain()}>{t("tryAgain")}</Button>
    </EmptyState>
  )
}

export function PageLoading() {
  const t = useMessages(shellMessages)
  return (
    <Stack p="lg" gap="md" aria-busy="true" aria-label={t("loading")} role="status">
      <Skeleton h={28} w={220} />
      <Skeleton h={36} />
      <Skeleton h={320} />
    </Stack>
  )
}

/** In place of a page that the role does not include. */
export function DeniedPage({ permission }: { permission: string }) {
  const t = useMessages(shellMessages)
  const { organization } = useSession()
  return (
    <EmptyState
      icon={IconLock}
      title={t("deniedTitle")}
      text={t("deniedText", { permission, organization: organization.name })}
    />
  )
}
