import { AppError, defineErrors, textsByField } from "#core/errors.ts"
import type { ValueProblem } from "../data-types/index.ts"

export const dataErrors = defineErrors("data", {
  badQuery: [400, "003", "The filter is invalid"],
  keyMissing: [400, "001", "dataId is required"],
  hubMissing: [400, "001", "hubId is required because records of this data type belong to a hub"],
  keyTaken: [400, "031", "dataId already exists"],
  external: [400, "032", "Records of this data type come from an external service and are read-only"],
  typeChanged: [400, "032", "A record cannot be moved to another data type"],
  notFound: [404, "033", "Data not found"],
  unknownType: [400, "033", "This data type does not exist"],
  badHub: [400, "034", "This hub does not exist, or you do not have access to it"],
  limited: [400, "035", "This record is restricted to other users"],
  tooMany: [400, "040", "The request has too many records"],
  unreachable: [400, "043", "The external service of this data type returned an invalid response"],
  unknownCursor: [
    400,
    "003",
    "The cursor must be nextCursor of the page before, in the same order, or the _id of a record",
  ],
  sortTooWide: [
    400,
    "003",
    "More than 20,000 records match. Narrow the filter, or sort by createdTime or updatedTime",
  ],
})

/** The refusal of values: the first problem's code and words, all of them by field. */
export function refusedValues(problems: readonly ValueProblem[]): AppError {
  const [first] = problems
  const fields = textsByField(problems.map(({ fieldId, reason }) => ({ field: fieldId, text: reason })))
  return new AppError(400, `data-${first?.code ?? "034"}`, `${first?.title} ${first?.reason}`, { fields })
}
