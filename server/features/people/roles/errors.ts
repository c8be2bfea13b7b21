import { defineErrors } from "#core/errors.ts"

export const roleErrors = defineErrors("role", {
  nameTaken: {
    http: 400,
    code: "031",
    message: "A role with this name already exists. Choose another name",
  },
  notFound: { http: 404, code: "033", message: "This role does not exist" },
  unknownPermission: {
    http: 400,
    code: "017",
    message: "The list contains a permission that does not exist",
  },
  badFlow: {
    http: 400,
    code: "039",
    message: "The settings of add/task refer to a flow that does not exist",
  },
  badDetail: { http: 400, code: "009", message: "The settings of a permission must be 0 or more" },
  unknownPolicy: { http: 400, code: "032", message: "This password policy does not exist" },
  notYours: {
    http: 403,
    code: "035",
    message: "You cannot change your own role, or add or change permissions that you do not have",
  },
  switchKept: { http: 403, code: "035", message: "Only an owner can remove this switch from a role" },
  ownerFixed: {
    http: 400,
    code: "042",
    message: "The permissions of the owner role cannot be changed, only its switches and its password policy",
  },
  ownerName: { http: 400, code: "043", message: "The owner and admin roles cannot be renamed" },
  defaultKept: { http: 400, code: "044", message: "Default roles cannot be deleted" },
  inUse: { http: 400, code: "046", message: "Users still have this role. Assign them another role first" },
})
