/** What is wrong with a request for a spill, written for the model. */
export class SpillError extends Error {
  override readonly name = 'SpillError'
  readonly guidance: string

  constructor(message: string, guidance: string) {
    super(message)
    this.guidance = guidance
  }
}

/** Also for one of another Session, of which nothing is told. */
export function unknownSpill(id: string): SpillError {
  return new SpillError(
    `This session has no spill ${id}.`,
    'Copy the id from the result that names it. Spills are removed after some time: run the tool again then.',
  )
}
