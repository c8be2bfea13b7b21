import { useQueryClient } from "@tanstack/react-query"
import type { Language } from "#shared/languages.ts"
import { server } from "../api/server.ts"
import { chooseLanguage } from "../i18n/chosen-language.ts"
import { ownUserQuery } from "./session.ts"

/** Changes the language of this browser and of the account, whose messages are then written in it too. */
export function useChooseLanguage(): (language: Language) => void {
  const client = useQueryClient()
  return (language) => {
    void chooseLanguage(language).catch(() => undefined)
    // Without a network only this browser changes; the account can follow the next time that somebody chooses.
    void server
      .patch("/api/v3/user", { body: { language } })
      .then(() => client.invalidateQueries({ queryKey: ownUserQuery.queryKey }))
      .catch(() => undefined)
  }
}
