import "./sessions.css"
import type { ReactNode } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { Brand } from "../../../shell/Brand.tsx"
import { sessionMessages } from "./messages.ts"
import { SignInPicture } from "./SignInPicture.tsx"

/** The frame of the pages before signing in: sign-in, invitation, confirmation, new password. */
export function SignInFrame({
  title,
  isWide = false,
  children,
}: {
  title: string
  isWide?: boolean
  children: ReactNode
}) {
  const t = useMessages(sessionMessages)
  return (
    <main className="sign-in">
      <div className="sign-in-form" style={isWide ? { maxWidth: 520 } : undefined}>
        <Brand />
        <h1>{title}</h1>
        {children}
      </div>
      <div className="sign-in-picture" aria-hidden>
        <SignInPicture />
        <p className="sign-in-words">{t("words")}</p>
      </div>
    </main>
  )
}
