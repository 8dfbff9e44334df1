/**
 * Ids that a state gives to persons, with the check digits and rules of each.
 */

import type { Detector } from '../detector.ts'
import { matchesOf } from '../matches-of.ts'
import { hasContext, isPieceOfCode, mayHoldNumber, withoutUuids } from '../surroundings.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { EUROPE } from './europe.ts'

const FORMS = [...EUROPE, ...ELSEWHERE]

export const nationalId: Detector<'national-id'> = {
  name: 'national-id',
  *find(text) {
    if (!mayHoldNumber(text)) return
    const readable = withoutUuids(text)
    for (const { country, pattern, isValid, context } of FORMS) {
      for (const match of matchesOf(readable, pattern)) {
        const span = { start: match.index, end: match.index + match[0].length }
        const id = match[0].replace(/[^0-9A-Za-z]/g, '').toUpperCase()
        if (!isValid(id) || isPieceOfCode(readable, span.start, span.end)) continue
        if (context === undefined || hasContext(readable, span, context))
          yield { ...span, normalized: `${country} ${id}` }
      }
    }
  },
}
