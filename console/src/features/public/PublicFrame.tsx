import "./public.css"
import type { ReactNode } from "react"
import { useMemo } from "react"
import { createFormats, type Formats } from "../../i18n/formats.ts"
import { useLanguage } from "../../i18n/language.tsx"
import { Brand } from "../../shell/Brand.tsx"

/** The frame of pages that need no account: for phones, without the console's navigation. */
export function PublicFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="public">
      <header className="public-head">
        <Brand />
      </header>
      <main className="public-main">
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}

/** Times in the zone of the device, since no user is signed in. */
export function usePublicFormats(): Formats {
  const { locale } = useLanguage()
  return useMemo(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return createFormats(locale, timeZone)
  }, [locale])
}
