import { Alert, Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { FormError } from "../../ui/forms/FormError.tsx"
import { serverNow } from "./clock.ts"
import { useField } from "./field-context.ts"
import { markSession, NoPlaceError } from "./kept/field-positions.ts"
import { NotKeptError } from "./kept/field-store.ts"
import { fieldMessages } from "./messages.ts"
import { useStopTimes } from "./stop/stop-times.ts"

/** Begins and ends the time of work. Positions are sent only in between, and it says so. */
export function SessionBar() {
  const t = useMessages(fieldMessages)
  const times = useStopTimes()
  const { user } = useSession()
  const { store, since, setSince, setNotKept } = useField()
  const mark = useMutation({
    networkMode: "always",
    mutationFn: () => markSession(store, user.email, since ? "finish" : "start"),
    onSuccess: () => setSince(since ? undefined : new Date(serverNow()).toISOString()),
    onError: (error) => {
      if (error instanceof NotKeptError) setNotKept(true)
    },
  })
  const isShown = mark.error && !(mark.error instanceof NoPlaceError || mark.error instanceof NotKeptError)
  return (
    <section className="work-session" aria-label={t("session")}>
      <Button
        size="lg"
        fullWidth
        variant={since ? "default" : "light"}
        loading={mark.isPending}
        onClick={() => mark.mutate()}
      >
        {since ? t("finish") : t("start")}
      </Button>
      <p className="quiet">{since ? t("working", { time: times.at(since) }) : t("notWorking")}</p>
      {mark.error instanceof NoPlaceError ? (
        <Alert color="red" role="alert">
          {t("noPlace")}
        </Alert>
      ) : null}
      <FormError error={isShown ? mark.error : undefined} />
    </section>
  )
}
