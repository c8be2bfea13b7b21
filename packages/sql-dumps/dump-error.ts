/** The dump cannot be read; the message says why and what helps. */
export class DumpError extends Error {}
