import { Button, Modal, Stack, Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { signOut } from "../../../session/signed-out.ts"
import { useIsReachable } from "../connection.ts"
import { useField, useHeld } from "../field-context.ts"
import { stopPush } from "../inbox/push.ts"
import { countWaiting } from "../kept/field-sync.ts"
import { useHeldTexts } from "./held-texts.ts"
import { phoneMessages } from "./phone-messages.ts"

/** How long signing out waits for the browser's storage and push service, which may not answer. */
const patienceMilliseconds = 3_000

/** Asks before signing out, and says what stays on the phone. Nothing that was entered is removed. */
export function SignOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const t = useMessages(phoneMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const isReachable = useIsReachable()
  const { store, send } = useField()
  const { waiting, drafted, unsentPositions } = useHeld()
  const [isSending, setSending] = useState(false)
  const held = useHeldTexts()({
    ...{ ...countWaiting(waiting), drafts: drafted.size, positions: unsentPositions },
  })
  const [isLeaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    const tidying = Promise.allSettled([stopPush(store.personKey), store.deleteReads()])
    await Promise.race([tidying, new Promise((resolve) => setTimeout(resolve, patienceMilliseconds))])
    await signOut()
    await navigate({ to: paths.signIn, search: { next: paths.field } })
    client.clear()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={t("signOutTitle")} size="sm">
      <Stack gap="sm">
        <Text>{held.length > 0 ? t("stays", { what: held }) : t("nothingStays")}</Text>
        {waiting.length + unsentPositions > 0 ? (
          <Button
            size="lg"
            loading={isSending}
            disabled={!isReachable}
            onClick={() => {
              setSending(true)
              void send().finally(() => setSending(false))
            }}
          >
            {t("sendFirst")}
          </Button>
        ) : null}
        <Button size="lg" variant="light" color="red" loading={isLeaving} onClick={() => void leave()}>
          {held.length > 0 ? t("signOutAndKeep") : t("signOut")}
        </Button>
        <Button size="lg" variant="default" onClick={onClose} data-autofocus>
          {t("stay")}
        </Button>
      </Stack>
    </Modal>
  )
}
