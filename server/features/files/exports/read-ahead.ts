/**
 * The same values, with the next one asked for while the current one is being used: the database reads a batch
 * while the last one is written. Ends the source, also when its reader stops early.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  // The driver does not return a promise at the end.
  const ask = async () => iterator.next()
  let next = ask()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = ask()
      // Reported by the await above, or of no interest when the reader has stopped.
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await next.catch(() => undefined)
    await iterator.return?.()
  }
}
