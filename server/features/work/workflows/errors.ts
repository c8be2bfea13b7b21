import { AppError, defineErrors } from "#core/errors.ts"

export const workflowErrors = defineErrors("workf", {
  invalid: [400, "032", "The workflow is invalid"],
  notFound: [404, "033", "This workflow does not exist"],
  noStep: [404, "033", "This workflow does not have this step"],
})

/** The wire names this one in words. */
export function duplicateName(cause?: unknown): AppError {
  const message = "A workflow with this name already exists. Choose another name"
  return new AppError(400, "WORKF_DUPLICATE_NAME", message, {
    cause,
    fields: { name: [message] },
    extra: { errors: [message] },
  })
}
