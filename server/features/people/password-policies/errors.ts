import type { FastifyReply, FastifyRequest } from "fastify"
import { defineErrors, withExtra } from "#core/errors.ts"
import { sendError, toAppError } from "#core/http/errors.ts"

export const policyErrors = defineErrors("passp", {
  nameTaken: {
    http: 400,
    code: "031",
    message: "A password policy with this name already exists. Choose another name",
  },
  inUse: {
    http: 400,
    code: "032",
    message: "A role uses this policy. Assign another policy to the role first",
  },
  notFound: { http: 404, code: "033", message: "This password policy does not exist" },
  builtIn: {
    http: 403,
    code: "035",
    message: "Built-in policies cannot be changed. Create a policy of your own",
  },
  outOfRange: { http: 400, code: "009", message: "The value must be -1 (never), or 1 or more" },
})

/** Older clients read the text of a refused value under `error`. */
export function sendPolicyError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toAppError(error, request)
  const isValue = refusal.http === 400
  sendError(isValue ? withExtra(refusal, { error: refusal.message }) : error, request, reply)
}
