interface Waiting<Query, Result> {
  query: Query
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface BatchedRead<Query, Result> {
  /** One statement for several different queries. Returns one result for each, in the same order. */
  read(queries: readonly Query[]): Promise<readonly Result[]>
  /** Queries with the same key run once. */
  keyOf(query: Query): string
}

/** Statements of one kind on their way at a time: one is worked on while the next one gathers. */
const maxRunning = 2
/** Requests of one statement: with more all of them wait for the slowest. */
const maxBatchSize = 200

/**
 * Returns a function that batches concurrent queries into one statement: those of one iteration of the event loop, or
 * those that arrived while earlier statements were running. No query gets the result of a statement that started before
 * it, so results are as fresh as without batching. Rejects every query of a batch with the error of its statement.
 */
export function batchReads<Query, Result>({
  read,
  keyOf,
}: BatchedRead<Query, Result>): (query: Query) => Promise<Result> {
  let waiting: Waiting<Query, Result>[] = []
  let running = 0
  let isScheduled = false

  const flush = (): void => {
    isScheduled = false
    while (waiting.length > 0 && running < maxRunning) {
      const batch = waiting.slice(0, maxBatchSize)
      waiting = waiting.slice(maxBatchSize)
      running += 1
      void runBatch(batch).finally(() => {
        running -= 1
        flush()
      })
    }
  }

  const runBatch = async (batch: readonly Waiting<Query, Result>[]): Promise<void> => {
    const groups = [...Map.groupBy(batch, ({ query }) => keyOf(query)).values()]
    try {
      const results = await read(groups.map(([first]) => (first as Waiting<Query, Result>).query))
      if (results.length !== groups.length)
        throw new Error("a batched statement returned an unexpected number of results")
      for (const [index, group] of groups.entries())
        for (const request of group) request.resolve(results[index] as Result)
    } catch (error) {
      for (const request of batch) request.reject(error)
    }
  }

  return (query) =>
    new Promise((resolve, reject) => {
      waiting.push({ query, resolve, reject })
      if (isScheduled || running >= maxRunning) return
      isScheduled = true
      setImmediate(flush)
    })
}
