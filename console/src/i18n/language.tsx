import { createContext, type ReactNode, useContext, useMemo, useState } from "react"
import { fillText, type Language, languages, type Messages, type Translate, type Word } from "./messages.ts"
import { words } from "./words.ts"

/** Each in its own words. */
export const languageNames = { en: "English", id: "Bahasa Indonesia" } as const

const storageKey = "fieldway.language"

interface LanguageChoice {
  language: Language
  setLanguage(language: Language): void
}

const LanguageContext = createContext<LanguageChoice>({ language: "en", setLanguage: () => undefined })

function isLanguage(word: string | null | undefined): word is Language {
  return languages.some((language) => language === word)
}

/** What was chosen in this browser, else the first of the browser's languages that the console supports. */
function initialLanguage(): Language {
  const chosen = localStorage.getItem(storageKey)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en"
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setState] = useState<Language>(() => {
    const initial = initialLanguage()
    document.documentElement.lang = initial
    return initial
  })
  const choice = useMemo(
    () => ({
      language,
      setLanguage: (next: Language) => {
        localStorage.setItem(storageKey, next)
        document.documentElement.lang = next
        setState(next)
      },
    }),
    [language],
  )
  return <LanguageContext.Provider value={choice}>{children}</LanguageContext.Provider>
}

export function useLanguage(): LanguageChoice {
  return useContext(LanguageContext)
}

/** `const t = useMessages(hubMessages)`, then `t("title")`; the words that all features share come along. */
export function useMessages<Key extends string>(messages: Messages<Key>): Translate<Messages<Key>> {
  const { language } = useLanguage()
  return useMemo(() => {
    const texts: Readonly<Record<Key | Word, string>> = { ...words[language], ...messages[language] }
    return ((key: Key | Word, parameters = {}) => fillText(texts[key], parameters, language)) as Translate<
      Messages<Key>
    >
  }, [messages, language])
}
