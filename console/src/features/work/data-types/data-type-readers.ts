/** Any of these permissions lets a role read the data types and their fields. */
export const dataTypeReaders = ["view/dataType", "add/task", "do/task"] as const
