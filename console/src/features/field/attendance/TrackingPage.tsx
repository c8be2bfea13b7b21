import "../field.css"
import { Alert, Button } from "@mantine/core"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { CopyText } from "../../../ui/CopyText.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useIsReachable } from "../connection.ts"
import { FieldHeader } from "../FieldHeader.tsx"
import { useField, useHeld } from "../field-context.ts"
import { useStopTimes } from "../stop/stop-times.ts"
import { attendanceMessages } from "./attendance-messages.ts"
import { useConsent } from "./use-consent.ts"

/** Apps that run on this phone and open with a link that configures them. */
const companionApps = ["OwnTracks", "Traccar Client", "Overland"]

/** Says that a web page cannot track in the background, and sets up an app that can, on the same phone. */
export function TrackingPage() {
  const t = useMessages(attendanceMessages)
  const isReachable = useIsReachable()
  const [isByHand, setByHand] = useState(false)
  const create = useAction(() =>
    server.post("/api/v3/device-key", { body: { name: `Phone ${new Date().toISOString().slice(0, 10)}` } }),
  )
  const apps = (create.data?.data.apps ?? []).filter(({ app }) => companionApps.includes(app))
  return (
    <>
      <FieldHeader title={t("trackingTitle")} />
      <main className="field-main">
        <p>{t("trackingText")}</p>
        <ConsentState />
        <FormError error={create.error ?? undefined} />
        {isReachable ? null : <p className="field-notice">{t("needsNetwork")}</p>}
        {create.data ? (
          <>
            <p className="quiet">
              {t("install")} {t("keyOnce")}
            </p>
            {apps.map(({ app, link }) =>
              link === null ? null : (
                <Button key={app} size="lg" component="a" href={link}>
                  {t("openApp", { app })}
                </Button>
              ),
            )}
            <Button size="lg" variant="default" onClick={() => setByHand(!isByHand)}>
              {t("byHand")}
            </Button>
            {isByHand
              ? apps.map(({ app, fields }) => (
                  <section key={app} className="field-section" aria-label={app}>
                    <h2>{app}</h2>
                    {fields.map(({ name, value }) => (
                      <div key={name}>
                        <span className="quiet">{name}</span>
                        <p className="copied-value">{value}</p>
                        <CopyText text={value} />
                      </div>
                    ))}
                  </section>
                ))
              : null}
          </>
        ) : (
          <Button
            size="lg"
            loading={create.isPending}
            disabled={!isReachable}
            onClick={() => create.mutate()}
          >
            {t("makeKey")}
          </Button>
        )}
      </main>
    </>
  )
}

/** What the person decided about their positions, where the organization asks. */
function ConsentState() {
  const t = useMessages(attendanceMessages)
  const times = useStopTimes()
  const consent = useConsent()
  const isReachable = useIsReachable()
  const { setShift } = useField()
  const { shift } = useHeld()
  if (!consent.isAsked) return null
  const decide = async () => {
    const isGiven = !consent.isGiven
    await consent.decide(isGiven)
    // Positions end with the consent, and the working day goes on.
    if (!isGiven && shift) setShift({ ...shift, isTracked: false })
  }
  return (
    <Alert color={consent.isGiven ? "pine" : "yellow"}>
      {consent.isGiven ? t("consentGiven", { time: times.at(consent.decidedTime) }) : t("consentNone")}
      <Button
        mt="xs"
        size="md"
        variant="default"
        fullWidth
        disabled={!isReachable}
        onClick={() => void decide()}
      >
        {t(consent.isGiven ? "withdraw" : "agree")}
      </Button>
    </Alert>
  )
}
