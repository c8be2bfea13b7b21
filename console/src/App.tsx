import { MantineProvider } from "@mantine/core"
import { Notifications } from "@mantine/notifications"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { LanguageProvider } from "./i18n/language.tsx"
import { queryClient } from "./query-client.ts"
import { router } from "./router.tsx"
import { cssVariables, theme } from "./theme.ts"

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <LanguageProvider>
        <QueryClientProvider client={queryClient}>
          <Notifications position="top-center" limit={4} />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  )
}
