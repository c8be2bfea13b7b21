interface Waiting<Question, Answer> {
  question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

export interface ReadTogether<Question, Answer> {
  /** One statement for several different questions: one answer to each, in their order. */
  read(questions: readonly Question[]): Promise<readonly Answer[]>
  /** Questions of the same key are asked once. */
  keyOf(question: Question): string
}

/** Statements of one kind on their way at a time: one is worked on while the next one gathers. */
const maxRunning = 2
/** Requests of one statement: with more all of them wait for the slowest. */
const maxTogether = 200

/**
 * Lets requests that arrive together share one statement: those of one turn of the event loop, or those that came
 * while earlier statements were on their way. Nobody is answered by a statement that left before he asked, so what
 * he sees is as fresh as if he had asked alone.
 */
export function readTogether<Question, Answer>({
  read,
  keyOf,
}: ReadTogether<Question, Answer>): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = []
  let running = 0
  let isScheduled = false

  const flush = (): void => {
    isScheduled = false
    while (waiting.length > 0 && running < maxRunning) {
      const batch = waiting.slice(0, maxTogether)
      waiting = waiting.slice(maxTogether)
      running += 1
      void answer(batch).finally(() => {
        running -= 1
        flush()
      })
    }
  }

  const answer = async (batch: readonly Waiting<Question, Answer>[]): Promise<void> => {
    const groups = [...Map.groupBy(batch, ({ question }) => keyOf(question)).values()]
    try {
      const answers = await read(groups.map(([first]) => (first as Waiting<Question, Answer>).question))
      if (answers.length !== groups.length)
        throw new Error("a batched statement returned an unexpected number of results")
      for (const [index, group] of groups.entries())
        for (const asked of group) asked.resolve(answers[index] as Answer)
    } catch (error) {
      for (const asked of batch) asked.reject(error)
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (isScheduled || running >= maxRunning) return
      isScheduled = true
      setImmediate(flush)
    })
}
