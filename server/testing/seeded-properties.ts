import fc from "fast-check"

/**
 * Takes the place of fast-check in a run of the tests: `npm test` draws the same cases each time, so that no change
 * fails by chance for what it did not touch. `npm run test:long` draws new ones, and more of them.
 */
if (process.env.FIELDWAY_LONG !== "1") fc.configureGlobal({ seed: 20_261_123 })

export default fc
