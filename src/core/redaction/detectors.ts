/**
 * The detectors that are there by default.
 */
import { apiKey } from './api-key/api-key.ts'
import type { Detector, DetectorName } from './detector.ts'
import { email } from './email.ts'
import { iban } from './iban.ts'
import { nationalId } from './national-id/national-id.ts'
import { paymentCard } from './payment-card.ts'
import { phone } from './phone.ts'
import { privateKey } from './private-key.ts'

/** By severity: where two kinds fit the same text equally well, the earlier one names it. */
export const DEFAULT_DETECTORS: readonly Detector<DetectorName>[] = [
  privateKey,
  apiKey,
  paymentCard,
  iban,
  nationalId,
  email,
  phone,
]
