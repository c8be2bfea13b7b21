import { QueryClient } from "@tanstack/react-query"
import { ApiError } from "./api/client.ts"

/**
 * What was read stays good until an event says otherwise: the live stream invalidates it, and after a gap in
 * the stream everything is asked again. A refusal is an answer, hence never retried.
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
