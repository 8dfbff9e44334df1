import { readFileSync } from 'node:fs'

/** The version in package.json, which stands beside dist/ and src/ alike. */
export function packageVersion(): string {
  const path = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version
}
