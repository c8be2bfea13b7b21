import { QueryClient } from "@tanstack/react-query"
import { ApiError } from "./api/client.ts"

/**
 * Data stays valid until an event invalidates it: the live stream invalidates it, and after a gap in
 * the stream everything is refetched. A rejection is a response and never retried.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < 2,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})
