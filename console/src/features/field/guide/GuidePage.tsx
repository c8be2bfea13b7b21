import "../field.css"
import { useMessages } from "../../../i18n/language.tsx"
import { FieldHeader } from "../FieldHeader.tsx"
import { guideMessages } from "./guide-messages.ts"
import inbox from "./pictures/inbox.png"
import load from "./pictures/load.png"
import stop from "./pictures/stop.png"
import thread from "./pictures/thread.png"
import today from "./pictures/today.png"

const steps = [
  { key: "today", picture: today },
  { key: "load", picture: load },
  { key: "stop", picture: stop },
  { key: "inbox", picture: inbox },
  { key: "thread", picture: thread },
] as const

/** The day in five pictures, for somebody who opens the app for the first time. Works without a network. */
export function GuidePage() {
  const t = useMessages(guideMessages)
  return (
    <>
      <FieldHeader title={t("title")} />
      <main className="field-main">
        <p>{t("intro")}</p>
        <ol className="guide">
          {steps.map(({ key, picture }) => (
            <li key={key}>
              <h2>{t(`${key}Title`)}</h2>
              <p>{t(`${key}Text`)}</p>
              <img
                src={picture}
                alt={t("pictureOf", { title: t(`${key}Title`) })}
                width={390}
                height={844}
                loading="lazy"
              />
            </li>
          ))}
        </ol>
        <h2>{t("troubleTitle")}</h2>
        <ul className="guide-troubles">
          {(["offline", "signIn", "full", "refused", "late"] as const).map((key) => (
            <li key={key}>{t(key)}</li>
          ))}
        </ul>
      </main>
    </>
  )
}
