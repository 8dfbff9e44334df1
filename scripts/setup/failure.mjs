/**
 * A failure whose message is all that a person needs: printed without a stack, exit code 1.
 */
export class SetupFailure extends Error {}

/**
 * Runs a command of ours and ends the process with 1 when the set-up fails.
 *
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function orExit(body) {
  try {
    return await body()
  } catch (error) {
    console.error(error instanceof SetupFailure ? error.message : error)
    process.exit(1)
  }
}
