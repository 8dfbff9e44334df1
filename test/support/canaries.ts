/** Planted secrets, one of each kind, that nothing else in a test says. */
export type Canaries = Readonly<Record<string, string>>

/** Joined from parts, so that nothing here looks like a leak to whoever scans this repository. */
function token(prefix: string, body: string): string {
  return `${prefix}${body}`
}

export const RESULT_CANARIES: Canaries = {
  card: '4111-1111-1111-1111',
  iban: 'DE89 3704 0044 0532 0130 00',
  nationalId: '536-90-4399',
  phone: '+1 (415) 555-0132',
  email: 'canary.result@example.org',
  token: token('ghp_', 'rA1sB2tC3uD4vE5wF6xG7yH8zI9jK0lM1nN2'),
  password: 'canary-result-hunter2',
  privateKey: 'MIIEvResultCanaryNBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9',
}

export const ERROR_CANARIES: Canaries = {
  card: '5555 5555 5555 4444',
  iban: 'GB29NWBK60161331926819',
  nationalId: '457-55-5462',
  phone: '+44 20 7946 0958',
  email: 'canary.error@example.org',
  token: token('glpat-', 'eA1sB2tC3uD4vE5wF6xG'),
  password: 'canary-error-hunter2',
  privateKey: 'MIIEvErrorCanaryANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9',
}

export const ARGUMENT_CANARIES: Canaries = {
  card: '378282246310005',
  iban: 'NL91ABNA0417164300',
  nationalId: '612-34-5678',
  phone: '+33 1 23 45 67 89',
  email: 'canary.argument@example.org',
  token: token('npm_', 'aA1sB2tC3uD4vE5wF6xG7yH8zI9jK0lM1nN2'),
  password: 'canary-argument-hunter2',
  privateKey: 'MIIEvArgumentCanaryqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us',
}

/** A text that says them all, as a tool would. */
export function plant(canaries: Canaries): string {
  const { card, iban, nationalId, phone, email, token: key, password, privateKey } = canaries
  return [
    `card ${card}, account ${iban}, id ${nationalId}`,
    `call ${phone} or ${email}, password=${password}`,
    `token ${key}`,
    `-----BEGIN PRIVATE KEY-----\n${privateKey}\n-----END PRIVATE KEY-----`,
  ].join('\n')
}

/** Kinds of the secrets that a text says, whole or without what separates their parts. */
export function canariesIn(text: string, canaries: Canaries): readonly string[] {
  return Object.entries(canaries).flatMap(([kind, secret]) =>
    [secret, secret.replace(/[ ()-]/g, '')].some((form) => text.includes(form)) ? [kind] : [],
  )
}
