import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { SERVER_SETTINGS } from '../../src/cli/local-temporal.ts'

describe('the Temporal image', () => {
  it('runs the server with the settings that `npm start` uses', async () => {
    const dockerfile = await readFile(new URL('../../Dockerfile', import.meta.url), 'utf8')
    const command = dockerfile.slice(dockerfile.indexOf('CMD ["temporal", "server"')).replaceAll('\\\n', '')
    const settings = SERVER_SETTINGS.map((argument) => JSON.stringify(argument)).join(', ')
    expect(command.replace(/ +/g, ' ')).toContain(settings)
  })
})
