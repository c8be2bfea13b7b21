import { DirectionProvider, MantineProvider } from "@mantine/core"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { lazy, Suspense, useMemo } from "react"
import { useWord } from "./i18n/language.tsx"
import { queryClient } from "./query-client.ts"
import { router } from "./router.tsx"
import { cssVariables, themeWith } from "./theme.ts"
import { useHasNews } from "./ui/notify.ts"

const Notifications = lazy(async () => ({
  default: (await import("@mantine/notifications")).Notifications,
}))

export function App() {
  const close = useWord("close")
  const theme = useMemo(() => themeWith(close), [close])
  // Menus and drawers follow `dir` of the document, which the language sets.
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          {useHasNews() ? (
            <Suspense fallback={null}>
              <Notifications position="top-center" limit={4} />
            </Suspense>
          ) : null}
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}
