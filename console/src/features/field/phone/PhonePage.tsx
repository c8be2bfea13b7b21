import "../field.css"
import {
  ActionIcon,
  Alert,
  Button,
  NativeSelect,
  Progress,
  SegmentedControl,
  useMantineColorScheme,
} from "@mantine/core"
import { IconArrowLeft } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { isLanguage, languageNames, languages } from "#shared/languages.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useChooseLanguage } from "../../../session/choose-language.ts"
import { useSession } from "../../../session/session.ts"
import { notifyStatus } from "../../../ui/notify.ts"
import { useIsReachable } from "../connection.ts"
import { type OthersWork, useField, useHeld } from "../field-context.ts"
import { sendPoints } from "../kept/field-positions.ts"
import { deletePerson, storeOf } from "../kept/field-store.ts"
import { countWaiting, sendWaiting } from "../kept/field-sync.ts"
import { isLow, readUsage } from "../kept/storage.ts"
import { useHeldTexts } from "./held-texts.ts"
import { phoneMessages } from "./phone-messages.ts"
import { SignOutDialog } from "./SignOutDialog.tsx"

/** What this phone holds and how it is set up: storage, language, appearance, other people's work, sign-out. */
export function PhonePage() {
  const t = useMessages(phoneMessages)
  const { user, mayAny } = useSession()
  const [isLeaving, setLeaving] = useState(false)
  return (
    <>
      <header className="field-header">
        <ActionIcon component={Link} to={paths.field} size={48} aria-label={t("back")}>
          <IconArrowLeft size={24} />
        </ActionIcon>
        <div className="user-names">
          <h1>{t("title")}</h1>
          <span className="user-role two-lines">
            {user.name} · {user.email}
          </span>
        </div>
      </header>
      <main className="field-main">
        <Held />
        <Storage />
        <Others />
        <Appearance />
        <section className="field-section">
          <Button component={Link} to={paths.fieldGuide} size="lg" variant="default" fullWidth>
            {t("guide")}
          </Button>
          {mayAny("edit/task", "add/task", "view/dashboard") ? (
            <Button component={Link} to={paths.today} size="lg" variant="default" fullWidth>
              {t("console")}
            </Button>
          ) : null}
          <Button size="lg" variant="light" color="red" fullWidth onClick={() => setLeaving(true)}>
            {t("signOut")}
          </Button>
        </section>
        <SignOutDialog isOpen={isLeaving} onClose={() => setLeaving(false)} />
      </main>
    </>
  )
}

/** What waits on this phone, and sending it now. */
function Held() {
  const t = useMessages(phoneMessages)
  const { send } = useField()
  const { waiting, drafted, unsentPositions } = useHeld()
  const isReachable = useIsReachable()
  const [isSending, setSending] = useState(false)
  const held = useHeldTexts()({
    ...{ ...countWaiting(waiting), drafts: drafted.size, positions: unsentPositions },
  })
  return (
    <section className="field-section" aria-label={t("held")}>
      <h2>{t("held")}</h2>
      {held.length === 0 ? (
        <p className="quiet">{t("nothingHeld")}</p>
      ) : (
        <ul className="held-list">
          {held.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {waiting.length + unsentPositions > 0 ? (
        <Button
          size="lg"
          variant="default"
          fullWidth
          loading={isSending}
          disabled={!isReachable}
          onClick={() => {
            setSending(true)
            void send().finally(() => setSending(false))
          }}
        >
          {t("sendNow")}
        </Button>
      ) : null}
    </section>
  )
}

function Storage() {
  const t = useMessages(phoneMessages)
  const formats = useFormats()
  const { data: usage } = useQuery({
    queryKey: ["phone-storage"],
    networkMode: "always",
    staleTime: 0,
    queryFn: async () => (await readUsage()) ?? null,
  })
  if (!usage || usage.quota === 0) return null
  const isFilling = isLow(usage)
  return (
    <section className="field-section" aria-label={t("storage")}>
      <h2>{t("storage")}</h2>
      <Progress
        value={(100 * usage.used) / usage.quota}
        color={isFilling ? "red" : "pine"}
        size={8}
        aria-label={t("storage")}
      />
      <p className="quiet">
        {t("usage", { used: formats.bytes(usage.used), quota: formats.bytes(usage.quota) })}
      </p>
      {isFilling ? <Alert color="red">{t("storageLow")}</Alert> : null}
      <p className="quiet">{t(usage.isPersistent ? "persistent" : "notPersistent")}</p>
    </section>
  )
}

/** Work that other people left here. People who may edit tasks can send it for them; names are for them alone. */
function Others() {
  const t = useMessages(phoneMessages)
  const { may, user } = useSession()
  const { refresh } = useField()
  const { others } = useHeld()
  const isReachable = useIsReachable()
  const mayRelease = may("edit/task")
  const heldTexts = useHeldTexts()
  const [sendingFor, setSendingFor] = useState<string>()
  if (others.length === 0) return null
  const release = async ({ person, finished }: OthersWork) => {
    if (!window.confirm(t("releaseQuestion", { name: person.name, count: finished }))) return
    setSendingFor(person.key)
    try {
      const store = storeOf(person.key)
      await sendWaiting(store, { sender: user._id, doneFor: person.email, onChange: () => void refresh() })
      if (may("edit/member")) await sendPoints(store, user._id)
      const left = (
        await Promise.all([store.count("waiting"), store.count("drafts"), store.count("points")])
      ).some((count) => count > 0)
      if (!left) await deletePerson(person.key)
      notifyStatus(
        t((await store.count("waiting")) > 0 ? "releasedPartly" : "released", { name: person.name }),
      )
    } finally {
      setSendingFor(undefined)
      await refresh()
    }
  }
  return (
    <section className="field-section" aria-label={t("others")}>
      <h2>{t("others")}</h2>
      <p className="quiet">{t(mayRelease ? "othersForPlanner" : "othersText")}</p>
      <ul className="held-list">
        {others.map((work) => (
          <li key={work.person.key}>
            {mayRelease ? <strong>{work.person.name}: </strong> : null}
            {heldTexts(work).join(", ")}
            {mayRelease && work.finished + work.more > 0 ? (
              <Button
                size="lg"
                variant="default"
                fullWidth
                loading={sendingFor === work.person.key}
                disabled={!isReachable}
                onClick={() => void release(work)}
              >
                {t("release", { name: work.person.name })}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Appearance() {
  const t = useMessages(phoneMessages)
  const { language } = useLanguage()
  const chooseLanguage = useChooseLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <section className="field-section">
      <h2>{t("language")}</h2>
      <NativeSelect
        size="lg"
        aria-label={t("language")}
        data={languages.map((value) => ({ value, label: languageNames[value] }))}
        value={language}
        onChange={({ currentTarget: { value } }) => isLanguage(value) && chooseLanguage(value)}
      />
      <h2>{t("appearance")}</h2>
      <SegmentedControl
        fullWidth
        size="lg"
        aria-label={t("appearance")}
        data={(["light", "dark", "auto"] as const).map((value) => ({ value, label: t(value) }))}
        value={colorScheme}
        onChange={(next) => setColorScheme(next as typeof colorScheme)}
      />
    </section>
  )
}
